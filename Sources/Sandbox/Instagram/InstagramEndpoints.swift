internal import HTTPServer
internal import Values

/// The Instagram API with Instagram Login: reading, and publishing from addresses.
///
/// Each address stands with or without a version before it (`/v26.0/me`). The token comes as `access_token` or by
/// `Authorization: Bearer`. Without `fields` only `id` comes back.
///
/// | address | gives |
/// |---|---|
/// | `GET /me`, `GET /<user id>` | the account |
/// | `GET /me/media`, `GET /<user id>/media` | a list of media: `limit` (25, at most 100), `after`, `before` |
/// | `GET /<media id>` | one item, or an album's child |
/// | `GET /<media id>/children` | an album's items |
/// | `GET /me/stories`, `GET /<user id>/stories` | the stories of the last 24 hours |
/// | `POST /<user id>/media` | a container of `image_url`, of a carousel's `children`, or of a story |
/// | `GET /<container id>` | `status_code` and `status` |
/// | `POST /<user id>/media_publish` | makes a post of `creation_id` |
/// | `GET /<user id>/content_publishing_limit` | `quota_usage` and `config` |
/// | `GET /refresh_access_token` | the token again, with 60 days more; it must be a day old |
struct InstagramEndpoints: Sendable {
    /// The account's own id, for its app; and the professional account's.
    static let appScopedID = "26014733851092447"
    static let userID = "17841405309211844"
    static let username = "kafe.miro"

    enum Target: Sendable, Hashable {
        case account(String)
        case list(String)
        case node(String)
        case children(String)
        case stories(String)
        case create(String)
        case container(String)
        case publish(String)
        case limit(String)
        case refresh

        /// What a fault is put on.
        var name: String {
            switch self {
            case .account: "me"
            case .list: "me/media"
            case .node, .children: "media"
            case .stories: "stories"
            case .create: "create-media"
            case .container: "container"
            case .publish: "media_publish"
            case .limit: "content_publishing_limit"
            case .refresh: "refresh_access_token"
            }
        }
    }

    /// The target of a path, without its version; nil for a path that is not Instagram's.
    static func target(path: String, method: String = "GET") -> (Target, version: String?)? {
        var parts = path.split(separator: "/").map(String.init)
        var version: String?
        if let first = parts.first, first.first == "v", Double(first.dropFirst()) != nil {
            version = first
            parts.removeFirst()
        }
        guard let first = parts.first, parts.count <= 2 else { return nil }
        let isAccount = ["me", appScopedID, userID].contains(first)
        guard isAccount || first == "refresh_access_token" || first.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        switch parts.dropFirst().first {
        case nil:
            return (
                first == "refresh_access_token"
                    ? .refresh
                    : isAccount
                        ? .account(first)
                        : SandboxState.Container.isID(first) ? .container(first) : .node(first), version
            )
        case "media"?: return (method == "POST" ? .create(first) : .list(first), version)
        case "stories"?: return (.stories(first), version)
        case "media_publish"?: return (.publish(first), version)
        case "content_publishing_limit"?: return (.limit(first), version)
        case "children"?: return (.children(first), version)
        default: return nil
        }
    }

    let request: HTTPServerRequest
    let target: Target
    let version: String?
    /// "http://127.0.0.1:8080", as the client knows this server.
    let base: String
    let now: Timestamp
    var configuration = SandboxConfiguration()
    /// The state that a fault puts a container in.
    var containerState: (status: String, text: String?)?

    var token: String? { bearerToken(of: request) ?? argument("access_token") }

    /// A parameter, from the address or the form.
    func argument(_ name: String) -> String? { request.argument(name) ?? request.field(name)?.text }

    /// - Throws: `InstagramError`.
    func answer(_ state: inout SandboxState) throws -> Value {
        let isWrite =
            switch target {
            case .create, .publish: true
            default: false
            }
        guard request.method == (isWrite ? "POST" : "GET") else {
            throw InstagramError(
                code: 100, subcode: 33, message: "Unsupported \(request.method.lowercased()) request.")
        }
        let rights = try checkToken(state)
        let fields = try InstagramField.list(request.argument("fields") ?? "id")
        switch target {
        case .account: return try account(fields, state)
        case .list(let owner):
            try checkOwner(owner)
            return try page(of: state.media(isStory: false), fields, path: "\(owner)/media", state)
        case .node(let id): return .object(try node(try find(id, state), fields, state))
        case .children(let id):
            let album = try find(id, state)
            guard album.kind == .album else { throw Self.noField("children", of: album) }
            return ["data": .array(try album.children.map { .object(try node($0, fields, state, isChild: true)) })]
        case .stories(let owner):
            try checkOwner(owner)
            let since = now.milliseconds - 86_400_000
            return try page(
                of: state.media(isStory: true).filter { $0.timestamp > since }, fields, path: "\(owner)/stories", state)
        case .create(let owner):
            try checkPublisher(owner, rights)
            return try createContainer(&state)
        case .container(let id): return try containerStatus(id, &state)
        case .publish(let owner):
            try checkPublisher(owner, rights)
            return try publish(&state)
        case .limit(let owner):
            try checkPublisher(owner, rights)
            return ["data": [quota(state)]]
        case .refresh: return try refresh(&state)
        }
    }

