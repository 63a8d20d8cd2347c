internal import StepKit

/// A method of VK's: what it takes, and what it does to the world.
struct VKMethod: Sendable, Hashable {
    /// "wall.getComments".
    let name: String
    let summary: String
    let parameters: [Parameter]
    let effect: Effect
    /// Whether VK's schema tells its parameters; what it does not tell is passed on as it is.
    let isDescribed: Bool

    /// A method that the schema says nothing of.
    init(undescribed name: String) {
        self.name = name
        summary = "Calls VK's method \(name)."
        parameters = []
        effect = VKMethod.effect(of: name)
        isDescribed = false
    }

    init(_ name: String, _ summary: String, parameters: [Parameter]) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        effect = VKMethod.effect(of: name)
        isDescribed = true
    }

    /// Whether VK drops a repeat by a key of ours.
    var takesGuid: Bool { parameters.contains { $0.name == "guid" } }

    /// The first part of the name: "wall".
    static func section(of name: String) -> Substring { name.prefix { $0 != "." } }

    /// By the name: what gets, searches, asks or resolves is a read; anything that is not known to bear repeating is a
    /// write.
    static func effect(of name: String) -> Effect {
        let verb = name.split(separator: ".").last.map(String.init) ?? name
        if repeatable.contains(name) { return .idempotent }
        if reading.contains(name) { return .read }
        let isRead = ["get", "search", "is", "resolve"].contains { prefix in
            guard verb.hasPrefix(prefix) else { return false }
            return verb.dropFirst(prefix.count).first.map { $0.isUppercase } ?? true
        }
        return isRead ? .read : .write
    }

    private static let reading: Set<String> = ["wall.checkCopyrightLink", "wall.parseAttachedLink"]

    /// They set something to a given state: done twice, it is the same.
    private static let repeatable: Set<String> = [
        "wall.edit", "wall.delete", "wall.pin", "wall.unpin", "wall.restore", "wall.openComments", "wall.closeComments",
        "wall.editComment", "wall.deleteComment", "wall.restoreComment", "photos.edit", "photos.editAlbum",
        "photos.editComment", "photos.delete", "photos.deleteAlbum", "photos.deleteComment", "photos.makeCover",
        "photos.move", "photos.reorderAlbums", "photos.reorderPhotos", "photos.restore", "photos.restoreComment",
        "photos.confirmTag", "photos.removeTag", "stories.delete", "stories.hideReply", "stories.hideAllReplies",
        "stories.banOwner", "stories.unbanOwner", "likes.add", "likes.delete", "docs.delete", "docs.edit",
        "video.delete", "video.edit",
    ]
}
