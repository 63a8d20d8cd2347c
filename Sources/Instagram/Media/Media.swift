internal import Values

/// A post of an account's.
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
    let caption: String
    let username: String
    let permalink: String
    let timestamp: Timestamp?
    private let mediaURL: String?
    private let thumbnailURL: String?
    /// A carousel's parts, in their order.
    private let children: [Media]

    /// Nil for what has no id.
    init?(_ value: Value) {
        guard let id = value["id"]?.string ?? value["id"]?.integer.map(String.init), !id.isEmpty else { return nil }
        self.id = id
        kind = Kind(mediaType: value["media_type"]?.string)
        caption = value["caption"]?.string ?? ""
        username = value["username"]?.string ?? ""
        permalink = value["permalink"]?.string ?? ""
        timestamp = value["timestamp"]?.string.flatMap { Timestamp(iso8601: $0) }
        mediaURL = address(value["media_url"])
        thumbnailURL = address(value["thumbnail_url"])
        children = (value["children"]?["data"]?.array ?? []).compactMap(Media.init)
    }

    /// The address of the picture that stands for the post, or why there is none.
    ///
    /// An image has its own. A carousel gives its first image; its videos' stills only when they are allowed. A video
    /// gives its still. Instagram leaves the address out where others hold rights in the media.
    ///
    /// - Parameter stills: whether a video's still will do.
    func picture(stills: Bool) -> Picture {
        switch kind {
        case .image: return mediaURL.map(Picture.at) ?? .none("Instagram gives no address for it")
        case .video:
            guard stills else { return .none("it is a video; 'thumbnail: true' takes a video's still") }
            return thumbnailURL.map(Picture.at) ?? .none("Instagram gives no still of the video")
        case .carousel:
            if let image = children.first(where: { $0.kind == .image && $0.mediaURL != nil }) {
                return image.picture(stills: stills)
            }
            if stills, let still = children.lazy.compactMap(\.thumbnailURL).first { return .at(still) }
            if children.isEmpty, let mediaURL { return .at(mediaURL) }
            return .none(
                children.contains { $0.kind == .image } || children.isEmpty
                    ? "Instagram gives no address for its images"
                    : "it holds videos only; 'thumbnail: true' takes a video's still")
        case nil: return .none("its type is not known")
        }
    }

    enum Picture: Sendable, Hashable {
        case at(String)
        /// The reason, as a clause.
        case none(String)
    }
}

private func address(_ value: Value?) -> String? {
    guard let text = value?.string, text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
    return text
}
