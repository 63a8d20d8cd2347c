import Testing

@testable import StoryCard

@Suite(.computing) struct DecodingTests {
    /// Points of the test scene, in hundredths of the width (Fixtures/README.md).
    private static let points: [String: (Double, Double)] = [
        "arrow": (8, 20), "red": (23.5, 7.5), "green": (31.5, 7.5), "grey": (55.5, 7.5), "skin": (71.5, 7.5),
    ]

    struct Scene: CustomTestStringConvertible {
        let file: String
        let size: [Int]
        let colors: [String: RGB]
        var testDescription: String { file }
    }

    static let scenes = [
        Scene(
            file: "orientation6-gps.jpg", size: [400, 500],
            colors: ["arrow": [230, 40, 40], "red": [254, 0, 2], "skin": [228, 150, 122]]),
        Scene(file: "photo.webp", size: [400, 500], colors: ["arrow": [231, 39, 40], "skin": [230, 151, 120]]),
        Scene(
            file: "cmyk-noprofile.jpg", size: [400, 500],
            colors: ["arrow": [230, 39, 39], "green": [0, 255, 0], "skin": [230, 149, 119]]),
        Scene(
            file: "rgb16.png", size: [240, 300],
            colors: ["arrow": [230, 40, 40], "grey": [128, 128, 128], "skin": [230, 150, 120]]),
        Scene(file: "display-p3.jpg", size: [400, 500], colors: ["arrow": [251, 0, 19], "skin": [241, 145, 116]]),
    ]

    @Test(arguments: scenes) func givesTheColoursThatWereMeant(scene: Scene) throws {
        let content = try bytes(of: scene.file)
        let header = try readImageHeader(content)
        #expect([header.width, header.height] == scene.size)
        let image = try decoded(content)
        #expect([image.width, image.height] == scene.size)
        let unit = Double(image.width) / 100
        for (name, color) in scene.colors {
            let point = try #require(Self.points[name])
            let found = image.mean(Int(point.0 * unit), Int(point.1 * unit))
            #expect(isClose(found, color), "\(name): \(found), not \(color)")
        }
    }

    private static let quarters = [[230, 40, 40], [30, 160, 60], [40, 60, 220], [240, 240, 240]]
    private static let greys = [20, 90, 160, 230].map { [$0, $0, $0] }

    @Test(arguments: [
        ("baseline.jpg", quarters), ("progressive.jpg", quarters), ("lossless.webp", quarters),
        ("animated.webp", quarters), ("huge-text.png", quarters), ("grey.jpg", greys), ("grey16.png", greys),
    ]) func readsEachKind(file: String, quarters: [RGB]) throws {
        let image = try decoded(try bytes(of: file))
        #expect([image.width, image.height] == [32, 24])
        for (index, color) in quarters.enumerated() {
            let found = image.mean(8 + index % 2 * 16, 6 + index / 2 * 12, reach: 1)
            #expect(isClose(found, color), "quarter \(index): \(found), not \(color)")
        }
    }

    @Test func readsTheTransparentColourOfAPalette() throws {
        let image = try decoded(try bytes(of: "palette.png"))
        #expect(image.hasAlpha)
        #expect(image.alpha(8, 6) == 0)
        #expect(image.rgb(8, 6) == [0, 0, 0], "alpha is multiplied in")
        #expect(image.alpha(24, 18) == 255)
        #expect(image.rgb(24, 18) == [240, 240, 240])
    }

    @Test func readsAlpha() throws {
        let image = try decoded(try bytes(of: "alpha.png"))
        #expect(image.alpha(9, 9) == 0)
        #expect(image.alpha(120, 150) == 255)
    }

    /// The corners that Exif 2.32 (4.6.4, Orientation) puts top left, top right, bottom left and bottom right.
    @Test(
        arguments: [
            (1, "RGBW"), (2, "GRWB"), (3, "WBGR"), (4, "BWRG"), (5, "RBGW"), (6, "BRWG"), (7, "WGBR"), (8, "GWRB"),
        ], [true, false]) func turnsByTheExifOrientation(_ turn: (orientation: UInt8, corners: String), isLittle: Bool)
        throws
    {
        let content = withExif(try bytes(of: "baseline.jpg"), orientation: turn.orientation, isLittle: isLittle)
        let image = try decoded(content)
        let isTall = turn.orientation >= 5
        #expect([image.width, image.height] == (isTall ? [24, 32] : [32, 24]))
        let colors = Dictionary(uniqueKeysWithValues: zip("RGBW", Self.quarters))
        for (index, name) in turn.corners.enumerated() {
            let color = try #require(colors[name])
            let (x, y) = (
                index % 2 * image.width / 2 + image.width / 4, index / 2 * image.height / 2 + image.height / 4
            )
            #expect(isClose(image.mean(x, y, reach: 1), color), "corner \(index)")
        }
    }

    @Test(arguments: [0, 9, 255] as [UInt8]) func takesAWrongOrientationAsUpright(orientation: UInt8) throws {
        let image = try decoded(withExif(try bytes(of: "baseline.jpg"), orientation: orientation, isLittle: true))
        #expect(isClose(image.mean(8, 6, reach: 1), [230, 40, 40]))
    }

    /// A decoded eighth is enough for a thumbnail, but never smaller than what is needed.
    @Test(arguments: [(400, 500, 400), (201, 251, 400), (200, 250, 200), (100, 125, 100), (40, 50, 50), (1, 1, 50)])
    func decodesLargeJPEGsSmaller(width: Int, height: Int, decodedWidth: Int) throws {
        let image = try EncodedImage(try bytes(of: "orientation6-gps.jpg")).decoded(neededSize: (width, height))
        #expect(image.width == decodedWidth)
        #expect(image.width >= width && image.height >= height)
    }
}

/// A JPEG with an Exif segment of one entry after its first two bytes.
private func withExif(_ jpeg: [UInt8], orientation: UInt8, isLittle: Bool) -> [UInt8] {
    let tiff: [UInt8] =
        isLittle
        ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
        : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    let payload = Array("Exif\0\0".utf8) + tiff
    return jpeg.prefix(2) + [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload + jpeg.dropFirst(2)
}
