public import Journal
internal import StepKit
internal import Values
internal import Workflows

/// Questions about an account that another run is being asked: this one's writes with it wait for the answer, and this
/// run asks nothing of its own about it.
extension Scheduler {
    /// Asks whether the write may go. It keeps its account's turn meanwhile.
    mutating func checkAccount(_ step: Int, _ decisions: inout SchedulerDecisions) {
        questions += 1
        decisions.actions.append(.checkAccount(step))
    }

    mutating func handleHold(_ event: SchedulerEvent, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        switch event {
        case .accountFree(let step):
            questions -= 1
            // It may have been skipped meanwhile, or its inputs may have died.
            guard case .ready = steps[step].phase else { return releaseAccount(of: step) }
            steps[step].isCleared = true
            ready.insert(step)
        case .accountHeld(let step, let hold):
            questions -= 1
            guard case .ready = steps[step].phase else { return releaseAccount(of: step) }
            self.hold(step, hold, moment, &decisions)
        case .failedOnHold(let step, let error, let hold):
            active -= 1
            steps[step].failures += 1
            record(.attemptFailed, step, moment, &decisions, data: ["error": error.journalValue])
            self.hold(step, hold, moment, &decisions)
        default: break
        }
    }

    /// The step goes on in a later process, when the other run's question has been answered.
    private mutating func hold(
        _ step: Int, _ hold: AccountHold, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].phase = .held(hold)
        decisions.durability = .durable
        record(.stepHeld, step, moment, &decisions, data: ["hold": hold.journalValue])
        if let account = nodes[step].account { accounts.hold(account, by: step) }
        setAside(step)
    }

    /// The other run's question that the step waits for.
    public func hold(of step: Int) -> AccountHold? {
        if case .held(let hold) = steps[step].phase { hold } else { nil }
    }
}
