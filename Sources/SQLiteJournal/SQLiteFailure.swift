internal import CSQLite
internal import Files
internal import Glibc
internal import Journal
internal import Values

/// What SQLite said: the extended result code, its words, and the system's error number behind it.
struct SQLiteFailure {
    let code: Int32
    let words: String
    /// Belongs to the code only when that is SQLITE_IOERR or SQLITE_CANTOPEN.
    let systemCode: Int32

    init(_ code: Int32, words: String, systemCode: Int32) {
        self.code = code
        self.words = words
        self.systemCode = systemCode
    }

    /// - Parameter handle: the connection that said it; nil when there was no memory for one.
    init(_ code: Int32, of handle: OpaquePointer?) {
        self.init(
            code, words: String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)),
            systemCode: handle.map { sqlite3_system_errno($0) } ?? 0)
    }

    /// The failure as people meet it.
    ///
    /// - Parameter patience: how long the connection waited when the failure is a held lock.
    func journalError(path: String, patience: BusyPatience) -> JournalError {
        switch code & 0xFF {
        case SQLITE_FULL: full(path)
        case SQLITE_BUSY, SQLITE_LOCKED:
            JournalError(
                .busy,
                "the journal '\(path)' is held by another process, which did not let go within "
                    + "\(patience.limit.text) (\(words))",
                fix: "Wait for the other command to end, then run this one again.")
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: readOnly(path)
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged(path, words)
        case SQLITE_IOERR, SQLITE_CANTOPEN: fromSystem(path)
        default: JournalError(.other, "the journal '\(path)' failed: \(words) (SQLite's code \(code))")
        }
    }

    private func fromSystem(_ path: String) -> JournalError {
        switch systemCode {
        case ENOSPC, EDQUOT: full(path)
        case EROFS, EACCES, EPERM: readOnly(path)
        case EMFILE, ENFILE, ENOMEM, EIO: other(path)
        default: code & 0xFF == SQLITE_CANTOPEN ? readOnly(path) : other(path)
        }
    }

    private var reason: String { systemCode == 0 ? words : "\(words) (\(systemReason(systemCode)))" }

    private func full(_ path: String) -> JournalError { .full(path, words) }

    private func readOnly(_ path: String) -> JournalError {
        // SQLite only says that it could not: the system knows why.
        let obstacle =
            FileSystem.obstacle(toWriting: FileSystem.folder(of: path)) ?? FileSystem.obstacle(toWriting: path)
            ?? (FileSystem.isFolder(path) ? "it is a folder" : nil)
        return .readOnly(
            "the journal '\(path)' cannot be written: "
                + (obstacle ?? (code & 0xFF == SQLITE_READONLY ? words : reason)))
    }

    private func other(_ path: String) -> JournalError {
        JournalError(
            .other, "the journal '\(path)' could not be read or written: \(reason)",
            fix: "Look at the disk and the system's log; what was recorded before is kept.")
    }
}

extension JournalError {
    static func full(_ path: String, _ words: String) -> JournalError {
        JournalError(
            .full, "no space left in the folder of the journal '\(path)' (\(words))",
            fix: "Free some space there, then run the command again: what was recorded before is kept.")
    }

    static func readOnly(_ message: String) -> JournalError {
        JournalError(
            .readOnly, message, fix: "Make the folder writable, or set PASTEUP_STATE to a folder that is.")
    }

    /// For a file that may not be read, or of which no copy can be made to read it in.
    static func unreadable(_ path: String, _ why: String) -> JournalError {
        JournalError(
            .other, "the journal '\(path)' cannot be read: \(why)",
            fix: "Let its owner run the command, or choose another state folder with --state DIR.")
    }

    static func damaged(_ path: String, _ words: String) -> JournalError {
        JournalError(
            .damaged, "the journal '\(path)' is damaged or is no journal: \(words)",
            fix: "Put a good copy in its place, or move it away together with the files '\(path)-wal' and "
                + "'\(path)-shm'; an empty journal knows no runs and no keys of 'once'.")
    }

    static func tooNew(_ path: String, _ what: String) -> JournalError {
        JournalError(
            .tooNew, "the journal '\(path)' was written by a later version of pasteup: \(what)",
            fix: "Use that version or a later one.")
    }

    /// For what happened to the folder or the file before SQLite saw it.
    static func file(_ error: FileError, path: String) -> JournalError {
        if error.isDiskFull { return .full(path, error.reason) }
        let isPlace = [ENOTDIR, EISDIR, ENOENT, ELOOP, ENAMETOOLONG].contains(error.code)
        let message = "there is no place for the journal '\(path)': \(error)"
        return error.isReadOnly || isPlace ? .readOnly(message) : JournalError(.other, message)
    }
}
