public import Values

/// How a stand-in behaves.
public struct SandboxConfiguration: Sendable {
    /// 0 takes any free port.
    public var port: UInt16
    /// Where posts, photos, captchas, tokens and media are kept, so that a later process goes on with them. Nil keeps
    /// them in memory.
    public var stateFolder: String?
    /// What goes wrong, and when. Nil keeps the faults that the state folder holds.
    public var faults: [SandboxFault]?
    /// True makes `wall.post` publish each repeat, as a service would that forgot the `guid`.
    public var ignoreGuid = false
    /// True changes a post's text on storing: CRLF becomes LF, HTML entities are decoded, blanks at the ends go. Otherwise
    /// it is stored byte for byte.
    public var normalizeText = false
    /// True answers error 6 above 3 calls a second (20 for the community's token).
    public var enforceRate = false
    /// The captcha that `captcha.force` and faults without a form of their own show.
    public var captchaForm = CaptchaForm.old
    /// What the user's token may do, as VK's bit mask.
    public var userRights: Int64 = VKRight.all
    /// What the Instagram account's own token may do: `InstagramScope`.
    public var instagramRights = [InstagramScope.basic, InstagramScope.publish]
    /// How many posts Instagram publishes in 24 hours.
    public var instagramQuota: Int64 = 100
    /// What the Instagram account shows; nil for the café's eight items.
    public var media: [SandboxMedia]?
    /// The time of day; tests hand in their own.
    public var clock: @Sendable () -> Timestamp = { .now }

    public init(port: UInt16 = 0, stateFolder: String? = nil, faults: [SandboxFault]? = nil) {
        self.port = port
        self.stateFolder = stateFolder
        self.faults = faults
    }
}

/// Which captcha VK shows.
public enum CaptchaForm: String, Sendable, Hashable, CaseIterable {
    /// A picture to type: `captcha_sid` and `captcha_img`.
    case old
    /// A page to click: `redirect_uri` and `remixstlid`.
    case new
    /// All of these members together; the picture only says that it is not supported, as VK's did in 2025.
    case both
}

/// Bits of VK's mask of rights (dev.vk.com, "Access permissions").
public enum VKRight {
    public static let photos: Int64 = 4
    public static let stories: Int64 = 64
    public static let wall: Int64 = 8192
    public static let offline: Int64 = 65_536
    public static let docs: Int64 = 131_072
    public static let groups: Int64 = 262_144
    /// photos, stories, wall, offline, docs, groups.
    public static let all: Int64 = photos | stories | wall | offline | docs | groups
}

/// Instagram's scopes ("Instagram API with Instagram Login").
public enum InstagramScope {
    public static let basic = "instagram_business_basic"
    public static let publish = "instagram_business_content_publish"
}

/// Why the stand-in could not be set up or could not go on.
public struct SandboxError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
