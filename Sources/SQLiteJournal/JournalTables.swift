internal import Journal
internal import Values

/// The statements on runs and their entries, in the transaction that is open or in one of their own.
struct JournalTables {
    let connection: SQLiteConnection

    func add(_ run: RunRecord) throws(JournalError) {
        try connection.run(
            """
            INSERT INTO runs (\(Self.runColumns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            ON CONFLICT DO NOTHING
            """,
            .text(run.id), .text(run.workflow), .text(run.file), .text(run.lockKey), .json(run.inputs),
            .json(run.options), .time(run.startedAt), .text(run.state.rawValue), .time(run.changedAt),
            .integer(Int64(run.processes)), .time(run.wakesAt))
        guard connection.changes == 1 else { throw JournalError(.exists, "run '\(run.id)' exists already") }
    }

    func commit(_ batch: JournalBatch) throws(JournalError) {
        let changedAt = try connection.rows("SELECT changed_at FROM runs WHERE id = ?1", .text(batch.run)) {
            Timestamp(milliseconds: $0.integer(0))
        }.first
        guard let changedAt else { throw missing(batch.run) }
        try append(batch.entries, to: batch.run)
        let at = batch.entries.last?.at ?? changedAt
        if let state = batch.state {
            try connection.run(
                "UPDATE runs SET state = ?2, changed_at = ?3, wakes_at = ?4 WHERE id = ?1", .text(batch.run),
                .text(state.rawValue), .time(at), .time(batch.wakesAt))
            if state.isFinal { try unhold(run: batch.run) }
        }
        for address in batch.unholds { try unhold(run: batch.run, address: address) }
        for change in batch.ledger {
            try self.change(change, run: batch.run, address: batch.entries.last?.address ?? "", at: at)
        }
    }

    func reopen(_ run: String, at instant: Timestamp) throws(JournalError) {
        try connection.run(
            """
            UPDATE runs SET state = 'running', changed_at = ?2, processes = processes + 1, wakes_at = NULL WHERE id = ?1
            """, .text(run), .time(instant))
        guard connection.changes == 1 else { throw missing(run) }
    }

    func run(_ id: String) throws(JournalError) -> RunRecord? {
        try connection.rows("SELECT \(Self.runColumns) FROM runs WHERE id = ?1", .text(id), read: record).first
    }

    /// Ids are ASCII, so that the greatest scalar ends the range of a prefix.
    func runs(withPrefix prefix: String) throws(JournalError) -> [RunRecord] {
        try connection.rows(
            """
            SELECT \(Self.runColumns) FROM runs WHERE id >= ?1 AND id < ?1 || char(0x10FFFF) ORDER BY id LIMIT 10
            """, .text(prefix), read: record)
    }

    func runs(in states: Set<RunState>?, file: String?, limit: Int) throws(JournalError) -> [RunRecord] {
        var conditions: [String] = []
        if let states { conditions.append("state IN (\(Self.list(states)))") }
        if file != nil { conditions.append("file = ?2") }
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let sql = "SELECT \(Self.runColumns) FROM runs \(filter) ORDER BY started_at DESC, id DESC LIMIT ?1"
        let most = SQLiteBinding.integer(Int64(max(0, limit)))
        // SQLite refuses a value for a parameter that the statement does not have.
        if let file { return try connection.rows(sql, most, .text(file), read: record) }
        return try connection.rows(sql, most, read: record)
    }

    func entries(of run: String) throws(JournalError) -> [JournalEntry] {
        try connection.rows(
            "SELECT kind, address, attempt, at, data FROM entries WHERE run = ?1 ORDER BY seq", .text(run)
        ) { row throws(JournalError) in
            guard let kind = JournalEntry.Kind(rawValue: row.text(0)) else {
                throw .tooNew(connection.path, "run '\(run)' has an entry of the kind '\(row.text(0))'")
            }
            return JournalEntry(
                kind, row.text(1), attempt: Int(row.integer(2)), at: Timestamp(milliseconds: row.integer(3)),
                data: try value(row, 4))
        }
    }

