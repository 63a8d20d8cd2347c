import Files
import Glibc
import Journal
import Testing
import Values

@testable import SQLiteJournal

@Suite("Opening a journal")
struct OpeningTests {
    @Test
    func makesFolderAndFilesForTheirOwnerOnly() async throws {
        try await withStateFolder { folder in
            let nested = FileSystem.join(folder, "deep/er")
            let store = try await SQLiteJournalStore.open(folder: nested)
            try await store.add(makeRun("r1"))
            #expect(store.path == database(in: nested))
            #expect(try FileSystem.list(nested) == ["journal.sqlite", "journal.sqlite-shm", "journal.sqlite-wal"])
            #expect(try FileSystem.mode(folder) == 0o700)
            #expect(try FileSystem.mode(nested) == 0o700)
            for name in try FileSystem.list(nested) {
                #expect(try FileSystem.mode(FileSystem.join(nested, name)) == 0o600, "\(name)")
            }
            await store.close()
            #expect(try FileSystem.list(nested) == ["journal.sqlite"])
        }
    }

    @Test
    func narrowsTheModeOfACopyPutBack() async throws {
        try await withStateFolder { folder in
            await (try SQLiteJournalStore.open(folder: folder)).close()
            chmod(database(in: folder), 0o644)
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun("r1"))
            for name in try FileSystem.list(folder) {
                #expect(try FileSystem.mode(FileSystem.join(folder, name)) == 0o600, "\(name)")
            }
            await store.close()
        }
    }

    @Test
    func leavesTheModeOfAFolderThatIsThere() async throws {
        try await withStateFolder { folder in
            try FileSystem.makeFolder(folder, mode: 0o750)
            await (try SQLiteJournalStore.open(folder: folder)).close()
            #expect(try FileSystem.mode(folder) == 0o750)
        }
    }

    @Test
    func keepsWhatWasThere() async throws {
        try await withStateFolder { folder in
            let first = try await SQLiteJournalStore.open(folder: folder)
            try await first.add(makeRun("r1"))
            await first.close()
            let second = try await SQLiteJournalStore.open(folder: folder)
            #expect(try await second.run("r1") == makeRun("r1"))
            await second.close()
        }
    }

    @Test
    func marksTheFileAsAJournal() async throws {
        try await withStateFolder { folder in
            await (try SQLiteJournalStore.open(folder: folder)).close()
            let header = try FileSystem.read(database(in: folder)).prefix(100)
            // https://sqlite.org/fileformat2.html, 1.3: user version at 60, application id at 68, both big-endian.
            #expect(Array(header[60..<64]) == [0, 0, 0, 2])
            #expect(Array(header[68..<72]) == Array("pstu".utf8))
            // Both file format numbers are 2 in a database with a write-ahead log.
            #expect(Array(header[18..<20]) == [2, 2])
        }
    }

    @Test
    func manyStoresMayMakeTheJournalAtOnce() async throws {
        try await withStateFolder { folder in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let store = try await SQLiteJournalStore.open(folder: folder)
                        try await store.add(makeRun("r\(number)"))
                        await store.close()
                    }
                }
                try await group.waitForAll()
            }
            let store = try await SQLiteJournalStore.open(folder: folder)
            #expect(try await store.runs(in: nil, file: nil, limit: 100).count == 8)
            await store.close()
        }
    }

    @Test
    func refusesAJournalOfALaterVersionWithoutAChange() async throws {
        try await withStateFolder { folder in
            await (try SQLiteJournalStore.open(folder: folder)).close()
            try executeElsewhere(database(in: folder), "PRAGMA user_version = 99")
            let before = try FileSystem.read(database(in: folder))
            let error = try #require(await openingError(folder))
            #expect(error.kind == .tooNew)
            #expect(
                error.description == """
                    the journal '\(database(in: folder))' was written by a later version of pasteup: its format is 99, \
                    and this version knows up to 2. Use that version or a later one.
                    """)
            #expect(try FileSystem.read(database(in: folder)) == before)
        }
    }

    @Test
    func refusesALaterVersionInTheLogWithoutAChange() async throws {
        try await withStateFolder { folder in
            await (try SQLiteJournalStore.open(folder: folder)).close()
            let path = database(in: folder)
            // Closed without a checkpoint, the connection leaves its commit in the log alone.
            let later = try SQLiteConnection(path: path, busyTimeout: .seconds(10))
            try later.execute("PRAGMA user_version = 3")
            later.close()
            let before = try FileSystem.read(path)
            let log = try FileSystem.read(path + "-wal")
            #expect(!log.isEmpty)
            #expect(await openingError(folder)?.kind == .tooNew)
            #expect(try FileSystem.read(path) == before)
            #expect(try FileSystem.read(path + "-wal") == log)
        }
    }

    @Test(arguments: [
        "CREATE TABLE notes (text)", "PRAGMA application_id = 1", "PRAGMA user_version = 3",
        "PRAGMA application_id = 0x70737475",
    ])
    func refusesTheDatabaseOfAnotherProgramWithoutAChange(_ sql: String) async throws {
        try await withStateFolder { folder in
            try FileSystem.makeFolder(folder)
            try executeElsewhere(database(in: folder), sql)
            let before = try FileSystem.read(database(in: folder))
            let error = try #require(await openingError(folder))
            #expect(error.kind == .damaged)
            #expect(error.message.contains("'\(database(in: folder))'"))
            #expect(error.fix?.contains("move it away") == true)
            #expect(try FileSystem.read(database(in: folder)) == before)
            #expect(try FileSystem.list(folder) == ["journal.sqlite"])
        }
    }

    @Test(arguments: ["x", "not a database, but a text that somebody saved under this name\n", "SQLite format 3\u{0}"])
    func refusesWhatIsNoDatabaseWithoutAChange(_ text: String) async throws {
        try await withStateFolder { folder in
            try FileSystem.makeFolder(folder)
            let bytes = Array(String(repeating: text, count: 100).utf8)
            try FileSystem.write(bytes, to: database(in: folder))
            let error = try #require(await openingError(folder))
            #expect(error.kind == .damaged)
            #expect(error.message.contains("'\(database(in: folder))'"))
            #expect(try FileSystem.read(database(in: folder)) == bytes)
        }
    }

    @Test
    func tellsADamagedPage() async throws {
        try await withStateFolder { folder in
            let store = try await SQLiteJournalStore.open(folder: folder)
            try await store.add(makeRun("r1"))
            #expect(try await store.integrityCheck().isEmpty)
            await store.close()
            var bytes = try FileSystem.read(database(in: folder))
            for index in 4096..<bytes.count { bytes[index] = 0xA5 }
            try FileSystem.write(bytes, to: database(in: folder))
            let damaged = try await SQLiteJournalStore.open(folder: folder)
            let error = await journalError { () throws(JournalError) in _ = try await damaged.run("r1") }
            #expect(error?.kind == .damaged)
            #expect(error?.message.contains("database disk image is malformed") == true)
            await damaged.close()
        }
    }

    @Test
    func fileInPlaceOfTheFolderIsNoPlaceToWrite() async throws {
        try await withStateFolder { folder in
            try FileSystem.write([], to: folder)
            let error = try #require(await openingError(folder))
            #expect(error.kind == .readOnly)
            #expect(
                error.description == """
                    there is no place for the journal '\(database(in: folder))': cannot create folder '\(folder)': \
                    Not a directory. Make the folder writable, or set PASTEUP_STATE to a folder that is.
                    """)
        }
    }

    @Test
    func folderInPlaceOfTheFileIsNoPlaceToWrite() async throws {
        try await withStateFolder { folder in
            try FileSystem.makeFolder(database(in: folder))
            let error = try #require(await openingError(folder))
            #expect(error.kind == .readOnly)
            #expect(error.message.contains("cannot be written: it is a folder"))
        }
    }

    @Test
    func folderThatNobodyMayWriteIsReadOnly() async throws {
        // Not even root makes folders in /proc.
        let error = try #require(await openingError("/proc/pasteup"))
        #expect(error.kind == .readOnly)
        #expect(error.message.contains("'/proc/pasteup'"))
    }

    /// Somebody puts the log into the database and begins it anew while both are copied.
    @Test
    func copiesTheDatabaseAndItsLogAsTheyWereTogether() async throws {
        try await withStateFolder { folder in
            await (try SQLiteJournalStore.open(folder: folder)).close()
            let path = database(in: folder)
            let writer = try SQLiteConnection(path: path, busyTimeout: .seconds(10))
            try writer.execute("CREATE TABLE marks (mark TEXT)")
            try writer.execute("INSERT INTO marks VALUES ('first')")
            let copy = folder + "/copy.sqlite"
            var tries = 0
            try JournalFile(folder: folder).copyFiles(to: copy) { attempt in
                tries += 1
                guard attempt == 0 else { return }
                try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                try writer.execute("INSERT INTO marks VALUES ('second')")
            }
            #expect(tries == 2)
            let reader = try SQLiteConnection(path: copy, busyTimeout: .seconds(10))
            let marks = try reader.rows("SELECT mark FROM marks ORDER BY rowid") { $0.text(0) }
            #expect(marks == ["first", "second"])
            reader.close()
            writer.close()
        }
    }

    /// A journal that is read as a file that nobody changes, and that another process, with more rights, writes.
    @Test
    func aJournalThatCannotBeWrittenHereIsReadAsOthersHaveWrittenIt() async throws {
        try await withStateFolder { folder in
            let first = try await SQLiteJournalStore.open(folder: folder)
            try await first.add(makeRun("r1"))
            await first.close()
            let reader = try await SQLiteJournalStore.open(folder: folder, busyTimeout: .seconds(10)) {
                file throws(JournalError) in try file.openUnwritable(busyTimeout: .seconds(10))
            }
            func ids() async throws -> [String] {
                try await reader.runs(in: nil, file: nil, limit: 9).map(\.id).sorted()
            }
            #expect(try await ids() == ["r1"])

            let writer = try await SQLiteJournalStore.open(folder: folder)
            try await writer.add(makeRun("r2"))
            #expect(try await ids() == ["r1", "r2"], "what is in the log alone")
            try await writer.add(makeRun("r3"))
            await writer.close()
            #expect(try await ids() == ["r1", "r2", "r3"], "what has been moved into the file since")
            await reader.close()
        }
    }

    @Test
    func aJournalThatIsChangedWhileItIsReadIsReadAgain() async throws {
        try await withStateFolder { folder in
            let first = try await SQLiteJournalStore.open(folder: folder)
            try await first.add(makeRun("r1"))
            await first.close()
            let file = JournalFile(folder: folder)
            let mailbox = Mailbox()
            let reader = JournalReader(
                file, try file.openUnwritable(busyTimeout: .seconds(10)), busyTimeout: .seconds(10)
            ) { () throws(JournalError) in try file.openUnwritable(busyTimeout: .seconds(10)) }
            nonisolated(unsafe) var answers: [[String]] = []
            mailbox.post(
                .read(
                    Reading(
                        read: { tables in
                            let ids = (try? tables.runs(in: nil, file: nil, limit: 9).map(\.id).sorted()) ?? []
                            if answers.isEmpty, ids.count == 1 {
                                try? executeElsewhere(
                                    database(in: folder),
                                    "INSERT INTO runs SELECT 'r2', workflow, file, lock_key, inputs, "
                                        + "options, started_at, state, changed_at, processes, wakes_at FROM runs")
                            }
                            return { answers.append(ids) }
                        }, fail: { _ in })))
            mailbox.post(.close {})
            reader.serve(mailbox)
            #expect(answers == [["r1", "r2"]])
        }
    }

    @Test
    func aJournalThatCannotBeWrittenHereSaysSoToWhatWrites() async throws {
        try await withStateFolder { folder in
            await (try SQLiteJournalStore.open(folder: folder)).close()
            let reader = try await SQLiteJournalStore.open(folder: folder, busyTimeout: .seconds(10)) {
                file throws(JournalError) in try file.openUnwritable(busyTimeout: .seconds(10))
            }
            let error = await journalError { () throws(JournalError) in try await reader.add(makeRun("r1")) }
            #expect(error?.kind == .readOnly)
            #expect(try await reader.run("r1") == nil)
            await reader.close()
        }
    }
}
