internal import CPangoCairo

/// One text of the card, laid out.
final class TextBlock {
    let text: CardText
    /// Which of the card's texts it is, from 1.
    let number: Int
    /// How many characters no installed font has.
    let missingGlyphs: Int
    /// Whether the end was cut off and replaced by "…".
    private(set) var isCut = false
    /// In pixels, of the lines together, with the pill around them.
    private(set) var height: Double = 0
    /// In pixels, of the lines; may be less than there is room for, so that they are about equally long.
    private(set) var column: Double = 0
    /// Of the letters, in pixels.
    private(set) var size: Double

    /// Of what was asked for.
    var sizeShare: Double { size / font.size }

    var lineCount: Int { Int(pango_layout_get_line_count(layout)) }

    let layout: OpaquePointer
    private let font: Font
    /// In pixels, of the box with the pill's padding.
    private var width: Double = 0
    /// Of the sticker that it is written on, in degrees clockwise.
    var turn: Double = 0
    /// Above the first line and below the last, in heights of letters: what keeps the block as high with pictures in it as
    /// without; 0 when there are none.
    private let halfLeading: Double

    init(_ text: CardText, number: Int, font: Font, fonts: Fonts) throws(CardError) {
        self.text = text
        self.number = number
        self.font = font
        size = font.size
        let content = TextBlock.holdingEmoji(TextBlock.drawable(text.text))
        layout = pango_layout_new(fonts.context)
        pango_layout_set_text(layout, content, Int32(content.utf8.count))
        pango_layout_set_auto_dir(layout, 1)
        pango_layout_set_line_spacing(layout, Float(text.lineSpacing))
        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        // A user name that is broken must not gain a hyphen.
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        if text.letterSpacing != 0 {
            pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(pangoUnits(text.letterSpacing)))
        }
        font.setSize(size)
        pango_layout_set_font_description(layout, font.description)
        let emoji = TextBlock.emoji(in: content)
        if let first = emoji.first {
            let lineHeight = TextBlock.lineHeight("x", font, fonts)
            // Line heights are cut at the first line and the last as well; line spacing is not.
            halfLeading = (1 - text.lineSpacing) / 2 * lineHeight / Double(PANGO_SCALE) / size
            let picture = String(decoding: Array(content.utf8)[first], as: UTF8.self)
            // By its fonts a line of pictures alone is lower than one of letters, and would run into the line above it.
            let height = lineHeight / TextBlock.lineHeight(picture, font, fonts)
            pango_layout_set_line_spacing(layout, 0)
            pango_attr_list_insert(attributes, pango_attr_line_height_new(text.lineSpacing))
            for range in emoji {
                let height = pango_attr_line_height_new(max(height, 1) * text.lineSpacing)
                TextBlock.insert(height, in: range, attributes)
                // Pictures are not made to lean.
                if font.isSlanted { TextBlock.insert(pango_attr_style_new(PANGO_STYLE_NORMAL), in: range, attributes) }
            }
        } else {
            halfLeading = 0
        }
        pango_layout_set_attributes(layout, attributes)
        let alignment: PangoAlignment =
            switch text.shownAlignment {
            case .left: PANGO_ALIGN_LEFT
            case .center: PANGO_ALIGN_CENTER
            case .right: PANGO_ALIGN_RIGHT
            }
        pango_layout_set_alignment(layout, alignment)
        missingGlyphs = Int(pango_layout_get_unknown_glyphs_count(layout))
        if missingGlyphs > 0, missingGlyphs >= TextBlock.visibleCount(content) {
            throw .noGlyphs(CardPart(.text(number - 1), "text"), font: text.font)
        }
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// Stands for a height that nothing limits, in pixels; Pango cannot count to infinity.
    static let anyHeight = 100_000.0

