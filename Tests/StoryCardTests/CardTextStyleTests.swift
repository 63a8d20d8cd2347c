import CSSColors
import Testing

@testable import StoryCard

/// What letters look like. The ground is blue, letters are white, and what comes around them red.
@Suite struct CardTextStyleTests {
    private static let red = CardPaint.color(CardColor(red: 220, green: 0, blue: 0))

    private func text(_ content: String, size: Double = 60, font: String = "DejaVu Sans") -> CardText {
        var text = CardText(content, at: .center, font: font, color: .white, shadow: false)
        text.size = size
        return text
    }

    private func image(_ texts: CardText...) throws -> PixelImage {
        try composedPixels(
            CardSpec(
                size: CardSize(width: 600, height: 600), format: .png,
                background: .color(.color(CardColor(red: 0, green: 0, blue: 200))), texts: texts))
    }

    private func letters(_ text: CardText) throws -> (rows: Range<Int>, columns: Range<Int>) {
        try #require(try image(text).bounds { $0[1] > 128 })
    }

    private func around(_ text: CardText) throws -> (rows: Range<Int>, columns: Range<Int>) {
        try #require(try image(text).bounds { $0[0] > 110 && $0[1] < 90 })
    }

    /// Two lines of one letter: their tops are a line apart. DejaVu Sans wants 1.164 em.
    @Test(arguments: [(1.0, 69.8), (2.0, 139.7), (0.8, 55.9)]) func linesAreAsFarApartAsAsked(
        spacing: Double, pixels: Double
    ) throws {
        var one = text("H")
        one.lineSpacing = spacing
        var two = text("H\nH")
        two.lineSpacing = spacing
        let (single, double) = (try letters(one).rows.count, try letters(two).rows.count)
        #expect(abs(Double(double - single) - pixels) <= 2)
    }

    @Test func lettersAreSpread() throws {
        var spread = text("HHHH")
        spread.letterSpacing = 20
        let difference = try letters(spread).columns.count - letters(text("HHHH")).columns.count
        #expect((58...62).contains(difference), "three gaps of 20: \(difference)")
    }

    @Test func weightMakesLettersBolder() throws {
        func ink(_ weight: Int) throws -> Int {
            var block = text("HHHH")
            block.weight = weight
            let image = try image(block)
            return (0..<600 * 600).count { image.pixels[$0 * 4 + 1] > 128 }
        }
        #expect(try ink(700) > ink(400) * 5 / 4)
    }

    @Test func noMoreLinesThanAskedAndAnEllipsis() throws {
        var cut = text(String(repeating: "HHHH ", count: 60))
        (cut.maxLines, cut.minimumSize) = (2, 60)
        let rows = try letters(cut).rows.count
        // Two lines of 0.94 of 69.8 pixels, capitals of 0.73 em.
        #expect(abs(rows - (66 + 44)) <= 3, "\(rows)")
        let card = try CardComposer.compose(CardSpec(size: .square, background: .color(.black), texts: [cut]))
        #expect(card.warnings == ["Text 1 does not fit and was cut. Shorten it, or choose a smaller font."])
    }

    /// Capitals are 0.73 em high: the floor is kept though the text is cut.
    @Test func lettersShrinkToTheFloorAndNoFurther() throws {
        var long = text(String(repeating: "H ", count: 3000))
        long.minimumSize = 40
        long.maxLines = 1
        #expect(abs(try letters(long).rows.count - 29) <= 2)
    }

