import Files
import Testing

@testable import StoryCard

@Suite struct ResizingTests {
    /// Pictures as "width height R G B R G B …", a line each: the source, smaller, larger.
    private func pictures() throws -> [PixelImage] {
        String(decoding: try bytes(of: "lanczos.txt"), as: UTF8.self).split(separator: "\n").map { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            var pixels: [UInt8] = []
            for index in stride(from: 2, to: numbers.count, by: 3) {
                let (red, green, blue) = (numbers[index], numbers[index + 1], numbers[index + 2])
                pixels += [UInt8(blue), UInt8(green), UInt8(red), 255]
            }
            return PixelImage(width: numbers[0], height: numbers[1], pixels: pixels)
        }
    }

    @Test(arguments: [1, 2]) func agreesWithPillow(index: Int) throws {
        let pictures = try pictures()
        let expected = pictures[index]
        let found = pictures[0].resized(toWidth: expected.width, height: expected.height)
        for y in 0..<expected.height {
            for x in 0..<expected.width {
                #expect(isClose(found.rgb(x, y), expected.rgb(x, y), 2), "at \(x), \(y)")
            }
        }
    }

    @Test func keepsAPlainPicturePlain() {
        let small = PixelImage.plain(37, 41, [200, 100, 50]).resized(toWidth: 9, height: 90)
        #expect(small.pixels == PixelImage.plain(9, 90, [200, 100, 50]).pixels)
    }

    @Test func cutsTheMiddleForACoveringPicture() {
        let wide = PixelImage.coveringCrop(ofWidth: 400, height: 100, forWidth: 50, height: 50)
        #expect([wide.left, wide.top, wide.width, wide.height] == [150, 0, 100, 100])
        let tall = PixelImage.coveringCrop(ofWidth: 100, height: 400, forWidth: 100, height: 200)
        #expect([tall.left, tall.top, tall.width, tall.height] == [0, 100, 100, 200])
    }

    /// The variances of the boxes add up to that of the Gaussian, as near as whole radii allow.
    @Test(arguments: [1.5, 4, 10, 33.3]) func takesBoxesOfTheRightWidth(sigma: Double) {
        let variance = boxRadii(sigma: sigma).reduce(0.0) { $0 + Double((2 * $1 + 1) * (2 * $1 + 1) - 1) / 12 }
        #expect(abs(variance.squareRoot() - sigma) < 0.25)
    }

    @Test func keepsTheSumOfABlurredPoint() {
        var rows = [UInt8](repeating: 0, count: 41 * 41)
        rows[20 * 41 + 20] = 255
        for index in rows.indices where abs(index / 41 - 20) <= 3 && abs(index % 41 - 20) <= 3 { rows[index] = 255 }
        rows.withUnsafeMutableBufferPointer {
            blur($0, width: 41, height: 41, stride: 41, channels: 1, sigma: 3)
        }
        let sum = rows.reduce(0) { $0 + Int($1) }
        #expect(abs(sum - 49 * 255) < 49 * 255 / 20)
        #expect(rows == rows.reversed(), "the blur is symmetric")
    }
}
