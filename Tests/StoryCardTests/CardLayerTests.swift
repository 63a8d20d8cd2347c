import CSSColors
import Files
import Testing

@testable import StoryCard

/// Where things go and what they look like, on a card of 300x300 whose margins are 26 pixels (92 of 1080).
@Suite(.computing) struct CardLayerTests {
    private static let size = CardSize(width: 300, height: 300)
    private static let blue: RGB = [40, 60, 220]
    private let folder: PictureFolder

    init() throws { folder = try PictureFolder() }

    private func image(
        stickers: [CardSticker] = [], shapes: [CardShape] = [], logo: CardSticker? = nil, code: CardQRCode? = nil,
        background: CardBackground = .color(.white)
    ) throws -> PixelImage {
        try composedPixels(
            CardSpec(
                size: Self.size, format: .png, background: background, shapes: shapes, stickers: stickers, logo: logo,
                qrCode: code))
    }

    /// The box of the pixels of that colour: left, top, right, bottom, the last two not included.
    private func box(of color: RGB, in image: PixelImage, tolerance: Int = 10) -> [Int]? {
        let places = (0..<image.height).flatMap { y in (0..<image.width).map { ($0, y) } }
            .filter { isClose(image.rgb($0.0, $0.1), color, tolerance) }
        guard !places.isEmpty else { return nil }
        let (xs, ys) = (places.map(\.0), places.map(\.1))
        return [xs.min()!, ys.min()!, xs.max()! + 1, ys.max()! + 1]
    }

    private func blueSticker(_ change: (inout CardSticker) -> Void = { _ in }) throws -> CardSticker {
        var sticker = CardSticker(
            image: try folder.add("blue.jpg", 100, 100, Self.blue), width: 60, radius: 0, shadow: 0)
        change(&sticker)
        return sticker
    }

    @Test(arguments: [
        (CardAnchor.topLeft, [0, 0, 60, 60]), (.top, [120, 0, 180, 60]), (.right, [240, 120, 300, 180]),
        (.bottomRight, [240, 240, 300, 300]), (.center, [120, 120, 180, 180]),
    ]) func anchorsAStickerOnTheCard(anchor: CardAnchor, expected: [Int]) throws {
        let sticker = try blueSticker { $0.placement = CardPlacement(anchor) }
        #expect(try box(of: Self.blue, in: image(stickers: [sticker])) == expected)
    }

    /// 10 % of 300 to the right, 15 pixels up.
    @Test func movesAStickerFromItsAnchor() throws {
        let sticker = try blueSticker { $0.placement = CardPlacement(.bottomLeft, x: .percent(10), y: -15) }
        #expect(try box(of: Self.blue, in: image(stickers: [sticker])) == [30, 225, 90, 285])
    }

