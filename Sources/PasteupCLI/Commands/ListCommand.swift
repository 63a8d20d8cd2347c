internal import Journal
internal import SQLiteJournal
internal import Values

/// `pasteup list`.
enum ListCommand: Command {
    static let spec = CommandSpec(
        "list", "Lists runs, the newest first.", example: "pasteup list --limit 5",
        options: [
            CommandSpec.Option("--limit", value: "N", "How many at most; 20 unless given."),
            CommandSpec.Option("--json", "Prints one run a line, as JSON."),
            CommandSpec.Option("--sandbox", "Lists the runs of the sandbox."),
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let limit = try arguments.count("--limit", "runs") ?? 20
        let state = try StateFolder(arguments, session, isSandbox: arguments.has("--sandbox"))
        guard try state.hasJournal() else {
            if !arguments.has("--json") { session.output.note("There are no runs yet.\n") }
            return .done
        }
        let store = try await state.open(forReading: true)
        let lookup = RunLookup(state, store)
        let runs = try await store.runs(in: nil, file: nil, limit: limit).map { lookup.living($0) }
        await store.close()
        session.output.result(arguments.has("--json") ? RunListView.json(runs) : RunListView.table(runs, session.style))
        if runs.isEmpty, !arguments.has("--json") { session.output.note("There are no runs yet.\n") }
        return .done
    }
}
