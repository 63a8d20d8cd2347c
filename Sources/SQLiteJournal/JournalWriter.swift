internal import CSQLite
internal import Glibc
internal import Journal

/// The one that reads and writes a store's database, on the store's thread.
///
/// Writes that wait together are committed together: under load a transaction, and its `fsync`, serves many callers.
/// Each is answered after the commit that holds its write.
final class JournalWriter {
    private let connection: SQLiteConnection
    private let tables: JournalTables
    private let faultInjector: SQLiteFaultInjector?
    private var commits = 0
    /// Whether the last commit may still be on its way to the disk.
    private var isUnsynced = false

    init(_ connection: SQLiteConnection, faultInjector: SQLiteFaultInjector?) {
        self.connection = connection
        tables = JournalTables(connection: connection)
        self.faultInjector = faultInjector
    }

    /// Serves requests until one says `close`, and closes the connection.
    func serve(_ mailbox: Mailbox) {
        while true {
            var group: [Writing] = []
            var closes: [@Sendable () -> Void] = []
            for request in mailbox.take() {
                switch request {
                case .write(let writing): group.append(writing)
                case .read(let reading):
                    commit(group)
                    group = []
                    reading.read(tables)()
                case .close(let answer): closes.append(answer)
                }
            }
            commit(group)
            guard closes.isEmpty else {
                if isUnsynced { syncLog() }
                connection.close()
                for close in closes + mailbox.end() { close() }
                return
            }
        }
    }

    private func commit(_ group: [Writing]) {
        guard !group.isEmpty else { return }
        let outcomes: [Outcome]
        let isDurable = group.contains { $0.isDurable }
        commits += 1
        do throws(JournalError) {
            try connection.setSynchronous(isDurable ? .full : .normal)
            try connection.run("BEGIN IMMEDIATE")
            outcomes = try write(group)
            try strike(.before, group)
            try connection.run("COMMIT")
            isUnsynced = !isDurable
        } catch {
            connection.rollBack()
            // What broke the transaction may be the fault of one of them; a held lock is not.
            if group.count > 1, error.kind != .busy {
                for writing in group { commit([writing]) }
            } else {
                for writing in group { writing.fail(error) }
            }
            return
        }
        do throws(JournalError) {
            try strike(.after, group)
        } catch {
            for writing in group { writing.fail(error) }
            return
        }
        for (writing, outcome) in zip(group, outcomes) {
            switch outcome {
            case .success(let answer): answer()
            case .failure(let error): writing.fail(error)
            }
        }
    }

    private typealias Outcome = Result<@Sendable () -> Void, JournalError>

    /// Carries out the writes of a group so that one that fails leaves no trace and the others stand.
    ///
    /// - Throws: when the transaction itself is lost, or the group is one write that fails.
    private func write(_ group: [Writing]) throws(JournalError) -> [Outcome] {
        if group.count == 1 { return [.success(try group[0].write(tables))] }
        var outcomes: [Outcome] = []
        for writing in group {
            try connection.run("SAVEPOINT batch")
            do throws(JournalError) {
                outcomes.append(.success(try writing.write(tables)))
            } catch {
                // A full disk, for one, makes SQLite roll back the whole transaction.
                guard connection.isInTransaction else { throw error }
                try connection.run("ROLLBACK TO batch")
                outcomes.append(.failure(error))
            }
            try connection.run("RELEASE batch")
        }
        return outcomes
    }

    /// Lets the injector act; without one nothing is made or counted.
    private func strike(_ moment: SQLiteWriteEvent.Moment, _ group: [Writing]) throws(JournalError) {
        guard let faultInjector else { return }
        let event = SQLiteWriteEvent(number: commits, moment: moment, kinds: group.flatMap(\.kinds))
        switch faultInjector(event) {
        case nil: return
        case .run(let body): body()
        case .full: throw failure(SQLITE_FULL)
        case .busy: throw failure(SQLITE_BUSY)
        }
    }

    private func failure(_ code: Int32) -> JournalError {
        SQLiteFailure(code, words: String(cString: sqlite3_errstr(code)), systemCode: 0)
            .journalError(path: connection.path, patience: connection.patience)
    }

    /// Brings commits made with `synchronous=NORMAL` to the disk. The last connection moves the log into the file when
    /// it closes, but another one may still be open.
    ///
    /// SQLite holds no locks on this file, so that closing it here drops none.
    private func syncLog() {
        let file = open(connection.path + "-wal", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        fsync(file)
        close(file)
    }
}