    /// Runs of which nothing more will come and nothing is in doubt, whose state last changed before `instant`; oldest
    /// first.
    func prunable(olderThan instant: Timestamp) throws(JournalError) -> [RunRecord] {
        try connection.rows(
            """
            SELECT \(Self.runColumns) FROM runs
            WHERE state IN (\(Self.list(RunState.allCases.filter(\.isFinal)))) AND changed_at < ?1
                AND id NOT IN (SELECT run FROM ledger WHERE state = 'reserved')
            ORDER BY id
            """, .time(instant), read: record)
    }

    func prune(olderThan instant: Timestamp, among ids: Set<String>?) throws(JournalError) -> [RunRecord] {
        let runs = try prunable(olderThan: instant).filter { ids?.contains($0.id) ?? true }
        for run in runs {
            try connection.run("DELETE FROM entries WHERE run = ?1", .text(run.id))
            try connection.run("DELETE FROM runs WHERE id = ?1", .text(run.id))
        }
        return runs
    }

    func integrityCheck() throws(JournalError) -> [String] {
        try connection.rows("PRAGMA quick_check(100)") { $0.text(0) }.filter { $0 != "ok" }
    }

    private func append(_ entries: [JournalEntry], to run: String) throws(JournalError) {
        guard !entries.isEmpty else { return }
        let last = try connection.rows("SELECT max(seq) FROM entries WHERE run = ?1", .text(run)) { $0.integer(0) }
        for (seq, entry) in zip(((last.first ?? 0) + 1)..., entries) {
            try connection.run(
                "INSERT INTO entries (run, seq, kind, address, attempt, at, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                .text(run), .integer(seq), .text(entry.kind.rawValue), .text(entry.address),
                .integer(Int64(entry.attempt)), .time(entry.at), .text(entry.data.json()))
        }
    }

    private func missing(_ run: String) -> JournalError { JournalError(.missing, "there is no run '\(run)'") }

    private static let runColumns =
        "id, workflow, file, lock_key, inputs, options, started_at, state, changed_at, processes, wakes_at"

    private static func list(_ states: some Sequence<RunState>) -> String {
        states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    }

    private func record(_ row: SQLiteRow) throws(JournalError) -> RunRecord {
        guard let state = RunState(rawValue: row.text(7)) else {
            throw .tooNew(connection.path, "run '\(row.text(0))' has the state '\(row.text(7))'")
        }
        return RunRecord(
            id: row.text(0), workflow: row.text(1), file: row.text(2), lockKey: row.text(3),
            inputs: try object(row, 4), options: try object(row, 5),
            startedAt: Timestamp(milliseconds: row.integer(6)), state: state,
            changedAt: Timestamp(milliseconds: row.integer(8)), processes: Int(row.integer(9)),
            wakesAt: row.isNull(10) ? nil : Timestamp(milliseconds: row.integer(10)))
    }
}

extension JournalTables {
    func value(_ row: SQLiteRow, _ column: Int32) throws(JournalError) -> Value {
        do {
            return try Value(json: row.bytes(column))
        } catch {
            throw .damaged(connection.path, "a stored value is not JSON: \(error)")
        }
    }

    func object(_ row: SQLiteRow, _ column: Int32) throws(JournalError) -> ValueObject {
        guard case .object(let object) = try value(row, column) else {
            throw .damaged(connection.path, "a stored value is not a JSON object")
        }
        return object
    }
}

extension SQLiteBinding {
    static func json(_ object: ValueObject) -> SQLiteBinding { .text(Value.object(object).json()) }

    /// Milliseconds since 1970 in UTC.
    static func time(_ instant: Timestamp?) -> SQLiteBinding { instant.map { .integer($0.milliseconds) } ?? .null }
}
