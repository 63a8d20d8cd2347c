internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// How steps end, and what that means for those around them.
extension Scheduler {
    mutating func succeed(
        _ step: Int, _ outputs: ValueObject, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].phase = .succeeded
        record(.stepSucceeded, step, moment, &decisions, data: ["outputs": .object(outputs)])
        if nodes[step].effect == .write { decisions.durability = .durable }
        if steps[step].gate == .granted {
            decisions.completes.append((step, outputs))
            decisions.durability = .durable
        }
        end(step)
    }

    mutating func fail(
        _ step: Int, _ error: StepError, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].phase = .failed(error)
        record(.stepFailed, step, moment, &decisions, data: ["error": error.journalValue])
        release(step, &decisions)
        end(step)
        failFast(after: step, moment, &decisions)
    }

    mutating func skip(
        _ step: Int, _ reason: SkipReason, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        if nodes.isGroup(step), skipItems(of: step, reason, moment, &decisions) { return }
        steps[step].phase = .skipped(reason)
        record(.stepSkipped, step, moment, &decisions, data: reason.journalValue)
        release(step, &decisions)
        end(step)
    }

    private mutating func end(_ step: Int) {
        freeSlot(of: step)
        releaseAccount(of: step)
        ended.append(step)
    }

    /// Gives the key of `once` back: the write did not happen and will not.
    private mutating func release(_ step: Int, _ decisions: inout SchedulerDecisions) {
        let gate = steps[step].gate
        var mayHaveKey = gate == .granted || gate == .promised || steps[step].hadKey
        steps[step].hadKey = false
        if gate != .none { steps[step].gate = .closed }
        if gate == .deciding || gate == .trying {
            // While the answer is under way the key may be reserved already; what was not asked yet is not asked any more.
            if let place = decisions.actions.lastIndex(of: .reserve(step)) {
                decisions.actions.remove(at: place)
                questions -= 1
            } else {
                mayHaveKey = true
            }
        }
        guard mayHaveKey else { return }
        decisions.releases.append(step)
        decisions.durability = .durable
    }

    /// Tells the neighbours of steps that have become final, until no news is left.
    mutating func spread(_ moment: Moment, _ decisions: inout SchedulerDecisions) {
        while let step = ended.popLast() {
            let reason: SkipReason? = if case .skipped(let reason) = steps[step].phase { reason } else { nil }
            let isOnceSkip = reason?.isOnce ?? false
            if reason?.endsNeed ?? false { prune(before: step, moment, &decisions) }
            let isFailure =
                hasFailureBefore(step) || (steps[step].hasFailed && !nodes[step].continuesOnError)
                || (nodes.isGroup(step) && groups[step].hasRowFailure)
            for dependent in nodes.waiters(of: step) {
                steps[dependent].unfinished -= 1
                if isFailure { steps[dependent].hasFailureBefore = true }
                if isOnceSkip, nodes[dependent].condition != .asksStatus, !nodes[dependent].isPartEnd,
                    steps[dependent].phase.state == .pending
                {
                    skip(dependent, .servesOnlySkipped, moment, &decisions)
                } else {
                    consider(dependent, moment, &decisions)
                }
            }
            if nodes.isItem(step) {
                itemEnded(step, isFailure: isFailure, &decisions)
            } else if nodes.isGroup(step) {
                groupEnded(step, moment, &decisions)
            }
            passGate(step, moment, &decisions)
            settleBehind(step, moment, &decisions)
            if let end = partEnd(of: step), end != step { consider(end, moment, &decisions) }
        }
    }

    /// Skips what has not started and serves only steps that a `once` has skipped.
    private mutating func prune(before step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        for source in nodes.awaited(by: step) { serveOneLess(source, moment, &decisions) }
    }

    /// One of those that wait for the node needs it no more.
    mutating func serveOneLess(_ source: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        steps[source].onceSkippedDependents += 1
        guard steps[source].onceSkippedDependents == nodes.waiterCount(of: source) else { return }
        if nodes.isGroup(source) { return itemsServeOneLess(of: source, moment, &decisions) }
        switch steps[source].phase {
        case .pending, .ready: skip(source, .servesOnlySkipped, moment, &decisions)
        default: break
        }
    }
}
