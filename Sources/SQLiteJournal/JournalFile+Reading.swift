internal import Files
internal import Journal

/// Reading a journal where nothing can be written, for want of the right or of room.
///
/// A database with a write-ahead log wants two files beside it, which SQLite makes when they are missing ("Write-Ahead
/// Logging", 5: "Read-Only Databases"). Where it cannot:
///
/// | beside the database | it is read |
/// |---|---|
/// | nothing, or an empty log | as a file that nobody changes (`immutable`) |
/// | the log and its index | as it is |
/// | the log alone, or an index that is of no use | from a copy in a temporary folder |
///
/// The first and the last do not follow what others write, so that a `JournalView` looks for that itself.
extension JournalFile {
    func openForReading(busyTimeout: Duration) throws(JournalError) -> JournalView {
        do throws(JournalError) {
            return JournalView(connection: try open(busyTimeout: busyTimeout))
        } catch {
            guard isObstacle(error), FileSystem.exists(path), !FileSystem.isFolder(path) else { throw error }
        }
        return try openUnwritable(busyTimeout: busyTimeout)
    }

    /// Opens it without the wish to write.
    func openUnwritable(busyTimeout: Duration) throws(JournalError) -> JournalView {
        guard FileSystem.isReadable(path) else { throw .unreadable(path, "you have no right to read it") }
        let stamps = stamps()
        let isAlone = !FileSystem.exists(path + "-shm") && ((try? FileSystem.size(path + "-wal")) ?? 0) == 0
        do throws(JournalError) {
            let connection = try SQLiteConnection(
                path: path, for: isAlone ? .readingUnchanged : .reading, busyTimeout: busyTimeout)
            if try Migrations.isPresent(connection) {
                return JournalView(connection: connection, stamps: isAlone ? stamps : nil)
            }
        } catch {
            guard isObstacle(error) else { throw error }
        }
        return JournalView(connection: try openCopy(busyTimeout: busyTimeout), stamps: stamps)
    }

    /// How the database and its log are now.
    func stamps() -> [FileStamp?] { [path, path + "-wal"].map(FileSystem.stamp) }

    private func isObstacle(_ error: JournalError) -> Bool { error.kind == .readOnly || error.kind == .full }

    /// The copy's files are gone when they are closed, or the process ends.
    private func openCopy(busyTimeout: Duration) throws(JournalError) -> SQLiteConnection {
        let folder: String
        do { folder = try FileSystem.makeTemporaryFolder(prefix: "pasteup-journal-") } catch {
            throw .unreadable(path, "it must be copied for that, and \(error)")
        }
        defer { try? FileSystem.removeTree(folder) }
        let copy = FileSystem.join(folder, "journal.sqlite")
        try copyFiles(to: copy)
        let connection = try SQLiteConnection(path: copy, shownAs: path, busyTimeout: busyTimeout)
        try Migrations.migrate(connection)
        connection.leavesLogOnClose = true
        return connection
    }

    /// Copies the database and its log as they were at one instant: when somebody has written meanwhile, the two are copied
    /// anew. The one before a checkpoint and the other after it would make a journal that lacks what was in between.
    ///
    /// - Parameter pause: called between the two, with the number of the try from 0.
    func copyFiles(to copy: String, pause: (Int) throws -> Void = { _ in }) throws(JournalError) {
        do {
            for attempt in 0..<JournalFile.maxCopies {
                let before = stamps()
                try FileSystem.copy(path, to: copy)
                try pause(attempt)
                if before[1] != nil { try FileSystem.copy(path + "-wal", to: copy + "-wal") }
                if stamps() == before { return }
                try? FileSystem.removeTree(copy + "-wal")
            }
        } catch {
            throw .unreadable(path, "it must be copied for that, and \(error)")
        }
        throw .unreadable(path, "it must be copied for that, and another process writes to it all the time")
    }

    /// How often a journal is copied, or read anew, before it is given up.
    static let maxCopies = 20
}