    /// Makes the letters smaller until the text fits, without breaking words if that is possible; at the smallest size
    /// cuts what is left over.
    ///
    /// - Parameters:
    ///   - scale: the largest size, as a share of the text's own; the smallest allowed one stays.
    ///   - isTrial: whether only the height is asked for, so that lines need not be balanced.
    func fit(width: Double, height: Double = anyHeight, scale: Double = 1, isTrial: Bool = false) {
        self.width = width
        if isCut { restoreWhole() }
        let smallest = min(text.minimumSize ?? font.size / 2, font.size)
        let largest = max((font.size * scale * 2).rounded(.down) / 2, smallest)
        var fitting = sizeOfWholeLines(in: smallest...largest, height: height).map { (size: $0, wrap: PANGO_WRAP_WORD) }
        for wrap in wraps where fitting == nil {
            let size = largestSize(in: smallest...largest, height: height, lines: text.mostLines, wrap: wrap)
            fitting = size.map { ($0, wrap) }
        }
        let wrap = fitting?.wrap ?? wraps[wraps.count - 1]
        size = fitting?.size ?? smallest
        isCut = fitting == nil
        self.height = measured(size: size, wrap: wrap).height
        if isCut {
            cut(height: height)
            self.height = measured(size: size, wrap: wrap).height
            // A line too high for the room is shown even so, and nothing of it may be missing.
            if pango_layout_is_ellipsized(layout) == 0 {
                restoreWhole()
                self.height = measured(size: size, wrap: wrap).height
            }
        } else if !isTrial, text.shownAlignment == .center, wrap == PANGO_WRAP_WORD, text.wrap != .none {
            balance()
        }
    }

