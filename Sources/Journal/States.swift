/// The state of a run, as stored.
public enum RunState: String, Sendable, Hashable, CaseIterable {
    case running = "running"
    case succeeded = "succeeded"
    case failed = "failed"
    /// Needs a person.
    case paused = "paused"
    /// Needs a time.
    case waiting = "waiting"
    case canceled = "canceled"
    /// Stopped by Ctrl-C: only `resume` continues it.
    case stopped = "stopped"
    /// Its process died or was told to end.
    case interrupted = "interrupted"

    /// Whether nothing more will come of the run.
    public var isFinal: Bool { self == .succeeded || self == .failed || self == .canceled }
}

/// The state of a step in a run, as stored and shown.
public enum StepState: String, Sendable, Hashable, CaseIterable {
    case pending = "pending"
    case ready = "ready"
    case running = "running"
    case succeeded = "succeeded"
    case failed = "failed"
    case skipped = "skipped"
    case paused = "paused"
    case waiting = "waiting"
    case canceled = "canceled"

    public var isFinal: Bool {
        switch self {
        case .succeeded, .failed, .skipped, .canceled: true
        default: false
        }
    }
}
