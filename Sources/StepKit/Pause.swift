public import Values

/// Why a step stopped for a person.
public enum PauseKind: String, Sendable, Hashable, CaseIterable {
    case captcha = "captcha"
    case validation = "validation"
    case auth = "auth"
    case approval = "approval"
    case inDoubt = "in-doubt"

    /// Whether the pause concerns the account as a whole, so that its other writes hold until it is answered.
    public var holdsAccount: Bool { self == .captcha || self == .validation || self == .auth }
}

/// What a person must see and answer before a step can go on.
public struct PauseRequest: Sendable, Hashable {
    public var kind: PauseKind
    /// What the person is asked, in one or two sentences.
    public var message: String
    /// The file with the picture to look at, absolute.
    public var picture: String?
    /// A file (0600) with the address to open; the address itself is never shown.
    public var linkFile: String?
    /// Files, absolute, and addresses to look at before one answers.
    public var show: [String]
    /// Until when an answer is of use; nil when it is not known.
    public var expires: Timestamp?
    /// The form of the answer that goes with it.
    public var answer: AnswerForm
    /// What the step kind needs to repeat the call with the answer. Journalled, never shown.
    public var continuation: Value

    public enum AnswerForm: String, Sendable, Hashable {
        /// The text in the picture: `--captcha TEXT`.
        case captchaText = "captcha-text"
        /// The token that the service's page hands out: `--success-token -`.
        case successToken = "success-token"
        /// Nothing to type: the cause is mended elsewhere, then the run goes on.
        case none = "none"
        case approval = "approval"
        /// `--posted ID` or `--resend`.
        case doubt = "doubt"
        case validated = "validated"
    }

    public init(
        _ kind: PauseKind, message: String, picture: String? = nil, linkFile: String? = nil, show: [String] = [],
        expires: Timestamp? = nil, answer: AnswerForm, continuation: Value = .null
    ) {
        self.kind = kind
        self.message = message
        self.picture = picture
        self.linkFile = linkFile
        self.show = show
        self.expires = expires
        self.answer = answer
        self.continuation = continuation
    }
}

extension PauseRequest {
    /// When the step goes on without an answer: an approval that has its time. Any other pause waits for a person.
    public var answerableUntil: Timestamp? { answer == .approval ? expires : nil }

    public var journalValue: Value {
        var object: ValueObject = [
            "kind": .string(kind.rawValue), "message": .string(message), "answer": .string(answer.rawValue),
        ]
        object["picture"] = picture.map(Value.string)
        object["link-file"] = linkFile.map(Value.string)
        if !show.isEmpty { object["show"] = .array(show.map(Value.string)) }
        object["expires"] = expires.map { .string($0.iso8601) }
        if !continuation.isNull { object["continuation"] = continuation }
        return .object(object)
    }

    public init?(journalValue value: Value) {
        guard let kind = value["kind"]?.string.flatMap(PauseKind.init), let message = value["message"]?.string,
            let answer = value["answer"]?.string.flatMap(AnswerForm.init)
        else { return nil }
        self.init(
            kind, message: message, picture: value["picture"]?.string, linkFile: value["link-file"]?.string,
            show: value["show"]?.array?.compactMap(\.string) ?? [],
            expires: value["expires"]?.string.flatMap { Timestamp(iso8601: $0) }, answer: answer,
            continuation: value["continuation"] ?? .null)
    }
}

/// A person's answer to a pause. It is used at once and never journalled.
public enum PauseAnswer: Sendable, Hashable {
    case captcha(String)
    case successToken(Secret)
    case approved
    case rejected
    /// The write did happen; this is what it made.
    case posted(id: String)
    /// The write did not happen; send it again.
    case resend
}

/// What a step kind is given when its call was paused before: it repeats just that call.
public struct Resumption: Sendable, Hashable {
    /// What the kind itself left in `PauseRequest.continuation`.
    public let continuation: Value
    /// Nil: no answer was given; the call is sent again and may simply pass now.
    public let answer: PauseAnswer?

    public init(continuation: Value, answer: PauseAnswer?) {
        self.continuation = continuation
        self.answer = answer
    }
}
