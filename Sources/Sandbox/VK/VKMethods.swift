internal import Threading
internal import Values

/// What VK's methods are called with: the state, and what a fault has changed.
struct VKContext: Sendable {
    var configuration: SandboxConfiguration
    /// A captcha that a fault puts before this call.
    var captcha: Captchas.Order?
    var dropsAttachments = false
}

/// VK's methods, as `POST` or `GET /method/<name>`.
///
/// Parameters come in the address, urlencoded or multipart; the token by `Authorization: Bearer` or as `access_token`.
/// Every answer has status 200: `{"response": …}` or `{"error": {…}}`.
///
/// | method | does |
/// |---|---|
/// | `users.get` | the token's own user, or those of `user_ids` |
/// | `account.getAppPermissions` | the user's rights as a bit mask |
/// | `groups.getById` | communities of `group_id` or `group_ids` |
/// | `groups.getTokenPermissions` | the community token's rights |
/// | `utils.getServerTime` | seconds since 1970 |
/// | `utils.resolveScreenName` | who has the short address `screen_name` |
/// | `photos.getWallUploadServer` | an `upload_url` for one file |
/// | `photos.saveWallPhoto` | makes a photo of an uploaded file |
/// | `photos.getById` | photos of `photos` |
/// | `wall.post` | a post, at once or at `publish_date`; `guid` holds for an hour |
/// | `wall.get` | a wall's posts, newest first |
/// | `wall.getById` | the posts of `posts` |
/// | `wall.edit`, `wall.delete`, `wall.pin`, `wall.unpin` | change or remove a post |
/// | `wall.openComments`, `wall.closeComments` | whether a post takes comments |
/// | `wall.createComment`, `wall.getComments`, `wall.deleteComment` | comments; `guid` holds for an hour |
/// | `photos.createAlbum`, `photos.getUploadServer`, `photos.save`, `photos.get` | albums |
/// | `docs.getWallUploadServer`, `docs.save`, `docs.getById` | documents |
/// | `stories.getPhotoUploadServer`, `stories.save`, `stories.get`, `stories.getById`, `stories.delete` | stories |
/// | `execute` | calls of these methods: `return API.wall.get({"count": 1});`, or a list of such calls |
/// | `captcha.force` | error 14 until it is answered |
enum VKMethods {
    private typealias Body = @Sendable (VKCall, VKCall.Caller, inout SandboxState, VKContext) throws -> Value

    private struct Method: Sendable {
        let callers: Set<VKCall.Caller>
        /// What the user's token must allow; 0 for nothing.
        let right: Int64
        let body: Body
    }

    private static let methods: [String: Method] = [
        "users.get": Method(callers: [.user, .community, .service], right: 0, body: usersGet),
        "account.getAppPermissions": Method(callers: [.user], right: 0, body: accountGetAppPermissions),
        "groups.getById": Method(callers: [.user, .community, .service], right: 0, body: groupsGetById),
        "groups.getTokenPermissions": Method(callers: [.community], right: 0, body: groupsGetTokenPermissions),
        "utils.getServerTime": Method(callers: [.user, .community, .service], right: 0, body: utilsGetServerTime),
        "utils.resolveScreenName": Method(
            callers: [.user, .community, .service], right: 0, body: utilsResolveScreenName),
        "photos.getWallUploadServer": Method(callers: [.user], right: VKRight.photos, body: photosGetWallUploadServer),
        "photos.saveWallPhoto": Method(callers: [.user], right: VKRight.photos, body: photosSaveWallPhoto),
        "photos.getById": Method(callers: [.user, .service], right: 0, body: photosGetById),
        "wall.post": Method(callers: [.user, .community], right: VKRight.wall, body: wallPost),
        "wall.get": Method(callers: [.user, .service], right: 0, body: wallGet),
        "wall.getById": Method(callers: [.user, .service], right: 0, body: wallGetById),
        "wall.delete": Method(callers: [.user], right: VKRight.wall, body: wallDelete),
        "wall.edit": Method(callers: [.user], right: VKRight.wall, body: wallEdit),
        "wall.pin": Method(callers: [.user], right: VKRight.wall, body: wallPin),
        "wall.unpin": Method(callers: [.user], right: VKRight.wall, body: wallUnpin),
        "wall.openComments": Method(callers: [.user, .community], right: VKRight.wall, body: wallOpenComments),
        "wall.closeComments": Method(callers: [.user, .community], right: VKRight.wall, body: wallCloseComments),
        "wall.createComment": Method(callers: [.user, .community], right: VKRight.wall, body: wallCreateComment),
        "wall.getComments": Method(callers: [.user, .service], right: 0, body: wallGetComments),
        "wall.deleteComment": Method(callers: [.user], right: VKRight.wall, body: wallDeleteComment),
        "photos.createAlbum": Method(callers: [.user], right: VKRight.photos, body: photosCreateAlbum),
        "photos.getUploadServer": Method(callers: [.user], right: VKRight.photos, body: photosGetUploadServer),
        "photos.save": Method(callers: [.user], right: VKRight.photos, body: photosSave),
        "photos.get": Method(callers: [.user, .service], right: 0, body: photosGet),
        "docs.getWallUploadServer": Method(
            callers: [.user, .community], right: VKRight.docs, body: docsGetWallUploadServer),
        "docs.save": Method(callers: [.user, .community], right: VKRight.docs, body: docsSave),
        "docs.getById": Method(callers: [.user], right: VKRight.docs, body: docsGetById),
        "stories.getPhotoUploadServer": Method(
            callers: [.user, .community], right: VKRight.stories, body: storiesGetPhotoUploadServer),
        "stories.save": Method(callers: [.user, .community], right: VKRight.stories, body: storiesSave),
        "stories.get": Method(callers: [.user, .community], right: VKRight.stories, body: storiesGet),
        "stories.getById": Method(callers: [.user, .community], right: VKRight.stories, body: storiesGetById),
        "stories.delete": Method(callers: [.user, .community], right: VKRight.stories, body: storiesDelete),
        "execute": Method(callers: [.user, .community], right: 0, body: execute),
        "captcha.force": Method(callers: [.user, .community, .service], right: 0, body: { _, _, _, _ in 1 }),
    ]

