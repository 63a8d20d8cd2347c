internal import StepKit
internal import Workflows

/// The order of the writes of an account.
extension Scheduler {
    /// A write waits its turn among its account's writes. A step whose inputs are being made again waits for them first.
    mutating func enqueue(_ step: Int) {
        guard steps[step].unfinished == 0, hasOuter(step) else { return withdraw(step) }
        steps[step].phase = .ready
        steps[step].isCleared = false
        guard nodes[step].effect == .write, let account = nodes[step].account else { return ready.insert(step) }
        if let index = nodes.index(of: step) { return enqueueInTurn(step, index) }
        if let admitted = accounts.enqueue(step, account) { ready.insert(admitted) }
    }

    /// Lets a step that has no attempt under way wait for what it depends on.
    mutating func withdraw(_ step: Int) {
        steps[step].phase = .pending
        freeSlot(of: step)
        releaseAccount(of: step)
        if steps[step].unfinished == 0, !hasOuter(step) { block(step) }
    }

    /// Keeps the account's other writes back.
    mutating func takeTurn(_ step: Int) {
        if let account = nodes[step].account { accounts.takeTurn(step, account) }
    }

    func holdsAccount(_ step: Int) -> Bool {
        if case .paused(let pause) = steps[step].phase { pause.kind.holdsAccount } else { false }
    }

    /// The question that this step was paused on is answered, or is being tried out.
    mutating func unhold(_ step: Int) {
        if let account = nodes[step].account, let admitted = accounts.unhold(account, by: step) {
            ready.insert(admitted)
        }
    }

    /// Lets the account's next write come, when this one had its turn.
    mutating func releaseAccount(of step: Int) {
        guard nodes[step].effect == .write, let account = nodes[step].account else { return }
        if let admitted = accounts.leave(step, account) { ready.insert(admitted) }
    }
}
