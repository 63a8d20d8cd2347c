import CSSColors
import Testing

@testable import StoryCard

@Suite(.computing) struct CardTextTests {
    private static let blue = CardPaint.color(CardColor(red: 0, green: 0, blue: 200))

    /// The rows and columns where anything but the ground shows, on a card of 540x960.
    private func ink(_ texts: [CardText], stickers: [CardSticker] = []) throws -> (
        rows: Range<Int>, columns: Range<Int>
    )? {
        let spec = CardSpec(
            size: CardSize(width: 540, height: 960), format: .png, background: .color(Self.blue), stickers: stickers,
            texts: texts)
        let image = try composedPixels(spec)
        let marked = (0..<image.height).flatMap { y in
            (0..<image.width).compactMap { x in image.rgb(x, y) == [0, 0, 200] ? nil : (x, y) }
        }
        guard !marked.isEmpty else { return nil }
        let (xs, ys) = (marked.map(\.0), marked.map(\.1))
        return (ys.min()!..<ys.max()! + 1, xs.min()!..<xs.max()! + 1)
    }

    private func text(
        _ content: String, at place: CardAnchor = .bottom, font: String = "Noto Sans Bold 22",
        alignment: CardText.Alignment = .center, minimumSize: Double? = nil
    ) -> CardText {
        CardText(
            content, at: place, font: font, alignment: alignment, minimumSize: minimumSize, shadow: false)
    }

    /// The zones at top and bottom are 250 of 1920 pixels: 125 of 960.
    @Test func keepsTextsInTheSafeZone() throws {
        let top = try #require(try ink([text("Hamburg", at: .top)]))
        #expect(top.rows.lowerBound >= 125 && top.rows.upperBound < 165)
        let center = try #require(try ink([text("Hamburg", at: .center)]))
        #expect(abs(center.rows.lowerBound + center.rows.upperBound - 960) <= 16)
        let bottom = try #require(try ink([text("Hamburg", at: .bottom)]))
        #expect(bottom.rows.upperBound <= 835 && bottom.rows.lowerBound > 795)
    }

    @Test func alignsInsideTheMargins() throws {
        let left = try #require(try ink([text("Hamburg", alignment: .left)]))
        let center = try #require(try ink([text("Hamburg", alignment: .center)]))
        let right = try #require(try ink([text("Hamburg", alignment: .right)]))
        #expect((43...47).contains(left.columns.lowerBound))
        #expect(abs(center.columns.lowerBound + center.columns.upperBound - 540) <= 4)
        #expect((493...497).contains(right.columns.upperBound))
    }

    /// One character may have any number of marks; text layout takes the time of their number's square.
    @Test func takesNoMoreMarksThanACardCanShow() throws {
        let text = TextBlock.drawable("a" + String(repeating: "\u{301}", count: 300_000))
        #expect(text.unicodeScalars.count == 20_000)
        #expect(TextBlock.drawable("e\u{301}").unicodeScalars.count == 2)
    }

    /// A line that is too high for its box, and one whose end does not find room.
    @Test func saysThatATextIsCutOnlyWhereSomethingIsMissing() throws {
        func warnings(_ content: String) throws -> [String] {
            var text = text(content, at: .topLeft, font: "DejaVu Sans 40", minimumSize: 40)
            text.height = 10
            text.width = 200
            return try CardComposer.compose(CardSpec(size: .square, background: .color(Self.blue), texts: [text]))
                .warnings
        }
        #expect(try warnings("Go").isEmpty)
        #expect(try warnings("Hamburg by the sea").contains { $0.contains("was cut") })
    }

    @Test func makesALongTextSmaller() throws {
        let words = "Кофейня открыта каждый день с восьми утра до десяти вечера. "
        let long = String(repeating: words, count: 8)
        let found = try #require(try ink([text(long, at: .bottom, font: "Noto Sans 40", minimumSize: 8)]))
        #expect(found.rows.upperBound <= 835)
        #expect(found.rows.lowerBound >= 835 - 355, "half of the safe zone's 710 rows")
        #expect(found.columns.lowerBound >= 43 && found.columns.upperBound <= 497)
    }

