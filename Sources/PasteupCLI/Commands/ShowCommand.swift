internal import Engine
internal import Files
internal import Journal
internal import SQLiteJournal
internal import StepKit
internal import Values

/// `pasteup show RUN`.
enum ShowCommand: Command {
    static let spec = CommandSpec(
        "show", "Shows a run: its steps, what they made, what went wrong, what must be answered.",
        example: "pasteup show 1v9k2f7q",
        arguments: [CommandSpec.Argument("RUN", "The run's id or its beginning.")],
        options: [
            CommandSpec.Option("--json", "Prints the run and its journal as one JSON object."),
            CommandSpec.Option("--sandbox", "Looks among the runs of the sandbox."),
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let view = try await NamedRun.with(arguments, session, forReading: true) { run in
            RunDetailView(run.record, try await run.store.entries(of: run.record.id), run.state, session)
        }
        session.output.result(arguments.has("--json") ? view.json : view.text)
        return .done
    }
}
