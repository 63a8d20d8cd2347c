/// The pages and calls by which people and programs sign in: Instagram's and VK's.
///
/// | raw value | address | does |
/// |---|---|---|
/// | `instagram-authorize` | `GET /oauth/authorize` | asks the user, and redirects with a `code` |
/// | `instagram-token` | `POST /oauth/access_token` | makes a token of one hour from a code |
/// | `instagram-exchange` | `GET /access_token` | makes a token of 60 days from that |
/// | `vk-authorize` | `GET /authorize` | VK ID's consent (`response_type=code`), or the classic one (`token`) |
/// | `vk-blank` | `GET /blank.html` | the empty page at which the classic one ends |
/// | `vk-token` | `POST /oauth2/auth` | makes tokens from a code, or from a refresh token, which is replaced |
/// | `vk-revoke`, `vk-logout` | `POST /oauth2/revoke`, `/oauth2/logout` | end a session |
/// | `vk-user-info` | `POST /oauth2/user_info` | says whose token it is |
///
/// The user says yes at once; `POST /_sandbox/sign-in` changes that for the next time.
enum SignInEndpoint: String, Sendable, Hashable, CaseIterable {
    case instagramAuthorize = "instagram-authorize"
    case instagramToken = "instagram-token"
    case instagramExchange = "instagram-exchange"
    case vkAuthorize = "vk-authorize"
    case vkBlank = "vk-blank"
    case vkToken = "vk-token"
    case vkRevoke = "vk-revoke"
    case vkLogout = "vk-logout"
    case vkUserInfo = "vk-user-info"

    private static let paths: [String: SignInEndpoint] = [
        "/oauth/authorize": .instagramAuthorize, "/oauth/access_token": .instagramToken,
        "/access_token": .instagramExchange, "/authorize": .vkAuthorize, "/blank.html": .vkBlank,
        "/oauth2/auth": .vkToken, "/oauth2/revoke": .vkRevoke, "/oauth2/logout": .vkLogout,
        "/oauth2/user_info": .vkUserInfo,
    ]

    init?(path: String) {
        guard let found = Self.paths[path] else { return nil }
        self = found
    }
}

/// The applications that are registered with the stand-in.
public enum SandboxApp {
    public static let instagramID = "1287561024937742"
    public static let instagramSecret = "sandbox-instagram-app-secret"
    public static let vkID = "53120477"
}
