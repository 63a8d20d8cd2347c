public import Values

/// The kind of a failure, which decides what happens next. Spelled in files as in the raw values.
public enum ErrorClass: String, Sendable, Hashable, CaseIterable {
    case network = "network"
    case timeout = "timeout"
    case rateLimit = "rate-limit"
    case server = "server"
    /// The token is dead: pauses until it is replaced.
    case auth = "auth"
    case captcha = "captcha"
    /// The service wants a person to confirm who they are.
    case validation = "validation"
    case permission = "permission"
    /// A limit over hours or days: waits.
    case quota = "quota"
    /// The request itself is wrong; the same request will fail again.
    case invalid = "invalid"
    /// An input has died (an upload that was too old): the steps that made it run again, once.
    case stale = "stale"
    /// Nobody knows whether the write happened.
    case inDoubt = "in-doubt"

    /// Retried with backoff; all others never blindly.
    public var isRetried: Bool {
        switch self {
        case .network, .timeout, .rateLimit, .server: true
        default: false
        }
    }
}

/// Why an attempt at a step failed.
public struct StepError: Error, Sendable, Hashable {
    public var errorClass: ErrorClass
    /// What happened, as a clause without a full stop: "VK answered 6 (too many requests per second)".
    public var what: String
    /// A sentence on the rule behind it.
    public var why: String?
    /// A sentence on how to mend it.
    public var fix: String?
    /// The service's own code, as text: "6", "190/463", "HTTP 502".
    public var code: String?
    /// The next attempt may not come earlier than this long after the failure.
    public var retryAfter: Duration?
    /// What a person must see and answer; set for the classes captcha, validation and auth.
    public var pause: PauseRequest?

    public init(
        _ errorClass: ErrorClass, _ what: String, why: String? = nil, fix: String? = nil, code: String? = nil,
        retryAfter: Duration? = nil, pause: PauseRequest? = nil
    ) {
        self.errorClass = errorClass
        self.what = what
        self.why = why
        self.fix = fix
        self.code = code
        self.retryAfter = retryAfter
        self.pause = pause
    }

    /// The whole sentence: what, why, how to mend it.
    public var sentence: String { [what + ".", why, fix].compactMap { $0 }.joined(separator: " ") }
}

extension StepError: CustomStringConvertible {
    public var description: String { sentence }
}

extension StepError {
    /// For the journal; `pause` is kept apart.
    public var journalValue: Value {
        var object: ValueObject = ["class": .string(errorClass.rawValue), "what": .string(what)]
        object["why"] = why.map(Value.string)
        object["fix"] = fix.map(Value.string)
        object["code"] = code.map(Value.string)
        object["retry-after-ms"] = retryAfter.map { .integer($0.wholeMilliseconds) }
        return .object(object)
    }

    /// Reads what `journalValue` wrote; nil when a member is missing.
    public init?(journalValue value: Value) {
        guard let name = value["class"]?.string, let errorClass = ErrorClass(rawValue: name),
            let what = value["what"]?.string
        else { return nil }
        self.init(
            errorClass, what, why: value["why"]?.string, fix: value["fix"]?.string, code: value["code"]?.string,
            retryAfter: value["retry-after-ms"]?.integer.map { .milliseconds($0) })
    }
}