    /// Turned by 45 degrees, a square of 60 reaches 60 * 0.5 * sqrt(2) = 42 pixels from its middle; its corners are free.
    @Test func turnsAStickerAboutItsMiddle() throws {
        let sticker = try blueSticker {
            $0.placement = CardPlacement(.center)
            $0.rotation = 45
        }
        let image = try image(stickers: [sticker])
        let found = try #require(box(of: Self.blue, in: image))
        for (edge, expected) in zip(found, [108, 108, 192, 192]) { #expect(abs(edge - expected) <= 1, "\(found)") }
        #expect(image.rgb(115, 115) == [255, 255, 255])
        #expect(isClose(image.rgb(150, 150), Self.blue))
    }

    @Test(arguments: [(0.5, 30), (1, 60), (2, 120)]) func scalesAFittedSticker(scale: Double, side: Int) throws {
        let sticker = try blueSticker {
            $0.placement = CardPlacement(.topLeft)
            $0.scale = scale
        }
        #expect(try box(of: Self.blue, in: image(stickers: [sticker])) == [0, 0, side, side])
    }

    /// A size that would run into the texts is only a wish; at a place of its own it is an order.
    @Test func aStickerBetweenTextsDoesNotRunIntoThem() throws {
        var card = CardSpec(size: Self.size, format: .png, background: .color(.white))
        var text = CardText("HH", at: .bottom, font: "DejaVu Sans 30", color: .black, shadow: false)
        text.minimumSize = 30
        card.texts = [text]
        card.stickers = [try blueSticker { ($0.width, $0.height, $0.fit) = (200, 290, .cover) }]
        let letters = try #require(try composedPixels(card).bounds { $0.allSatisfy { $0 < 60 } })
        let found = try #require(box(of: Self.blue, in: try composedPixels(card)))
        #expect(found[3] < letters.rows.lowerBound)
        card.stickers[0].placement = CardPlacement(.center)
        #expect(try #require(box(of: Self.blue, in: try composedPixels(card)))[3] == 295)
    }

    /// A picture twice as wide as high is shown whole, or fills the box.
    @Test(arguments: [(CardSticker.Fit.contain, [0, 0, 100, 50]), (.cover, [0, 0, 100, 100])])
    func containsOrCoversItsBox(fit: CardSticker.Fit, expected: [Int]) throws {
        let sticker = CardSticker(
            image: try folder.add("wide.jpg", 200, 100, Self.blue), width: 100, height: 100, fit: fit,
            placement: CardPlacement(.topLeft), radius: 0, shadow: 0)
        #expect(try box(of: Self.blue, in: image(stickers: [sticker])) == expected)
    }

    /// Black, white at a quarter, black: downwards the brightest row is the 75th of 300, and at an eighth it is half as bright.
    @Test func gradientsHaveAsManyStopsAsAreGiven() throws {
        let gradient = CardGradient(stops: [.init(.black, at: 0), .init(.white, at: 0.25), .init(.black, at: 1)])
        let image = try image(background: .gradient(gradient))
        let column = (0..<300).map { image.rgb(150, $0)[0] }
        #expect(abs((column.firstIndex(of: column.max()!) ?? 0) - 75) <= 2)
        #expect(abs(column[37] - 128) <= 3 && abs(column[187] - 128) <= 3)
    }

    /// Three on a card of 300: none lies over another, nor beyond the margins of 26.
    @Test func stickersOfTheirOwnSizeKeepOffOneAnother() throws {
        let colors: [RGB] = [[230, 40, 40], [30, 160, 60], [40, 60, 220]]
        let stickers = try colors.enumerated().map { index, color in
            CardSticker(
                image: try folder.add("\(index).jpg", 100, 100, color), width: 180, height: 180, fit: .cover, radius: 0,
                shadow: 0)
        }
        let image = try image(stickers: stickers)
        let boxes = try colors.map { try #require(box(of: $0, in: image)) }
        for box in boxes {
            #expect(box[2] - box[0] == box[3] - box[1], "whole: \(box)")
            #expect(box[0] >= 25 && box[1] >= 25 && box[2] <= 275 && box[3] <= 275)
        }
        #expect(Set(boxes.map { $0[2] - $0[0] }).count == 1)
    }

    @Test func coversABoxAndKeepsTheFocus() throws {
        // Left half red, right half blue; a tall box shows one of them.
        var pixels: [UInt8] = []
        for _ in 0..<100 {
            for x in 0..<200 { pixels += x < 100 ? [40, 40, 230, 255] : [220, 60, 40, 255] }
        }
        let path = try folder.add(
            "halves.jpg", try encodeJPEG(PixelImage(width: 200, height: 100, pixels: pixels), quality: 95))
        for (focus, color) in [(CardFocus(x: 0, y: 0.5), [230, 40, 40]), (CardFocus(x: 1, y: 0.5), Self.blue)] {
            let sticker = CardSticker(
                image: path, width: 60, height: 120, fit: .cover, focus: focus, placement: CardPlacement(.center),
                radius: 0, shadow: 0)
            #expect(try box(of: color, in: image(stickers: [sticker]), tolerance: 24) == [120, 90, 180, 210])
        }
    }

    /// The box of 80 holds the picture of 60 and a border of 10 at each side.
    @Test func framesAPictureInsideItsBox() throws {
        let sticker = try blueSticker {
            $0.width = 80
            $0.placement = CardPlacement(.center)
            $0.border = CardBorder(width: 10, color: .color(CardColor(red: 0, green: 160, blue: 0)))
        }
        let image = try image(stickers: [sticker])
        #expect(box(of: Self.blue, in: image) == [120, 120, 180, 180])
        #expect(box(of: [0, 160, 0], in: image) == [110, 110, 190, 190])
    }

    @Test func makesAStickerPaler() throws {
        let sticker = try blueSticker {
            $0.placement = CardPlacement(.center)
            $0.opacity = 0.5
        }
        #expect(isClose(try image(stickers: [sticker]).rgb(150, 150), [148, 158, 238]))
    }

    @Test func putsTheLogoBetweenTheMargins() throws {
        let logo = try blueSticker {
            $0.placement = CardPlacement(.bottomRight)
            $0.frame = .margins
        }
        #expect(try box(of: Self.blue, in: image(logo: logo)) == [214, 214, 274, 274])
    }

    // MARK: Shapes

    private static let red = CardPaint.color(CardColor(red: 230, green: 40, blue: 40))

    static let shapes: [(shape: CardShape, area: Int)] = [
        (CardShape(.rectangle, width: 100, height: 40, fill: .color(red)), 4000),
        (CardShape(.circle, width: 100, fill: .color(red)), 7854),
        (CardShape(.circle, width: 100, height: 50, fill: .color(red)), 3927),
        (CardShape(.line, width: 100, height: 10, fill: .color(red)), 979),
        (CardShape(.rectangle, width: 100, height: 100, rotation: 45, fill: .color(red)), 10_000),
        (CardShape(.rectangle, width: 100, height: 100, fill: .none, border: CardBorder(width: 10, color: red)), 3600),
    ]

    @Test(arguments: shapes) func drawsShapesOfTheRightArea(shape: CardShape, area: Int) throws {
        let image = try image(shapes: [shape])
        // Red of white: 215 levels of green for a whole pixel.
        let sum = (0..<300).reduce(0) { sum, y in sum + (0..<300).reduce(0) { $0 + 255 - image.rgb($1, y)[1] } }
        #expect(abs(sum / 215 - area) <= max(area / 100, 8), "\(sum / 215) pixels")
    }

    @Test func fadesAShapeOut() throws {
        let gradient = CardGradient(
            top: .color(CardColor(red: 0, green: 0, blue: 0, alpha: 0)), bottom: .black)
        let image = try image(shapes: [CardShape(.rectangle, width: .percent(100), fill: .gradient(gradient))])
        #expect(isClose(image.rgb(150, 0), [255, 255, 255], 2))
        #expect(isClose(image.rgb(150, 150), [127, 127, 127], 3))
        #expect(isClose(image.rgb(150, 299), [0, 0, 0], 2))
    }

    @Test func laysShapesBelowOrAboveStickers() throws {
        let sticker = try blueSticker { $0.placement = CardPlacement(.center) }
        for (layer, color) in [(CardShape.Layer.below, Self.blue), (.above, [230, 40, 40])] {
            let shape = CardShape(.rectangle, layer: layer, width: 200, fill: .color(Self.red))
            #expect(isClose(try image(stickers: [sticker], shapes: [shape]).rgb(150, 150), color))
        }
    }

    // MARK: QR codes

    /// Fixtures/code-python.txt was made by the Python package qrcode 8.2: byte mode, correction M, the mask of least penalty.
    @Test func encodesALinkAsAnotherEncoderDoes() throws {
        let expected = String(decoding: try bytes(of: "code-python.txt"), as: UTF8.self).split(separator: "\n")
        let modules = try QRModules(CardQRCode("https://vk.com/wall-226100401_17"))
        let rows = (0..<modules.count).map { row in
            String((0..<modules.count).map { modules.isDark[row * modules.count + $0] ? "#" : "." })
        }
        #expect(rows == expected.map(String.init))
    }

    /// 29 modules and 8 of quiet zone: 111 pixels are 3 for each.
    @Test func drawsModulesOnWholePixels() throws {
        let code = CardQRCode(
            "https://vk.com/wall-226100401_17", placement: CardPlacement(.center), size: 111, radius: 0)
        let image = try image(code: code, background: .color(Self.red))
        #expect(box(of: [0, 0, 0], in: image) == [107, 107, 194, 194])
        #expect(box(of: [255, 255, 255], in: image) == [95, 95, 206, 206])
        let odd = (0..<300).contains { y in
            (0..<300).contains { ![0, 255, 230].contains(image.rgb($0, y)[0]) }
        }
        #expect(!odd, "no pixel is grey")
    }

    @Test(arguments: [0, 2400, 5000]) func refusesALinkThatDoesNotFit(count: Int) {
        let spec = CardSpec(background: .color(.white), qrCode: CardQRCode(String(repeating: "x", count: count)))
        #expect(throws: CardError.code(bytes: count)) { try CardComposer.compose(spec) }
    }

    // MARK: Colours of the picture

    @Test func takesColoursFromThePicture() throws {
        var pixels: [UInt8] = []
        for y in 0..<100 { for _ in 0..<100 { pixels += y < 50 ? [60, 160, 30, 255] : [220, 60, 40, 255] } }
        let path = try folder.add(
            "halves.jpg", try encodeJPEG(PixelImage(width: 100, height: 100, pixels: pixels), quality: 95))
        let sticker = CardSticker(image: path, width: 20, radius: 0, shadow: 0)
        let image = try image(
            stickers: [sticker], background: .gradient(CardGradient(top: .auto, bottom: .auto)))
        let (top, bottom) = (image.rgb(10, 0), image.rgb(10, 299))
        #expect(top[1] > top[0] && top[1] > top[2], "green above: \(top)")
        #expect(bottom[2] > bottom[0] && bottom[2] > bottom[1], "blue below: \(bottom)")
    }

    @Test func wantsAPictureForItsColours() {
        let spec = CardSpec(background: .color(.auto), texts: [CardText("a")])
        #expect(throws: CardError.noPicture(CardPart(.background, "color"))) { try CardComposer.compose(spec) }
        let image = CardSpec(background: .image(CardBackgroundImage(path: nil)))
        #expect(throws: CardError.noPicture(CardPart(.background, "image"))) { try CardComposer.compose(image) }
    }

    // MARK: Formats

    /// Sampling factors stand in the frame header (ITU-T T.81, B.2.2): 0x22 is 2x2, 0x11 is 1x1.
    @Test(arguments: [(false, 0x22 as UInt8), (true, 0x11)]) func keepsColoursAtEveryPixelOnDemand(
        fullChroma: Bool, factors: UInt8
    ) throws {
        let spec = CardSpec(
            size: Self.size, format: .jpeg(quality: 80, fullChroma: fullChroma), background: .color(Self.red))
        let bytes = try CardComposer.compose(spec).bytes
        let frame = try #require(bytes.indices.dropLast(12).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        #expect(bytes[frame + 11] == factors)
    }

    @Test func writesWebP() throws {
        let spec = CardSpec(size: Self.size, format: .webp(quality: 90), background: .color(Self.red))
        let card = try CardComposer.compose(spec)
        #expect(try readImageHeader(card.bytes) == ImageHeader(format: .webp, width: 300, height: 300))
        #expect(isClose(try decoded(card.bytes).rgb(150, 150), [230, 40, 40], 6))
        #expect(try CardComposer.compose(spec).bytes == card.bytes)
    }

    // MARK: Warnings

    private func warnings(_ spec: CardSpec) throws -> [String] { try CardComposer.compose(spec).warnings }

    @Test func warnsOfTextsUnderAStorysControls() throws {
        var text = CardText("up there", at: .top)
        text.placement.y = -120
        #expect(
            try warnings(CardSpec(background: .color(.white), texts: [text])) == [
                "Text 1 reaches into the top 250 pixels, where a story's player has its own controls. "
                    + "Move it towards the middle."
            ])
        #expect(try warnings(CardSpec(size: .portrait, background: .color(.white), texts: [CardText("a")])) == [])
    }

    @Test func warnsOfWhatLiesOverOneAnother() throws {
        var (one, other) = (CardText("one"), CardText("other"))
        one.placement = CardPlacement(.center, y: 10)
        other.placement = CardPlacement(.center, y: 20)
        #expect(
            try warnings(CardSpec(background: .color(.white), texts: [one, other]))
                == ["Text 2 lies over text 1. Move one of them."])
    }

