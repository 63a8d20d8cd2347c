internal import Values
internal import Workflows

/// `pasteup schema`.
enum SchemaCommand: Command {
    static let spec = CommandSpec(
        "schema", "Prints the JSON Schema of workflow files, for editors.",
        example: "pasteup schema",
        notes: [
            "'pasteup schema > ~/.config/pasteup/workflow.schema.json' keeps it.",
            "With yaml-language-server (VS Code, Neovim, Helix, Zed) begin a workflow file with\n"
                + "  # yaml-language-server: $schema=/home/anna/.config/pasteup/workflow.schema.json",
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        session.output.result(WorkflowSchema(catalog: WorkflowSource(session).catalog).value.json(.indented) + "\n")
        return .done
    }
}
