public import Journal
public import StepKit
public import Values

/// What can be asked about a run's steps.
extension Scheduler {
    public func state(of step: Int) -> StepState { steps[step].phase.state }

    public func error(of step: Int) -> StepError? {
        if case .failed(let error) = steps[step].phase { error } else { nil }
    }

    public func skipReason(of step: Int) -> SkipReason? {
        if case .skipped(let reason) = steps[step].phase { reason } else { nil }
    }

    public func pause(of step: Int) -> PauseRequest? {
        if case .paused(let pause) = steps[step].phase { pause } else { nil }
    }

    public func waitsUntil(_ step: Int) -> Timestamp? {
        if case .waiting(let until) = steps[step].phase { until } else { nil }
    }

    /// The failure that a waiting step waits after.
    public func waitsAfter(_ step: Int) -> StepError? {
        if case .waiting = steps[step].phase { steps[step].lastError } else { nil }
    }

    /// The step's id, with the item's row.
    func address(of node: Int) -> String { nodes.address(of: node) }

    /// Whether it is a write in doubt that is being looked for.
    func isLooking(_ step: Int) -> Bool { if case .looking = steps[step].phase { true } else { false } }

    /// Whether the key of `once` is reserved for it, as far as is known.
    func holdsKey(_ step: Int) -> Bool {
        steps[step].gate == .granted || steps[step].gate == .promised || steps[step].hadKey
    }

    /// Whether the key of `once` that an earlier process has reserved for it is to be asked for again.
    func hadKey(_ step: Int) -> Bool { steps[step].hadKey }

    /// Attempts made so far.
    public func attempts(of step: Int) -> Int { steps[step].attempts }

    /// From 1; each "send it again" of a person raises it.
    public func generation(of step: Int) -> Int { steps[step].generation }

    /// When the present idempotency key of a write was first sent.
    public func keyFirstSent(of step: Int) -> Timestamp? { steps[step].keyFirstSent }
}
