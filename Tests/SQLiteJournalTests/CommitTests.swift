import Files
import Glibc
import Journal
import Testing
import Threading
import Values

@testable import SQLiteJournal

@Suite("Committing in groups")
struct CommitTests {
    /// Serves writes that wait together, and tells what became of each in order.
    func serveTogether(
        _ writes: [(isDurable: Bool, write: @Sendable (JournalTables) throws(JournalError) -> Void)], folder: String,
        faultInjector: SQLiteFaultInjector? = nil
    ) throws -> [JournalError.Kind?] {
        let outcomes = Locked<[Int: JournalError.Kind?]>([:])
        let mailbox = Mailbox()
        for (index, write) in writes.enumerated() {
            let writing = Writing(
                isDurable: write.isDurable, kinds: [.looked],
                write: { tables throws(JournalError) in
                    try write.write(tables)
                    return { outcomes.withLock { $0[index] = .some(nil) } }
                }, fail: { error in outcomes.withLock { $0[index] = error.kind } })
            mailbox.post(.write(writing))
        }
        mailbox.post(.close {})
        let connection = try JournalFile(folder: folder).open(busyTimeout: .milliseconds(20))
        JournalWriter(connection, faultInjector: faultInjector).serve(mailbox)
        return outcomes.withLock { outcomes in writes.indices.map { outcomes[$0] ?? .other } }
    }

