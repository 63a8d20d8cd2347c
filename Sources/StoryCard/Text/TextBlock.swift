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
    /// In pixels, of the lines together.
    private(set) var height: Double = 0

    private let layout: OpaquePointer
    private let font: Font
    /// In pixels; may be less than the column's, so that the lines are about equally long.
    private var width: Double = 0
    private var size: Double

    init(_ text: CardText, number: Int, font: Font, fonts: Fonts) throws(CardError) {
        self.text = text
        self.number = number
        self.font = font
        size = font.size
        let content = TextBlock.drawable(text.text)
        layout = pango_layout_new(fonts.context)
        pango_layout_set_text(layout, content, Int32(content.utf8.count))
        pango_layout_set_auto_dir(layout, 1)
        // A user name that is broken must not gain a hyphen.
        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        pango_layout_set_attributes(layout, attributes)
        font.setSize(size)
        pango_layout_set_font_description(layout, font.description)
        let alignment: PangoAlignment =
            switch text.alignment {
            case .left: PANGO_ALIGN_LEFT
            case .center: PANGO_ALIGN_CENTER
            case .right: PANGO_ALIGN_RIGHT
            }
        pango_layout_set_alignment(layout, alignment)
        missingGlyphs = Int(pango_layout_get_unknown_glyphs_count(layout))
        if missingGlyphs > 0, missingGlyphs >= TextBlock.visibleCount(content) {
            throw .noGlyphs(text: number, font: text.font)
        }
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// Lays the text out in a column of that width, at its own size, and returns the height it would like.
    func naturalHeight(width: Double) -> Double {
        self.width = width
        return measured(size: font.size, wrap: PANGO_WRAP_WORD_CHAR).height
    }

    /// Makes the letters smaller until the text fits, without breaking words if that is possible; at the smallest size
    /// cuts what is left over.
    func fit(width: Double, height: Double) {
        self.width = width
        let smallest = min(text.minimumSize ?? font.size / 2, font.size)
        let wrap: PangoWrapMode
        if let found = largestSize(from: smallest, height: height, wrap: PANGO_WRAP_WORD) {
            (size, wrap) = (found, PANGO_WRAP_WORD)
        } else if let found = largestSize(from: smallest, height: height, wrap: PANGO_WRAP_WORD_CHAR) {
            (size, wrap) = (found, PANGO_WRAP_WORD_CHAR)
        } else {
            (size, wrap) = (smallest, PANGO_WRAP_WORD_CHAR)
            isCut = true
        }
        self.height = measured(size: size, wrap: wrap).height
        if isCut {
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
            pango_layout_set_height(layout, pangoUnits(height))
            self.height = measured(size: size, wrap: wrap).height
        } else if text.alignment == .center, wrap == PANGO_WRAP_WORD {
            balance()
        }
    }

    /// Draws the lines on the context, the column's top left corner at the origin.
    func draw(on canvas: Canvas, left: Double, top: Double, columnWidth: Double) throws(CardError) {
        let x = left + (columnWidth - width) / 2
        if text.shadow, text.color.brightness > 0.5 { try drawShadow(on: canvas, x: x, y: top) }
        canvas.setColor(text.color)
        showLines(on: canvas, x: x, y: top)
    }

    private func drawShadow(on canvas: Canvas, x: Double, y: Double) throws(CardError) {
        let sigma = max(size * 0.09, 1)
        let room = (sigma * 3 + size / 2).rounded(.up)
        let mask = try Canvas(width: Int(width + room * 2) + 1, height: Int(height + room * 2) + 1, .mask)
        mask.setColor(.black)
        // The fraction is kept, so that the shadow lies exactly below the letters.
        let (fractionX, fractionY) = (x - x.rounded(.down), y - y.rounded(.down))
        showLines(on: mask, x: room + fractionX, y: room + fractionY)
        mask.blur(sigma: sigma, channels: 1)
        canvas.saved {
            cairo_translate(
                canvas.cairo, x.rounded(.down) - room, y.rounded(.down) - room + (size * 0.04).rounded())
            canvas.setColor(.black, opacity: 0.38 * Double(text.color.alpha) / 255)
            canvas.paint(through: mask)
        }
    }

    private func showLines(on canvas: Canvas, x: Double, y: Double) {
        let lines = pango_layout_get_iter(layout)
        defer { pango_layout_iter_free(lines) }
        repeat {
            var ink = PangoRectangle()
            var logical = PangoRectangle()
            pango_layout_iter_get_line_extents(lines, &ink, &logical)
            var start = Double(logical.x)
            if isCut, pango_layout_iter_at_last_line(lines) != 0 { start += shiftOfCutLine(ink) }
            cairo_move_to(
                canvas.cairo, x + start / Double(PANGO_SCALE),
                y + Double(pango_layout_iter_get_baseline(lines)) / Double(PANGO_SCALE))
            pango_cairo_show_layout_line(canvas.cairo, pango_layout_iter_get_line_readonly(lines))
        } while pango_layout_iter_next_line(lines) != 0
    }

    /// Pango takes a line with an ellipsis for as wide as the column, and so aligns it a little too far left.
    private func shiftOfCutLine(_ ink: PangoRectangle) -> Double {
        let free = Double(pangoUnits(width)) - Double(ink.width)
        switch text.alignment {
        case .left: return 0
        case .center: return max(free / 2 - Double(ink.x), 0)
        case .right: return max(free - Double(ink.x), 0)
        }
    }

    // MARK: Measuring

    private func largestSize(from smallest: Double, height: Double, wrap: PangoWrapMode) -> Double? {
        func fits(_ size: Double) -> Bool {
            let needed = measured(size: size, wrap: wrap)
            return needed.height <= height && needed.width <= width
        }
        if fits(font.size) { return font.size }
        guard fits(smallest) else { return nil }
        var (low, high) = (smallest, font.size)
        while high - low > 0.5 {
            let middle = (low + high).rounded() / 2
            guard middle > low, middle < high else { break }
            if fits(middle) { low = middle } else { high = middle }
        }
        return low
    }

    private func measured(size: Double, wrap: PangoWrapMode) -> (width: Double, height: Double) {
        font.setSize(size)
        pango_layout_set_font_description(layout, font.description)
        pango_layout_set_wrap(layout, wrap)
        pango_layout_set_width(layout, pangoUnits(width))
        var (width, height): (Int32, Int32) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        return (Double(width), Double(height))
    }

    /// Narrows the column as far as the number of lines allows, so that no word stands alone in the last line.
    private func balance() {
        let lines = pango_layout_get_line_count(layout)
        guard lines > 1, lines <= 8 else { return }
        let full = width
        var (low, high) = (full / 2, full)
        while high - low > 2 {
            width = (low + high) / 2
            let needed = measured(size: size, wrap: PANGO_WRAP_WORD)
            if needed.width <= width, pango_layout_get_line_count(layout) <= lines { high = width } else { low = width }
        }
        width = high.rounded(.up)
        height = measured(size: size, wrap: PANGO_WRAP_WORD).height
    }

    // MARK: Content

    /// More than any card can show in letters that can be read.
    private static let mostCharacters = 20_000

    /// Without control characters, which fonts show as boxes, and without spaces around.
    static func drawable(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.prefix(mostCharacters).unicodeScalars where scalar != "\r" {
            let isControl = scalar.properties.generalCategory == .control
            if !isControl || scalar == "\n" || scalar == "\t" { scalars.append(scalar) }
        }
        return trimmed(String(scalars))
    }

    private static func visibleCount(_ text: String) -> Int {
        text.unicodeScalars.count { !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint }
    }
}

private func pangoUnits(_ pixels: Double) -> Int32 { Int32((pixels * Double(PANGO_SCALE)).rounded()) }
