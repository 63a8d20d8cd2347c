internal import Files

/// The pictures of one card: each file is read once, and its header checked before its pixels take memory.
final class ImageFiles {
    private let limits = ImageLimits()
    private var images: [String: EncodedImage] = [:]
    /// A small picture that was drawn last: many of the same make a pattern.
    var last: (look: Look, image: PixelImage)?

    /// A picture as a sticker shows it; sizes in pixels.
    struct Look: Hashable {
        let path: String
        let width: Int
        let height: Int
        let fit: CardSticker.Fit
        let focus: CardFocus
    }

    /// Of a picture that is kept, in pixels.
    static let mostKept = 250_000

    /// The picture with its header read and its limits checked.
    func image(at path: String) throws(CardError) -> EncodedImage {
        if let image = images[path] { return image }
        let bytes = try read(path)
        do throws(ImageError) {
            let image = try EncodedImage(bytes)
            try limits.check(ImageHeader(format: image.format, width: image.width, height: image.height))
            images[path] = image
            return image
        } catch {
            throw .image(path: path, error)
        }
    }

    /// The pixels, of at least the size given in pixels as shown, or all there are.
    func decoded(_ path: String, width: Double, height: Double) throws(CardError) -> PixelImage {
        let image = try image(at: path)
        do throws(ImageError) {
            return try image.decoded(neededSize: (Int(width.rounded(.up)), Int(height.rounded(.up))))
        } catch {
            throw .image(path: path, error)
        }
    }

    private func read(_ path: String) throws(CardError) -> [UInt8] {
        let size: Int
        do throws(FileError) { size = try FileSystem.size(path) } catch { throw .file(error) }
        guard size <= limits.maxBytes || FileSystem.isFolder(path) else {
            throw .image(path: path, .tooManyBytes(count: size, limit: limits.maxBytes))
        }
        do throws(FileError) { return try FileSystem.read(path, maxBytes: limits.maxBytes, regularOnly: true) } catch {
            throw .file(error)
        }
    }
}
