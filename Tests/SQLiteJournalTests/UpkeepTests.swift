import Files
import Journal
import Testing
import Values

@testable import SQLiteJournal

@Suite("Looking after a journal")
struct UpkeepTests {
    @Test
    func pruneRemovesOldEndedRunsAndNothingElse() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            for state in RunState.allCases {
                try await store.add(makeRun("old-" + state.rawValue, state: state, changedAt: at(10)))
                try await store.commit(batch("old-" + state.rawValue, attempt: 1))
                try await store.add(makeRun("new-" + state.rawValue, state: state, changedAt: at(20)))
            }
            let ended = ["old-canceled", "old-failed", "old-succeeded"]
            #expect(try await store.prunable(olderThan: at(20)).map(\.id) == ended)
            #expect(try await store.prunable(olderThan: at(10)).isEmpty)
            #expect(try await store.prune(olderThan: at(20)).map(\.id) == ended)
            #expect(try await store.prune(olderThan: at(20)).isEmpty)
            let left = try await store.runs(in: nil, file: nil, limit: 100).map(\.id)
            #expect(left.count == 2 * RunState.allCases.count - 3)
            #expect(Set(left).isDisjoint(with: ended))
            for id in ended { #expect(try await store.entries(of: id).isEmpty) }
            #expect(try await store.entries(of: "old-paused").count == 1)
            await store.close()
        }
    }

    @Test
    func pruneKeepsTheLedgerAndRunsWithAWriteInDoubt() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            let done = LedgerKey(scope: "daily", text: "done")
            let doubt = LedgerKey(scope: "daily", text: "doubt")
            for (id, key) in [("r1", done), ("r2", doubt)] {
                try await store.add(makeRun(id, state: .failed, changedAt: at(10)))
                _ = try await store.reserve(key, run: id, address: "post", at: at(5))
            }
            try await store.commit(
                JournalBatch(run: "r1", entries: [], ledger: [.complete(done, outputs: ["id": 1])]))
            #expect(try await store.prune(olderThan: at(99)).map(\.id) == ["r1"])
            #expect(try await store.run("r2") != nil)
            #expect(try await store.ledger(withPrefix: "", limit: 10).map(\.key) == [done, doubt])
            await store.close()
        }
    }

    @Test(arguments: [
        "UPDATE runs SET state = 'hibernating'", "UPDATE entries SET kind = 'step-dreamt'",
        "UPDATE ledger SET state = 'promised'",
    ])
    func wordsOfALaterVersionAreRefused(_ sql: String) async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun("r1"))
            try await store.commit(batch("r1", attempt: 1))
            _ = try await store.reserve(LedgerKey(scope: "", text: "k"), run: "r1", address: "post", at: at(1))
            try executeElsewhere(store.path, sql)
            let error = await journalError { () throws(JournalError) in
                _ = try await store.run("r1")
                _ = try await store.entries(of: "r1")
                _ = try await store.ledger(withPrefix: "", limit: 10)
            }
            #expect(error?.kind == .tooNew)
            let word = try #require(sql.split(separator: "'").last)
            #expect(error?.message.contains("'\(word)'") == true)
            await store.close()
        }
    }

    @Test(arguments: ["UPDATE runs SET inputs = '[]'", "UPDATE runs SET options = '{'"])
    func valuesThatAreNoJSONObjectsAreDamage(_ sql: String) async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun("r1"))
            try executeElsewhere(store.path, sql)
            let error = await journalError { () throws(JournalError) in _ = try await store.run("r1") }
            #expect(error?.kind == .damaged)
            await store.close()
        }
    }

    @Test
    func journalOfTheFirstFormatIsBroughtAlongWithItsRuns() async throws {
        try await withStateFolder { folder in
            try FileSystem.makeFolder(folder)
            try FileSystem.write([], to: database(in: folder))
            let connection = try SQLiteConnection(path: database(in: folder), busyTimeout: .seconds(10))
            try Migrations.migrate(connection, through: Array(Migrations.all.prefix(1)))
            try JournalTables(connection: connection).add(makeRun("r1"))
            connection.close()
            let store = try await SQLiteJournalStore.open(folder: folder)
            #expect(try await store.run("r1") == makeRun("r1"))
            let hold = AccountHold(account: "a", run: "r1", address: "post", at: makeRun("r1").startedAt)
            #expect(try await store.claim(hold) == nil)
            #expect(try await store.hold(on: "a") == hold)
            await store.close()
        }
    }

    @Test
    func laterMigrationKeepsWhatIsThere() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun("r1"))
            await store.close()
            let more = Migrations.all + [Migration(name: "notes", sql: "ALTER TABLE runs ADD COLUMN note TEXT")]
            let connection = try SQLiteConnection(path: database(in: folder), busyTimeout: .seconds(10))
            try Migrations.migrate(connection, through: more)
            #expect(try connection.rows("SELECT id FROM runs WHERE note IS NULL") { $0.text(0) } == ["r1"])
            #expect(try connection.rows("PRAGMA user_version") { $0.integer(0) } == [Int64(Migrations.all.count) + 1])
            connection.close()
            #expect(await openingError(folder)?.kind == .tooNew)
        }
    }

    @Test
    func failingMigrationLeavesTheFormatAsItWas() async throws {
        try await withStateFolder { folder in
            await (try SQLiteJournalStore.open(folder: folder)).close()
            let more =
                Migrations.all + [
                    Migration(name: "good", sql: "CREATE TABLE extra (id INTEGER)"),
                    Migration(name: "bad", sql: "ALTER TABLE nowhere ADD COLUMN note TEXT"),
                ]
            let connection = try SQLiteConnection(path: database(in: folder), busyTimeout: .seconds(10))
            let error = await journalError { () throws(JournalError) in
                try Migrations.migrate(connection, through: more)
            }
            #expect(error?.message.contains("the change 'bad' failed") == true)
            #expect(error?.message.contains("no such table: nowhere") == true)
            connection.close()
            #expect(await openingError(folder) == nil)
        }
    }
}
