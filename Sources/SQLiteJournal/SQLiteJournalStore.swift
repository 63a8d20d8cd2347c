public import Journal
internal import Threading
public import Values

/// The journal in a file: `journal.sqlite` in the state folder, shared by all processes of one machine.
///
/// The store has one connection, on a thread of its own, so that no call blocks the callers' threads. Calls are served
/// in the order in which they were made; a call that has begun is carried out even when its task is cancelled. Any
/// number of stores, in this process or others, may have the file open.
public final class SQLiteJournalStore: JournalStore {
    /// The database's path.
    public let path: String
    private let mailbox: Mailbox

    private init(path: String, mailbox: Mailbox) {
        self.path = path
        self.mailbox = mailbox
    }

    /// Ends the thread after the calls before; what they committed with `.grouped` is on disk soon, not yet.
    deinit { mailbox.post(.close {}) }

    /// Opens the journal, made first when it is missing: the folder with mode 0700, the files with 0600.
    ///
    /// - Parameters:
    ///   - folder: the state folder.
    ///   - busyTimeout: how long a call waits for another process that is writing; 10 s unless said.
    ///   - forReading: whether it will do when nothing can be written: what writes throws `.readOnly` then.
    /// - Throws: `JournalError.tooNew` when a later version wrote the journal and `.damaged` when the file is something
    ///   else, both without a change to it; `.readOnly`, `.full`, `.busy`.
    public static func open(
        folder: String, busyTimeout: Duration = .seconds(10), forReading: Bool = false
    ) async throws(JournalError) -> SQLiteJournalStore {
        try await open(folder: folder, busyTimeout: busyTimeout, forReading: forReading, faultInjector: nil)
    }

    /// - Parameter faultInjector: asked before and after each commit.
    package static func open(
        folder: String, busyTimeout: Duration = .seconds(10), forReading: Bool = false,
        faultInjector: SQLiteFaultInjector?
    ) async throws(JournalError) -> SQLiteJournalStore {
        try await open(folder: folder, faultInjector: faultInjector, busyTimeout: busyTimeout) {
            file throws(JournalError) in
            forReading
                ? try file.openForReading(busyTimeout: busyTimeout)
                : JournalView(connection: try file.open(busyTimeout: busyTimeout))
        }
    }

    /// - Parameter view: opens the file, and opens it anew where the view does not follow it.
    static func open(
        folder: String, faultInjector: SQLiteFaultInjector? = nil, busyTimeout: Duration,
        view open: @escaping @Sendable (JournalFile) throws(JournalError) -> JournalView
    ) async throws(JournalError) -> SQLiteJournalStore {
        let file = JournalFile(folder: folder)
        let mailbox = Mailbox()
        let opened: Result<Void, JournalError> = await withCheckedContinuation { continuation in
            // JSON may be deep, and reading it recurs.
            onThread(stackBytes: 8 << 20) {
                let view: JournalView
                do throws(JournalError) { view = try open(file) } catch {
                    continuation.resume(returning: .failure(error))
                    return
                }
                continuation.resume(returning: .success(()))
                guard view.stamps != nil else {
                    return JournalWriter(view.connection, faultInjector: faultInjector).serve(mailbox)
                }
                JournalReader(file, view, busyTimeout: busyTimeout) { () throws(JournalError) in try open(file) }
                    .serve(mailbox)
            }
        }
        try opened.get()
        return SQLiteJournalStore(path: file.path, mailbox: mailbox)
    }

    public func add(_ run: RunRecord) async throws(JournalError) {
        try await write { tables throws(JournalError) in try tables.add(run) }
    }

    public func commit(_ batch: JournalBatch) async throws(JournalError) {
        try await write(isDurable: batch.durability == .durable, kinds: batch.entries.map(\.kind)) {
            tables throws(JournalError) in try tables.commit(batch)
        }
    }

    public func reopen(_ run: String, at instant: Timestamp) async throws(JournalError) {
        try await write(isDurable: false) { tables throws(JournalError) in try tables.reopen(run, at: instant) }
    }

    public func run(_ id: String) async throws(JournalError) -> RunRecord? {
        try await read { tables throws(JournalError) in try tables.run(id) }
    }

    public func runs(withPrefix prefix: String) async throws(JournalError) -> [RunRecord] {
        try await read { tables throws(JournalError) in try tables.runs(withPrefix: prefix) }
    }