    /// The methods that the stand-in knows.
    static var names: Set<String> { Set(methods.keys) }

    /// What `response` holds.
    ///
    /// - Throws: `VKError`.
    static func call(_ call: VKCall, _ state: inout SandboxState, _ context: VKContext) throws -> Value {
        try checkVersion(call)
        guard let method = methods[call.method] else {
            throw VKError(code: 3, message: "Unknown method passed")
        }
        let caller = try identify(call, state)
        var context = context
        if let issued = state.signIns.vkToken(call.token ?? "") {
            context.configuration.userRights = SignInDesk.mask(issued.rights)
            // VK ID's tokens have no mask.
            if issued.text.hasPrefix("vk2.a."), call.method == "account.getAppPermissions" {
                throw VKError(code: 1051, message: "Method is not available for this profile type")
            }
        }
        if context.configuration.enforceRate { try checkRate(call, caller, &state) }
        try checkCaller(caller, method, context)
        let isAnswered = try Captchas.accept(call, &state)
        if !isAnswered, call.method == "captcha.force" {
            throw Captchas.raise(call, Captchas.Order(form: context.configuration.captchaForm), &state)
        }
        if !isAnswered, let order = context.captcha { throw Captchas.raise(call, order, &state) }
        return try method.body(call, caller, &state, context)
    }

    private static func checkVersion(_ call: VKCall) throws {
        let advice = "Version param should be passed as \"v\". \"version\" param is invalid and not supported."
        guard let text = call.text("v") else {
            throw VKError(code: 8, message: "Invalid request: v is required. \(advice)")
        }
        let parts = text.split(separator: ".").map { Int($0) }
        guard parts.count == 2, let major = parts[0], let minor = parts[1] else {
            throw VKError(code: 8, message: "Invalid request: v is incorrect. \(advice)")
        }
        guard (major, minor) >= (5, 81) else {
            throw VKError(code: 8, message: "Invalid request: versions below 5.81 are deprecated. \(advice)")
        }
    }

    private static func identify(_ call: VKCall, _ state: SandboxState) throws -> VKCall.Caller {
        guard let token = call.token, !token.isEmpty else {
            throw VKError(code: 5, message: "User authorization failed: no access_token passed.")
        }
        if let issued = state.signIns.vkToken(token) {
            guard !issued.isRevoked, issued.expires > call.now else {
                throw VKError(code: 5, message: "User authorization failed: access_token has expired.")
            }
            return .user
        }
        let tokens = state.tokens
        let known: [(String, SandboxToken, VKCall.Caller)] = [
            (tokens.vkUser, .vk, .user), (tokens.vkCommunity, .vkCommunity, .community),
            (tokens.vkService, .vkService, .service),
        ]
        guard let (_, name, caller) = known.first(where: { $0.0 == token }) else {
            throw VKError(code: 5, message: "User authorization failed: invalid access_token (4).")
        }
        guard !tokens.expired.contains(name.rawValue) else {
            throw VKError(code: 5, message: "User authorization failed: access_token has expired.")
        }
        return caller
    }

    /// 3 calls in any second for a user, 20 for a community.
    private static func checkRate(_ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState) throws {
        let key = call.token ?? ""
        let now = call.now.milliseconds
        var recent = (state.recentCalls[key] ?? []).filter { now - $0 < 1000 }
        defer { state.recentCalls[key] = recent }
        guard recent.count < (caller == .community ? 20 : 3) else {
            throw VKError(code: 6, message: "Too many requests per second")
        }
        recent.append(now)
    }

    private static func checkCaller(_ caller: VKCall.Caller, _ method: Method, _ context: VKContext) throws {
        guard method.callers.contains(caller) else {
            switch caller {
            case .community:
                throw VKError(code: 27, message: "Group authorization failed: method is unavailable with group auth.")
            case .service:
                throw VKError(
                    code: 28, message: "Application authorization failed: method is unavailable with service token.")
            case .user:
                throw VKError(
                    code: 15, message: "Access denied: method is available with group auth only.", subcode: 1133)
            }
        }
        if caller == .user, method.right & ~context.configuration.userRights != 0 {
            throw VKError(
                code: 15,
                message: "Access denied: no access to call this method. It cannot be called with current scopes.",
                subcode: 1133)
        }
    }
}
