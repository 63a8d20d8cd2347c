internal import Values
internal import Workflows

/// `pasteup validate FILE…`.
enum ValidateCommand: Command {
    static let spec = CommandSpec(
        "validate", "Checks workflow files and tells all that is wrong with them.",
        example: "pasteup validate workflows/*.yaml",
        arguments: [CommandSpec.Argument("FILE", isRepeated: true, "A workflow file.")],
        options: WorkflowSource.inputOptions + [CommandSpec.Option("--quiet", "Prints only what is wrong.")],
        notes: ["With inputs, which go with one FILE, these are checked as 'run' checks them."])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let source = WorkflowSource(session)
        let givesInputs = WorkflowSource.inputOptions.contains { arguments.values[$0.key] != nil }
        guard !givesInputs || arguments.positionals.count == 1 else {
            throw UsageError("inputs go with one file, and there are \(arguments.positionals.count)")
        }
        var code = ExitCode.done
        for path in arguments.positionals {
            do {
                let workflow = try source.load(path).workflow
                if givesInputs { _ = try source.inputs(of: workflow, arguments) }
                guard !arguments.has("--quiet") else { continue }
                let count = workflow.steps.count
                session.output.result("\(path): fine, \(count == 1 ? "1 step" : "\(count) steps")\n")
            } catch let failure as CommandFailure {
                session.tell(failure)
                code = .usage
            }
        }
        return code
    }
}
