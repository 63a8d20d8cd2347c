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
        let state = try StateFolder(arguments, session, isSandbox: arguments.has("--sandbox"))
        guard state.exists else { throw RunLookup.noRuns(state) }
        let store = try await state.open()
        let record = try await RunLookup(state, store).run(arguments.positionals[0])
        let entries = try await store.entries(of: record.id)
        await store.close()
        let view = RunDetailView(record, entries, state, session)
        session.output.result(arguments.has("--json") ? view.json : view.text)
        return .done
    }
}
