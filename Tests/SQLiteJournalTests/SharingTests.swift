import Files
import Glibc
import Journal
import Testing
import Values

@testable import SQLiteJournal

@Suite("Sharing a journal")
struct SharingTests {
    @Test
    func otherConnectionSeesWhatIsCommitted() async throws {
        try await withStateFolder { folder in
            let one = try await SQLiteJournalStore.open(folder: folder)
            let other = try await SQLiteJournalStore.open(folder: folder)
            try await one.add(makeRun("r1"))
            try await one.commit(batch("r1", attempt: 1))
            #expect(try await other.entries(of: "r1").map(\.attempt) == [1])
            try await other.commit(batch("r1", attempt: 2))
            #expect(try await one.entries(of: "r1").map(\.attempt) == [1, 2])
            await one.close()
            await other.close()
        }
    }

    @Test
    func heldLockIsToldAfterTheTimeout() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder, busyTimeout: .milliseconds(30))
            try await store.add(makeRun("r1"))
            let holder = try SQLiteConnection(path: store.path, busyTimeout: .zero)
            try holder.execute("BEGIN IMMEDIATE")
            let error = await journalError { () throws(JournalError) in
                try await store.commit(batch("r1", attempt: 1))
            }
            #expect(
                error?.description == """
                    the journal '\(store.path)' is held by another process, which did not let go within 30ms \
                    (database is locked). Wait for the other command to end, then run this one again.
                    """)
            #expect(error?.kind == .busy)
            #expect(try await store.run("r1") != nil)
            holder.close()
            try await store.commit(batch("r1", attempt: 2))
            #expect(try await store.entries(of: "r1").map(\.attempt) == [2])
            await store.close()
        }
    }

    @Test
    func twoStoresReserveEachKeyOnce() async throws {
        try await withStateFolder { folder in
            let stores = [
                try await SQLiteJournalStore.open(folder: folder), try await SQLiteJournalStore.open(folder: folder),
            ]
            let won = try await withThrowingTaskGroup(of: [String].self) { group in
                for (index, store) in stores.enumerated() {
                    group.addTask { try await reserveKeys(store, run: "r\(index)") }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(won.count == 200)
            #expect(Set(won).count == 200)
            #expect(try await stores[0].ledger(withPrefix: "", limit: 1000).count == 200)
            for store in stores { await store.close() }
        }
    }

    @Test
    func twoProcessesReserveEachKeyOnce() async throws {
        try await withStateFolder { folder in
            async let first = reserveInAnotherProcess(folder, run: "r0")
            async let second = reserveInAnotherProcess(folder, run: "r1")
            _ = await (first, second)
            let store = try await SQLiteJournalStore.open(folder: folder)
            let won = try await store.entries(of: "r0") + store.entries(of: "r1")
            #expect(won.count == 200)
            #expect(Set(won.map(\.address)).count == 200)
            #expect(try await store.ledger(withPrefix: "", limit: 1000).count == 200)
            await store.close()
        }
    }

    func reserveInAnotherProcess(_ folder: String, run: String) async {
        await #expect(processExitsWith: .success) { [folder = folder as String, run = run as String] in
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun(run))
            for text in try await reserveKeys(store, run: run) {
                try await store.commit(
                    JournalBatch(run: run, entries: [JournalEntry(.onceReserved, text, at: at(0))]))
            }
            await store.close()
        }
    }
}

/// Tries for 200 keys and gives back those that the run got.
func reserveKeys(_ store: SQLiteJournalStore, run: String) async throws -> [String] {
    var won: [String] = []
    for number in 0..<200 {
        let key = LedgerKey(scope: "s", text: "\(number)")
        if try await store.reserve(key, run: run, address: "post", at: at(0)) == nil { won.append(key.text) }
    }
    return won
}
