import CSSColors
import Testing

@testable import StoryCard

/// Where texts stand that share a place, a plate or a sticker.
@Suite(.computing) struct CardFlowTests {
    private static let blue = CardColor(red: 0, green: 0, blue: 200)
    private static let red = CardColor(red: 220, green: 0, blue: 0)
    private static let green = CardColor(red: 0, green: 220, blue: 0)
    private static let white = CardColor.white

    private func text(_ content: String, _ color: CardColor, size: Double = 40, at anchor: CardAnchor = .center)
        -> CardText
    {
        var text = CardText(content, at: anchor, font: "DejaVu Sans", color: .color(color), shadow: false)
        text.size = size
        return text
    }

    private func spec(_ texts: [CardText], shapes: [CardShape] = [], size: CardSize = .square) -> CardSpec {
        CardSpec(size: size, format: .png, background: .color(.color(Self.blue)), shapes: shapes, texts: texts)
    }

    private func isRed(_ pixel: RGB) -> Bool { pixel[0] > 150 && pixel[1] < 90 }
    private func isGreen(_ pixel: RGB) -> Bool { pixel[1] > 150 && pixel[0] < 90 }
    private func isWhite(_ pixel: RGB) -> Bool { pixel.allSatisfy { $0 > 240 } }

    // MARK: Order

