internal import CSQLite
internal import Journal

/// A connection to a database file, with its prepared statements.
///
/// It is opened with SQLITE_OPEN_NOMUTEX: one thread at a time may use it.
final class SQLiteConnection {
    /// How far a commit has come when it returns.
    enum Synchronous: String {
        /// On disk.
        case full = "FULL"
        /// With the system: it survives the death of the process, not a power cut.
        case normal = "NORMAL"
    }

    /// As messages name the file.
    let path: String
    let handle: OpaquePointer
    let patience: BusyPatience
    private var statements: [String: SQLiteStatement] = [:]
    private var synchronous: Synchronous?
    private var isOpen = true

    /// What may be done with a file.
    enum Access {
        /// Anything; only reading where the file is write-protected (`isReadOnly` tells).
        case writing
        case reading
        /// Reading a file that nobody changes meanwhile: no lock is taken, and the write-ahead log is not looked at.
        case readingUnchanged
    }

    /// Opens a file that is there. Nothing is read yet, and closing leaves the write-ahead log alone until
    /// `leavesLogOnClose` says otherwise.
    ///
    /// - Parameters:
    ///   - name: the path as messages name it; nil for `path` itself.
    ///   - busyTimeout: how long a call waits for a lock that another connection holds.
    init(
        path: String, shownAs name: String? = nil, for access: Access = .writing, busyTimeout: Duration
    ) throws(JournalError) {
        self.path = name ?? path
        patience = BusyPatience(limit: busyTimeout)
        var opened: OpaquePointer?
        let flags =
            (access == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY)
            | (access == .readingUnchanged ? SQLITE_OPEN_URI : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let place = access == .readingUnchanged ? SQLiteConnection.address(of: path) + "?immutable=1" : path
        let code = sqlite3_open_v2(place, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteFailure(code, of: opened).journalError(path: self.path, patience: patience)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_handler(
            handle,
            { patience, tries in
                Unmanaged<BusyPatience>.fromOpaque(patience!).takeUnretainedValue().wait(tries: Int(tries)) ? 1 : 0
            }, Unmanaged.passUnretained(patience).toOpaque())
        leavesLogOnClose = true
        pasteup_sqlite3_leave_log_on_close(handle, 1)
    }

    deinit { close() }

    /// The path as an address that SQLite takes ("Uniform Resource Identifiers", 3.1): what may mean something else there is written in hex.
    private static func address(of path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return path.utf8.reduce(into: path.hasPrefix("/") ? "file://" : "file:") { address, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"):
                address.unicodeScalars.append(Unicode.Scalar(byte))
            default: address += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// Whether the file is write-protected.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Ends the connection; nothing may be asked of it afterwards. Calling it again does nothing.
    func close() {
        guard isOpen else { return }
        isOpen = false
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Whether closing leaves the file as it is, even when the write-ahead log holds more than the file.
    var leavesLogOnClose: Bool {
        didSet { pasteup_sqlite3_leave_log_on_close(handle, leavesLogOnClose ? 1 : 0) }
    }

    /// How many rows the last statement inserted, changed or deleted.
    var changes: Int { Int(sqlite3_changes(handle)) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs statements that take and give nothing, without keeping them prepared.
    func execute(_ sql: String) throws(JournalError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Runs a statement to its end; its rows are left unread.
    func run(_ sql: String, _ bindings: SQLiteBinding...) throws(JournalError) {
        try statement(sql).run(bindings)
    }

    /// The rows of a statement, each read by `read`.
    func rows<Row>(
        _ sql: String, _ bindings: SQLiteBinding..., read: (SQLiteRow) throws(JournalError) -> Row
    ) throws(JournalError) -> [Row] {
        try statement(sql).rows(bindings, read: read)
    }

    /// Sets how lasting the commits from now on are. Not inside a transaction.
    func setSynchronous(_ level: Synchronous) throws(JournalError) {
        guard level != synchronous else { return }
        try execute("PRAGMA synchronous = \(level.rawValue)")
        synchronous = level
    }

    /// Switches the file to the write-ahead log; it stays so.
    ///
    /// The switch takes a lock for which SQLite does not always wait itself, so it is tried again here.
    func useWriteAheadLog() throws(JournalError) {
        var tries = 0
        while true {
            do throws(JournalError) {
                let mode = try rows("PRAGMA journal_mode = WAL") { $0.text(0) }.first ?? ""
                guard mode == "wal" else {
                    throw JournalError(
                        .other,
                        "the file system of the journal '\(path)' cannot hold a write-ahead log (it says '\(mode)')",
                        fix: "Set PASTEUP_STATE to a folder on a disk of this machine.")
                }
                return
            } catch {
                guard error.kind == .busy, patience.wait(tries: tries) else { throw error }
                tries += 1
            }
        }
    }

    /// Undoes the open transaction; without one, nothing happens.
    func rollBack() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// The error for a result code of the call that has just returned.
    func failure(_ code: Int32) -> JournalError {
        SQLiteFailure(code, of: handle).journalError(path: path, patience: patience)
    }

    private func statement(_ sql: String) throws(JournalError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try SQLiteStatement(sql, connection: self)
        statements[sql] = statement
        return statement
    }
}
