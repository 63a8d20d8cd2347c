public import Values

/// What `uses:` names: something a step can do.
///
/// A kind holds no state of a run: everything it needs comes with the call, and everything it leaves is in its result
/// or its error. It may be asked from several tasks at once.
public protocol StepKind: Sendable {
    var declaration: StepDeclaration { get }

    /// The effect of a step with these parameters, where its `effect` says nothing. What is not known before the run counts
    /// for the worst.
    func effect(of call: PlannedCall) -> Effect

    /// What is wrong with these parameters although each fits its type. What is not known before the run counts as right.
    func problems(in call: PlannedCall) -> [ParameterProblem]

    /// Carries the call out, once: no retries of its own.
    ///
    /// - Throws: `StepError`; `CancellationError` when the task was cancelled. On a `write`, a failure after the first
    ///   byte may have left is thrown as `in-doubt`.
    func run(_ call: StepCall) async throws -> StepResult

    /// Looks whether the write of this call happened at or after `intent`. One look, read-only.
    ///
    /// - Throws: `StepError` when the look itself failed: that proves nothing.
    func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting

    /// The outputs of a write that a person says has happened: `resume --posted ID`. Nil when the id cannot be one.
    func outputs(forPosted id: String, of call: StepCall) async throws -> ValueObject?

    /// What a person's word on a doubt, `posted` or `resend`, means for the parts of a step of several writes of which
    /// others are done, or still to be done: they are kept as given, null dropping one, and the step goes on under its old
    /// key. Nil where the word is for the step as a whole.
    func parts(settledBy answer: PauseAnswer, of call: StepCall) async throws -> [(name: String, value: Value)]?

    /// Time beyond the step's timeout that this call may take: a large upload needs more than a small one.
    func extraTime(for call: StepCall) -> Duration

    /// The requests that `run` would send, for the plan.
    func plan(_ call: PlannedCall) -> [PlannedRequest]
}

extension StepKind {
    public func effect(of call: PlannedCall) -> Effect { declaration.effect }

    public func problems(in call: PlannedCall) -> [ParameterProblem] { [] }

    public func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting {
        .unreadable(reason: "'\(declaration.name)' has no way to find out")
    }

    public func outputs(forPosted id: String, of call: StepCall) -> ValueObject? { nil }

    public func parts(settledBy answer: PauseAnswer, of call: StepCall) -> [(name: String, value: Value)]? { nil }

    public func extraTime(for call: StepCall) -> Duration { .zero }

    public func plan(_ call: PlannedCall) -> [PlannedRequest] { [] }
}

/// What came of a call.
public enum StepResult: Sendable, Hashable {
    case succeeded(ValueObject)
    /// There was nothing to do; what depends on the step is skipped, too. The reason is a clause.
    case skipped(reason: String)
    /// A person must answer before it can go on: the step pauses, and the call is repeated with the answer.
    case paused(PauseRequest)
}

/// What one look for a write has shown.
public enum Sighting: Sendable, Hashable {
    /// It happened, and only this can be it.
    case found(ValueObject)
    /// It is not there now. Two such looks prove it absent.
    case absent
    /// More than one could be it.
    case several([String])
    /// The place cannot be read with this account.
    case unreadable(reason: String)
    /// It was not sent: the step had not come so far. One such look proves it.
    case neverSent
    /// It is not there now, and may be under way still, for as long.
    case tooEarly(Duration)
}

/// One call of a step kind.
public struct StepCall: Sendable {
    public let run: String
    /// `<step>`, `<outer>/<step>`, with an item `<step>[<index>]`.
    public let address: String
    /// From 1.
    public let attempt: Int
    /// Fitted to the declaration, defaults filled in; paths of files are absolute. Null and missing both mean "not
    /// given".
    public let parameters: ValueObject
    /// What the step does to the world: its kind's effect, or the one that its `effect` names.
    public let effect: Effect
    public let account: Account?
    /// The same for every attempt, resume, captcha answer and re-run of this call: 32 lower-case hexadecimal digits.
    public let idempotencyKey: String
    /// When this key was first sent; nil before that.
    public let keyFirstSent: Timestamp?
    /// For this attempt. The kind passes it on to its requests; the engine ends the attempt when it is over.
    public let timeout: Duration
    /// The folder of the workflow file, absolute: where relative paths begin.
    public let folder: String
    /// An existing folder of the run's own for files that the step makes.
    public let artifacts: String
    /// Set when this call was paused before.
    public let resumption: Resumption?
    /// What a step of several calls has finished of them.
    public let parts: any StepParts
    /// Tells the user something that is no failure; a sentence without secrets.
    public let warn: @Sendable (String) -> Void
    /// The text with the run's secrets taken out. All that a kind gives back is redacted anyway; this is for texts that it
    /// cuts short, since nobody knows a half secret.
    public let redact: @Sendable (String) -> String
    /// Waits by the run's clock, for a service that wants to be asked again later.
    ///
    /// - Throws: `CancellationError`.
    public let wait: @Sendable (Duration) async throws -> Void
    /// The keys of `once` that begin with a text: those of this workflow, and those of `scope: global`. What a step is
    /// only on its way to is among them.
    public let postedKeys: @Sendable (String) async throws -> [PostedKey]

    public init(
        run: String, address: String, attempt: Int = 1, parameters: ValueObject, effect: Effect = .write,
        account: Account? = nil, idempotencyKey: String, keyFirstSent: Timestamp? = nil,
        timeout: Duration = .seconds(60), folder: String = "/", artifacts: String, resumption: Resumption? = nil,
        parts: any StepParts = VolatileParts(), warn: @escaping @Sendable (String) -> Void = { _ in },
        redact: @escaping @Sendable (String) -> String = { $0 },
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        postedKeys: @escaping @Sendable (String) async throws -> [PostedKey] = { _ in [] }
    ) {
        self.run = run
        self.address = address
        self.attempt = attempt
        self.parameters = parameters
        self.effect = effect
        self.account = account
        self.idempotencyKey = idempotencyKey
        self.keyFirstSent = keyFirstSent
        self.timeout = timeout
        self.folder = folder
        self.artifacts = artifacts
        self.resumption = resumption
        self.parts = parts
        self.warn = warn
        self.redact = redact
        self.wait = wait
        self.postedKeys = postedKeys
    }

    /// The parameter; nil when it is null or not given.
    public subscript(parameter: String) -> Value? {
        guard let value = parameters[parameter], !value.isNull else { return nil }
        return value
    }

    /// A name for a file of this step: the address with everything but letters, digits, `-` and `_` as `-`.
    public var fileStem: String {
        String(address.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" })
    }
}
