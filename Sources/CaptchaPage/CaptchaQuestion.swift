internal import HTTP
public import Values

/// A captcha, as the page shows it.
public struct CaptchaQuestion: Sendable {
    public enum Form: Sendable {
        /// The service's own page, to be held in a frame; its address is a secret.
        case frame(Secret)
        /// A picture with a text in it.
        case picture([UInt8], contentType: String)
    }

    public let form: Form
    /// "VK asks account 'vk' for a captcha".
    public let title: String
    /// "Run 1v9k2f7q, step 'post'".
    public let detail: String
    /// How long an answer is of use; the page's address dies with it.
    public let life: Duration

    public init(_ form: Form, title: String, detail: String, life: Duration = .seconds(300)) {
        self.form = form
        self.title = title
        self.detail = detail
        self.life = life
    }
}

/// What came of a question.
public enum CaptchaReply: Sendable, Hashable {
    /// The token that the service's page handed out.
    case token(Secret)
    /// The text in the picture.
    case text(String)
    /// The person leaves it for later.
    case declined
    /// Its time is over.
    case expired
}

/// Why a captcha cannot be shown on a page.
public enum CaptchaPageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address of the service's page is not https, nor on this machine.
    case badAddress

    public var description: String {
        switch self {
        case .badAddress: "the captcha's address is neither https nor on this machine"
        }
    }
}

/// The service's page as it is put into the frame.
struct FrameAddress {
    /// With `origin` and `variant`, as VK's own widget for web sites adds them.
    let address: String
    /// "https://id.vk.ru".
    let origin: String

    /// - Parameter parent: the origin of the page with the frame.
    /// - Throws: `CaptchaPageError`.
    init(_ address: Secret, parent: String) throws(CaptchaPageError) {
        let text = address.reveal()
        guard let parts = URLParts(text), parts.scheme == "https" || (parts.scheme == "http" && parts.isLoopback),
            parts.authority.utf8.allSatisfy(isHostByte)
        else { throw .badAddress }
        origin = parts.scheme + "://" + parts.authority
        let kept = (parts.query ?? "").split(separator: "&").filter { item in
            let name = item.prefix { $0 != "=" }
            return name != "origin" && name != "variant"
        }
        let added = ["origin=" + parent.replacing("://", with: "%3A%2F%2F"), "variant=popup"]
        self.address = origin + parts.path + "?" + (kept.map(String.init) + added).joined(separator: "&")
    }
}

/// Nothing that would end a source in a content security policy.
private func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
        true
    default: false
    }
}