    @Test
    func failingWriteLeavesTheOthersOfItsGroupAlone() async throws {
        try await withStateFolder { folder in
            let events = Locked<[SQLiteWriteEvent]>([])
            let outcomes = try serveTogether(
                [
                    (true, { tables throws(JournalError) in try tables.add(makeRun("r1")) }),
                    (true, { tables throws(JournalError) in try tables.add(makeRun("r1")) }),
                    (false, { tables throws(JournalError) in try tables.commit(batch("r1", attempt: 1)) }),
                    (
                        false,
                        { tables throws(JournalError) in
                            try tables.commit(batch("r1", attempt: 2))
                            try tables.commit(batch("unknown", attempt: 3))
                        }
                    ),
                    (false, { tables throws(JournalError) in try tables.commit(batch("r1", attempt: 4)) }),
                ], folder: folder
            ) { event in
                events.withLock { $0.append(event) }
                return nil
            }
            #expect(outcomes == [nil, .exists, nil, .missing, nil])
            let kinds = [JournalEntry.Kind](repeating: .looked, count: 5)
            #expect(
                events.withLock { $0 } == [
                    SQLiteWriteEvent(number: 1, moment: .before, kinds: kinds),
                    SQLiteWriteEvent(number: 1, moment: .after, kinds: kinds),
                ])
            let store = try await SQLiteJournalStore.open(folder: folder)
            #expect(try await store.entries(of: "r1").map(\.attempt) == [1, 4])
            await store.close()
        }
    }

    @Test
    func groupThatCannotBeCommittedIsCommittedOneByOne() async throws {
        try await withStateFolder { folder in
            let outcomes = try serveTogether(
                (1...3).map { number in
                    (false, { tables throws(JournalError) in try tables.add(makeRun("r\(number)")) })
                }, folder: folder
            ) { event in event.moment == .before && [1, 3].contains(event.number) ? .full : nil }
            #expect(outcomes == [nil, .full, nil])
            let store = try await SQLiteJournalStore.open(folder: folder)
            #expect(try await store.runs(withPrefix: "r").map(\.id) == ["r1", "r3"])
            await store.close()
        }
    }

    /// Within a second ids are drawn at random: what counts is when a run began.
    @Test
    func newestRunComesFirstAlsoWithinASecond() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            for (milliseconds, id) in [(Int64(100), "1sj8jcer"), (600, "1sj8jc54"), (900, "1sj8jc7x")] {
                try await store.add(
                    RunRecord(
                        id: id, workflow: "daily", file: "/daily.yaml", lockKey: "lock", inputs: [:],
                        startedAt: Timestamp(milliseconds: 1_796_057_000_000 + milliseconds)))
            }
            #expect(
                try await store.runs(in: nil, file: nil, limit: 2).map(\.id) == ["1sj8jc7x", "1sj8jc54"])
            await store.close()
        }
    }

    @Test
    func closeWaitsForTheWritesBeforeIt() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun("r1"))
            async let first: Void = store.close()
            async let second: Void = store.close()
            _ = await (first, second)
            await store.close()
            let error = await journalError { () throws(JournalError) in try await store.add(makeRun("r2")) }
            #expect(error?.message == "the journal is closed")
            let again = try await SQLiteJournalStore.open(folder: folder)
            #expect(try await again.runs(in: nil, file: nil, limit: 10).map(\.id) == ["r1"])
            await again.close()
        }
    }

    @Test
    func cancelledTaskStillCommits() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.add(makeRun("r1"))
            }
            try await task.value
            #expect(try await store.run("r1") != nil)
            await store.close()
        }
    }

    @Test(arguments: [
        (SQLiteWriteEvent.Moment.before, SQLiteFault.full, JournalError.Kind.full, 0),
        (.before, .busy, .busy, 0), (.after, .full, .full, 1), (.after, .busy, .busy, 1),
    ])
    func faultReachesTheCallerAndTheStoreGoesOn(
        moment: SQLiteWriteEvent.Moment, fault: SQLiteFault, kind: JournalError.Kind, kept: Int
    ) async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder) { event in
                event.kinds == [.attemptStarted] && event.number == 2 && event.moment == moment ? fault : nil
            }
            try await store.add(makeRun("r1"))
            let error = await journalError { () throws(JournalError) in
                try await store.commit(batch("r1", attempt: 1, .durable))
            }
            #expect(error?.kind == kind)
            #expect(error?.message.contains("'\(store.path)'") == true)
            #expect(try await store.entries(of: "r1").count == kept)
            try await store.commit(batch("r1", attempt: 2))
            #expect(try await store.entries(of: "r1").count == kept + 1)
            await store.close()
        }
    }

    /// Elsewhere the injected fault above stands for this.
    @Test(.enabled(if: canMount, "mounting a small file system takes root"))
    func fullDiskIsToldAndNothingBeforeItIsLost() async throws {
        try await withStateFolder { folder in
            try FileSystem.makeFolder(folder)
            try #require(mount("tmpfs", folder, "tmpfs", 0, "size=512k,mode=700") == 0)
            defer { umount2(folder, Int32(MNT_DETACH)) }
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun("r1"))
            let filler = Value.string(String(repeating: "x", count: 20_000))
            var committed = 0
            var failure: JournalError?
            while failure == nil, committed < 1000 {
                let entry = JournalEntry(.stepSucceeded, "a", attempt: committed, at: at(0), data: filler)
                failure = await journalError { () throws(JournalError) in
                    try await store.commit(JournalBatch(run: "r1", entries: [entry], durability: .durable))
                }
                if failure == nil { committed += 1 }
            }
            #expect(failure?.kind == .full)
            #expect(
                failure?.description == """
                    no space left in the folder of the journal '\(store.path)' (database or disk is full). \
                    Free some space there, then run the command again: what was recorded before is kept.
                    """)
            #expect(try await store.entries(of: "r1").map(\.attempt) == Array(0..<committed))
            await store.close()
            let again = try await SQLiteJournalStore.open(folder: folder)
            #expect(try await again.entries(of: "r1").count == committed)
            #expect(try await again.integrityCheck().isEmpty)
            await again.close()
        }
    }

    /// The numbers are those of https://sqlite.org/rescode.html.
    @Test(
        arguments: [
            (13, 0, JournalError.Kind.full),  // SQLITE_FULL
            (778, ENOSPC, .full),  // SQLITE_IOERR_WRITE
            (4874, EDQUOT, .full),  // SQLITE_IOERR_SHMSIZE
            (14, ENOSPC, .full),  // SQLITE_CANTOPEN
            (5, 0, .busy),  // SQLITE_BUSY
            (261, 0, .busy),  // SQLITE_BUSY_RECOVERY
            (6, 0, .busy),  // SQLITE_LOCKED
            (8, 0, .readOnly),  // SQLITE_READONLY
            (1544, 0, .readOnly),  // SQLITE_READONLY_DIRECTORY
            (14, EACCES, .readOnly),  // SQLITE_CANTOPEN
            (778, EROFS, .readOnly),  // SQLITE_IOERR_WRITE
            (14, EMFILE, .other),  // SQLITE_CANTOPEN
            (11, 0, .damaged),  // SQLITE_CORRUPT
            (26, 0, .damaged),  // SQLITE_NOTADB
            (1034, EIO, .other),  // SQLITE_IOERR_FSYNC
            (18, 0, .other),  // SQLITE_TOOBIG
        ] as [(Int32, Int32, JournalError.Kind)])
    func eachResultCodeHasItsKind(code: Int32, systemCode: Int32, kind: JournalError.Kind) {
        let error = SQLiteFailure(code, words: "words", systemCode: systemCode)
            .journalError(path: "/state/journal.sqlite", patience: BusyPatience(limit: .seconds(10)))
        #expect(error.kind == kind)
        #expect(error.message.contains("'/state/journal.sqlite'"))
        #expect(error.message.contains("words"))
    }
}

/// Whether this process may mount: tried out, since a container's root often may not.
private let canMount: Bool = {
    guard let folder = try? FileSystem.makeTemporaryFolder(prefix: "sqlite-journal-tests") else { return false }
    defer { try? FileSystem.removeTree(folder) }
    guard mount("tmpfs", folder, "tmpfs", 0, "size=64k") == 0 else { return false }
    umount2(folder, Int32(MNT_DETACH))
    return true
}()