    private func restoreWhole() {
        isCut = false
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_NONE)
        pango_layout_set_height(layout, -1)
    }

    private func cut(height: Double) {
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        var most = height - 2 * padding(size: size).y
        if let lines = text.mostLines, let first = pango_layout_get_line_readonly(layout, 0) {
            // A number of lines in place of the height would count in each paragraph anew.
            var (ink, line) = (PangoRectangle(), PangoRectangle())
            pango_layout_line_get_extents(first, &ink, &line)
            most = min(most, (Double(lines) + 0.3) * Double(line.height) / Double(PANGO_SCALE))
        }
        pango_layout_set_height(layout, max(pangoUnits(most), 1))
    }

    // MARK: Measuring

    /// The ways to break lines, the best first.
    private var wraps: [PangoWrapMode] {
        switch text.wrap {
        case .word: [PANGO_WRAP_WORD, PANGO_WRAP_WORD_CHAR]
        case .char: [PANGO_WRAP_CHAR]
        case .none: [PANGO_WRAP_WORD]
        }
    }

    /// At which every line is as it is written, as those of a poem; nil where that would take letters of less than half
    /// their size, or where there is but one.
    private func sizeOfWholeLines(in sizes: ClosedRange<Double>, height: Double) -> Double? {
        let smallest = max(sizes.lowerBound, font.size / 2)
        let written = text.writtenLines
        guard written > 1, text.wrap == .word, written <= text.mostLines ?? .max, smallest <= sizes.upperBound else {
            return nil
        }
        return largestSize(in: smallest...sizes.upperBound, height: height, lines: written, wrap: PANGO_WRAP_WORD)
    }

    private func largestSize(
        in sizes: ClosedRange<Double>, height: Double, lines: Int?, wrap: PangoWrapMode
    ) -> Double? {
        func fits(_ size: Double) -> Bool {
            let needed = measured(size: size, wrap: wrap)
            let isShort = lines.map { lineCount <= $0 } ?? true
            return isShort && needed.height <= height && needed.width <= width
        }
        if fits(sizes.upperBound) { return sizes.upperBound }
        guard fits(sizes.lowerBound) else { return nil }
        var (low, high) = (sizes.lowerBound, sizes.upperBound)
        while high - low > 0.5 {
            let middle = (low + high).rounded() / 2
            guard middle > low, middle < high else { break }
            if fits(middle) { low = middle } else { high = middle }
        }
        return low
    }

    /// With the pill's padding.
    private func measured(
        size: Double, wrap: PangoWrapMode, column: Double? = nil
    ) -> (width: Double, height: Double) {
        let padding = padding(size: size)
        self.column = column ?? max(width - 2 * padding.x, 1)
        font.setSize(size)
        pango_layout_set_font_description(layout, font.description)
        pango_layout_set_wrap(layout, wrap)
        pango_layout_set_width(layout, text.wrap == .none && !isCut ? -1 : pangoUnits(self.column))
        var (width, height): (Int32, Int32) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        return (Double(width) + 2 * padding.x, Double(height) + 2 * padding.y)
    }

    /// Narrows the column as far as the number of lines allows, so that no word stands alone in the last line.
    private func balance() {
        let lines = lineCount
        guard lines > 1, lines <= 14 else { return }
        let padding = padding(size: size).x
        var (low, high) = (column / 2, column)
        while high - low > 2 {
            let middle = (low + high) / 2
            let needed = measured(size: size, wrap: PANGO_WRAP_WORD, column: middle)
            let fits = needed.width - 2 * padding <= middle && lineCount <= lines
            if fits { high = middle } else { low = middle }
        }
        height = measured(size: size, wrap: PANGO_WRAP_WORD, column: high.rounded(.up)).height
    }

    /// Between the lines and the block's edge, in pixels.
    func padding(size: Double) -> (x: Double, y: Double) {
        let leading = halfLeading * size
        guard let pill = text.pill else { return (0, leading) }
        let across = pill.padding ?? (size * 0.62).rounded()
        return (across, (across * 0.5).rounded() + leading)
    }

    // MARK: Content

    /// More than any card can show in letters that can be read. Code points, since one character may have any number of
    /// marks, and text layout takes the time of their number's square.
    private static let mostScalars = 20_000

    /// Without control characters, which fonts show as boxes, and without spaces around.
    static func drawable(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(mostScalars) where scalar != "\r" {
            let isControl = scalar.properties.generalCategory == .control
            if !isControl || scalar == "\n" || scalar == "\t" { scalars.append(scalar) }
        }
        return trimmed(String(scalars))
    }

    private static func insert(
        _ attribute: UnsafeMutablePointer<PangoAttribute>?, in range: Range<Int>, _ list: OpaquePointer?
    ) {
        attribute?.pointee.start_index = guint(range.lowerBound)
        attribute?.pointee.end_index = guint(range.upperBound)
        pango_attr_list_insert(list, attribute)
    }

    /// Of a text of one line, in Pango's units.
    private static func lineHeight(_ text: String, _ font: Font, _ fonts: Fonts) -> Double {
        let layout = pango_layout_new(fonts.context)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
        pango_layout_set_font_description(layout, font.description)
        var (width, height): (Int32, Int32) = (0, 0)
        pango_layout_get_size(layout, &width, &height)
        return Double(max(height, 1))
    }

    /// Where pictures stand, in UTF-8 bytes: characters that are shown as emoji, with what belongs to them.
    private static func emoji(in text: String) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for character in text {
            let end = start + character.utf8.count
            if isEmoji(character) { ranges.append(start..<end) }
            start = end
        }
        return ranges
    }

    /// Whether it is shown as a picture.
    private static func isEmoji(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }
    }

    /// The text with a picture bound to the word before it, so that none begins a line alone.
    private static func holdingEmoji(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0xE2 }) else { return text }
        var held = ""
        var last: [Character] = []
        for character in text {
            if isEmoji(character), last.count == 2, last[1] == " ", !last[0].isWhitespace, !isEmoji(last[0]) {
                held.removeLast()
                held.append("\u{A0}")
            }
            held.append(character)
            last = last.suffix(1) + [character]
        }
        return held
    }

    private static func visibleCount(_ text: String) -> Int {
        text.unicodeScalars.count { !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint }
    }
}

extension CardText {
    var shownAlignment: Alignment {
        if let alignment { return alignment }
        switch placement.at.shares.x {
        case 0: return .left
        case 1: return .right
        default: return .center
        }
    }

    /// A text that does not wrap has as many lines as it is written in.
    var mostLines: Int? {
        guard wrap == .none else { return maxLines }
        return min(maxLines ?? .max, writtenLines)
    }

    var writtenLines: Int {
        TextBlock.drawable(text).split(separator: "\n", omittingEmptySubsequences: false).count
    }
}

func pangoUnits(_ pixels: Double) -> Int32 { Int32((pixels * Double(PANGO_SCALE)).rounded()) }