    private func checkOwner(_ owner: String) throws {
        guard ["me", Self.appScopedID, Self.userID].contains(owner) else { throw InstagramError.unknown(id: owner) }
    }

    private func checkPublisher(_ owner: String, _ rights: [String]) throws {
        try checkOwner(owner)
        guard rights.contains(InstagramScope.publish) else {
            throw InstagramError(
                code: 10, message: "(#10) Application does not have permission for this action", type: "OAuthException",
                status: 403)
        }
    }

    /// - Returns: the token's rights.
    private func checkToken(_ state: SandboxState) throws -> [String] {
        guard let token, !token.isEmpty else {
            throw InstagramError(
                code: 104, message: "An access token is required to request this resource.", type: "OAuthException")
        }
        if let issued = state.signIns.instagramToken(token) {
            guard !issued.isRevoked else {
                throw InstagramError.badToken(
                    "Error validating access token: The user has not authorized application.", subcode: 458)
            }
            guard issued.expires > now else {
                throw InstagramError.badToken("Error validating access token: Session has expired.", subcode: 463)
            }
            return issued.rights
        }
        guard token == state.tokens.instagram else {
            throw InstagramError.badToken("Invalid OAuth access token - Cannot parse access token")
        }
        guard !state.tokens.expired.contains(SandboxToken.instagram.rawValue) else {
            throw InstagramError.badToken(
                "Error validating access token: Session has expired on Saturday, 28-Nov-26 08:00:00 PST.", subcode: 463)
        }
        return configuration.instagramRights
    }

    private func account(_ fields: [InstagramField], _ state: SandboxState) throws -> Value {
        let all: ValueObject = [
            "id": .string(Self.appScopedID), "user_id": .string(Self.userID), "username": .string(Self.username),
            "name": "Кафе «Миро»", "account_type": "BUSINESS", "followers_count": 1284, "follows_count": 213,
            "media_count": .number(state.media(isStory: false).count), "biography": "Кофе, пироги и вид на канал ☕️",
            "profile_picture_url": .string(CDN.link(base, media: "profile", state.tokens.signingKey, now)),
        ]
        var answer = ValueObject()
        for field in fields {
            guard let value = all[field.name] else {
                throw InstagramError.parameter(
                    "Tried accessing nonexisting field (\(field.name)) on node type (IGUser)")
            }
            answer[field.name] = value
        }
        answer["id"] = all["id"]
        return .object(answer)
    }

    func find(_ id: String, _ state: SandboxState) throws -> SandboxMedia {
        guard let item = state.media.flatMap({ [$0] + $0.children }).first(where: { $0.id == id }) else {
            throw InstagramError.unknown(id: id)
        }
        return item
    }

    private static func noField(_ name: String, of item: SandboxMedia) -> InstagramError {
        .parameter("Tried accessing nonexisting field (\(name)) on node type (InstagramMedia)")
    }

    /// Fields that are absent are left out, as Instagram leaves them out; unknown ones are an error.
    private func node(
        _ item: SandboxMedia, _ fields: [InstagramField], _ state: SandboxState, isChild: Bool = false
    ) throws -> ValueObject {
        let picture = CDN.link(base, media: item.id, state.tokens.signingKey, now)
        var answer = ValueObject()
        for field in fields {
            let value: Value?
            switch field.name {
            case "id": value = nil
            case "caption": value = isChild ? nil : item.caption.map { .string($0) }
            case "media_type": value = .string(item.kind.rawValue)
            case "media_product_type":
                value = item.isStory ? "STORY" : item.kind == .video && !isChild ? "REELS" : "FEED"
            // Left out for videos, as for all that holds copyrighted music.
            case "media_url": value = item.kind == .video || item.withholdsURL ? nil : .string(picture)
            case "thumbnail_url": value = item.kind == .video ? .string(picture) : nil
            case "permalink":
                value =
                    isChild
                    ? nil
                    : .string(
                        "https://www.instagram.com/\(item.isStory ? "stories/" + Self.username : item.kind == .video ? "reel" : "p")/\(item.shortcode)/"
                    )
            case "shortcode": value = .string(item.shortcode)
            case "timestamp": value = .string(Self.timeText(item.timestamp))
            case "username": value = .string(Self.username)
            case "owner": value = ["id": .string(Self.userID)]
            case "alt_text": value = item.altText.map { .string($0) }
            case "like_count": value = .integer(Int64(item.id.suffix(2)) ?? 0)
            case "comments_count": value = .integer(Int64(item.id.suffix(1)) ?? 0)
            case "is_comment_enabled", "is_shared_to_feed": value = true
            case "children":
                value = try childrenValue(item, field, state)
            default: throw Self.noField(field.name, of: item)
            }
            answer[field.name] = value
        }
        answer["id"] = .string(item.id)
        return answer
    }

