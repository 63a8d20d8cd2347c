/// Which pictures of a post are wanted.
struct PictureChoice: Sendable, Hashable {
    /// Whether a video's still will do.
    var stills: Bool
    /// Whether all pictures of a carousel are wanted, and not its first alone.
    var all = false
}

extension Media {
    struct Picture: Sendable, Hashable {
        let address: String
        /// A file's name without its ending.
        let fileStem: String
    }

    /// The addresses of the pictures that stand for the post; empty when there are none.
    ///
    /// An image has its own. A carousel gives its images; its videos' stills only when they are allowed, and first only
    /// when it has no image; its own address where its items have none. A video gives its still. Instagram leaves the address out where others hold rights in the
    /// media.
    func pictures(_ choice: PictureChoice) -> [Picture] {
        switch kind {
        case .image: return [mediaURL].compactMap(picture)
        case .video: return choice.stills ? [thumbnailURL].compactMap(picture) : []
        case .carousel:
            let pictures = children.flatMap { $0.pictures(choice) }
            if choice.all, !pictures.isEmpty { return pictures }
            let images = children.filter { $0.kind == .image }.flatMap { $0.pictures(choice) }
            if let first = images.first ?? pictures.first {
                return [Picture(address: first.address, fileStem: fileStem)]
            }
            // Its own address shows its first item, which must not be a video.
            return children.first.map { $0.kind == .image } ?? true ? [mediaURL].compactMap(picture) : []
        case nil: return []
        }
    }

    /// Why there is no picture, as a clause; nil when there is one.
    func lacksPicture(_ choice: PictureChoice) -> String? {
        guard pictures(choice).isEmpty else { return nil }
        switch kind {
        case .image: return "Instagram gives no address for it"
        case .video:
            return choice.stills
                ? "Instagram gives no still of the video" : "it is a video; 'thumbnail: true' takes a video's still"
        case .carousel:
            return children.contains { $0.kind == .image } || children.isEmpty
                ? "Instagram gives no address for its images"
                : choice.stills
                    ? "Instagram gives no still of its videos"
                    : "it holds videos only; 'thumbnail: true' takes a video's still"
        case nil: return "its type is not known"
        }
    }

    private func picture(_ address: String?) -> Picture? {
        address.map { Picture(address: $0, fileStem: fileStem) }
    }

    /// The id's plain characters; of a long one the last hundred, for names of files have an end.
    private var fileStem: String {
        let plain = id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        return plain.isEmpty ? "picture" : String(plain.suffix(100))
    }
}
