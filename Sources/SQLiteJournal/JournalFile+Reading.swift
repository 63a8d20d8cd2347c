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
extension JournalFile {
    func openForReading(busyTimeout: Duration) throws(JournalError) -> SQLiteConnection {
        do throws(JournalError) {
            return try open(busyTimeout: busyTimeout)
        } catch {
            guard isObstacle(error), FileSystem.exists(path), !FileSystem.isFolder(path) else { throw error }
        }
        guard FileSystem.isReadable(path) else { throw .unreadable(path, "you have no right to read it") }
        let isAlone = !FileSystem.exists(path + "-shm") && ((try? FileSystem.size(path + "-wal")) ?? 0) == 0
        do throws(JournalError) {
            let connection = try SQLiteConnection(
                path: path, for: isAlone ? .readingUnchanged : .reading, busyTimeout: busyTimeout)
            if try Migrations.isPresent(connection) { return connection }
        } catch {
            guard isObstacle(error) else { throw error }
        }
        return try openCopy(busyTimeout: busyTimeout)
    }

    private func isObstacle(_ error: JournalError) -> Bool { error.kind == .readOnly || error.kind == .full }

    /// The copy's files are gone when they are closed, or the process ends.
    private func openCopy(busyTimeout: Duration) throws(JournalError) -> SQLiteConnection {
        let folder: String
        do { folder = try FileSystem.makeTemporaryFolder(prefix: "pasteup-journal-") } catch {
            throw .unreadable(path, "it must be copied for that, and \(error)")
        }
        defer { try? FileSystem.removeTree(folder) }
        let copy = FileSystem.join(folder, "journal.sqlite")
        do {
            try FileSystem.copy(path, to: copy)
            if FileSystem.exists(path + "-wal") { try FileSystem.copy(path + "-wal", to: copy + "-wal") }
        } catch {
            throw .unreadable(path, "it must be copied for that, and \(error)")
        }
        let connection = try SQLiteConnection(path: copy, shownAs: path, busyTimeout: busyTimeout)
        try Migrations.migrate(connection)
        connection.leavesLogOnClose = true
        return connection
    }
}
