internal import Diagnostics
internal import StepKit
internal import Values

/// `pasteup steps [NAME]`.
enum StepsCommand: Command {
    static let spec = CommandSpec(
        "steps", "Lists the step kinds, or shows what one takes and gives.",
        example: "pasteup steps vk.wall.post",
        arguments: [CommandSpec.Argument("NAME", isRequired: false, "A step kind, as 'uses' names it.")],
        options: [
            CommandSpec.Option("--json", "Prints a kind a line, as JSON."),
            CommandSpec.Option("--markdown", "Prints the reference page."),
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        if arguments.has("--json"), arguments.has("--markdown") {
            throw UsageError("'--json' and '--markdown' are two forms of one thing", fix: "Give one of them.")
        }
        let catalog = WorkflowSource(session).catalog
        let name = arguments.positionals.first
        let kinds = try name.map { [try kind($0, catalog)] } ?? catalog.kindNames.compactMap(catalog.kind)
        let reference = StepReference(kinds.map(\.declaration))
        if arguments.has("--json") {
            session.output.result(reference.json)
        } else if arguments.has("--markdown") {
            session.output.result(reference.markdown)
        } else if let kind = kinds.first, name != nil {
            session.output.result(StepReference.text(of: kind.declaration))
        } else {
            session.output.result(reference.list)
            session.output.note("'pasteup steps NAME' shows what one takes and gives.\n")
        }
        return .done
    }

    private static func kind(_ name: String, _ catalog: StepCatalog) throws -> any StepKind {
        if let kind = catalog.kind(name) { return kind }
        let near = nearest(name, among: catalog.knownNames)
        throw UsageError(
            "unknown step kind '\(name)'", fix: near.map { "Did you mean '\($0)'?" } ?? "See 'pasteup steps'.")
    }
}
