internal import Expressions
internal import Journal
internal import StepKit
internal import Workflows

/// Keys of `once`. A step's condition comes before its key: a step that does not run reserves none, so that another one
/// with the same key can, and whether its key has an empty part does not matter.
///
/// | its `if` | when the steps that the key mentions have succeeded |
/// |---|---|
/// | none | the key is reserved |
/// | mentions only what is over by then | it is asked; when it holds, the key is reserved |
/// | mentions what is to come, or asks for the status | the key is looked up: what another run has is skipped; else it is reserved when the condition is known to hold |
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
            decisions.actions.append(.evaluateCondition(step, .succeeded))
        } else {
            steps[step].gate = .lookingUp
            decisions.actions.append(.lookUp(step))
        }
        questions += 1
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

    mutating func reserve(_ step: Int, _ decisions: inout SchedulerDecisions) {
        steps[step].gate = .deciding
        questions += 1
        decisions.actions.append(.reserve(step))
    }

    /// An answer of the ledger.
    mutating func handleKey(_ event: SchedulerEvent, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        questions -= 1
        switch event {
        case .onceFree(let step):
            guard steps[step].gate == .lookingUp else { break }
            steps[step].gate = .free
            if steps[step].isWanted { wantSources(of: step, moment, &decisions) }
            consider(step, moment, &decisions)
        case .onceGranted(let step):
            guard steps[step].gate == .deciding else { break }
            steps[step].gate = .granted
            steps[step].hadKey = false
            record(.onceReserved, step, moment, &decisions)
            if steps[step].isWanted { wantSources(of: step, moment, &decisions) }
            passGate(step, moment, &decisions)
            consider(step, moment, &decisions)
        case .onceHeld(let step, let entry):
            guard steps[step].gate == .deciding || steps[step].gate == .lookingUp else { break }
            close(step, .once(entry), moment, &decisions)
        case .onceTaken(let step, let key, let address):
            guard steps[step].gate == .deciding else { break }
            close(step, .sameKey(key, by: address), moment, &decisions)
        case .onceFailed(let step, let error):
            guard steps[step].gate == .deciding else { break }
            steps[step].gate = .closed
            fail(step, error, moment, &decisions)
        default: break
        }
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
