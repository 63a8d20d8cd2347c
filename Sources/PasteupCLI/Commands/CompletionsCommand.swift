/// `pasteup completions SHELL`.
enum CompletionsCommand: Command {
    static let spec = CommandSpec(
        "completions", "Prints a script that lets a shell complete the command line.",
        example: "pasteup completions bash",
        arguments: [
            CommandSpec.Argument("SHELL", choices: CompletionScript.all.map(\.shell), "bash, zsh or fish.")
        ],
        notes: [
            "bash: this line in ~/.bashrc\n  source <(pasteup completions bash)",
            "zsh: this line in ~/.zshrc, after 'compinit'\n  source <(pasteup completions zsh)",
            "fish: once\n  pasteup completions fish > ~/.config/fish/completions/pasteup.fish",
            "Commands, options, runs, inputs of workflow files and step kinds are completed. The script asks the program "
                + "each\ntime, so that it stays good when that is replaced.",
        ])

    /// The word with which the scripts ask: `pasteup __complete WORD…`, the last word as far as it is typed.
    static let query = "__complete"

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let shell = arguments.positionals[0]
        guard let script = CompletionScript.all.first(where: { $0.shell == shell }) else {
            throw UsageError(
                "there are no completions for '\(shell)'",
                fix: "Shells are \(CompletionScript.all.map(\.shell).joined(separator: ", ")).")
        }
        session.output.result(script.text)
        return .done
    }

    /// Answers a script.
    static func answer(_ words: [String], _ session: Session) async -> ExitCode {
        let completion = await Completion.of(
            words, among: Pasteup.commands.map(\.spec), from: LiveCompletionSource(session: session))
        session.output.result(completion.text)
        return .done
    }
}
