public import Journal
internal import StepKit
public import Values
internal import Workflows

extension Scheduler {
    /// Takes the journal of earlier processes in, before `begin`.
    ///
    /// A step whose attempt began and never ended runs again, unless it is a write: whether that happened must be found
    /// out first.
    ///
    /// - Parameter dueBy: steps that wait until then or earlier go on, and approvals that could be answered until then.
    /// - Throws: `JournalError` when the journal speaks of steps that the workflow does not have.
    public mutating func restore(
        _ entries: [JournalEntry], dueBy now: Timestamp
    ) throws(JournalError) -> [(step: Int, how: ResumeHow)] {
        for entry in entries where !entry.address.isEmpty {
            guard let step = nodes.node(at: entry.address) else {
                throw JournalError(
                    .damaged, "the journal names step '\(entry.address)', which the run's workflow does not have")
            }
            if entry.kind == .itemsKnown { expand(step, count: entry.itemCount) } else { restore(entry, step) }
        }
        var due: [(step: Int, how: ResumeHow)] = []
        for step in nodes.indices {
            switch steps[step].phase {
            case .waiting(let until) where until <= now: due.append((step, .answer(nil)))
            case .running where nodes[step].effect == .write: due.append((step, .answer(nil)))
            case .running, .backingOff, .looking, .ready, .deciding: steps[step].phase = .pending
            case .paused(let pause):
                // An approval whose time is over is carried out without an answer, and finds that out itself.
                if let over = pause.answerableUntil, over <= now { due.append((step, .answer(nil))) }
                if pause.kind.holdsAccount, let account = nodes[step].account { accounts.hold(account, by: step) }
            default: break
            }
            if steps[step].hasFailed, !nodes[step].continuesOnError { markFailureAfter(step) }
            // The ledger may have been changed by hand since: a key is asked for again before anything is sent under it.
            if case .pending = steps[step].phase, steps[step].gate == .granted {
                steps[step].gate = .undecided
                steps[step].hadKey = true
            }
        }
        return due
    }

    /// Takes in what the ledger says that the step has reserved: the process may have died before the journal had it.
    ///
    /// - Returns: whether the journal does not know of a key of the step.
    public mutating func restoreKey(of step: Int) -> Bool {
        guard steps[step].gate == .undecided, !steps[step].hadKey, !steps[step].phase.state.isFinal else {
            return false
        }
        steps[step].hadKey = true
        return true
    }

    /// Whether the write that goes on may be there already, or a person says that it is.
    func mayHaveHappened(_ step: Int, _ how: ResumeHow) -> Bool {
        switch how {
        case .posted: return true
        // A person says that it is not there.
        case .answer(.resend): return false
        default: break
        }
        switch steps[step].phase {
        case .paused(let pause): return pause.kind == .inDoubt
        case .waiting: return false
        default: return true
        }
    }

    /// Another has the key of a paused or waiting step by now: the step asks for it again, as if it had just begun.
    mutating func loseKey(of step: Int) {
        steps[step].phase = .pending
        steps[step].gate = .undecided
        steps[step].hadKey = true
        unhold(step)
    }

