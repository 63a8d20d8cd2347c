internal import Expressions
internal import Journal
internal import StepKit
internal import Workflows

/// Keys of `once`. A step's condition comes before its key: a step that does not run takes none, so that another one with
/// the same key can, and whether its key has an empty part does not matter.
///
/// | its `if` | when the steps that the key mentions have succeeded |
/// |---|---|
/// | none | the key is reserved |
/// | mentions only what is over by then | it is asked; when it holds, the key is reserved |
/// | mentions what is to come, or asks for the status | the key is reserved so that other runs leave it alone, and given back when the condition does not hold |
///
/// Of two steps of a run with the same key the first goes that runs for certain: one whose condition is not known yet gives
/// its key up to it.
extension Scheduler {
    mutating func considerGate(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        let sources = nodes.onceSources(of: step)
        if skipForWant(of: sources, step, moment, &decisions) { return }
        guard sources.allSatisfy(countsAsSuccess) else { return waitForKey(step) }
        let condition = condition(of: step)
        if condition == .none { return reserve(step, &decisions) }
        let asked = nodes.conditionSources(of: step)
        if condition == .plain, asked.allSatisfy({ steps[$0].phase.state.isFinal }) {
            if skipForWant(of: asked, step, moment, &decisions) { return }
            steps[step].gate = .asking
            questions += 1
            decisions.actions.append(.evaluateCondition(step, .succeeded))
        } else {
            reserve(step, as: .trying, &decisions)
        }
    }

    /// Skips the step when one of these has ended without success: then there is no key, or nothing to ask.
    private mutating func skipForWant(
        of sources: [Int], _ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) -> Bool {
        guard let missing = sources.first(where: { steps[$0].phase.state.isFinal && !countsAsSuccess($0) }) else {
            return false
        }
        steps[step].gate = .closed
        skip(step, reason(for: missing), moment, &decisions)
        return true
    }

    mutating func reserve(
        _ step: Int, as gate: StepProgress.Gate = .deciding, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].gate = gate
        questions += 1
        decisions.actions.append(.reserve(step))
    }

    /// An answer of the ledger.
    mutating func handleKey(_ event: SchedulerEvent, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        questions -= 1
        switch event {
        case .onceGranted(let step):
            guard isReserving(step) else { break }
            steps[step].gate = steps[step].gate == .trying ? .promised : .granted
            steps[step].hadKey = false
            record(.onceReserved, step, moment, &decisions)
            if steps[step].isWanted { wantSources(of: step, moment, &decisions) }
            passGate(step, moment, &decisions)
            consider(step, moment, &decisions)
        case .onceHeld(let step, let entry):
            guard isReserving(step) else { break }
            close(step, .once(entry), moment, &decisions)
        case .onceTaken(let step, _, _) where steps[step].gate == .trying:
            steps[step].hadKey = false
            goOnWithoutKey(step, moment, &decisions)
        case .onceTaken(let step, let key, let address):
            guard steps[step].gate == .deciding else { break }
            guard let holder = nodes.node(at: address), steps[holder].gate == .promised else {
                return close(step, .sameKey(key, by: address), moment, &decisions)
            }
            steps[holder].gate = .free
            decisions.releases.append(holder)
            decisions.durability = .durable
            reserve(step, &decisions)
        case .onceFailed(let step, _) where steps[step].gate == .trying:
            goOnWithoutKey(step, moment, &decisions)
        case .onceFailed(let step, let error):
            guard steps[step].gate == .deciding else { break }
            steps[step].gate = .closed
            fail(step, error, moment, &decisions)
        default: break
        }
    }

    private func isReserving(_ step: Int) -> Bool {
        steps[step].gate == .deciding || steps[step].gate == .trying
    }

    /// Lets what serves the step run, until its condition is known.
    private mutating func goOnWithoutKey(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        steps[step].gate = .free
        if steps[step].isWanted { wantSources(of: step, moment, &decisions) }
        consider(step, moment, &decisions)
    }

    /// Skips a step whose key is another one's.
    private mutating func close(
        _ step: Int, _ reason: SkipReason, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].gate = .closed
        steps[step].hadKey = false
        skip(step, reason, moment, &decisions)
    }
}
