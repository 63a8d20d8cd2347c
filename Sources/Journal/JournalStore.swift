public import Values

/// How lasting a commit must be when the call returns.
public enum Durability: Sendable, Hashable {
    /// On disk: intents and results of writes to the outside.
    case durable
    /// Safe against the death of the process; a power cut may take the last moments, which are then simply done again.
    case grouped
}

/// Things that are committed together or not at all.
public struct JournalBatch: Sendable, Hashable {
    public let run: String
    public var entries: [JournalEntry]
    /// The run's new state; nil leaves it.
    public var state: RunState?
    /// The earliest time at which a waiting run can go on; written with `state`.
    public var wakesAt: Timestamp?
    public var ledger: [LedgerChange]
    /// Steps of the run that hold their account no longer.
    public var unholds: [String]
    public var durability: Durability

    public init(
        run: String, entries: [JournalEntry], state: RunState? = nil, wakesAt: Timestamp? = nil,
        ledger: [LedgerChange] = [], unholds: [String] = [], durability: Durability = .grouped
    ) {
        self.run = run
        self.entries = entries
        self.state = state
        self.wakesAt = wakesAt
        self.ledger = ledger
        self.unholds = unholds
        self.durability = durability
    }
}

/// The durable record of runs and the ledger of `once`.
///
/// All calls may come from any task; batches of one run are committed in the order of the calls.
public protocol JournalStore: Sendable {
    /// Adds a run.
    ///
    /// - Throws: `JournalError.exists` when the id is taken.
    func add(_ run: RunRecord) async throws(JournalError)

    /// Commits all of the batch, or nothing of it.
    ///
    /// With a new state, the run has changed at the time of the last entry; a final one ends its holds of accounts.
    ///
    /// - Throws: `JournalError.missing` when there is no such run.
    func commit(_ batch: JournalBatch) async throws(JournalError)

    /// Notes that another process works on the run now: state `running`, one more process.
    ///
    /// - Throws: `JournalError.missing` when there is no such run.
    func reopen(_ run: String, at: Timestamp) async throws(JournalError)

    func run(_ id: String) async throws(JournalError) -> RunRecord?

    /// Runs whose id begins with the prefix, oldest first, at most 10.
    func runs(withPrefix prefix: String) async throws(JournalError) -> [RunRecord]

    /// The newest runs first.
    ///
    /// - Parameters:
    ///   - states: nil for all.
    ///   - file: only runs of this workflow file (its real path); nil for all.
    func runs(in states: Set<RunState>?, file: String?, limit: Int) async throws(JournalError) -> [RunRecord]

    /// In the order in which they were committed.
    func entries(of run: String) async throws(JournalError) -> [JournalEntry]

    /// Takes the key for a step of a run, durably.
    ///
    /// - Returns: nil when the step has it now (also when it had it before); else who holds it, or what came of it.
    func reserve(
        _ key: LedgerKey, run: String, address: String, at: Timestamp
    ) async throws(JournalError) -> LedgerEntry?

    /// Keys whose text begins with the prefix, in any scope; sorted by scope and text, each by its bytes.
    func ledger(withPrefix prefix: String, limit: Int) async throws(JournalError) -> [LedgerEntry]

    /// What a run has reserved and neither done nor given back; sorted by scope and text, each by its bytes.
    func reserved(by run: String) async throws(JournalError) -> [LedgerEntry]

    /// Forgets keys with this text, in any scope.
    ///
    /// - Returns: what was forgotten, sorted by scope.
    func forget(_ text: String) async throws(JournalError) -> [LedgerEntry]

    /// Forgets one key.
    ///
    /// - Returns: what was forgotten; nil when the ledger did not have it.
    func forget(_ key: LedgerKey) async throws(JournalError) -> LedgerEntry?

    /// Holds an account for a step of a run, durably.
    ///
    /// - Returns: nil when the step holds it now (also when it did before); else the hold that there is. One whose run
    ///   is over or gone counts as none.
    func claim(_ hold: AccountHold) async throws(JournalError) -> AccountHold?

    /// Who holds the account; nil when it is free.
    func hold(on account: String) async throws(JournalError) -> AccountHold?

    /// The accounts that the run holds, sorted by the steps' addresses.
    func holds(by run: String) async throws(JournalError) -> [AccountHold]

    /// Ends the store: what was committed is on disk when it returns.
    func close() async
}

/// Why the journal could not do what was asked.
public struct JournalError: Error, Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case exists, missing
        /// The disk or the quota is full.
        case full
        /// Another process holds it and did not let go in time.
        case busy
        case readOnly = "read-only"
        /// The file is no journal, or a damaged one.
        case damaged
        /// A later version of pasteup wrote it.
        case tooNew = "too-new"
        case other
    }

    public let kind: Kind
    /// What happened, naming the file or folder, with the database's own words.
    public let message: String
    /// A sentence on how to mend it.
    public let fix: String?

    public init(_ kind: Kind, _ message: String, fix: String? = nil) {
        self.kind = kind
        self.message = message
        self.fix = fix
    }
}

extension JournalError: CustomStringConvertible {
    public var description: String { [message + ".", fix].compactMap { $0 }.joined(separator: " ") }
}
