public import Values

/// What the journal knows of a run as a whole.
public struct RunRecord: Sendable, Hashable {
    /// Sorts by time; 8 characters of `0-9a-z` without the letters i, l, o, u.
    public let id: String
    /// The workflow's `name`.
    public let workflow: String
    /// The workflow file's real path when the run started.
    public let file: String
    /// SHA-256 of the file's real path and the canonical JSON of all inputs, or of `overlap-key`.
    public let lockKey: String
    /// The inputs after defaults, fitted to their types. The journal keeps those that are files as objects: `file`, the
    /// path of the copy in the run's folder, and `from`, where it came from.
    public var inputs: ValueObject
    /// How the run was started: `sandbox`, `ignore-once`.
    public let options: ValueObject
    public let startedAt: Timestamp
    public var state: RunState
    /// When the state last changed.
    public var changedAt: Timestamp
    /// How many processes have worked on it.
    public var processes: Int
    /// The earliest time at which a waiting run can go on.
    public var wakesAt: Timestamp?

    public init(
        id: String, workflow: String, file: String, lockKey: String, inputs: ValueObject, options: ValueObject = [:],
        startedAt: Timestamp, state: RunState = .running, changedAt: Timestamp? = nil, processes: Int = 1,
        wakesAt: Timestamp? = nil
    ) {
        self.id = id
        self.workflow = workflow
        self.file = file
        self.lockKey = lockKey
        self.inputs = inputs
        self.options = options
        self.startedAt = startedAt
        self.state = state
        self.changedAt = changedAt ?? startedAt
        self.processes = processes
        self.wakesAt = wakesAt
    }
}
