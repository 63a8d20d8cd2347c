internal import CPangoCairo
internal import CSSColors

extension TextBlock {
    /// Draws pill, shadow, outline and letters.
    ///
    /// - Parameter box: the outer box; the lines are aligned in it.
    func draw(on canvas: Canvas, in box: Box, palette: Palette) throws(CardError) {
        let ink = inkBox(in: box)
        let ground = canvas.ground(in: ink.turned(degrees: rotation))
        var below = ground.mean
        var plate: CardColor?
        if let pill = text.pill {
            let color = try palette.color(pill.color, for: CardPart(.text(number - 1), "pill.color"))
            plate = color
            below = color.over(below)
        }
        let color: CardColor =
            switch text.color {
            case .color(let color): color
            // White is bolder than its contrast says, and has a shadow to help it.
            case .auto: CardColor.white.contrast(to: below) >= 2.3 ? .white : .ink
            }
        let contrast = color.contrast(to: below)
        let wantsShadow = text.shadow ?? (plate == nil && (ground.deviation > 12 || contrast < 4.5))
        var mask: Canvas?
        let origin = origin(in: box)
        if wantsShadow, color.brightness > 0.5 { mask = try shadow(origin) }
        canvas.saved {
            // On a sticker it turns with the whole line, wherever in it the letters stand.
            let center = text.isOnSticker ? box.center : ink.center
            cairo_translate(canvas.cairo, center.x, center.y)
            cairo_rotate(canvas.cairo, rotation * .pi / 180)
            cairo_translate(canvas.cairo, -center.x, -center.y)
            if let plate {
                canvas.setColor(plate)
                let round = lineCount == 1 ? ink.height / 2 : size * 0.6
                canvas.addRectangle(ink, radius: text.pill?.radius ?? round)
                cairo_fill(canvas.cairo)
            }
            if let mask {
                canvas.saved {
                    cairo_translate(
                        canvas.cairo, origin.x.rounded(.down) - shadowRoom,
                        origin.y.rounded(.down) - shadowRoom + (size * 0.04).rounded())
                    let strength = contrast < 3 ? 0.62 : 0.42
                    canvas.setColor(.black, opacity: strength * Double(color.alpha) / 255)
                    canvas.paint(through: mask)
                }
            }
            if let outline = text.outline, outline.width > 0 {
                draw(outline, around: color, on: canvas, origin)
            }
            canvas.setColor(color)
            showLines(on: canvas, origin)
        }
    }

    /// In degrees clockwise.
    var rotation: Double { text.rotation + turn }

    var isTrimmed: Bool { text.isTrimmed && text.pill == nil }

    /// What it takes in a flow, in pixels.
    var flowHeight: Double { isTrimmed ? max(ink.bottom - ink.top, 1) : height }

    /// How far the room lies above it that is not counted in a flow, in pixels.
    var trimmedTop: Double { isTrimmed ? (ink.top + padding(size: size).y).rounded() : 0 }

    /// From the top of the lines to the letters' own top and bottom, in pixels.
    private var ink: (top: Double, bottom: Double) {
        var (ink, logical) = (PangoRectangle(), PangoRectangle())
        pango_layout_get_extents(layout, &ink, &logical)
        return (
            Double(ink.y) / Double(PANGO_SCALE), (Double(ink.y) + Double(ink.height)) / Double(PANGO_SCALE)
        )
    }

    /// The top left corner of the column of lines.
    private func origin(in box: Box) -> CardPoint {
        let padding = padding(size: size)
        return CardPoint(
            x: box.left + padding.x + (box.width - 2 * padding.x - column) * shownShare, y: box.top + padding.y)
    }

    /// The lines, and the pill around them, without the room beside them.
    func inkBox(in box: Box) -> Box {
        var (ink, logical) = (PangoRectangle(), PangoRectangle())
        pango_layout_get_extents(layout, &ink, &logical)
        let padding = padding(size: size)
        // A line with an ellipsis reports the whole column.
        let lines = isCut ? column : min(Double(logical.width) / Double(PANGO_SCALE), column)
        let width = lines + 2 * padding.x
        let left = box.left + (box.width - width) * shownShare
        return Box(left: left, top: box.top, width: width, height: height)
    }

    /// What shows: the pill, or the letters without the room that the font keeps above and below them.
    func visibleBox(in box: Box) -> Box {
        var whole = inkBox(in: box)
        guard text.pill == nil else { return whole }
        let ink = ink
        whole.top += ink.top + padding(size: size).y
        whole.height = ink.bottom - ink.top
        return whole
    }

