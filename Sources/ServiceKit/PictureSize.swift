internal import Glibc

/// A picture's width and height in pixels, as its file's header says: it is not decoded, and not turned.
public struct PictureSize: Sendable, Hashable {
    public let width: Int
    public let height: Int

    /// Nil for a file that cannot be read, is cut short, or of which `format` is not the format; of WebP nothing is read.
    public init?(of path: String, format: PictureFormat) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        func bytes(_ count: Int, _ offset: Int) -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: count)
            return pread(file, &buffer, count, offset) == count ? buffer : nil
        }
        let sides: (Int, Int)?
        switch format {
        // The first chunk is IHDR (W3C PNG, 11.2.1).
        case .png: sides = bytes(8, 16).map { (big($0[0..<4]), big($0[4..<8])) }
        // The logical screen, low bytes first (GIF89a, section 18).
        case .gif: sides = bytes(4, 6).map { (Int($0[0]) | Int($0[1]) << 8, Int($0[2]) | Int($0[3]) << 8) }
        case .jpeg: sides = Self.jpegSides(bytes)
        case .webp: sides = nil
        }
        guard let (width, height) = sides, width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }

    /// Goes from marker to marker up to the start of frame (ITU-T T.81, B.2.2).
    private static func jpegSides(_ bytes: (_ count: Int, _ offset: Int) -> [UInt8]?) -> (Int, Int)? {
        var offset = 2
        for _ in 0..<1000 {
            guard let head = bytes(4, offset), head[0] == 0xFF else { return nil }
            switch head[1] {
            // A fill byte, or a marker without a segment.
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD7: offset += 2
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(head[1]):
                return bytes(5, offset + 4).map { (big($0[3..<5]), big($0[1..<3])) }
            case 0xD8...0xDA: return nil
            default:
                let length = big(head[2..<4])
                guard length >= 2 else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }
}

/// A number with its high byte first.
private func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
