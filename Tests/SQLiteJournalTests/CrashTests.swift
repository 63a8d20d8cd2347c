import Files
import Glibc
import Journal
import Testing
import Values

@testable import SQLiteJournal

@Suite("Death of the process")
struct CrashTests {
    /// The first commit adds the run, the n-th the entry of attempt n - 1.
    @Test(arguments: 1...4, [true, false])
    func killAtACommitLosesNothingCommitted(number: Int, isBefore: Bool) async throws {
        try await withStateFolder { folder in
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [folder = folder as String, number = number as Int, isBefore = isBefore as Bool] in
                let moment: SQLiteWriteEvent.Moment = isBefore ? .before : .after
                let store = try await SQLiteJournalStore.open(folder: folder) { event in
                    event.number == number && event.moment == moment ? .run { kill(getpid(), SIGKILL) } : nil
                }
                try await store.add(makeRun("r1"))
                for attempt in 1...3 {
                    try await store.commit(batch("r1", attempt: attempt, attempt == 2 ? .durable : .grouped))
                }
            }
            let commits = isBefore ? number - 1 : number
            let store = try await SQLiteJournalStore.open(folder: folder)
            #expect((try await store.run("r1") != nil) == (commits > 0))
            #expect(try await store.entries(of: "r1").count == max(0, commits - 1))
            #expect(try await store.integrityCheck().isEmpty)
            if commits > 0 { try await store.reopen("r1", at: at(9)) }
            await store.close()
        }
    }

    /// What lies on the disk when a process dies is the file and its log.
    @Test
    func fileAndLogHoldAllThatWasCommitted() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun("r1"))
            for attempt in 1...20 { try await store.commit(batch("r1", attempt: attempt)) }
            let copy = folder + "-copy"
            try FileSystem.makeFolder(copy)
            for suffix in ["", "-wal"] {
                try FileSystem.write(
                    try FileSystem.read(database(in: folder) + suffix), to: database(in: copy) + suffix)
            }
            await store.close()
            let recovered = try await SQLiteJournalStore.open(folder: copy)
            #expect(try await recovered.entries(of: "r1").map(\.attempt) == Array(1...20))
            await recovered.close()
        }
    }

    @Test
    func halfWrittenCommitAtTheEndOfTheLogIsDropped() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun("r1"))
            try await store.commit(batch("r1", attempt: 1))
            let whole = try FileSystem.size(database(in: folder) + "-wal")
            try await store.commit(batch("r1", attempt: 2))
            let copy = folder + "-copy"
            try FileSystem.makeFolder(copy)
            try FileSystem.write(try FileSystem.read(database(in: folder)), to: database(in: copy))
            let log = try FileSystem.read(database(in: folder) + "-wal")
            #expect(log.count > whole)
            try FileSystem.write(Array(log.prefix(whole + 1000)), to: database(in: copy) + "-wal")
            await store.close()
            let recovered = try await SQLiteJournalStore.open(folder: copy)
            #expect(try await recovered.entries(of: "r1").map(\.attempt) == [1])
            await recovered.close()
        }
    }
}
