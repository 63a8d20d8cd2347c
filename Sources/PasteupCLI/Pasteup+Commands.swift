internal import Diagnostics

extension Pasteup {
    /// In the order of the help.
    static let commands: [CommandEntry] = [
        CommandEntry(RunCommand.self), CommandEntry(PlanCommand.self), CommandEntry(ResumeCommand.self),
        CommandEntry(ListCommand.self), CommandEntry(ShowCommand.self), CommandEntry(PausedCommand.self),
        CommandEntry(CancelCommand.self), CommandEntry(RetryCommand.self), CommandEntry(PruneCommand.self),
        CommandEntry(LedgerCommand.self),
        CommandEntry(LoginCommand.self), CommandEntry(LogoutCommand.self), CommandEntry(AccountsCommand.self),
        CommandEntry(NewCommand.self), CommandEntry(ValidateCommand.self), CommandEntry(GraphCommand.self),
        CommandEntry(EvalCommand.self), CommandEntry(StepsCommand.self), CommandEntry(CardCommand.self),
        CommandEntry(SchemaCommand.self), CommandEntry(DoctorCommand.self),
        CommandEntry(SandboxCommand.self), CommandEntry(CompletionsCommand.self), CommandEntry(ManCommand.self),
    ]

    struct CommandEntry: Sendable {
        let spec: CommandSpec
        let run: @Sendable (ParsedArguments, Session) async throws -> ExitCode

        init<Body: Command>(_ type: Body.Type) {
            spec = type.spec
            run = { try await Body.run($0, $1) }
        }
    }

    static var helpText: String {
        let rows = commands.map { ($0.spec.name, $0.spec.summary) }
        return """
              pasteup run workflows/instagram-to-vk.yaml --sandbox

            Runs batch-posting workflows: rehearsed first, stopped and picked up again, never posted twice.

            Usage: pasteup <command> [options]

            Commands:
            \(table(rows).joined(separator: "\n"))

            'pasteup <command> --help' shows a command; 'pasteup --version' the version.
            Exit codes: 0 done, 1 failed, 2 wrong file or command line, 3 paused for a person, 4 waiting until a time,
            5 another process works on it, 130 and 143 stopped by a signal.

            """
    }

    static func unknown(_ name: String) -> UsageError {
        if name == "version" { return UsageError("there is no command 'version'", fix: "Write 'pasteup --version'.") }
        let near = nearest(name, among: commands.map(\.spec.name))
        return UsageError(
            "unknown command '\(name)'", fix: near.map { "Did you mean '\($0)'?" } ?? "See 'pasteup --help'.")
    }
}
