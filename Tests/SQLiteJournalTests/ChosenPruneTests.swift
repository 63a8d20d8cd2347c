import Journal
import SQLiteJournal
import TestSupport
import Testing
import Values

@Suite struct ChosenPruneTests {
    @Test func removesOnlyTheChosenOfTheOldRuns() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteJournalStore.open(folder: folder.path)
        for (id, state) in [("1", RunState.succeeded), ("2", .failed), ("3", .paused)] {
            try await store.add(
                RunRecord(
                    id: id, workflow: "w", file: "/w.yaml", lockKey: "", inputs: [:],
                    startedAt: Timestamp(seconds: 1000), state: state))
        }
        let gone = try await store.prune(olderThan: Timestamp(seconds: 2000), among: ["2", "3"])
        #expect(gone.map(\.id) == ["2"], "a paused run stays, chosen or not")
        #expect(try await store.runs(in: nil, file: nil, limit: 9).map(\.id) == ["3", "1"])
        await store.close()
    }
}
