internal import Expressions
internal import Journal
internal import StepKit
internal import Workflows

/// Which steps are needed, and when a step can go on.
extension Scheduler {
    /// Marks a step and all that serves it as needed. Stops at a `once` that is not decided.
    mutating func want(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        var open = [step]
        while let next = open.popLast() {
            guard !steps[next].isWanted else { continue }
            steps[next].isWanted = true
            if nodes.isGroup(next) {
                open += needed(by: next)
            } else if steps[next].isGateOpen, !steps[next].phase.state.isFinal {
                open += neededSources(of: next)
            }
            consider(next, moment, &decisions)
        }
    }

    mutating func wantSources(of step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        for dependency in neededSources(of: step) { want(dependency, moment, &decisions) }
    }

    /// Looks whether a pending step can go on, and takes it there.
    mutating func consider(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        if nodes.isGroup(step) { return considerGroup(step, moment, &decisions) }
        guard case .pending = steps[step].phase, steps[step].isWanted, stopping == nil else { return }
        if steps[step].gate == .undecided { return considerGate(step, moment, &decisions) }
        guard steps[step].isGateOpen, steps[step].unfinished == 0 else { return }
        guard hasOuter(step) else { return block(step) }
        if case .end(let members) = nodes[step].role { return endPart(step, members, moment, &decisions) }
        let status = status(before: step)
        switch condition(of: step) {
        case .none where status == .succeeded: proceed(step, &decisions)
        case .plain where status == .succeeded, .asksStatus:
            steps[step].phase = .deciding
            questions += 1
            decisions.actions.append(.evaluateCondition(step, status))
        case .none, .plain: skip(step, blockingReason(of: step), moment, &decisions)
        }
    }

    func condition(of step: Int) -> SchedulerNode.Condition {
        nodes.isItem(step) && nodes[step].asksBeforeItems ? .none : nodes[step].condition
    }

    mutating func conditionKnown(
        _ step: Int, _ holds: Bool, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        questions -= 1
        if steps[step].gate == .asking {
            return holds ? reserve(step, &decisions) : skip(step, .conditionFalse, moment, &decisions)
        }
        guard case .deciding = steps[step].phase else { return }
        if !holds {
            skip(step, .conditionFalse, moment, &decisions)
        } else if nodes.isGroup(step) {
            makeList(step, &decisions)
        } else if steps[step].gate == .free {
            steps[step].phase = .pending
            reserve(step, &decisions)
        } else {
            if steps[step].gate == .promised { steps[step].gate = .granted }
            proceed(step, &decisions)
        }
    }

    mutating func conditionFailed(
        _ step: Int, _ error: StepError, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        questions -= 1
        if steps[step].gate == .asking { return fail(step, error, moment, &decisions) }
        guard case .deciding = steps[step].phase else { return }
        fail(step, error, moment, &decisions)
    }

    private func status(before step: Int) -> RunStatus {
        if nodes.dependencies(of: step).allSatisfy(countsAsSuccess) { return .succeeded }
        return hasFailureBefore(step) ? .failed : .skipped
    }

    /// Whether something before it has failed, in its row or outside of its batch.
    func hasFailureBefore(_ step: Int) -> Bool {
        steps[step].hasFailureBefore || (nodes.isItem(step) && steps[nodes.step(of: step)].hasFailureBefore)
    }

    func countsAsSuccess(_ step: Int) -> Bool {
        switch steps[step].phase {
        case .succeeded: true
        // A row that a failure before it has left out is no failure of its own that could be passed over.
        case .failed: nodes[step].continuesOnError && (nodes.isItem(step) || groups[step].tally.missing == 0)
        default: false
        }
    }

    /// The first step that stands in the way; a failed one before a skipped one.
    private func blockingReason(of step: Int) -> SkipReason {
        blockingReason(among: nodes.dependencies(of: step)) ?? .servesOnlySkipped
    }

    func blockingReason(among dependencies: [Int]) -> SkipReason? {
        let blocking = dependencies.filter { !countsAsSuccess($0) }
        guard let first = blocking.first(where: { steps[$0].hasFailed }) ?? blocking.first else { return nil }
        return reason(for: first)
    }
}
