internal import Journal
internal import StepKit
internal import Values

/// What the journal says of one step, without its workflow: the workflow's file may be gone, and the run must still be
/// given up.
struct StepTrace {
    var state = StepState.pending
    /// An attempt began, and nothing has said since whether it had an effect. Counts for writes only.
    var isInDoubt = false
    var attempts = 0
    /// It is a step with `for-each` whose items are known.
    var hasItems = false
    /// Of the last failed attempt, or of the step itself.
    var error: StepError?
    var skipReason: SkipReason?
    /// The key of `once` that was last reserved for it.
    var key: LedgerKey?

    /// The steps that the journal names, in the order in which it does.
    static func read(_ entries: [JournalEntry]) -> (order: [String], traces: [String: StepTrace]) {
        var order: [String] = []
        var traces: [String: StepTrace] = [:]
        for entry in entries where !entry.address.isEmpty {
            if traces[entry.address] == nil { order.append(entry.address) }
            traces[entry.address, default: StepTrace()].apply(entry)
        }
        return (order, traces)
    }

    private mutating func apply(_ entry: JournalEntry) {
        attempts = max(attempts, entry.attempt)
        switch entry.kind {
        case .attemptStarted: (state, isInDoubt) = (.running, true)
        case .attemptFailed:
            error = entry.data["error"].flatMap(StepError.init(journalValue:))
            // What this version cannot read says nothing.
            isInDoubt = error.map { $0.errorClass == .inDoubt } ?? true
            state = isInDoubt ? .running : .pending
        case .stepSucceeded: (state, isInDoubt) = (.succeeded, false)
        case .stepFailed:
            error = entry.data["error"].flatMap(StepError.init(journalValue:))
            (state, isInDoubt) = (.failed, false)
        case .stepSkipped:
            skipReason = SkipReason(journalValue: entry.data, at: entry.at)
            (state, isInDoubt) = (.skipped, false)
        case .stepPaused:
            state = .paused
            isInDoubt = entry.data["pause"]?["kind"]?.string == PauseKind.inDoubt.rawValue
        case .stepHeld: (state, isInDoubt) = (.paused, false)
        case .stepWaiting: (state, isInDoubt) = (.waiting, false)
        case .stepResumed: state = isInDoubt ? .running : .pending
        case .stepReset, .generationRaised: (state, isInDoubt) = (.pending, false)
        // A step that was given up in doubt stays in doubt.
        case .stepCanceled: state = .canceled
        case .onceReserved: key = LedgerKey(journalValue: entry.data)
        case .itemsKnown: hasItems = true
        case .looked, .partKept, .runResumed, .runEnded, .runPaused: break
        }
    }
}