    @Test func cutsWhatDoesNotFitAndSaysSo() throws {
        let long = String(repeating: "Кофейня открыта каждый день. ", count: 60)
        let spec = CardSpec(
            size: CardSize(width: 540, height: 960), background: .color(Self.blue),
            texts: [text(" "), text(long)])
        #expect(
            try CardComposer.compose(spec).warnings
                == ["Text 2 does not fit and was cut. Shorten it, or choose a smaller font."])
        let found = try #require(try ink([text(long)]))
        #expect(found.rows.lowerBound >= 835 - 355 && found.rows.upperBound <= 835)
    }

    /// Pango alone puts such a line up to a letter too far left.
    @Test func centresALineThatWasCut() throws {
        let cut = text(String(repeating: "mmmm", count: 300), font: "Noto Sans 100", minimumSize: 100)
        let found = try #require(try ink([cut]))
        #expect(abs(found.columns.lowerBound + found.columns.upperBound - 540) <= 12)
    }

    @Test func keepsAUserNameInOneLine() throws {
        let name = try #require(try ink([text("@a_name_of_thirty_characters_ok", font: "Noto Sans Bold 40")]))
        #expect(name.rows.count < 40)
        #expect(name.columns.count > 350)
    }

    @Test func keepsTextsOffTheSticker() throws {
        let folder = try PictureFolder()
        let photo = try folder.add("tall.jpg", 300, 600, [230, 40, 40])
        let spec = CardSpec(
            size: CardSize(width: 540, height: 960), format: .png, background: .color(Self.blue),
            stickers: [CardSticker(image: photo, shadow: 0)],
            texts: [text("above", at: .top), text("middle", at: .center), text("one", at: .bottom), text("two")])
        let image = try composedPixels(spec)
        let photoRows = (0..<960).filter { y in (0..<540).contains { isClose(image.rgb($0, y), [230, 40, 40], 8) } }
        let textRows = (0..<960).filter { y in (0..<540).contains { image.rgb($0, y) == [255, 255, 255] } }
        let (first, last) = (try #require(photoRows.first), try #require(photoRows.last))
        #expect(last - first > 200)
        #expect(textRows.contains { $0 < first } && textRows.contains { $0 > last })
        #expect(!textRows.contains { (first...last).contains($0) })
        // Four texts are four stretches of rows.
        let stretches = textRows.indices.filter { $0 == 0 || textRows[$0] - textRows[$0 - 1] > 3 }
        #expect(stretches.count == 4)
    }

    @Test(arguments: ["", "  \n ", "\u{7}\u{0}"]) func drawsNothingForABlankText(content: String) throws {
        #expect(try ink([text(content)]) == nil)
    }

    @Test func drawsEmojiInColour() throws {
        let spec = CardSpec(
            size: CardSize(width: 540, height: 960), format: .png, background: .color(.white),
            texts: [CardText("🍅", font: "Noto Sans 80", color: .black)])
        let image = try composedPixels(spec)
        let reds = (700..<835).reduce(0) { sum, y in
            sum
                + (0..<540).count {
                    let c = image.rgb($0, y); return c[0] > 180 && c[1] < 90 && c[2] < 90
                }
        }
        #expect(reds > 500, "Noto Color Emoji's tomato is red")
    }

    @Test func warnsOfAMissingFamily() throws {
        let spec = CardSpec(
            size: CardSize(width: 540, height: 960), background: .color(.black),
            texts: [text("a", font: "Nosuch Family Bold 20"), text("b", font: "Nosuch Family 20")])
        let warnings = try CardComposer.compose(spec).warnings
        #expect(warnings.count == 1, "once for each family")
        #expect(warnings.first?.hasPrefix("The font 'Nosuch Family' is not installed; '") == true)
    }

    @Test(arguments: ["Noto Sans Bold 20", "noto sans 20", "Sans 20", "Noto Sans, DejaVu Sans 20", "Noto Sans 20px"])
    func doesNotWarnOfAFamilyThatIsThere(font: String) throws {
        let spec = CardSpec(
            size: CardSize(width: 540, height: 960), background: .color(.black), texts: [text("a", font: font)])
        #expect(try CardComposer.compose(spec).warnings == [])
    }

    /// U+10FFFE and U+10FFFF are not characters, so no font has them.
    @Test func countsCharactersWithoutAGlyph() throws {
        var spec = CardSpec(
            size: CardSize(width: 540, height: 960), background: .color(.black),
            texts: [text("ok \u{10FFFE}\u{10FFFF}")])
        #expect(
            try CardComposer.compose(spec).warnings == [
                "No installed font has 2 characters of text 1; boxes are drawn. Install a font for them "
                    + "(on Debian: fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji)."
            ])
        spec.texts = [text("fine"), text("\u{10FFFE} \u{10FFFF}")]
        #expect(throws: CardError.noGlyphs(CardPart(.text(1), "text"), font: "Noto Sans Bold 22")) {
            try CardComposer.compose(spec)
        }
    }

    @Test(arguments: ["", "   ", "Noto Sans 3", "Noto Sans 5000"]) func refusesAFontWithoutASensibleSize(font: String) {
        let spec = CardSpec(background: .color(.black), texts: [text("a", font: font)])
        #expect(throws: CardError.font(CardPart(.text(0), "font"), font)) { try CardComposer.compose(spec) }
    }
}
