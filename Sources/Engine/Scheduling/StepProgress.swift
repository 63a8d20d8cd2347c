internal import Journal
internal import StepKit
internal import Values

/// How far a step has come.
struct StepProgress: Sendable {
    enum Phase: Sendable {
        case pending
        /// Its condition is being evaluated.
        case deciding
        case ready
        case running
        /// Between two attempts.
        case backingOff
        /// A write in doubt is being looked for.
        case looking(Search)
        case waiting(Timestamp)
        case paused(PauseRequest)
        /// Another run is being asked about its account.
        case held(AccountHold)
        case succeeded
        case failed(StepError)
        case skipped(SkipReason)
        case canceled

        var state: StepState {
            switch self {
            case .pending, .deciding: .pending
            case .ready: .ready
            case .running, .backingOff, .looking: .running
            case .waiting: .waiting
            case .paused, .held: .paused
            case .succeeded: .succeeded
            case .failed: .failed
            case .skipped: .skipped
            case .canceled: .canceled
            }
        }

        var isPausedInDoubt: Bool {
            if case .paused(let pause) = self { pause.kind == .inDoubt } else { false }
        }
    }

    /// A search for a write in doubt.
    struct Search: Sendable {
        /// What put the write in doubt.
        let error: StepError
        /// When the attempt began, by the wall clock of that moment.
        let intent: Timestamp
        /// When the attempt began, by the clock that never jumps; for one of an earlier process at the earliest its
        /// timeout ago.
        let began: Duration
        /// Looks before this prove nothing: the request may still be on its way.
        let deadline: Duration
        /// Looks after the deadline that have shown nothing.
        var emptyLooks = 0
        /// Looks that failed in a row.
        var failedLooks = 0
        /// The next look may begin as soon as there is room.
        var isDue = false

        /// When the attempt began, by the wall clock as it is now: that may have been set back since.
        func intent(at moment: Moment) -> Timestamp {
            let passed = Duration.milliseconds(-(moment.monotonic - began).wholeMilliseconds)
            return min(intent, moment.wall + passed)
        }
    }

    enum Gate: Sendable {
        /// The step has no `once`.
        case none
        case undecided
        /// Its condition is being asked, before its key.
        case asking
        /// Its key is being reserved, though its condition cannot be told yet.
        case trying
        /// It has its key until its condition is known, or until a step with the same key comes that runs for certain.
        case promised
        /// Another step of the run has its key, or its key has no text yet: it is reserved when the condition holds.
        case free
        /// Its key is being reserved, and no condition keeps it from running.
        case deciding
        /// Another step of the run has its key, and may still turn out not to run: then it is reserved anew.
        case behind
        case granted
        case closed

        /// Whether a key may still keep the step from running.
        var isUndecided: Bool {
            switch self {
            case .undecided, .asking, .trying, .free, .deciding, .behind: true
            case .none, .promised, .granted, .closed: false
            }
        }
    }

    var phase = Phase.pending
    /// What it waits for and is not final yet.
    var unfinished: Int
    var gate: Gate
    /// An end of the graph, or mentioned by a key of `once`, or something needed waits for it.
    var isWanted = false
    /// An earlier process had its key of `once`, and this one has not asked for it yet, or has no answer.
    var hadKey = false
    /// It is among those of its step that wait for something outside of the batch.
    var isBlocked = false
    /// It counts among those of its step that `max-parallel` limits.
    var hasSlot = false
    /// Something before it has failed; for a step with `for-each`, something outside of the batch.
    var hasFailureBefore = false
    /// Of those that it waits for, how many a key of `once` that is not decided yet may keep from running.
    var gatesBefore = 0
    /// Those that wait for it do not count it among these any more.
    var isPastGates = false
    /// Of those that wait for it, how many were skipped because of a `once`.
    var onceSkippedDependents = 0

    /// Whether the next attempt at a write may go, as far as other runs are concerned.
    var isCleared = false

    var attempts = 0
    /// Failed attempts since the step last began or was resumed.
    var failures = 0
    var firstAttempt: Duration?
    var attemptStarted: Moment?
    var keyFirstSent: Timestamp?
    /// When the last attempt of an earlier process began, and what it met.
    var lastIntent: Timestamp?
    var lastError: StepError?
    /// When the first attempt in doubt began, when the last ones were sent again because it had been proved absent: it may
    /// still turn up.
    var doubtSince: Timestamp?
    var generation = 1
    /// What an earlier pause left, until another pause or a re-run of its inputs replaces it: every attempt gets it.
    var resumption: Resumption?
    /// Whether the steps that made its inputs have run again already.
    var hasRedoneInputs = false
    var waits = 0
    /// Answers to its captchas that were refused in this process.
    var refusals = 0

    init(unfinished: Int, gate: Bool) {
        self.unfinished = unfinished
        self.gate = gate ? .undecided : .none
    }

    /// Whether what serves it may run, as far as its own key is concerned.
    var isGateOpen: Bool {
        switch gate {
        case .none, .promised, .free, .granted: true
        default: false
        }
    }
    var isNeeded: Bool { isWanted && isGateOpen }
    var hasFailed: Bool { if case .failed = phase { true } else { false } }
}
