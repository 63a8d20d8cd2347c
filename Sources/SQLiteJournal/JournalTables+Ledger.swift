internal import Journal
internal import Values

extension JournalTables {
    func reserve(
        _ key: LedgerKey, run: String, address: String, at instant: Timestamp
    ) throws(JournalError) -> LedgerEntry? {
        if let held = try ledgerEntry(key) {
            return held.run == run && held.address == address && held.state == .reserved ? nil : held
        }
        try connection.run(
            "INSERT INTO ledger (\(Self.ledgerColumns)) VALUES (?1, ?2, ?3, ?4, 'reserved', NULL, ?5)",
            .text(key.scope), .text(key.text), .text(run), .text(address), .time(instant))
        return nil
    }

    private func ledgerEntry(_ key: LedgerKey) throws(JournalError) -> LedgerEntry? {
        try connection.rows(
            "SELECT \(Self.ledgerColumns) FROM ledger WHERE scope = ?1 AND text = ?2", .text(key.scope),
            .text(key.text), read: ledgerEntry
        ).first
    }

    /// - Parameters:
    ///   - address: the step, for a key that it never reserved.
    func change(
        _ change: LedgerChange, run: String, address: String, at instant: Timestamp
    ) throws(JournalError) {
        switch change {
        case .complete(let key, let outputs):
            try connection.run(
                """
                INSERT INTO ledger (\(Self.ledgerColumns)) VALUES (?1, ?2, ?3, ?4, 'done', ?5, ?6)
                ON CONFLICT DO UPDATE SET
                    run = excluded.run, address = iif(run = excluded.run, address, excluded.address), state = 'done',
                    outputs = excluded.outputs, at = excluded.at
                """,
                .text(key.scope), .text(key.text), .text(run), .text(address), .json(outputs), .time(instant))
        case .release(let key, let holder):
            if let holder, try ledgerEntry(key)?.address != holder { return }
            try connection.run(
                "DELETE FROM ledger WHERE scope = ?1 AND text = ?2 AND run = ?3 AND state = 'reserved'",
                .text(key.scope), .text(key.text), .text(run))
        }
    }

    /// The prefix is compared byte for byte, as the keys are.
    func ledger(withPrefix prefix: String, limit: Int) throws(JournalError) -> [LedgerEntry] {
        try connection.rows(
            """
            SELECT \(Self.ledgerColumns) FROM ledger
            WHERE ?1 = '' OR substr(CAST(text AS BLOB), 1, length(CAST(?1 AS BLOB))) = CAST(?1 AS BLOB)
            ORDER BY scope, text LIMIT ?2
            """, .text(prefix), .integer(Int64(max(0, limit))), read: ledgerEntry)
    }

    func forget(_ text: String) throws(JournalError) -> [LedgerEntry] {
        let found = try connection.rows(
            "SELECT \(Self.ledgerColumns) FROM ledger WHERE text = ?1 ORDER BY scope", .text(text), read: ledgerEntry)
        if !found.isEmpty { try connection.run("DELETE FROM ledger WHERE text = ?1", .text(text)) }
        return found
    }

    func forget(_ key: LedgerKey) throws(JournalError) -> LedgerEntry? {
        let found = try ledgerEntry(key)
        if found != nil {
            try connection.run(
                "DELETE FROM ledger WHERE scope = ?1 AND text = ?2", .text(key.scope), .text(key.text))
        }
        return found
    }

    func reserved(by run: String) throws(JournalError) -> [LedgerEntry] {
        try connection.rows(
            """
            SELECT \(Self.ledgerColumns) FROM ledger WHERE run = ?1 AND state = 'reserved' ORDER BY scope, text
            """, .text(run), read: ledgerEntry)
    }

    private static var ledgerColumns: String { "scope, text, run, address, state, outputs, at" }

    private func ledgerEntry(_ row: SQLiteRow) throws(JournalError) -> LedgerEntry {
        let state: LedgerEntry.State
        switch row.text(4) {
        case "reserved": state = .reserved
        case "done": state = .done(try object(row, 5))
        default: throw .tooNew(connection.path, "a key of 'once' has the state '\(row.text(4))'")
        }
        return LedgerEntry(
            key: LedgerKey(scope: row.text(0), text: row.text(1)), run: row.text(2), address: row.text(3),
            state: state, at: Timestamp(milliseconds: row.integer(6)))
    }
}
