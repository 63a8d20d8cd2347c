internal import Journal
internal import Values

extension JournalTables {
    func claim(_ hold: AccountHold) throws(JournalError) -> AccountHold? {
        if let other = try self.hold(on: hold.account) {
            return other.run == hold.run && other.address == hold.address ? nil : other
        }
        try connection.run(
            "INSERT OR REPLACE INTO holds (account, run, address, at) VALUES (?1, ?2, ?3, ?4)", .text(hold.account),
            .text(hold.run), .text(hold.address), .time(hold.at))
        return nil
    }

    /// A hold whose run is over or gone counts as none.
    func hold(on account: String) throws(JournalError) -> AccountHold? {
        try connection.rows(
            """
            SELECT account, holds.run, address, at, state FROM holds JOIN runs ON runs.id = holds.run WHERE account = ?1
            """, .text(account)
        ) { row in RunState(rawValue: row.text(4))?.isFinal ?? false ? nil : JournalTables.hold(row) }.first ?? nil
    }

    func holds(by run: String) throws(JournalError) -> [AccountHold] {
        try connection.rows(
            "SELECT account, run, address, at FROM holds WHERE run = ?1 ORDER BY address, account", .text(run),
            read: JournalTables.hold)
    }

    /// - Parameter address: nil for all steps of the run.
    func unhold(run: String, address: String? = nil) throws(JournalError) {
        if let address {
            try connection.run("DELETE FROM holds WHERE run = ?1 AND address = ?2", .text(run), .text(address))
        } else {
            try connection.run("DELETE FROM holds WHERE run = ?1", .text(run))
        }
    }

    private static func hold(_ row: SQLiteRow) -> AccountHold {
        AccountHold(
            account: row.text(0), run: row.text(1), address: row.text(2), at: Timestamp(milliseconds: row.integer(3)))
    }
}
