internal import Journal
internal import SQLiteJournal

/// The run that a command's argument names, in its open journal.
struct NamedRun {
    let record: RunRecord
    let state: StateFolder
    let store: SQLiteJournalStore

    /// Opens the journal, finds the run, and closes the journal when the body is done.
    ///
    /// - Parameters:
    ///   - id: the run's id or its beginning; nil takes the first argument.
    ///   - forReading: whether it will do when nothing can be written to the journal.
    /// - Throws: `CommandFailure` with exit code 2 when there is no such run, and what the body throws.
    static func with<Result>(
        _ arguments: ParsedArguments, _ session: Session, named id: String? = nil,
        forReading: Bool = false,
        _ body: (NamedRun) async throws -> Result
    ) async throws -> Result {
        let state = try StateFolder(arguments, session, isSandbox: arguments.has("--sandbox"))
        guard try state.hasJournal() else { throw RunLookup.noRuns(state) }
        let store = try await state.open(forReading: forReading)
        do {
            let record = try await RunLookup(state, store).run(id ?? arguments.positionals[0])
            let result = try await body(NamedRun(record: record, state: state, store: store))
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }
}
