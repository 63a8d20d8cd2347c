internal import CSQLite
internal import Files
internal import Glibc
internal import Journal

/// The place of a journal: the state folder and the database in it.
struct JournalFile {
    let folder: String

    var path: String { FileSystem.join(folder, "journal.sqlite") }

    /// Opens the database, made first when it is missing, in the present shape.
    func open(busyTimeout: Duration) throws(JournalError) -> SQLiteConnection {
        do {
            try FileSystem.makeFolder(folder, mode: 0o700)
            try create()
        } catch {
            throw .file(error, path: path)
        }
        let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
        try Migrations.migrate(connection)
        if connection.isReadOnly { throw connection.failure(SQLITE_READONLY) }
        try connection.execute("PRAGMA foreign_keys = ON")
        return connection
    }

    /// Makes an empty file of mode 0600, whatever the umask. SQLite gives the files beside it the same mode.
    ///
    /// A file that is there is never opened here: closing it would drop the POSIX locks that other connections of this
    /// process hold on it ("How To Corrupt An SQLite Database File", 2.2).
    private func create() throws(FileError) {
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file < 0 else {
            fchmod(file, 0o600)
            close(file)
            return
        }
        guard errno == EEXIST else { throw FileError(operation: "create", path: path, code: errno) }
        for name in [path, path + "-wal", path + "-shm"] { closeToOthers(name) }
    }

    /// The journal holds addresses that give access, so a copy put back with a wider mode is narrowed. Where that is
    /// not ours to do, the file is used as it is.
    private func closeToOthers(_ path: String) {
        guard let mode = try? FileSystem.mode(path), mode & 0o077 != 0, !FileSystem.isFolder(path) else { return }
        chmod(path, 0o600)
    }
}