    private mutating func restore(_ entry: JournalEntry, _ step: Int) {
        steps[step].attempts = max(steps[step].attempts, entry.attempt)
        switch entry.kind {
        case .attemptStarted:
            // The one before was in doubt, and is sent again.
            if case .running = steps[step].phase, steps[step].doubtSince == nil {
                steps[step].doubtSince = steps[step].lastIntent
            }
            steps[step].phase = .running
            if steps[step].keyFirstSent == nil { steps[step].keyFirstSent = entry.at }
            steps[step].lastIntent = entry.at
            steps[step].lastError = nil
        case .attemptFailed:
            if entry.data["not-sent"]?.bool != true { steps[step].failures += 1 }
            let error = entry.data["error"].flatMap(StepError.init(journalValue:))
            steps[step].lastError = error
            // A write in doubt stays "running" until a look or a person has decided; so does one of whose failure this
            // version knows nothing.
            if let error, error.errorClass != .inDoubt { steps[step].phase = .pending }
        case .stepSucceeded: steps[step].phase = .succeeded
        case .stepFailed:
            let error = entry.data["error"].flatMap(StepError.init(journalValue:))
            steps[step].phase = .failed(error ?? StepError(.invalid, "it failed"))
            steps[step].gate = steps[step].gate == .none ? .none : .closed
        case .stepSkipped:
            steps[step].phase = .skipped(SkipReason(journalValue: entry.data, at: entry.at))
            steps[step].gate = steps[step].gate == .none ? .none : .closed
        case .stepPaused:
            if let pause = entry.data["pause"].flatMap(PauseRequest.init(journalValue:)) {
                steps[step].phase = .paused(pause)
                // The answer is journalled nowhere; a resumed step whose process died repeats the same call without it.
                if pause.kind != .inDoubt {
                    steps[step].resumption = Resumption(continuation: pause.continuation, answer: nil)
                }
            }
        case .stepWaiting:
            if let until = entry.data["until"]?.string.flatMap({ Timestamp(iso8601: $0) }) {
                steps[step].waits += 1
                steps[step].phase = .waiting(until)
            }
        // Whether it is held still is found out before it goes.
        case .stepHeld:
            steps[step].failures = 0
            steps[step].phase = .pending
        case .stepResumed:
            steps[step].failures = 0
            if steps[step].phase.isPausedInDoubt {
                steps[step].phase = .running
            } else {
                steps[step].phase = .pending
                steps[step].doubtSince = nil
            }
        case .stepCanceled: steps[step].phase = .canceled
        case .onceReserved: steps[step].gate = .granted
        case .stepReset:
            steps[step].phase = .pending
            steps[step].failures = 0
            steps[step].lastError = nil
            if let counts = entry.data["redo"]?.bool {
                // Its inputs had died, and are made again for it just once.
                if counts { steps[step].hasRedoneInputs = true }
                steps[step].resumption = nil
            } else {
                steps[step].hasRedoneInputs = false
                steps[step].waits = 0
            }
            if steps[step].gate == .closed { steps[step].gate = .undecided }
        case .generationRaised:
            steps[step].generation += 1
            steps[step].keyFirstSent = nil
            steps[step].doubtSince = nil
            steps[step].resumption = nil
            steps[step].phase = .pending
        case .itemsKnown, .looked, .partKept, .runResumed, .runEnded, .runPaused: break
        }
    }

    private mutating func markFailureAfter(_ failed: Int) {
        var open = [failed]
        while let node = open.popLast() {
            var next = nodes.waiters(of: node)
            if nodes.isGroup(node) { next += nodes.innerDependents(of: node) }
            if nodes.isItem(node), !groups[nodes.step(of: node)].hasRowFailure {
                groups[nodes.step(of: node)].hasRowFailure = true
                next += nodes.waiters(of: nodes.step(of: node))
            }
            for node in next where !steps[node].hasFailureBefore {
                steps[node].hasFailureBefore = true
                open.append(node)
            }
        }
    }
}

extension JournalEntry {
    /// Of an entry that says which items there are: how many.
    var itemCount: Int { data["items"]?.array?.count ?? 0 }
}

extension SkipReason {
    /// Reads what `journalValue` wrote; what cannot be read counts as a false condition.
    public init(journalValue value: Value, at instant: Timestamp) {
        switch value["reason"]?.string {
        case "dependency":
            self = .dependency(
                value["step"]?.string ?? "", value["state"]?.string.flatMap(StepState.init) ?? .skipped)
        case "once":
            self = .once(
                LedgerEntry(
                    key: LedgerKey(scope: "", text: value["key"]?.string ?? ""), run: value["run"]?.string ?? "",
                    address: "", state: value["done"]?.bool == true ? .done([:]) : .reserved, at: instant))
        case "not-needed": self = .servesOnlySkipped
        case "nothing-to-do": self = .nothingToDo(value["text"]?.string ?? "")
        case "empty-list": self = .emptyList
        case "fail-fast": self = .failFast(value["step"]?.string ?? "")
        case "same-key": self = .sameKey(value["key"]?.string ?? "", by: value["step"]?.string ?? "")
        default: self = .conditionFalse
        }
    }
}