    private func childrenValue(_ item: SandboxMedia, _ field: InstagramField, _ state: SandboxState) throws -> Value? {
        guard item.kind == .album else { return nil }
        let fields = field.children.isEmpty ? [InstagramField(name: "id", limit: nil, children: [])] : field.children
        let children = item.children.prefix(field.limit ?? .max)
        return ["data": .array(try children.map { .object(try node($0, fields, state, isChild: true)) })]
    }

    /// "2026-10-18T06:24:07+0000".
    private static func timeText(_ milliseconds: Int64) -> String {
        Timestamp(seconds: Timestamp(milliseconds: milliseconds).seconds).iso8601.dropLast() + "+0000"
    }

    private func page(of items: [SandboxMedia], _ fields: [InstagramField], path: String, _ state: SandboxState) throws
        -> Value
    {
        let limit: Int
        if let text = request.argument("limit") {
            guard let number = Int(text), number > 0 else {
                throw InstagramError.parameter("(#100) Param limit must be a positive integer")
            }
            limit = min(number, 100)
        } else {
            limit = 25
        }
        var start = 0
        if let after = request.argument("after") {
            start = try Self.index(after) + 1
        } else if let before = request.argument("before") {
            start = max(0, try Self.index(before) - limit)
        }
        let shown = Array(items.dropFirst(start).prefix(limit))
        guard !shown.isEmpty else { return ["data": []] }
        let last = start + shown.count - 1
        var paging: ValueObject = [
            "cursors": ["before": .string(Self.cursor(start)), "after": .string(Self.cursor(last))]
        ]
        func link(_ argument: String) -> Value {
            let fields = request.argument("fields").map { "&fields=" + percentEncoded($0) } ?? ""
            return .string(
                "\(base)/\(version ?? "v26.0")/\(path)?access_token=\(percentEncoded(token ?? ""))\(fields)&limit=\(limit)&\(argument)"
            )
        }
        if last + 1 < items.count { paging["next"] = link("after=\(Self.cursor(last))") }
        if start > 0 { paging["previous"] = link("before=\(Self.cursor(start))") }
        return ["data": .array(try shown.map { .object(try node($0, fields, state)) }), "paging": .object(paging)]
    }

    /// Opaque to the client: letters made of the place in the list.
    private static func cursor(_ index: Int) -> String { "QVFIUm" + "\(index + 1_000_007)" + "ZD" }

    private static func index(_ cursor: String) throws -> Int {
        guard cursor.hasPrefix("QVFIUm"), cursor.hasSuffix("ZD"),
            let number = Int(cursor.dropFirst(6).dropLast(2)), number >= 1_000_007
        else {
            throw InstagramError.parameter(
                "(#100) The After Cursor specified exceeds the max limit supported by this endpoint")
        }
        return number - 1_000_007
    }

    private func refresh(_ state: inout SandboxState) throws -> Value {
        guard request.argument("grant_type") == "ig_refresh_token" else {
            throw InstagramError.parameter("(#100) grant_type must be ig_refresh_token")
        }
        let isOwn = token == state.tokens.instagram
        let issued = isOwn ? state.tokens.instagramIssued : state.signIns.instagramToken(token ?? "")?.issued ?? now
        guard now - issued >= .seconds(86_400) else {
            throw InstagramError.parameter("(#100) The access token must be at least 24 hours old")
        }
        state.needsSaving = true
        var text = token ?? ""
        if isOwn {
            state.tokens.instagramIssued = now
        } else {
            text = state.signIns.renewInstagram(text, now) ?? text
        }
        return [
            "access_token": .string(text), "token_type": "bearer", "expires_in": 5_183_944,
            "permissions": .string(configuration.instagramRights.joined(separator: ",")),
        ]
    }
}
