internal import StepKit

/// Which tokens a method takes, and which right it wants.
struct TokenNeeds: Sendable, Hashable {
    /// Nil when nobody says.
    let kinds: Set<TokenFacts.Kind>?
    /// The bit of a user token's mask; 0 for none.
    let right: Int64

    /// The names of the rights by their bits (dev.vk.com, "Access rights"; SevereCloud/vksdk, oauth.go).
    static let rightNames: [Int64: String] = [
        4: "photos", 16: "video", 64: "stories", 8192: "wall", 131_072: "docs", 262_144: "groups",
        134_217_728: "market",
    ]

    /// By VK's schema, and where that is wrong, by what was seen: a community's token does post text.
    init(_ method: String) {
        let section = VKMethod.section(of: method)
        let isRead = VKMethod.effect(of: method) == .read && !method.hasSuffix("UploadServer")
        switch method {
        case "wall.post": kinds = [.user, .community]
        // The schema lists the user alone; whether a community's token may is not known.
        case "wall.edit", "wall.delete", "wall.pin", "wall.unpin", "wall.repost": kinds = [.user, .community]
        case "docs.getWallUploadServer", "docs.save": kinds = [.user, .community]
        case "docs.getUploadServer", "video.save", "account.getAppPermissions": kinds = [.user]
        default: kinds = VKMethodTable.tokenKinds(of: method)
        }
        switch section {
        case "wall" where !isRead: right = 8192
        case "photos" where !isRead: right = 4
        case "stories" where !isRead: right = 64
        case "docs": right = 131_072
        case "video" where !isRead: right = 16
        default: right = 0
        }
    }

    /// The methods that a step kind calls, which it cannot do without.
    static func methods(of kind: String) -> [String] {
        switch kind {
        case "vk.upload": []
        case "vk.wall-photo": [GetWallUploadServer.method, SaveWallPhoto.method, WallPost.method]
        case "vk.wall-text": [WallPost.method]
        case "vk.story": ["stories.getPhotoUploadServer", "stories.save"]
        case "vk.document": ["docs.getWallUploadServer", "docs.save"]
        case "vk.album-photos": ["photos.getUploadServer", "photos.save"]
        default: kind.hasPrefix("vk.") ? [String(kind.dropFirst(3))] : []
        }
    }
}
