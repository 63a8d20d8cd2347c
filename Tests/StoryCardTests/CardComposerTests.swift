import CSSColors
import Files
import Testing
import Threading

@testable import StoryCard

@Suite(.computing) struct CardComposerTests {
    private static let orange = CardColor(red: 0xFF, green: 0x95, blue: 0x00)
    private static let red = CardColor(red: 0xFF, green: 0x3B, blue: 0x30)
    private static let gradient = CardBackground.gradient(CardGradient(top: .color(orange), bottom: .color(red)))
    private static let small = CardSize(width: 270, height: 480)
    private let folder: PictureFolder

    init() throws { folder = try PictureFolder() }

    // MARK: The file

    @Test func makesTheCardOfTheMainJob() throws {
        let spec = CardSpec(
            background: Self.gradient, stickers: [CardSticker(image: fixture("orientation6-gps.jpg"), radius: 48)],
            texts: [CardText("@username")])
        let card = try CardComposer.compose(spec)
        #expect([card.width, card.height] == [1080, 1920])
        #expect(card.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(card.sha256.utf8.count == 64)
        #expect(card.warnings.isEmpty)
        let header = try readImageHeader(card.bytes)
        #expect(header == ImageHeader(format: .jpeg, width: 1080, height: 1920))
    }

    @Test func copiesNoMetadata() throws {
        for format in [CardFormat.jpeg(), .png, .webp()] {
            let spec = CardSpec(
                size: Self.small, format: format, stickers: [CardSticker(image: fixture("orientation6-gps.jpg"))])
            let bytes = try CardComposer.compose(spec).bytes
            let text = String(decoding: bytes, as: UTF8.self)
            for word in ["Exif", "GPS", "eXIf", "ICC_PROFILE", "iCCP", "tEXt"] { #expect(!text.contains(word)) }
        }
    }

    @Test func givesTheSameBytesOnEveryThread() async throws {
        let spec = CardSpec(
            size: Self.small, background: Self.gradient, stickers: [CardSticker(image: fixture("photo.webp"))],
            texts: [CardText("Закат 🌇 над горами", font: "Noto Sans Bold 20")])
        let first = try CardComposer.compose(spec)
        try await withThrowingTaskGroup(of: ComposedCard.self) { group in
            for _ in 0..<8 { group.addTask { try await offPool { try CardComposer.compose(spec) } } }
            for try await card in group { #expect(card == first) }
        }
    }

    @Test(arguments: [
        CardSize(width: 16, height: 16), CardSize(width: 16, height: 8000), CardSize(width: 900, height: 17),
    ])
    func composesExtremeSizes(size: CardSize) throws {
        let spec = CardSpec(
            size: size, background: Self.gradient,
            stickers: [CardSticker(image: fixture("photo.webp"), rotation: 30)],
            texts: [CardText("wide words"), CardText("top", at: .top), CardText("middle", at: .center)])
        let card = try CardComposer.compose(spec)
        #expect(try readImageHeader(card.bytes) == ImageHeader(format: .jpeg, width: size.width, height: size.height))
    }

    // MARK: Background

    @Test func runsAGradientFromTopToBottom() throws {
        let image = try composedPixels(CardSpec(size: Self.small, format: .png, background: Self.gradient))
        #expect(isClose(image.rgb(100, 0), [255, 149, 0], 1))
        #expect(isClose(image.rgb(100, 240), [255, 104, 24], 1))
        #expect(isClose(image.rgb(100, 479), [255, 59, 48], 1))
    }

    @Test func turnsAGradientClockwise() throws {
        let stops = [CardGradient.Stop(.black, at: 0), CardGradient.Stop(.white, at: 1)]
        let gradient = CardBackground.gradient(CardGradient(stops: stops, angle: 90))
        let image = try composedPixels(CardSpec(size: Self.small, format: .png, background: gradient))
        #expect(isClose(image.rgb(0, 10), [0, 0, 0], 1))
        #expect(isClose(image.rgb(269, 470), [255, 255, 255], 1))
        #expect(isClose(image.rgb(135, 240), [128, 128, 128], 2))
    }

    @Test func paintsEqualColoursSolid() throws {
        let gradient = CardBackground.gradient(CardGradient(top: .color(Self.orange), bottom: .color(Self.orange)))
        for background in [gradient, .color(.color(Self.orange))] {
            let image = try composedPixels(CardSpec(size: Self.small, format: .png, background: background))
            #expect(image.rgb(0, 0) == [255, 149, 0])
            #expect(image.rgb(269, 479) == [255, 149, 0])
        }
    }

    @Test func coversTheCardWithABackgroundPicture() throws {
        let path = try folder.add("blue.jpg", 64, 32, [40, 60, 220])
        for blur in [0.0, 4, 40] {
            let background = CardBackground.image(CardBackgroundImage(path: path, blur: blur, dim: 0.5))
            let image = try composedPixels(CardSpec(size: Self.small, format: .png, background: background))
            for (x, y) in [(0, 0), (269, 479), (135, 240)] {
                #expect(isClose(image.rgb(x, y), [20, 30, 110], 3), "blur \(blur) at \(x), \(y)")
            }
        }
    }

    @Test func showsAStickerOnDarkGreyWithoutABackground() throws {
        let spec = CardSpec(size: Self.small, format: .png, stickers: [CardSticker(image: fixture("photo.webp"))])
        #expect(try composedPixels(spec).rgb(2, 2) == [0x22, 0x22, 0x22])
        #expect(throws: CardError.nothingToShow) { try CardComposer.compose(CardSpec(texts: [CardText("alone")])) }
    }

    // MARK: Stickers

    private func blueSticker(_ change: (inout CardSticker) -> Void = { _ in }) throws -> CardSpec {
        var sticker = CardSticker(image: try folder.add("blue.jpg", 100, 100, [40, 60, 220]))
        change(&sticker)
        return CardSpec(size: Self.small, format: .png, background: .color(.white), stickers: [sticker])
    }

    /// 80 % of 270 is 216: from x 27 to 243, and from y 132 to 348.
    @Test func fitsAStickerIntoTheMiddleWithRoundCorners() throws {
        let image = try composedPixels(try blueSticker { $0.shadow = 0 })
        #expect(isClose(image.rgb(135, 240), [40, 60, 220]))
        #expect(isClose(image.rgb(27, 240), [40, 60, 220]))
        #expect(image.rgb(26, 240) == [255, 255, 255])
        #expect(isClose(image.rgb(135, 132), [40, 60, 220]))
        #expect(image.rgb(135, 131) == [255, 255, 255])
        #expect(isClose(image.rgb(135, 347), [40, 60, 220]))
        #expect(image.rgb(135, 348) == [255, 255, 255])
        #expect(image.rgb(27, 132) == [255, 255, 255], "the corner is cut")
    }

    @Test func leavesCornersWithoutARadius() throws {
        let image = try composedPixels(
            try blueSticker { ($0.shadow, $0.radius) = (0, 0) })
        #expect(isClose(image.rgb(27, 132), [40, 60, 220]))
    }

    @Test func darkensTheGroundBelowASticker() throws {
        let image = try composedPixels(try blueSticker())
        let (below, above) = (image.rgb(135, 351)[0], image.rgb(135, 128)[0])
        #expect(below < 225)
        #expect(below < above, "the light comes from above")
        #expect(image.rgb(135, 470) == [255, 255, 255], "the shadow ends")
    }

    @Test func putsAStickerWhereItIsTold() throws {
        let spec = try blueSticker {
            $0 = CardSticker(
                image: $0.image, width: 60, placement: CardPlacement(.center, x: -85, y: -180), rotation: 45, radius: 0,
                shadow: 0)
        }
        let image = try composedPixels(spec)
        // Half the diagonal of 60 is 42.
        #expect(isClose(image.rgb(50, 60 + 39), [40, 60, 220]))
        #expect(image.rgb(50, 60 + 45) == [255, 255, 255])
        #expect(image.rgb(50 + 28, 60 + 28) == [255, 255, 255], "the corner has turned away")
    }

    @Test func showsSeveralStickersApart() throws {
        let blue = try folder.add("blue.jpg", 160, 90, [40, 60, 220])
        let green = try folder.add("green.jpg", 160, 90, [30, 160, 60])
        let stickers = [blue, green].map { CardSticker(image: $0, shadow: 0) }
        let spec = CardSpec(size: Self.small, format: .png, background: .color(.white), stickers: stickers)
        let image = try composedPixels(spec)
        // Wide pictures stand one above the other; between them is the ground.
        let column = (0..<480).map { image.rgb(135, $0) }
        let blueRows = column.indices.filter { isClose(column[$0], [40, 60, 220]) }
        let greenRows = column.indices.filter { isClose(column[$0], [30, 160, 60]) }
        #expect(blueRows.count > 100 && greenRows.count == blueRows.count)
        let end = try #require(blueRows.last)
        let start = try #require(greenRows.first)
        #expect(start - end > 10)
    }

    /// Expected values: Pillow's `alpha_composite`, mean of 7x7.
    @Test(arguments: [
        (CardColor.white, [[134, 154, 209], [230, 235, 246], [230, 236, 246], [199, 205, 196], [255, 255, 255]]),
        (CardColor.black, [[134, 154, 209], [14, 20, 30], [14, 20, 31], [11, 16, 7], [0, 0, 0]]),
    ]) func leavesNoFringeAroundATransparentPicture(ground: CardColor, expected: [RGB]) throws {
        let sticker = CardSticker(image: fixture("alpha.png"), width: 240, height: 300, radius: 0, shadow: 0)
        let spec = CardSpec(size: Self.small, format: .png, background: .color(.color(ground)), stickers: [sticker])
        let image = try composedPixels(spec)
        for (point, color) in zip([(120, 150), (30, 60), (210, 60), (200, 250), (9, 9)], expected) {
            let found = image.mean(point.0 + 15, point.1 + 90)
            #expect(isClose(found, color, 2), "at \(point): \(found), not \(color)")
        }
    }

    // MARK: Numbers

    @Test(arguments: [(15, 1920), (1080, 8001), (8000, 6001), (0, 0), (-5, 100)])
    func refusesASizeOutsideTheLimits(width: Int, height: Int) {
        let spec = CardSpec(size: CardSize(width: width, height: height), background: Self.gradient)
        #expect(throws: CardError.size(spec.size)) { try CardComposer.compose(spec) }
    }

    @Test func namesTheNumberThatIsOutOfRange() throws {
        var sticker = CardSticker(image: "photo.jpg")
        sticker.radius = -3
        let spec = CardSpec(stickers: [CardSticker(image: "photo.jpg"), sticker])
        let error = try #require(throws: CardError.self) { try CardComposer.compose(spec) }
        #expect(
            error.description == "'radius' of sticker 2 is -3. It is 0 to 14000. Change 'radius'.")
    }

    @Test(arguments: [Double.nan, .infinity, -1, 2]) func refusesADimOutsideItsRange(dim: Double) {
        let background = CardBackground.image(CardBackgroundImage(path: "photo.jpg", dim: dim))
        #expect(throws: CardError.self) { try CardComposer.compose(CardSpec(background: background)) }
    }

    @Test(arguments: [("1080x1920", CardSize.story), ("16x8000", CardSize(width: 16, height: 8000))])
    func readsASize(text: String, size: CardSize) { #expect(CardSize(text) == size) }

    @Test(arguments: ["", "1080", "1080x", "x1920", "1080x1920x3", "axb", "1080 x 1920"])
    func readsNoSizeFromOtherText(text: String) { #expect(CardSize(text) == nil) }
}
