internal import HTTPServer
internal import Values

extension SandboxState {
    /// A picture, or several, on the way to a post.
    struct Container: Sendable, Hashable {
        var id: String
        var pictures: [String]
        var children: [String] = []
        var caption: String?
        var altText: String?
        var isItem = false
        var isStory = false
        var created: Timestamp
        /// The post that was made of it, and when.
        var media: String?
        var published: Timestamp?

        /// Containers' ids begin with 90, those of posts with 17 and 18.
        static func isID(_ text: String) -> Bool { text.hasPrefix("90") && text.utf8.count == 17 }

        static func newID() -> String { "90" + randomText(15, from: "123456789") }

        var value: Value {
            [
                "id": .string(id), "pictures": .array(pictures.map { .string($0) }),
                "children": .array(children.map { .string($0) }), "caption": .optional(caption),
                "alt-text": .optional(altText), "item": .bool(isItem), "story": .bool(isStory),
                "created": .integer(created.milliseconds), "media": .optional(media),
                "published": .optional(published?.milliseconds),
            ]
        }

        init(
            pictures: [String], children: [String] = [], caption: String? = nil, altText: String? = nil,
            isItem: Bool = false, isStory: Bool = false, created: Timestamp
        ) {
            id = Self.newID()
            self.pictures = pictures
            self.children = children
            self.caption = caption
            self.altText = altText
            self.isItem = isItem
            self.isStory = isStory
            self.created = created
        }

        init(_ value: Value) throws {
            let stored = Stored(value, "a container")
            id = try stored.string("id")
            pictures = try stored.list("pictures") { $0.string ?? "" }
            children = try stored.list("children") { $0.string ?? "" }
            caption = value["caption"]?.string
            altText = value["alt-text"]?.string
            isItem = value["item"]?.bool ?? false
            isStory = value["story"]?.bool ?? false
            created = Timestamp(milliseconds: try stored.integer("created"))
            media = value["media"]?.string
            published = value["published"]?.integer.map { Timestamp(milliseconds: $0) }
        }
    }
}

/// Publishing (Instagram Platform, "Content Publishing" and "Error Codes").
extension InstagramEndpoints {
    private static let life = Duration.seconds(86_400)

    func createContainer(_ state: inout SandboxState) throws -> Value {
        let caption = argument("caption")
        if let caption, caption.count > 2200 {
            throw InstagramError(code: 36004, subcode: 2_207_010, message: "The caption was too long.")
        }
        let container: SandboxState.Container
        if argument("media_type") == "CAROUSEL" {
            let children = (argument("children") ?? "").split(separator: ",").map(String.init)
            guard (2...10).contains(children.count) else {
                throw InstagramError(
                    code: 100, subcode: 2_207_028, message: "Carousel must have between 2 and 10 children.")
            }
            let items = children.compactMap { id in state.containers.first { $0.id == id && $0.isItem } }
            guard items.count == children.count else {
                throw InstagramError(code: 24, subcode: 2_207_006, message: "The requested resource does not exist")
            }
            container = SandboxState.Container(
                pictures: items.flatMap(\.pictures), children: children, caption: caption, created: now)
        } else {
            guard let address = argument("image_url") else {
                throw InstagramError.parameter("(#100) The parameter image_url is required")
            }
            guard address.hasPrefix("https://") || address.hasPrefix("http://127.0.0.1") else {
                throw InstagramError(
                    code: 9004, subcode: 2_207_052, message: "Only photo or video can be accepted as media type.",
                    type: "OAuthException")
            }
            if let type = argument("media_type"), type != "STORIES" {
                throw InstagramError(code: 100, subcode: 2_207_023, message: "Unknown media type \(type)")
            }
            container = SandboxState.Container(
                pictures: [address], caption: caption, altText: argument("alt_text"),
                isItem: argument("is_carousel_item") == "true", isStory: argument("media_type") == "STORIES",
                created: now)
        }
        state.containers.append(container)
        state.needsSaving = true
        return ["id": .string(container.id)]
    }

    func containerStatus(_ id: String, _ state: inout SandboxState) throws -> Value {
        guard let container = state.containers.first(where: { $0.id == id }) else {
            throw InstagramError(code: 24, subcode: 2_207_008, message: "The media container does not exist")
        }
        let own = container.media != nil ? "PUBLISHED" : now - container.created > Self.life ? "EXPIRED" : "FINISHED"
        let code = containerState?.status ?? own
        let text = containerState?.text ?? "\(code.prefix(1))\(code.dropFirst().lowercased()): the media container"
        return ["status_code": .string(code), "status": .string(text), "id": .string(id)]
    }

    func publish(_ state: inout SandboxState) throws -> Value {
        let id = argument("creation_id")
        guard let index = state.containers.firstIndex(where: { $0.id == id }),
            now - state.containers[index].created <= Self.life
        else { throw InstagramError(code: 24, subcode: 2_207_008, message: "The media container does not exist") }
        let container = state.containers[index]
        guard container.media == nil, !container.isItem else {
            throw InstagramError(code: 24, subcode: 2_207_006, message: "The requested resource does not exist")
        }
        guard used(state) < configuration.instagramQuota else {
            throw InstagramError(
                code: 9, subcode: 2_207_042, message: "Application request limit reached", type: "OAuthException",
                status: 403)
        }
        let media = SandboxMedia(
            id: SandboxMedia.newID(), kind: container.children.isEmpty ? .image : .album, caption: container.caption,
            scene: PhotoScene.coffee.rawValue, isSquare: true, timestamp: now.milliseconds, altText: container.altText,
            children: container.children.map { _ in
                SandboxMedia(id: SandboxMedia.newID(), scene: PhotoScene.coffee.rawValue)
            }, isStory: container.isStory)
        state.media.insert(media, at: 0)
        state.containers[index].media = media.id
        state.containers[index].published = now
        state.needsSaving = true
        return ["id": .string(media.id)]
    }

    func quota(_ state: SandboxState) -> Value {
        [
            "quota_usage": .integer(used(state)),
            "config": ["quota_total": .integer(configuration.instagramQuota), "quota_duration": 86_400],
        ]
    }

    private func used(_ state: SandboxState) -> Int64 {
        Int64(state.containers.count { $0.published.map { now - $0 < Self.life } ?? false })
    }
}
