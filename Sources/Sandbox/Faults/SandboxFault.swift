public import HTTPServer

/// One thing that goes wrong: on which call, and what.
///
/// As JSON: `{"on": "wall.post", "call": 2, "fault": {"type": "cut", "when": "after", "how": "reset"}}`.
public struct SandboxFault: Sendable, Hashable {
    /// A VK method's name, or one of `SandboxFault.places`.
    public var on: String
    public var calls: Calls
    public var action: Action

    public init(on: String, calls: Calls = .at([1]), action: Action) {
        self.on = on
        self.calls = calls
        self.action = action
    }

    /// What faults can be put on, besides VK's methods: `upload` (the POST of a file), `me`, `me/media` (a list of
    /// media), `media` (one item, or an album's children), `stories`, `create-media` (a container is made), `container` (its
    /// state), `media_publish`, `content_publishing_limit`, `refresh_access_token`, `cdn` (a photo's download), `captcha`
    /// (a captcha's picture or page), and the pages of signing in (`SignInEndpoint`).
    public static let places =
        ["upload"] + instagramPlaces + ["cdn", "captcha"] + SignInEndpoint.allCases.map(\.rawValue)

    static let instagramPlaces = [
        "me", "me/media", "media", "stories", "create-media", "container", "media_publish",
        "content_publishing_limit", "refresh_access_token",
    ]

    /// Which calls are hit, counted from 1 since the faults were set, for each `on` by itself.
    public enum Calls: Sendable, Hashable {
        /// `"call": 3` or `"call": [1, 3]`.
        case at([Int])
        /// `"call": "every"`.
        case every
        /// `"call": {"from": 2, "times": 3}`.
        case range(from: Int, times: Int)

        func contains(_ number: Int) -> Bool {
            switch self {
            case .at(let numbers): numbers.contains(number)
            case .every: true
            case .range(let from, let times): number >= from && number - from < times
            }
        }
    }

    /// Whether the call has done its work when the fault comes.
    public enum Moment: String, Sendable, Hashable, CaseIterable {
        /// Nothing has happened.
        case before
        /// All is done, and only the answer is lost or replaced.
        case after
    }

    public enum Action: Sendable, Hashable {
        /// `vk-error`: VK's error envelope. `code`, and optionally `message`, `subcode`, `echo-token` (the token appears
        /// in `request_params`, as VK once did), `when`.
        case vkError(code: Int64, message: String?, subcode: Int64?, echoesToken: Bool, Moment)
        /// `captcha`: error 14, until it is answered. `form` is `old`, `new` or `both`; `answer` fixes the picture's text;
        /// with `auto`, the new form's page clicks itself once its frame's parent answers it; `remixstlid` is `field` or
        /// `cookie` where the repeated call is refused without that number there.
        case captcha(CaptchaForm?, answer: String?, solvesItself: Bool, remixstlid: RemixstlidPlace?)
        /// `http`: a bare status. `status`, and optionally `body` (`"html"` for a proxy's page, or the text itself),
        /// `retry-after` in seconds, `when`.
        case http(status: Int, body: String?, retryAfter: Int?, Moment)
        /// `instagram-error`: Graph's error envelope. `code`, and optionally `subcode`, `message`, `status` (400).
        case instagramError(code: Int64, subcode: Int64?, message: String?, status: Int)
        /// `delay`: the call waits for `duration` ("300ms"), then goes on, into a further fault if there is one.
        case delay(Duration)
        /// `hang`: no answer ever comes. Optionally `when`.
        case hang(Moment)
        /// `cut`: the connection ends without an answer. `when`, and `how`: `close` (FIN) or `reset` (RST).
        case cut(Moment, HTTPServerResponse.Cut)
        /// `empty-upload`: the upload answers `"photo": "[]"`.
        case emptyUpload
        /// `text`: a plain text with status 200, such as VK's "Security Breach2". `body`, and optionally `when`.
        case text(String, Moment)
        /// `truncate`: the call does its work, and its answer ends after `bytes`.
        case truncate(bytes: Int)
        /// `container`: the container is in this state. `status` is `IN_PROGRESS`, `FINISHED`, `PUBLISHED`, `ERROR` or
        /// `EXPIRED`; optionally `text`, what its `status` says.
        case container(ContainerState, text: String?)
        /// `usage`: the call does its work, and headers tell that `percent` of the limits is used; optionally `minutes` until
        /// calls are free again.
        case usage(percent: Int64, minutes: Int64?)
        /// `drop-attachment`: `wall.post` answers with an id, and the post has no attachments.
        case dropAttachment
    }

    /// Where a repeated call brings the number `remixstlid` of a captcha's page. VK's documentation says to send it along, and
    /// not that a call without it is refused.
    public enum RemixstlidPlace: String, Sendable, Hashable, CaseIterable { case field, cookie }

    /// A container's state (Instagram Platform, "Content Publishing").
    public enum ContainerState: String, Sendable, Hashable, CaseIterable {
        case inProgress = "IN_PROGRESS"
        case finished = "FINISHED"
        case published = "PUBLISHED"
        case error = "ERROR"
        case expired = "EXPIRED"
    }
}
