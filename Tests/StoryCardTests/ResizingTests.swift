import Files
import Glibc
import Testing

@testable import StoryCard

@Suite(.computing) struct ResizingTests {
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

    /// The filter written down once more, with fractions and without limits to a pass: sums of sinc(x) sinc(x / 3).
    private func reference(_ row: [Int], count: Int) -> [Double] {
        let scale = Double(row.count) / Double(count)
        let widening = max(scale, 1)
        func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(x * .pi) / (x * .pi) }
        return (0..<count).map { index in
            let center = (Double(index) + 0.5) * scale
            var (sum, weights) = (0.0, 0.0)
            for (place, value) in row.enumerated() {
                let x = (Double(place) + 0.5 - center) / widening
                guard abs(x) < 3 else { continue }
                let weight = sinc(x) * sinc(x / 3)
                sum += weight * Double(value)
                weights += weight
            }
            return min(max(sum / weights, 0), 255)
        }
    }

    /// Odd and even numbers of samples, fewer and more than a machine's vector holds, one that reads a whole row, and ones
    /// whose weights are tiny; a sum is rounded once.
    @Test(arguments: [
        (1, 7), (2, 5), (3, 2), (5, 16), (17, 33), (40, 21), (3001, 11), (2500, 1), (7000, 50), (13_000, 16),
    ])
    func resamplesToWholeNumbersOfTheSums(count: Int, newCount: Int) {
        let row = (0..<count).map { ($0 * 7919 + $0 * $0 * 31) % 256 }
        let expected = reference(row, count: newCount)
        let pixels: [UInt8] = row.flatMap { [UInt8($0), UInt8(255 - $0), UInt8($0), 255] }
        let across = PixelImage(width: count, height: 1, pixels: pixels).resized(toWidth: newCount, height: 1)
        let down = PixelImage(width: 1, height: count, pixels: pixels).resized(toWidth: 1, height: newCount)
        for index in 0..<newCount {
            for image in [across, down] {
                #expect(abs(Double(image.pixels[index * 4]) - expected[index]) <= 0.56, "sample \(index)")
                #expect(image.pixels[index * 4 + 3] == 255)
            }
        }
    }

    /// A mask of 4 x 4, the pixel (1, 1) of which takes half of the light away, over pixels of 200.
    @Test func darkensAlongTheSlopeBetweenTheMasksPixels() throws {
        let canvas = try Canvas(PixelImage.plain(13, 12, [200, 100, 50]))
        let mask = try Canvas(width: 4, height: 4, .mask)
        mask.withPixels { rows, stride in rows[stride + 1] = 255 }
        try canvas.darken(through: mask, reduction: 4, down: 2, opacity: 0.5)
        let pixels = canvas.withPixels { rows, stride in
            (0..<12).map { y in (0..<13).map { Int(rows[y * stride + $0 * 4 + 2]) } }
        }
        // The mask's pixel has its centre at 6, and 2 further down at 8; the slope is 4 long on each side.
        for y in 0..<12 {
            for x in 0..<13 {
                let across = max(1 - abs(Double(x) + 0.5 - 6) / 4, 0)
                let down = max(1 - abs(Double(y) + 0.5 - 8) / 4, 0)
                #expect(abs(Double(pixels[y][x]) - 200 * (1 - across * down / 2)) <= 1, "at \(x), \(y)")
            }
        }
    }

    @Test(arguments: [1, 2, 3]) func darkensEveryPixelUnderAFullMask(reduction: Int) throws {
        let canvas = try Canvas(PixelImage.plain(9, 7, [200, 100, 50]))
        let mask = try Canvas(width: 9 / reduction + 1, height: 7 / reduction + 1, .mask)
        mask.withPixels { rows, _ in rows.update(repeating: 255) }
        try canvas.darken(through: mask, reduction: reduction, down: 0, opacity: 1)
        let middle = canvas.withPixels { rows, stride in (0..<4).map { rows[3 * stride + 4 * 4 + $0] } }
        #expect(middle[..<3] == [0, 0, 0])
    }

    /// Beside the mask's outermost centres, and above and below it, the border goes on.
    @Test(arguments: [1, 2, 3, 4], [-9.0, 0, 9]) func repeatsTheMasksBorder(reduction: Int, down: Double) throws {
        let canvas = try Canvas(PixelImage.plain(12, 12, [200, 100, 50]))
        let mask = try Canvas(width: 12 / reduction, height: 12 / reduction, .mask)
        mask.withPixels { rows, _ in rows.update(repeating: 255) }
        try canvas.darken(through: mask, reduction: reduction, down: down, opacity: 0.5)
        let reds = canvas.withPixels { rows, stride in
            (0..<12).flatMap { y in (0..<12).map { Int(rows[y * stride + $0 * 4 + 2]) } }
        }
        #expect(reds.allSatisfy { $0 == 100 }, "\(reds)")
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