    @Test func theLowestOrderStandsTopmost() throws {
        var second = text("HH", Self.green)
        second.order = -1
        let image = try composedPixels(spec([text("HH", Self.red), second]))
        let (red, green) = (try #require(image.bounds(isRed)), try #require(image.bounds(isGreen)))
        #expect(green.rows.upperBound < red.rows.lowerBound)
    }

    /// A quotation mark is a third of its line's height; trimmed, what follows comes nearer.
    @Test func aTrimmedTextTakesTheHeightOfItsLetters() throws {
        func gap(_ isTrimmed: Bool) throws -> Int {
            var mark = text("\u{201C}", Self.green, size: 300)
            mark.isTrimmed = isTrimmed
            let image = try composedPixels(spec([mark, text("HH", Self.red)]))
            let (red, green) = (try #require(image.bounds(isRed)), try #require(image.bounds(isGreen)))
            return red.rows.lowerBound - green.rows.upperBound
        }
        // 20 between texts, and what the second line keeps above its letters: about a quarter of 40.
        #expect((20...40).contains(try gap(true)))
        #expect(try gap(false) > 150)
    }

    // MARK: Fitting

    /// A saying of 260 characters and its author on 1080x1350: both are shown whole, and the author stays legible.
    @Test func aLongTextLeavesRoomForAShortOne() throws {
        let saying = String(repeating: "Кто хочет сдвинуть мир, пусть сам сдвинется. ", count: 6).dropLast(10)
        #expect((255...265).contains(saying.count))
        var author = text("HHHH", Self.red, size: 42)
        author.minimumSize = 32
        var long = text(String(saying), Self.white, size: 84)
        long.minimumSize = 36
        let card = try CardComposer.compose(spec([long, author], size: .portrait))
        #expect(card.warnings.isEmpty, "\(card.warnings)")
        let red = try #require(try decoded(card.bytes).bounds(isRed))
        // The capitals of DejaVu Sans are 0.73 em high.
        #expect(red.rows.count >= Int(32 * 0.73) - 1)
    }

    /// At their smallest sizes they do not fit: the longest is cut, and the others keep what they need.
    @Test func theLongestIsCutFirst() throws {
        let long = text(String(repeating: "Кофейня открыта каждый день. ", count: 300), Self.white)
        let card = try CardComposer.compose(spec([text("HH", Self.red), long, text("HH", Self.green)]))
        #expect(card.warnings == ["Text 2 does not fit and was cut. Shorten it, or choose a smaller font."])
        let image = try decoded(card.bytes)
        #expect(image.bounds(isRed) != nil && image.bounds(isGreen) != nil)
    }

    /// Eight lines as they are written, though the longest is too wide at the wanted size.
    @Test func linesOfAPoemStayWhole() throws {
        let poem = (1...8).map { $0 == 5 ? "В томленьях грусти безнадежной и шумной" : "Я помню" }.joined(
            separator: "\n")
        let fonts = Fonts()
        let text = text(poem, Self.white, size: 60)
        let block = try TextBlock(text, number: 1, font: try Font(text, .text(0)), fonts: fonts)
        block.fit(width: 864)
        #expect(block.lineCount == 8)
        #expect(block.size < 60 && block.size >= 30)
    }

    // MARK: Plates

    private func plate(_ texts: [CardText], width: CardLength? = nil) throws -> (rows: Range<Int>, columns: Range<Int>)?
    {
        let shape = CardShape(.rectangle, around: .center, padding: 50, width: width, fill: .color(.white))
        return try composedPixels(spec(texts, shapes: [shape])).bounds(isWhite)
    }

    @Test func aPlateGrowsWithItsTexts() throws {
        let one = try #require(try plate([text("HH", Self.red)]))
        let two = try #require(try plate([text("HH", Self.red), text("HHHHHHHH", Self.green)]))
        // The line of DejaVu Sans is 1.164 em high, of which 0.94 are used below another: 40 px make 47.
        #expect((145...149).contains(one.rows.count), "47 and twice 50: \(one.rows.count)")
        #expect((212...216).contains(two.rows.count), "two lines and 20 between them: \(two.rows.count)")
        #expect(two.columns.count > one.columns.count + 150)
        #expect(abs(one.rows.lowerBound + one.rows.upperBound - 1080) <= 2, "in the middle")
        #expect(try #require(try plate([text("HH", Self.red)], width: .percent(50))).columns.count == 540)
    }

    @Test func aPlateWithoutTextsIsNotDrawn() throws {
        #expect(try plate([text("  ", Self.red), text("HH", Self.red, at: .top)]) == nil)
    }

    @Test func aPlateStaysBetweenTheMargins() throws {
        let long = text(String(repeating: "слово ", count: 900), Self.red)
        let found = try #require(try plate([long]))
        #expect(found.rows.lowerBound >= 91 && found.rows.upperBound <= 989, "the margin is 92: \(found)")
    }

    // MARK: On stickers

    /// A sticker of 400x400 in the middle with a lower border of 100, turned by 90 degrees: that border is at the left.
    @Test(arguments: [0.0, 90, -90, 180]) func aTextOnAStickerTurnsWithIt(rotation: Double) throws {
        let folder = try PictureFolder()
        let picture = try folder.add("p.jpg", 100, 100, [0, 0, 200])
        let sticker = CardSticker(
            image: picture, width: 400, height: 400, fit: .cover, placement: CardPlacement(.center),
            rotation: rotation, radius: 0, border: CardBorder(width: 20, bottom: 100), shadow: 0)
        var caption = text("HHHH", Self.red)
        caption.isOnSticker = true
        var card = spec([caption])
        card.stickers = [sticker]
        let found = try #require(try composedPixels(card).bounds(isRed))
        let (x, y) = (
            (found.columns.lowerBound + found.columns.upperBound) / 2,
            (found.rows.lowerBound + found.rows.upperBound) / 2
        )
        let expected: (x: Int, y: Int) =
            switch rotation {
            case 90: (540 - 150, 540)
            case -90: (540 + 150, 540)
            case 180: (540, 540 - 150)
            default: (540, 540 + 150)
            }
        #expect(abs(x - expected.x) <= 5 && abs(y - expected.y) <= 5, "\(x), \(y)")
        #expect((found.rows.count > found.columns.count) == (abs(rotation) == 90))
    }

    @Test func aLongCaptionStaysOnTheBorder() throws {
        let folder = try PictureFolder()
        let picture = try folder.add("p.jpg", 100, 100, [0, 0, 200])
        var caption = text("A walk along the harbour with all of our oldest friends", Self.red, size: 60)
        (caption.isOnSticker, caption.maxLines, caption.minimumSize) = (true, 2, 8)
        var card = spec([caption])
        card.stickers = [
            CardSticker(
                image: picture, width: 600, height: 600, fit: .cover, placement: CardPlacement(.center), radius: 0,
                border: CardBorder(width: 20, bottom: 120), shadow: 0)
        ]
        let found = try #require(try composedPixels(card).bounds(isRed))
        #expect(found.rows.lowerBound > 840 - 120 && found.rows.upperBound < 840)
        #expect(found.columns.lowerBound > 260 && found.columns.upperBound < 820)
    }

    // MARK: Beside the column

    @Test func textsKeepOffACodeAtTheSide() throws {
        var card = spec([text(String(repeating: "HH ", count: 60), Self.red)], size: .link)
        card.qrCode = CardQRCode("https://example.org", placement: CardPlacement(.right), size: 200)
        let result = try CardComposer.compose(card)
        #expect(result.warnings.isEmpty, "\(result.warnings)")
        let found = try #require(try decoded(result.bytes).bounds(isRed))
        // The margin of a link's card is 92 * 630 / 1080 = 54, the gap 33.
        #expect(found.columns.upperBound <= 1200 - 54 - 200 - 33)
    }

    private func cornerCard(_ words: Int, size: Double, shapes: [CardShape] = []) -> CardSpec {
        let words = String(repeating: "HH ", count: words)
        var card = spec([text(words, Self.red, size: size)], shapes: shapes, size: .link)
        card.qrCode = CardQRCode("https://example.org", placement: CardPlacement(.bottomRight), size: 200)
        return card
    }

    /// The code of 200 stands at 946 to 1146 across and at 376 to 576 down. Above it are 289 pixels for texts, beside it 859
    /// by 522.
    @Test func longTextsStandBesideACodeInACorner() throws {
        let result = try CardComposer.compose(cornerCard(90, size: 60))
        #expect(result.warnings.isEmpty, "\(result.warnings)")
        let found = try #require(try decoded(result.bytes).bounds(isRed))
        #expect(found.columns.upperBound <= 946 - 33)
        #expect(found.rows.upperBound > 376)
    }

    @Test func shortTextsStandAboveACodeInACorner() throws {
        let found = try #require(try composedPixels(cornerCard(3, size: 40)).bounds(isRed))
        #expect(abs(found.columns.lowerBound + found.columns.upperBound - 1200) <= 4, "in the middle of the card")
        #expect(found.rows.upperBound <= 376 - 33)
    }

    @Test(arguments: [nil, CardLength.percent(80)]) func aPlateKeepsItsDistanceFromACodeBesideIt(
        width: CardLength?
    ) throws {
        let plate = CardShape(.rectangle, around: .center, padding: 50, width: width, fill: .color(.white))
        var card = cornerCard(90, size: 50, shapes: [plate])
        card.qrCode?.ground = .black
        let result = try CardComposer.compose(card)
        #expect(result.warnings.isEmpty, "\(result.warnings)")
        let image = try decoded(result.bytes)
        let (white, red) = (try #require(image.bounds(isWhite)), try #require(image.bounds(isRed)))
        #expect(white.columns.upperBound <= 946 - 33 && white.columns.lowerBound >= 54)
        #expect(red.columns.upperBound <= white.columns.upperBound - 50)
        #expect(red.columns.lowerBound >= white.columns.lowerBound + 50)
    }

    @Test func aCodeIsLegibleOnASmallCardUnlessItsSizeIsGiven() throws {
        var card = spec([], size: .link)
        card.qrCode = CardQRCode("https://vk.com/wall-226100401_17")
        #expect(try CardComposer.compose(card).warnings.isEmpty)
        card.qrCode?.size = 60
        #expect(try CardComposer.compose(card).warnings.first?.contains("too small for many phones") == true)
    }
}