    /// Where the lines lie in the box, from 0, left, to 1: what is written from right to left begins at the right.
    private var shownShare: Double {
        let isFromRight = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
        switch text.shownAlignment {
        case .left: return isFromRight ? 1 : 0
        case .center: return 0.5
        case .right: return isFromRight ? 0 : 1
        }
    }

    private var shadowSigma: Double { max(size * 0.09, 1) }

    private var shadowRoom: Double { (shadowSigma * 3 + size / 2).rounded(.up) }

    private func shadow(_ origin: CardPoint) throws(CardError) -> Canvas {
        let room = shadowRoom
        let mask = try Canvas(width: Int(column + room * 2) + 1, height: Int(height + room * 2) + 1, .mask)
        mask.setColor(.black)
        // The fraction is kept, so that the shadow lies exactly below the letters.
        showLines(
            on: mask,
            CardPoint(x: room + origin.x - origin.x.rounded(.down), y: room + origin.y - origin.y.rounded(.down)))
        mask.blur(sigma: shadowSigma, channels: 1)
        return mask
    }

    private func draw(
        _ outline: CardOutline, around letters: CardColor, on canvas: Canvas, _ origin: CardPoint
    ) {
        cairo_new_path(canvas.cairo)
        forEachLine(origin) { line, point in
            cairo_move_to(canvas.cairo, point.x, point.y)
            pango_cairo_layout_line_path(canvas.cairo, line)
        }
        switch outline.color {
        case .color(let color): canvas.setColor(color)
        case .auto: canvas.setColor(letters.brightness > 0.5 ? .ink : .white)
        }
        cairo_set_line_width(canvas.cairo, outline.width * 2)
        cairo_set_line_join(canvas.cairo, CAIRO_LINE_JOIN_ROUND)
        cairo_stroke(canvas.cairo)
    }

    private func showLines(on canvas: Canvas, _ origin: CardPoint) {
        forEachLine(origin) { line, point in
            cairo_move_to(canvas.cairo, point.x, point.y)
            pango_cairo_show_layout_line(canvas.cairo, line)
        }
    }

    /// - Parameter body: takes a line and where its base line begins.
    private func forEachLine(
        _ origin: CardPoint, _ body: (UnsafeMutablePointer<PangoLayoutLine>?, CardPoint) -> Void
    ) {
        let lines = pango_layout_get_iter(layout)
        defer { pango_layout_iter_free(lines) }
        // Without a width Pango aligns the lines with the longest of them.
        var (whole, logicalWhole) = (PangoRectangle(), PangoRectangle())
        pango_layout_get_extents(layout, &whole, &logicalWhole)
        let isFree = pango_layout_get_width(layout) < 0
        let shift = isFree ? (Double(pangoUnits(column)) - Double(logicalWhole.width)) * shownShare : 0
        repeat {
            var ink = PangoRectangle()
            var logical = PangoRectangle()
            pango_layout_iter_get_line_extents(lines, &ink, &logical)
            var start = Double(logical.x) + shift
            if isCut, pango_layout_iter_at_last_line(lines) != 0 { start += shiftOfCutLine(ink) }
            body(
                pango_layout_iter_get_line_readonly(lines),
                CardPoint(
                    x: origin.x + start / Double(PANGO_SCALE),
                    y: origin.y + Double(pango_layout_iter_get_baseline(lines)) / Double(PANGO_SCALE)))
        } while pango_layout_iter_next_line(lines) != 0
    }

    /// The paths of the fonts' files that its letters are from.
    var fontFiles: Set<String> {
        guard let runs = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(runs) }
        var paths: Set<String> = []
        repeat {
            guard let item = pango_layout_iter_get_run_readonly(runs)?.pointee.item,
                let path = pasteup_font_file(item.pointee.analysis.font)
            else { continue }
            paths.insert(String(cString: path))
        } while pango_layout_iter_next_run(runs) != 0
        return paths
    }

    /// Pango takes a line with an ellipsis for as wide as the column, and so aligns it a little too far left.
    private func shiftOfCutLine(_ ink: PangoRectangle) -> Double {
        let free = Double(pangoUnits(column)) - Double(ink.width)
        switch shownShare {
        case 0: return 0
        case 0.5: return max(free / 2 - Double(ink.x), 0)
        default: return max(free - Double(ink.x), 0)
        }
    }
}
