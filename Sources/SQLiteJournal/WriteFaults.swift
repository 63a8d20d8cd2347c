package import Journal

/// A commit that is about to be made, or has just been made: where tests strike.
package struct SQLiteWriteEvent: Sendable, Hashable {
    package enum Moment: Sendable, Hashable {
        /// Everything is written into the open transaction; COMMIT comes next.
        case before
        /// COMMIT has succeeded; no caller has been answered.
        case after
    }

    /// Counts this store's transactions, from 1; the same before and after.
    package let number: Int
    package let moment: Moment
    /// The kinds of the entries in the transaction, in order; empty when it only adds a run or changes the ledger.
    package let kinds: [JournalEntry.Kind]
}

/// What a test makes happen at an event.
package enum SQLiteFault: Sendable {
    /// SQLITE_FULL, as a full disk gives it. Before the commit the transaction is rolled back; after it the callers are
    /// told so although the commit is there.
    case full
    /// SQLITE_BUSY, as a lock that is not let go gives it; see `full`.
    case busy
    /// Something of the test's own, such as to kill the process.
    case run(@Sendable () -> Void)
}

/// Asked before and after each commit, on the store's own thread.
package typealias SQLiteFaultInjector = @Sendable (SQLiteWriteEvent) -> SQLiteFault?