    /// The plate reaches 60 pixels beyond the text; the code stands 50 below the middle.
    @Test func warnsOfACodeOverAPlate() throws {
        func warnings(codeAt y: CardLength) throws -> [String] {
            let plate = CardShape(.rectangle, around: .center, padding: 60)
            let code = CardQRCode("x", placement: CardPlacement(.center, y: y), size: 40)
            let text = CardText("Hi", at: .center, font: "DejaVu Sans 20", color: .black)
            let spec = CardSpec(
                size: Self.size, background: .color(.white), shapes: [plate], qrCode: code, texts: [text])
            return try CardComposer.compose(spec).warnings
        }
        #expect(try warnings(codeAt: 50).contains { $0.contains("The QR code lies over the plate") })
        #expect(try !warnings(codeAt: 100).contains { $0.contains("plate") })
    }

    @Test func textsKeepOffTheLogoAndTheCode() throws {
        let logo = try blueSticker {
            $0.placement = CardPlacement(.topLeft)
            $0.frame = .margins
        }
        let spec = CardSpec(
            background: .color(.white), logo: logo, qrCode: CardQRCode("https://vk.com"),
            texts: [CardText("a long line of text, so that it is wide", at: .top), CardText("and one at the bottom")])
        #expect(try warnings(spec) == [])
    }
}
