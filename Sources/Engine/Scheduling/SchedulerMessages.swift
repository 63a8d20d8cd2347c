public import Expressions
public import Journal
public import StepKit
public import Values

/// The moment of an event on both clocks.
public struct Moment: Sendable, Hashable {
    /// For the journal and for people.
    public let wall: Timestamp
    /// Since some fixed instant of this process; never jumps. Backoff and deadlines are counted on it.
    public let monotonic: Duration

    public init(wall: Timestamp, monotonic: Duration) {
        self.wall = wall
        self.monotonic = monotonic
    }
}

/// Something that the scheduler is told.
public enum SchedulerEvent: Sendable {
    /// The process begins to work on the run; these paused or waiting steps go on.
    case begin(resuming: [(step: Int, how: ResumeHow)])
    case conditionKnown(Int, Bool)
    case conditionFailed(Int, StepError)
    /// The list of a step with `for-each` has so many items.
    case listKnown(Int, count: Int)
    case listFailed(Int, StepError)
    /// The outputs of a part, or why they have no value.
    case concluded(Int, Result<ValueObject, StepError>)
    case onceGranted(Int)
    /// Another step has the key, or it is done.
    case onceHeld(Int, LedgerEntry)
    /// Another item of this run has the key, or has used it.
    case onceTaken(Int, key: String, by: String)
    case onceFailed(Int, StepError)
    case succeeded(Int, ValueObject)
    /// The step found that there is nothing to do.
    case nothingToDo(Int, reason: String)
    /// The step asks a person something that is no failure.
    case paused(Int, PauseRequest)
    case failed(Int, StepError)
    case timerFired(Int)
    case looked(Int, Sighting)
    case lookFailed(Int, StepError)
    /// No other run is being asked about the write's account.
    case accountFree(Int)
    /// The write must not go now: another run is being asked about its account.
    case accountHeld(Int, AccountHold)
    /// The attempt met a question about its account, which another run is being asked already.
    case failedOnHold(Int, StepError, AccountHold)
    /// The write has its account's turn on this machine, and goes now.
    case turnTaken(Int)
    /// The write was cancelled while it waited for its turn: nothing of it has gone.
    case notSent(Int)
    /// An attempt or a look was cancelled, because the run stops.
    case cancelled(Int)
    /// What came of a question.
    case answered(Int, QuestionReply)
    /// Nothing new may start; what runs is being cancelled.
    case stop(RunState)
}

/// How a paused step goes on.
public enum ResumeHow: Sendable, Hashable {
    /// With a person's answer, or without one: then the call is simply sent again.
    case answer(PauseAnswer?)
    /// A person said that the write in doubt happened, and this is what it made.
    case posted(ValueObject)
    /// A person said what became of the part in doubt of a step of several writes, and the step does the others.
    case partSettled
}

/// What a person who was asked about a paused step wants.
public enum QuestionReply: Sendable, Hashable {
    case answer(PauseAnswer)
    /// The call is sent again without an answer: it may pass, or bring a fresh question.
    case again
    /// The step stays paused.
    case later
}

/// What is to be done about an event: first the batch is committed, then the actions are carried out in their order.
public struct SchedulerDecisions: Sendable {
    public var entries: [JournalEntry] = []
    /// Steps whose `once` key is done now, with their outputs.
    public var completes: [(step: Int, outputs: ValueObject)] = []
    /// Steps whose `once` key is free again.
    public var releases: [Int] = []
    public var durability = Durability.grouped
    /// How steps with `for-each` have ended, all items together.
    public var groupEnds: [(step: Int, state: StepState)] = []
    /// Set when nothing more can be done by this process.
    public var finish: RunState?
    /// With `finish`, when something waits for a time: when the first such step can go on. A paused run may have one, too.
    public var wakesAt: Timestamp?
    public var actions: [SchedulerAction] = []

    public init() {}
}

public enum SchedulerAction: Sendable, Hashable {
    /// Evaluate `if`, with this status, and answer at once.
    case evaluateCondition(Int, RunStatus)
    /// Make the list of a step with `for-each`, and answer at once.
    case makeList(Int)
    /// Make the outputs of a part whose steps are over, and answer at once.
    case conclude(Int)
    /// Evaluate the key of `once` and reserve it.
    case reserve(Int)
    case start(Int, attempt: Int, resumption: Resumption?)
    /// Find out whether another run is being asked about the account of this write, and answer at once.
    case checkAccount(Int)
    /// The write that was started, and has waited for its turn, goes now.
    case send(Int)
    /// Look whether the write that began then has happened.
    case look(Int, since: Timestamp)
    case timer(Int, Duration)
    /// Ask the person who is there. `refusals` of the answers to this call were refused before.
    case ask(Int, PauseRequest, refusals: Int)
}

/// Why a step was skipped.
public enum SkipReason: Sendable, Hashable {
    case conditionFalse
    /// What it waits for did not succeed.
    case dependency(String, StepState)
    /// Its `once` key is done, or another step has it.
    case once(LedgerEntry)
    /// All that waits for it was skipped because of a `once`.
    case servesOnlySkipped
    /// The step itself found nothing to do.
    case nothingToDo(String)
    /// Its list has no items.
    case emptyList
    /// The item at this address has failed, and `fail-fast` is set.
    case failFast(String)
    /// Another item of the run has its `once` key.
    case sameKey(String, by: String)
    /// All items of the step were skipped; never journalled, since the items say it.
    case itemsSkipped(isOnce: Bool)

    /// Whether it goes back to a `once`: then steps that serve only this one are skipped, too.
    var isOnce: Bool {
        switch self {
        case .once, .servesOnlySkipped, .sameKey: true
        case .itemsSkipped(let isOnce): isOnce
        default: false
        }
    }

    /// Whether what serves only this one is not needed any more.
    var endsNeed: Bool { if case .failFast = self { true } else { isOnce } }

    /// The reason as a clause: "its condition is false".
    public var text: String {
        switch self {
        case .conditionFalse: "its condition is false"
        case .dependency(let address, .failed): "'\(address)' failed"
        case .dependency(let address, _): "'\(address)' was skipped"
        case .once(let entry):
            entry.isDone
                ? "'\(entry.key.text)' was posted already by run \(entry.run)"
                : "'\(entry.key.text)' is held by run \(entry.run)"
        case .servesOnlySkipped: "nothing needs it"
        case .nothingToDo(let text): text
        case .emptyList: "its list is empty"
        case .failFast(let address): "'\(address)' failed, and 'fail-fast' is set"
        case .sameKey(let key, let address): "'\(address)' has the same key '\(key)'"
        case .itemsSkipped: "all its items were skipped"
        }
    }

    public var journalValue: Value {
        switch self {
        case .conditionFalse: ["reason": "condition"]
        case .dependency(let address, let state):
            ["reason": "dependency", "step": .string(address), "state": .string(state.rawValue)]
        case .once(let entry):
            ["reason": "once", "key": .string(entry.key.text), "run": .string(entry.run), "done": .bool(entry.isDone)]
        case .servesOnlySkipped: ["reason": "not-needed"]
        case .nothingToDo(let text): ["reason": "nothing-to-do", "text": .string(text)]
        case .emptyList: ["reason": "empty-list"]
        case .failFast(let address): ["reason": "fail-fast", "step": .string(address)]
        case .sameKey(let key, let address):
            ["reason": "same-key", "key": .string(key), "step": .string(address)]
        case .itemsSkipped: ["reason": "items-skipped"]
        }
    }
}

extension LedgerEntry {
    var isDone: Bool { if case .done = state { true } else { false } }
}
