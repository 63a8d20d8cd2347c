internal import Threading
public import Values

/// What a step of several calls has done of them: each part has a name, and a value that came of it.
///
/// A part that was kept is there in every later attempt, in whatever process, so that no finished call is made twice. Parts
/// go with the idempotency key: when a person has a write sent again under a new one, nothing of it has been done.
public protocol StepParts: Sendable {
    /// What came of the part; nil when it was not kept, or was dropped by keeping null.
    subscript(part: String) -> Value? { get }

    /// Keeps a part. It is on disk when this returns.
    ///
    /// - Throws: when it cannot be kept; the error is to be passed on as it is, and ends the run.
    func keep(_ value: Value, as part: String) async throws
}

/// Parts that live as long as their process: for rehearsals and tests.
public final class VolatileParts: StepParts {
    private let values = Locked<[String: Value]>([:])

    public init() {}

    public subscript(part: String) -> Value? { values.withLock { $0[part] }.flatMap { $0.isNull ? nil : $0 } }

    public func keep(_ value: Value, as part: String) async throws { values.withLock { $0[part] = value } }
}

extension StepCall {
    /// The call of a part of the step: the same account, key and folders, with parameters of its own. The answer to a pause
    /// goes to the part that had paused, and to no other.
    public func part(_ name: String, _ parameters: ValueObject) -> StepCall {
        let continuation = resumption?.continuation
        let isPaused = continuation?["part"]?.string == name
        return StepCall(
            run: run, address: "\(address)/\(name)", attempt: attempt, parameters: parameters, effect: effect,
            account: account, idempotencyKey: idempotencyKey, keyFirstSent: keyFirstSent, timeout: timeout,
            folder: folder, artifacts: artifacts,
            resumption: isPaused
                ? Resumption(continuation: continuation?["rest"] ?? .null, answer: resumption?.answer) : nil,
            parts: parts, others: others, warn: warn, redact: redact)
    }
}

extension StepError {
    /// The failure of a part: what a person answers to its pause comes back to it by `StepCall.part`.
    public func ofPart(_ name: String) -> StepError {
        guard var pause else { return self }
        var error = self
        pause.continuation = ["part": .string(name), "rest": pause.continuation]
        error.pause = pause
        return error
    }
}
