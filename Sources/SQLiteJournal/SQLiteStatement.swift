internal import CSQLite
internal import Journal

/// A value for a parameter of a statement.
enum SQLiteBinding {
    case text(String)
    case integer(Int64)
    case null

    static func integer(_ value: Int64?) -> SQLiteBinding { value.map { .integer($0) } ?? .null }
}

/// A prepared statement. It is reset after each use, so that it holds neither a lock nor a text.
final class SQLiteStatement {
    private unowned let connection: SQLiteConnection
    private let handle: OpaquePointer

    init(_ sql: String, connection: SQLiteConnection) throws(JournalError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw connection.failure(code) }
        guard let prepared else { preconditionFailure("no statement in '\(sql)'") }
        self.connection = connection
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    func run(_ bindings: [SQLiteBinding]) throws(JournalError) {
        defer { reset() }
        try bind(bindings)
        while try step() {}
    }

    func rows<Row>(
        _ bindings: [SQLiteBinding], read: (SQLiteRow) throws(JournalError) -> Row
    ) throws(JournalError) -> [Row] {
        defer { reset() }
        try bind(bindings)
        var rows: [Row] = []
        while try step() { rows.append(try read(SQLiteRow(statement: handle))) }
        return rows
    }

    private func bind(_ bindings: [SQLiteBinding]) throws(JournalError) {
        for (index, binding) in zip(Int32(1)..., bindings) {
            let code =
                switch binding {
                case .text(var text):
                    text.withUTF8 { bytes in
                        // An empty text may have no address, and SQLite takes a missing one for NULL.
                        bytes.withMemoryRebound(to: CChar.self) {
                            pasteup_sqlite3_bind_text(handle, index, $0.baseAddress ?? emptyText, UInt64($0.count))
                        }
                    }
                case .integer(let value): sqlite3_bind_int64(handle, index, value)
                case .null: sqlite3_bind_null(handle, index)
                }
            guard code == SQLITE_OK else { throw connection.failure(code) }
        }
    }

    /// Whether there is a row.
    private func step() throws(JournalError) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.failure(code)
        }
    }

    /// The code repeats what `step` said, which has been dealt with.
    private func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

/// The row a statement stands on, valid until the next step. Columns count from 0.
struct SQLiteRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

    func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

    private func withBytes<Result>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let start = sqlite3_column_text(statement, column)
        return body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}

/// Lives as long as the program.
private nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.initialize(to: 0)
    return UnsafePointer(text)
}()
