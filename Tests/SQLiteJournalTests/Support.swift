import Files
import Journal
import Testing
import Values

@testable import SQLiteJournal

/// Runs `body` with a state folder of its own, which is removed afterwards.
func withStateFolder(_ body: (_ folder: String) async throws -> Void) async throws {
    let base = try FileSystem.makeTemporaryFolder(prefix: "sqlite-journal-tests")
    defer { try? FileSystem.removeTree(base) }
    try await body(FileSystem.join(base, "state"))
}

func makeRun(_ id: String, state: RunState = .running, changedAt: Timestamp? = nil) -> RunRecord {
    RunRecord(
        id: id, workflow: "daily", file: "/workflows/daily.yaml", lockKey: "lock", inputs: [:], startedAt: at(0),
        state: state, changedAt: changedAt)
}

func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_790_000_000 + seconds) }

func batch(_ run: String, attempt: Int, _ durability: Durability = .grouped) -> JournalBatch {
    JournalBatch(
        run: run, entries: [JournalEntry(.attemptStarted, "post", attempt: attempt, at: at(Int64(attempt)))],
        durability: durability)
}

/// The error that `body` throws; nil when it throws none.
func journalError(_ body: () async throws(JournalError) -> Void) async -> JournalError? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}

/// The error with which the journal in `folder` refuses to open.
func openingError(_ folder: String) async -> JournalError? {
    await journalError { () throws(JournalError) in
        await (try SQLiteJournalStore.open(folder: folder)).close()
    }
}

/// Runs statements on a file as another program would, and closes it.
func executeElsewhere(_ path: String, _ sql: String) throws {
    if !FileSystem.exists(path) { try FileSystem.write([], to: path) }
    let connection = try SQLiteConnection(path: path, busyTimeout: .seconds(10))
    connection.leavesLogOnClose = false
    try connection.execute(sql)
    connection.close()
}

func database(in folder: String) -> String { FileSystem.join(folder, "journal.sqlite") }
