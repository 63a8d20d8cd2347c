internal import StoryCard

/// Draws photos when they are first asked for, and keeps them.
final class PhotoStudio: Sendable {
    private let blobs: BlobStore
    /// Part of the kept name: raised when a scene's drawing changes.
    private static let version = 1

    init(blobs: BlobStore) { self.blobs = blobs }

    /// The photo as a JPEG, always the same for the same seed: 1440 x 1800, or 1080 x 1080. Takes up to a second when it is
    /// new.
    func jpeg(_ scene: PhotoScene, isSquare: Bool, seed: String) throws -> [UInt8] {
        let name = "scene-\(Self.version)-\(scene.rawValue)-\(isSquare ? "square" : "portrait")-\(seed).jpg"
        if let kept = try blobs.read(name) { return kept }
        let bytes = try Self.draw(scene, isSquare: isSquare, seed: seed)
        try blobs.write(bytes, as: name)
        return bytes
    }

    static func draw(_ scene: PhotoScene, isSquare: Bool, seed: String) throws -> [UInt8] {
        let canvas = Canvas(width: isSquare ? 1080 : 1440, height: isSquare ? 1080 : 1800, seed: seed)
        scene.draw(on: canvas)
        return try encodeJPEG(canvas.image(), quality: 90)
    }
}
