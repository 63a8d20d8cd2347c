internal import StepKit
internal import Values

/// A post of an account's, or an item of a carousel.
struct Media: Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable {
        case image, carousel, video

        /// From Instagram's `media_type`; a reel is a video. Nil for a type that is new.
        init?(mediaType: String?) {
            switch mediaType {
            case "IMAGE": self = .image
            case "CAROUSEL_ALBUM": self = .carousel
            case "VIDEO": self = .video
            default: return nil
            }
        }
    }

    /// What is asked of each post, all in one call.
    static let fields =
        "id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp,username,alt_text,"
        + "children{id,media_type,media_url,thumbnail_url}"

    let id: String
    let kind: Kind?
    /// Where it appears: "feed", "reels", "story"; empty when Instagram does not say.
    let product: String
    let caption: String
    let altText: String
    let username: String
    let permalink: String
    let timestamp: Timestamp?
    let mediaURL: String?
    let thumbnailURL: String?
    /// A carousel's parts, in their order.
    let children: [Media]

    /// Nil for what has no id.
    init?(_ value: Value) {
        guard let id = value["id"].flatMap(idText) else { return nil }
        self.id = id
        kind = Kind(mediaType: value["media_type"]?.string)
        product = value["media_product_type"]?.string?.lowercased() ?? ""
        caption = value["caption"]?.string ?? ""
        altText = value["alt_text"]?.string ?? ""
        username = value["username"]?.string ?? ""
        permalink = value["permalink"]?.string ?? ""
        timestamp = value["timestamp"]?.string.flatMap { Timestamp(iso8601: $0) }
        mediaURL = address(value["media_url"])
        thumbnailURL = address(value["thumbnail_url"])
        children = (value["children"]?["data"]?.array ?? []).compactMap(Media.init)
    }

    /// Posts without a time count as oldest.
    func isNewer(than other: Media) -> Bool {
        guard let timestamp else { return false }
        return other.timestamp.map { timestamp > $0 } ?? true
    }
}

private func address(_ value: Value?) -> String? {
    guard let text = value?.string, text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
    return text
}

/// An id, which comes as text or as a number. Nil for an empty one.
func idText(_ value: Value) -> String? {
    guard let text = value.string ?? value.integer.map(String.init), !text.isEmpty else { return nil }
    return text
}

extension Media {
    /// What a list shows of a post.
    static let members: [Parameter] =
        outputs.map { Parameter($0.name, $0.type, $0.summary) } + [
            Parameter("thumbnail_url", .url, "A video's still; missing when there is none."),
            Parameter(
                "children", .list(.map), "A carousel's items: id, kind, media_url, thumbnail_url; empty for others."),
        ]

    /// What each step says of one post.
    static let outputs: [Output] = [
        Output("id", .string, "The post's id."),
        Output("caption", .string, "The post's text; empty when it has none."),
        Output("username", .string, "Whose post it is."),
        Output("permalink", .string, "The post's address."),
        Output("timestamp", .string, "When it was posted, in ISO 8601, UTC; empty when Instagram does not say."),
        Output("kind", .choice(Kind.allCases.map(\.rawValue)), "What it is."),
        Output("product", .string, "Where it appears: feed, reels or story; empty when Instagram does not say."),
        Output("alt_text", .string, "The picture in words; empty when there are none."),
        Output("media_url", .url, sensitive: true, "Where the picture or video lies; it expires after some days."),
    ]

    /// The members that every step's outputs have, but `media_url`.
    var facts: ValueObject {
        [
            "id": .string(id), "caption": .string(caption), "username": .string(username),
            "permalink": .string(permalink), "timestamp": .string(timestamp?.iso8601 ?? ""),
            "kind": .string(kind?.rawValue ?? ""), "product": .string(product), "alt_text": .string(altText),
        ]
    }

    /// The post as an element of a list. Addresses that Instagram leaves out are left out.
    var value: ValueObject {
        var value = facts
        value["media_url"] = mediaURL.map(Value.string)
        value["thumbnail_url"] = thumbnailURL.map(Value.string)
        value["children"] = .array(
            children.map { child in
                var item: ValueObject = ["id": .string(child.id), "kind": .string(child.kind?.rawValue ?? "")]
                item["media_url"] = child.mediaURL.map(Value.string)
                item["thumbnail_url"] = child.thumbnailURL.map(Value.string)
                return .object(item)
            })
        return value
    }
}
