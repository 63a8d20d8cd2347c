/// What carrying out a step does to the world, and so what may be done after a crash in the middle of it.
public enum Effect: String, Sendable, Hashable, CaseIterable {
    /// Computed here. Run again.
    case pure = "pure"
    /// Reads from a service. Run again.
    case read = "read"
    /// Writes, and repeating is harmless. Run again.
    case idempotent = "idempotent"
    /// Writes, and repeating would double it. Never run again before it is known whether it happened.
    case write = "write"

    /// Whether a rehearsal with `--fetch` carries the step out.
    public var runsInPlan: Bool { self == .pure || self == .read }
}

/// What to do with a step whose effect is `write` when nobody knows whether it happened.
public enum DoubtRule: Sendable, Hashable {
    /// Ask the service by `StepKind.look`; send again only when that proves it absent, else ask a person.
    case look
    /// What it may have left behind does no harm: run the steps that made its inputs again, and then it, once.
    case redoInputs
    /// Nothing can be found out: ask a person.
    case ask
}
