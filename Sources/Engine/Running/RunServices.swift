public import Diagnostics
public import Journal
public import StepKit
public import Values
public import Workflows

/// What a run needs from outside, handed in so that tests can hand in something else.
public struct RunServices: Sendable {
    public let journal: any JournalStore
    public let clock: any EngineClock
    /// The run's own folder, absolute, with `artifacts` in it.
    public let folder: String
    /// By the name in the workflow.
    public let accounts: [String: Account]
    /// Gives an account a fresh token before each call, where its token ends; nil when nobody does.
    public let renew: (@Sendable (Account) async -> Account)?
    /// The account with another token in place of one that the service has just refused; nil when there is none.
    public let replace: (@Sendable (Account) async -> Account?)?
    /// How a person gets an account another token, as a sentence; nil where nobody knows.
    public let advise: (@Sendable (Account) -> String?)?
    /// The secrets that the workflow mentions.
    public let secrets: [String: Secret]
    public let environment: @Sendable (String) -> String?
    /// For the draws of jitter.
    public let seed: UInt64
    /// Whether the ledger is passed over: `--ignore-once`.
    public let ignoresOnce: Bool
    /// Whose ledger tells steps what is new.
    public let ledger: any JournalStore
    /// Lets one write of an account go at a time; nil lets the scheduler alone see to it.
    public let turns: (any WriteTurns)?
    /// Is told what happens, after it has been journalled. Called from any task.
    public let observe: @Sendable (RunEvent) -> Void
    /// Yields when the run is to stop: `stopped` for Ctrl-C, `interrupted` for a request to end.
    public let stops: AsyncStream<RunState>
    /// Nil when nobody is there to be asked: then a pause ends the process.
    public let interviewer: Interviewer?
    /// Where the elements of inputs that are lists are written, by the input's name.
    public let origins: [String: ItemOrigins]

    /// Of files that inputs of parts name.
    public let copies: FileCopies

    /// - Parameter ledger: nil for the journal's own.
    public init(
        journal: any JournalStore, clock: any EngineClock, folder: String, accounts: [String: Account] = [:],
        renew: (@Sendable (Account) async -> Account)? = nil,
        replace: (@Sendable (Account) async -> Account?)? = nil,
        advise: (@Sendable (Account) -> String?)? = nil,
        secrets: [String: Secret] = [:], environment: @escaping @Sendable (String) -> String? = { _ in nil },
        seed: UInt64, ignoresOnce: Bool = false, ledger: (any JournalStore)? = nil, turns: (any WriteTurns)? = nil,
        observe: @escaping @Sendable (RunEvent) -> Void = { _ in },
        stops: AsyncStream<RunState> = AsyncStream { $0.finish() }, interviewer: Interviewer? = nil,
        origins: [String: ItemOrigins] = [:], copies: FileCopies = FileCopies()
    ) {
        self.journal = journal
        self.clock = clock
        self.folder = folder
        self.accounts = accounts
        self.renew = renew
        self.replace = replace
        self.advise = advise
        self.secrets = secrets
        self.environment = environment
        self.seed = seed
        self.ignoresOnce = ignoresOnce
        self.ledger = ledger ?? journal
        self.turns = turns
        self.observe = observe
        self.stops = stops
        self.interviewer = interviewer
        self.origins = origins
        self.copies = copies
    }
}

/// Makes the writes of one account serial over all processes of the machine.
public protocol WriteTurns: Sendable {
    /// Waits until no other write of the account is under way.
    ///
    /// - Returns: what keeps the turn as long as it lives.
    /// - Throws: `CancellationError`.
    func take(for account: Account) async throws -> any Sendable
}

/// Something that happened in a run, for those who watch.
public enum RunEvent: Sendable {
    case began(RunRecord, isResumed: Bool)
    /// What was journalled; `post[3]` is the address of an item.
    case entry(JournalEntry)
    /// The next attempt comes after this pause.
    case retrying(address: String, after: Duration, error: StepError)
    /// A write is in doubt and is being looked for.
    case looking(address: String)
    case warning(address: String, String)
}

/// What became of a run when its process was done with it.
public struct RunOutcome: Sendable {
    public let state: RunState
    public let steps: [StepReport]
    /// The workflow's outputs that have a value, in the order of the file.
    public let outputs: [(name: String, value: Value)]
    /// When a waiting run can go on.
    public let wakesAt: Timestamp?
}

/// How a step stands, or one item of it.
public struct StepReport: Sendable, Hashable {
    public let address: String
    public let kind: String
    public let effect: Effect
    public let state: StepState
    public let attempts: Int
    public let error: StepError?
    public let skipReason: SkipReason?
    public let pause: PauseRequest?
    /// The other run's question about the account that the step waits for.
    public let hold: AccountHold?
    public let waitsUntil: Timestamp?
    /// The failure that the step waits after.
    public let waitsAfter: StepError?
    /// Whether the run may succeed when it fails: it says so itself, or the step does that uses its file.
    public let continuesOnError: Bool
    /// Where the item is written that it is about: the row of a table.
    public var origin: SourceLocation?
}