    @Test func aPillLiesAroundTheLetters() throws {
        var pill = text("HHH")
        pill.pill = CardPill(color: Self.red, padding: 30)
        let (outer, inner) = (try around(pill), try letters(pill))
        #expect(abs(inner.columns.lowerBound - outer.columns.lowerBound - 30) <= 8)
        #expect(
            outer.rows.lowerBound < inner.rows.lowerBound - 10 && outer.rows.upperBound > inner.rows.upperBound + 10)
        #expect(abs(outer.rows.count - (70 + 30)) <= 6, "a line and half the padding above and below it")
        let corner = try image(pill).rgb(outer.columns.lowerBound, outer.rows.lowerBound)
        #expect(corner == [0, 0, 200], "its ends are round")
    }

    @Test func anOutlineIsAsWideAsAsked() throws {
        var outlined = text("H")
        outlined.outline = CardOutline(width: 9, color: Self.red)
        let (outer, inner) = (try around(outlined), try letters(outlined))
        #expect(abs(inner.columns.lowerBound - outer.columns.lowerBound - 9) <= 1)
        #expect(abs(outer.rows.upperBound - inner.rows.upperBound - 9) <= 1)
    }

    @Test func aShadowDarkensTheGroundBesideBrightLetters() throws {
        var block = text("HHHH")
        #expect(try image(block).bounds { $0[0] < 10 && $0[2] < 185 } == nil)
        block.shadow = true
        let dark = try #require(try image(block).bounds { $0[0] < 10 && $0[2] < 185 })
        #expect(dark.columns.count > 100, "along the whole line")
    }

    @Test func turnedLettersStandOnTheirSide() throws {
        var turned = text("HHHH")
        turned.rotation = 90
        let (upright, side) = (try letters(text("HHHH")), try letters(turned))
        #expect(abs(upright.columns.count - side.rows.count) <= 2 && abs(upright.rows.count - side.columns.count) <= 2)
    }

    /// "Left" is where a line begins: for Hebrew and Arabic at the right margin. The margin is 92 * 600 / 1080 = 51.
    @Test(arguments: ["שלום", "مرحبا"]) func aLineFromTheRightBeginsThere(content: String) throws {
        var line = text(content)
        line.alignment = .left
        #expect(try letters(line).columns.upperBound > 535)
        line.alignment = .right
        #expect(try letters(line).columns.lowerBound < 65)
    }

    /// The mark joins its letter: both spellings of Unicode look the same, and nothing is missing.
    @Test(arguments: [("e\u{301}", "é"), ("и\u{306}", "й"), ("n\u{303}", "ñ"), ("A\u{30A}", "Å")])
    func aCombiningMarkJoinsItsLetter(decomposed: String, composed: String) throws {
        let (one, other) = (try image(text(decomposed)), try image(text(composed)))
        #expect(one.pixels == other.pixels)
    }

    /// An emoji is a picture: in slanted letters it stays upright.
    @Test func anEmojiDoesNotLean() throws {
        let font = "DejaVu Sans Oblique"
        let (upright, slanted) = (try image(text("🌇")), try image(text("🌇", font: font)))
        #expect(upright.pixels == slanted.pixels)
        #expect(try image(text("H")).pixels != image(text("H", font: font)).pixels, "the letters do")
    }

    /// By the fonts' own heights it would run into the line above it.
    @Test(arguments: [0.84, 0.94, 1.3]) func aLineOfEmojiIsAsHighAsOneOfLetters(spacing: Double) throws {
        func end(_ content: String) throws -> Int {
            var block = text(content)
            block.lineSpacing = spacing
            return try letters(block).rows.upperBound
        }
        #expect(abs(try end("H\n☀️☀️\nH") - end("H\nH\nH")) <= 3)
        #expect(abs(try end("H ☀️\nH") - end("H\nH")) <= 3, "beside letters it changes nothing")
    }

    @Test func anEmojiDoesNotBeginALineAlone() throws {
        let text = text("слово слово слово ☀️", size: 60)
        let block = try TextBlock(text, number: 1, font: try Font(text, .text(0)), fonts: Fonts())
        block.fit(width: 640)
        let whole = block.lineCount
        block.fit(width: 620)
        #expect(whole == 1 || block.lineCount == 2)
        let image = try image(text)
        let sun = try #require(image.bounds { $0[0] > 200 && $0[1] > 150 && $0[2] < 80 })
        let white = try #require(image.bounds { $0.allSatisfy { $0 > 200 } })
        #expect(white.rows.upperBound > (sun.rows.lowerBound + sun.rows.upperBound) / 2, "a word is beside it")
    }

    @Test(arguments: [("#ffffff", 22), ("#101010", 255)]) func letterColoursCanBeReadOnTheirGround(
        ground: String, expected: Int
    ) throws {
        var block = text("HHHH", size: 100)
        block.color = .auto
        let spec = CardSpec(
            size: CardSize(width: 600, height: 600), format: .png, background: .color(try CardPaint(ground)),
            texts: [block])
        let image = try composedPixels(spec)
        let values = (0..<600 * 600).map { Int(image.pixels[$0 * 4 + 2]) }
        #expect((expected == 255 ? values.max() : values.min()) == expected)
    }
}
