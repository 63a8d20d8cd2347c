import Files
import Journal
import SQLiteJournal
import TestSupport
import Testing
import Values

@testable import PasteupCLI

/// What goes and what stays, on a real journal and real folders.
@Suite struct PruningTests {
    private let folder: TemporaryFolder
    private let state: StateFolder
    private let store: SQLiteJournalStore
    /// Between the old and the young runs.
    private let limit = Timestamp(seconds: 1_790_000_000)

    init() async throws {
        folder = try TemporaryFolder()
        state = StateFolder(path: folder.path, options: "")
        store = try await SQLiteJournalStore.open(folder: folder.path)
    }

    /// - Parameter age: seconds before the limit at which the run last changed.
    private func add(_ id: String, _ runState: RunState, age: Int64 = 60) async throws {
        try await store.add(
            RunRecord(
                id: id, workflow: "daily", file: "/daily.yaml", lockKey: "", inputs: [:],
                startedAt: Timestamp(seconds: 1_790_000_000 - age), state: runState))
        try FileSystem.makeFolder(state.runFolder(id))
        try FileSystem.write([UInt8](repeating: 7, count: 100), to: FileSystem.join(state.runFolder(id), "photo.jpg"))
    }

    private func prune(removes: Bool = true) async throws -> Pruning.Report {
        try await Pruning(state, store).prune(olderThan: limit, removes: removes)
    }

    private func remaining() throws -> [String] { try FileSystem.list(folder.file("runs")) }

    @Test(arguments: RunState.allCases)
    func onlyRunsThatAreOverGo(runState: RunState) async throws {
        try await add("1shf50a0", runState)
        let goes = [.succeeded, .failed, .canceled].contains(runState)
        #expect(try await prune().runs.map(\.id) == (goes ? ["1shf50a0"] : []))
        #expect(try remaining() == (goes ? [] : ["1shf50a0"]))
        #expect(try await store.run("1shf50a0") == nil ? goes : !goes)
        await store.close()
    }

    @Test func youngRunsStayAndBytesAreCounted() async throws {
        try await add("1shf50a0", .succeeded)
        try await add("1shf50a1", .succeeded, age: -60)
        let report = try await prune()
        #expect(report.runs.map(\.id) == ["1shf50a0"])
        #expect(report.bytes == 100)
        #expect(try remaining() == ["1shf50a1"])
        await store.close()
    }

    @Test func dryRunChangesNothing() async throws {
        try await add("1shf50a0", .failed)
        let report = try await prune(removes: false)
        #expect(report.runs.map(\.id) == ["1shf50a0"])
        #expect(report.bytes == 100)
        #expect(try remaining() == ["1shf50a0"])
        #expect(try await prune() == report)
        await store.close()
    }

    @Test func runThatAProcessWorksOnStays() async throws {
        try await add("1shf50a0", .failed)
        let lock = try #require(try FileLock.take(state.lockPath("1shf50a0")))
        #expect(try await prune() == Pruning.Report())
        withExtendedLifetime(lock) {}
        #expect(try await store.run("1shf50a0") != nil)
        await store.close()
    }

    @Test func ledgerStaysAndSoDoesARunInDoubt() async throws {
        let done = LedgerKey(scope: "daily", text: "own/1")
        let doubtful = LedgerKey(scope: "daily", text: "own/2")
        try await add("1shf50a0", .succeeded)
        try await add("1shf50a1", .canceled)
        _ = try await store.reserve(done, run: "1shf50a0", address: "post", at: limit)
        try await store.commit(
            JournalBatch(run: "1shf50a0", entries: [], ledger: [.complete(done, outputs: ["post_id": 7])]))
        _ = try await store.reserve(doubtful, run: "1shf50a1", address: "post", at: limit)
        #expect(try await prune().runs.map(\.id) == ["1shf50a0"])
        #expect(try await store.ledger(withPrefix: "", limit: 9).map(\.key) == [done, doubtful])
        await store.close()
    }

    @Test func foldersWithoutARunGoWhenTheyAreOldAndNobodyHasThem() async throws {
        for name in ["1shf50a0", "1shf50a1", "notes", "1SHF50A0"] { try FileSystem.makeFolder(state.runFolder(name)) }
        let lock = try #require(try FileLock.take(state.lockPath("1shf50a1")))
        let young = try await Pruning(state, store).prune(olderThan: Timestamp(seconds: 1_600_000_000), removes: true)
        #expect(young.orphans.isEmpty)
        let future = Timestamp(seconds: 4_000_000_000)
        #expect(try await Pruning(state, store).prune(olderThan: future, removes: false).orphans == ["1shf50a0"])
        #expect(try await Pruning(state, store).prune(olderThan: future, removes: true).orphans == ["1shf50a0"])
        withExtendedLifetime(lock) {}
        #expect(try remaining() == ["1SHF50A0", "1shf50a1", "notes"])
        await store.close()
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1449, "1.4 kB"), (12_345, "12 kB"),
        (999_999, "999 kB"), (1_000_000, "1 MB"), (1_500_000_000, "1.5 GB"), (5_000_000_000_000_000, "5000 TB"),
    ])
    func bytesForPeople(bytes: Int, text: String) { #expect(byteText(bytes) == text) }
}
