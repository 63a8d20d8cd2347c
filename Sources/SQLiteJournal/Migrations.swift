internal import Journal

/// One change of the database's shape.
struct Migration {
    /// Named in the error when the change cannot be made.
    let name: String
    let sql: String
}

/// The changes that lead from an empty file to the present shape. The list is only ever added to: `user_version` says
/// how many of them a file has seen.
enum Migrations {
    /// The bytes "pstu", at offset 68 of the file: how `file` and we tell a journal from other databases.
    static let applicationID: Int64 = 0x7073_7475

    static let all = [
        Migration(
            name: "runs, entries, ledger",
            sql: """
                CREATE TABLE runs (
                    id TEXT NOT NULL PRIMARY KEY,
                    workflow TEXT NOT NULL,
                    file TEXT NOT NULL,
                    lock_key TEXT NOT NULL,
                    inputs TEXT NOT NULL,
                    options TEXT NOT NULL,
                    started_at INTEGER NOT NULL,
                    state TEXT NOT NULL,
                    changed_at INTEGER NOT NULL,
                    processes INTEGER NOT NULL,
                    wakes_at INTEGER
                ) STRICT;
                CREATE INDEX runs_by_state ON runs (state, id);
                CREATE INDEX runs_by_file ON runs (file, id);
                CREATE TABLE entries (
                    run TEXT NOT NULL REFERENCES runs (id),
                    seq INTEGER NOT NULL,
                    kind TEXT NOT NULL,
                    address TEXT NOT NULL,
                    attempt INTEGER NOT NULL,
                    at INTEGER NOT NULL,
                    data TEXT NOT NULL,
                    PRIMARY KEY (run, seq)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE ledger (
                    scope TEXT NOT NULL,
                    text TEXT NOT NULL,
                    run TEXT NOT NULL,
                    address TEXT NOT NULL,
                    state TEXT NOT NULL,
                    outputs TEXT,
                    at INTEGER NOT NULL,
                    PRIMARY KEY (scope, text)
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            name: "holds",
            sql: """
                CREATE TABLE holds (
                    account TEXT NOT NULL PRIMARY KEY,
                    run TEXT NOT NULL,
                    address TEXT NOT NULL,
                    at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """),
    ]

    /// Makes the file a journal of the present shape.
    ///
    /// - Throws: `JournalError.tooNew` for a later shape and `.damaged` for what is no journal, before anything is
    ///   changed.
    static func migrate(_ connection: SQLiteConnection, through migrations: [Migration] = all) throws(JournalError) {
        try connection.execute("BEGIN")
        let version = try inTransaction(connection) { () throws(JournalError) -> Int in
            try formatVersion(of: connection, known: migrations.count)
        }
        connection.leavesLogOnClose = false
        try connection.useWriteAheadLog()
        guard version < migrations.count else { return }
        try connection.setSynchronous(.full)
        try connection.execute("BEGIN IMMEDIATE")
        try inTransaction(connection) { () throws(JournalError) -> Void in
            // Another process may have been quicker.
            let version = try formatVersion(of: connection, known: migrations.count)
            for migration in migrations.dropFirst(version) { try apply(migration, to: connection) }
            try connection.execute("PRAGMA application_id = \(applicationID)")
            try connection.execute("PRAGMA user_version = \(migrations.count)")
        }
    }

    /// Whether the file is a journal of the present shape; nothing is changed.
    ///
    /// - Throws: as `migrate`.
    static func isPresent(_ connection: SQLiteConnection) throws(JournalError) -> Bool {
        try connection.execute("BEGIN")
        return try inTransaction(connection) { () throws(JournalError) -> Bool in
            try formatVersion(of: connection, known: all.count) == all.count
        }
    }

    private static func apply(_ migration: Migration, to connection: SQLiteConnection) throws(JournalError) {
        do {
            try connection.execute(migration.sql)
        } catch {
            throw JournalError(
                error.kind, "the change '\(migration.name)' failed: \(error.message)", fix: error.fix)
        }
    }

    /// Runs `body` in the transaction that is open and commits it; rolls back when either throws.
    private static func inTransaction<Result>(
        _ connection: SQLiteConnection, _ body: () throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        do {
            let result = try body()
            try connection.execute("COMMIT")
            return result
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// How many migrations the file has seen; 0 for an empty one.
    private static func formatVersion(of connection: SQLiteConnection, known: Int) throws(JournalError) -> Int {
        func number(_ sql: String) throws(JournalError) -> Int64 {
            try connection.rows(sql) { $0.integer(0) }.first ?? 0
        }
        let application = try number("PRAGMA application_id")
        let version = try number("PRAGMA user_version")
        if application == applicationID {
            guard version <= Int64(known) else {
                throw .tooNew(connection.path, "its format is \(version), and this version knows up to \(known)")
            }
            guard version > 0 else { throw .damaged(connection.path, "its format is \(version)") }
            return Int(version)
        }
        guard application == 0, version == 0, try number("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw .damaged(connection.path, "it is the database of another program")
        }
        return 0
    }
}
