/// Why a picture cannot be used.
public enum ImageError: Error, Sendable, Hashable {
    case empty
    /// A format that is known, but not read here.
    case notReadable(ImageFormat)
    case unknownFormat
    /// Truncated or damaged; `detail` is what the decoding library said, perhaps empty.
    case damaged(ImageFormat, detail: String)
    /// A rare variety of a format that is otherwise read; `detail` as above.
    case unsupported(ImageFormat, detail: String)
    case tooManyBytes(count: Int, limit: Int)
    /// Width and height together pass the limit.
    case tooLarge(width: Int, height: Int, limit: Int)
    /// The longer side is more than `limit` times the shorter.
    case tooNarrow(width: Int, height: Int, limit: Int)
    case outOfMemory

    /// What is wrong, as the rest of a sentence that begins with the file: "is empty".
    public var what: String {
        switch self {
        case .empty: "is empty"
        case .notReadable(let format): "is \(format.name), not a JPEG, PNG or WebP"
        case .unknownFormat: "is not a picture"
        case .damaged(let format, let detail): "is \(format.name) that is damaged or truncated\(quoted(detail))"
        case .unsupported(let format, let detail): "is \(format.name) of an unsupported kind\(quoted(detail))"
        case .tooManyBytes(let count, let limit): "has \(count) bytes, more than \(limit / 1_000_000) MB"
        case .tooLarge(let width, let height, _): "is too large: \(width)x\(height) pixels"
        case .tooNarrow(let width, let height, _): "is too narrow: \(width)x\(height) pixels"
        case .outOfMemory: "does not fit into memory"
        }
    }

    /// A sentence on the rule behind it; nil where it says itself.
    public var why: String? {
        switch self {
        case .empty: "A download that was cut off leaves such a file."
        case .notReadable(.html): "Servers send a page when the picture has gone or needs a login."
        case .notReadable(.json): "Services answer in JSON when a request failed."
        case .notReadable(.gif): "GIF animations cannot be put on a card."
        case .notReadable(.heic), .notReadable(.avif): "HEIC and AVIF are not supported."
        case .notReadable(.video): "A card is a still picture."
        case .notReadable, .outOfMemory: nil
        case .unknownFormat: "Its first bytes are not those of a JPEG, PNG or WebP; the file's name is not asked."
        case .damaged: "The part that is missing would show as grey."
        case .unsupported: nil
        case .tooManyBytes: "Services refuse larger photos."
        case .tooLarge(_, _, let limit): "Width and height together may be \(limit) at most."
        case .tooNarrow(_, _, let limit): "The longer side may be \(limit) times the shorter at most."
        }
    }

    /// A sentence on how to mend it.
    public var fix: String {
        switch self {
        case .empty, .damaged: "Fetch or export the picture again."
        case .notReadable(.html), .notReadable(.json): "Open the file in an editor to read what the server said."
        case .notReadable(.video): "Use a frame of it, saved as JPEG."
        case .notReadable, .unsupported: "Save it as JPEG."
        case .unknownFormat: "Check the path, or save the picture as JPEG."
        case .tooManyBytes, .tooLarge, .outOfMemory: "Make it smaller."
        case .tooNarrow: "Crop it."
        }
    }

    /// The whole message: what, why and how to mend it, about the file at `path`.
    public func message(about path: String) -> String {
        ["'\(path)' \(what).", why, fix].compactMap { $0 }.joined(separator: " ")
    }
}

extension ImageError: CustomStringConvertible {
    public var description: String {
        ["the picture \(what).", why, fix].compactMap { $0 }.joined(separator: " ")
    }
}

private func quoted(_ detail: String) -> String { detail.isEmpty ? "" : " (\(detail))" }