    public func runs(
        in states: Set<RunState>?, file: String?, limit: Int
    ) async throws(JournalError) -> [RunRecord] {
        try await read { tables throws(JournalError) in try tables.runs(in: states, file: file, limit: limit) }
    }

    public func entries(of run: String) async throws(JournalError) -> [JournalEntry] {
        try await read { tables throws(JournalError) in try tables.entries(of: run) }
    }

    public func reserve(
        _ key: LedgerKey, run: String, address: String, at instant: Timestamp
    ) async throws(JournalError) -> LedgerEntry? {
        try await write { tables throws(JournalError) in
            try tables.reserve(key, run: run, address: address, at: instant)
        }
    }

    public func ledger(withPrefix prefix: String, limit: Int) async throws(JournalError) -> [LedgerEntry] {
        try await read { tables throws(JournalError) in try tables.ledger(withPrefix: prefix, limit: limit) }
    }

    public func reserved(by run: String) async throws(JournalError) -> [LedgerEntry] {
        try await read { tables throws(JournalError) in try tables.reserved(by: run) }
    }

    public func forget(_ key: LedgerKey) async throws(JournalError) -> LedgerEntry? {
        try await write { tables throws(JournalError) in try tables.forget(key) }
    }

    public func forget(_ text: String) async throws(JournalError) -> [LedgerEntry] {
        try await write { tables throws(JournalError) in try tables.forget(text) }
    }

    public func claim(_ hold: AccountHold) async throws(JournalError) -> AccountHold? {
        try await write { tables throws(JournalError) in try tables.claim(hold) }
    }

    public func hold(on account: String) async throws(JournalError) -> AccountHold? {
        try await read { tables throws(JournalError) in try tables.hold(on: account) }
    }

    public func holds(by run: String) async throws(JournalError) -> [AccountHold] {
        try await read { tables throws(JournalError) in try tables.holds(by: run) }
    }

    public func close() async {
        await withCheckedContinuation { continuation in
            mailbox.post(.close { continuation.resume() })
        }
    }
}

extension SQLiteJournalStore {
    /// What is wrong with the file, in SQLite's words (`PRAGMA quick_check`), at most 100 findings; empty when it is
    /// sound. Reads the whole file.
    public func integrityCheck() async throws(JournalError) -> [String] {
        try await read { tables throws(JournalError) in try tables.integrityCheck() }
    }

    /// The runs that `prune` would remove; oldest first.
    public func prunable(olderThan instant: Timestamp) async throws(JournalError) -> [RunRecord] {
        try await read { tables throws(JournalError) in try tables.prunable(olderThan: instant) }
    }

    /// The number of the file's format: each change of its shape raises it by one.
    public static var formatVersion: Int { Migrations.all.count }

    /// Removes runs with their entries: those succeeded, failed or canceled whose state last changed before `instant`,
    /// unless one of their writes is in doubt. The ledger stays. The file keeps its size; the space is used again.
    ///
    /// - Parameter ids: the runs that may be removed; nil for all.
    /// - Returns: what was removed; oldest first.
    public func prune(
        olderThan instant: Timestamp, among ids: Set<String>? = nil
    ) async throws(JournalError) -> [RunRecord] {
        try await write { tables throws(JournalError) in try tables.prune(olderThan: instant, among: ids) }
    }
}

extension SQLiteJournalStore {
    private func read<Answer: Sendable>(
        _ body: @escaping @Sendable (JournalTables) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        let result: Result<Answer, JournalError> = await withCheckedContinuation { continuation in
            let reading = Reading(
                read: { tables in
                    let result = Result { () throws(JournalError) in try body(tables) }
                    return { continuation.resume(returning: result) }
                }, fail: { continuation.resume(returning: .failure($0)) })
            mailbox.post(.read(reading))
        }
        return try result.get()
    }

    private func write<Answer: Sendable>(
        isDurable: Bool = true, kinds: [JournalEntry.Kind] = [],
        _ body: @escaping @Sendable (JournalTables) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        let result: Result<Answer, JournalError> = await withCheckedContinuation { continuation in
            let writing = Writing(
                isDurable: isDurable, kinds: kinds,
                write: { tables throws(JournalError) in
                    let answer = try body(tables)
                    return { continuation.resume(returning: .success(answer)) }
                }, fail: { continuation.resume(returning: .failure($0)) })
            mailbox.post(.write(writing))
        }
        return try result.get()
    }
}
