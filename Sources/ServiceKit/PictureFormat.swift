/// The format of a picture, by its first bytes: names and declared types are often wrong.
public enum PictureFormat: String, Sendable, CaseIterable {
    case jpeg, png, gif, webp

    /// The fewest bytes that tell every format.
    public static let headLength = 12

    /// - Parameter head: the file's first bytes.
    public init?(head: some Collection<UInt8>) {
        func holds(_ magic: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: magic.utf8) }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if holds("GIF87a") || holds("GIF89a") {
            self = .gif
        } else if holds("RIFF"), holds("WEBP", at: 8) {
            self = .webp
        } else {
            return nil
        }
    }

    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    public var mediaType: String { "image/" + rawValue }
}
