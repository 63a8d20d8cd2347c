import Files
import Testing

@testable import StoryCard

let fixtures = FileSystem.join(FileSystem.folder(of: #filePath), "Fixtures")

func fixture(_ name: String) -> String { FileSystem.join(fixtures, name) }

func bytes(of name: String) throws -> [UInt8] { try FileSystem.read(fixture(name)) }

func decoded(_ bytes: [UInt8]) throws -> PixelImage { try EncodedImage(bytes).decoded() }

/// Red, green, blue.
typealias RGB = [Int]

extension PixelImage {
    /// Of one pixel, alpha multiplied in.
    func rgb(_ x: Int, _ y: Int) -> RGB { mean(x, y, reach: 0) }

    func alpha(_ x: Int, _ y: Int) -> Int { Int(pixels[(y * width + x) * 4 + 3]) }

    /// The mean of the square that reaches `reach` pixels to each side.
    func mean(_ x: Int, _ y: Int, reach: Int = 3) -> RGB {
        var sums = [0, 0, 0]
        for row in y - reach...y + reach {
            for column in x - reach...x + reach {
                for channel in 0..<3 { sums[channel] += Int(pixels[(row * width + column) * 4 + 2 - channel]) }
            }
        }
        let count = (2 * reach + 1) * (2 * reach + 1)
        return sums.map { ($0 + count / 2) / count }
    }

    /// A picture of `width` x `height` equal pixels.
    static func plain(_ width: Int, _ height: Int, _ color: RGB) -> PixelImage {
        let pixel = [UInt8(color[2]), UInt8(color[1]), UInt8(color[0]), 255]
        return PixelImage(
            width: width, height: height, pixels: (0..<width * height).flatMap { _ in pixel })
    }
}

extension PixelImage {
    /// The rows and columns where a pixel is as asked; nil where none is.
    func bounds(_ isWanted: (RGB) -> Bool) -> (rows: Range<Int>, columns: Range<Int>)? {
        var (rows, columns): (Range<Int>?, Range<Int>?)
        for y in 0..<height {
            for x in 0..<width where isWanted(rgb(x, y)) {
                rows = min(rows?.lowerBound ?? y, y)..<y + 1
                columns = min(columns?.lowerBound ?? x, x)..<max(columns?.upperBound ?? 0, x + 1)
            }
        }
        return rows.flatMap { rows in columns.map { (rows, $0) } }
    }
}

/// Whether each channel differs by `tolerance` at most.
func isClose(_ one: RGB, _ other: RGB, _ tolerance: Int = 4) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= tolerance }
}

/// Composes, and reads the card back.
func composedPixels(_ spec: CardSpec) throws -> PixelImage { try decoded(try CardComposer.compose(spec).bytes) }

/// A folder of its own for the test's pictures, removed at the end.
final class PictureFolder {
    let path: String

    init() throws { path = try FileSystem.makeTemporaryFolder(prefix: "card") }

    deinit { try? FileSystem.removeTree(path) }

    func add(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = FileSystem.join(path, name)
        try FileSystem.write(bytes, to: file)
        return file
    }

    /// A JPEG of one colour.
    func add(_ name: String, _ width: Int, _ height: Int, _ color: RGB) throws -> String {
        try add(name, try encodeJPEG(.plain(width, height, color), quality: 95))
    }
}
