internal import CPangoCairo
internal import CSSColors

/// A shape with its place on the card, in pixels.
struct PlacedShape {
    let shape: CardShape
    /// Before turning.
    let box: Box
    let radius: Double

    /// - Parameter plate: where it lies when it lies around texts.
    init(_ shape: CardShape, _ layout: CardLayout, plate: Box?) {
        self.shape = shape
        if let plate {
            box = plate
            radius = shape.radius.pixels(of: min(plate.width, plate.height))
            return
        }
        let (cardWidth, cardHeight) = (Double(layout.size.width), Double(layout.size.height))
        let (ownWidth, ownHeight) = (shape.width?.pixels(of: cardWidth), shape.height?.pixels(of: cardHeight))
        let width = ownWidth ?? (shape.kind == .line ? nil : ownHeight) ?? cardWidth * 0.4
        let height = ownHeight ?? (shape.kind == .line ? max(4 * layout.unit, 1) : width)
        box = layout.box(width: width, height: height, at: shape.placement, in: layout.whole)
        radius = shape.kind == .line ? height / 2 : shape.radius.pixels(of: min(width, height))
    }
}

extension Canvas {
    func draw(
        _ placed: PlacedShape, _ layer: CardPart.Layer, palette: Palette, unit: Double
    ) throws(CardError) {
        let shape = placed.shape
        let box = Box(left: 0, top: 0, width: placed.box.width, height: placed.box.height)
        let fill: Ink
        switch shape.fill {
        case .none: fill = .none
        case .color(let paint): fill = .color(try palette.color(paint, for: CardPart(layer, "color")))
        case .gradient(let gradient):
            fill = .gradient(try palette.stops(of: gradient, for: layer), angle: gradient.angle)
        }
        let border: (width: Double, color: CardColor)? =
            if let border = shape.border, border.width > 0 {
                (border.width, try palette.color(border.color, for: CardPart(layer, "border.color")))
            } else { nil }
        func paint(_ canvas: Canvas) {
            canvas.move(to: placed.box, rotation: shape.rotation)
            canvas.addPath(of: placed, in: box)
            canvas.fill(with: fill, box)
            guard let border else { return }
            canvas.addPath(of: placed, in: box.inset(by: border.width / 2), inset: border.width / 2)
            cairo_set_line_width(canvas.cairo, border.width)
            canvas.setColor(border.color)
            cairo_stroke(canvas.cairo)
        }
        // A border that is thicker than the form reaches beyond it.
        let beyond = max((shape.border?.width ?? 0) - min(box.width, box.height), 0) / 2
        let bounds = placed.box.inset(by: -beyond).turned(degrees: shape.rotation)
        let shadows = CardShadow.all(unit: unit, strength: shape.shadow)
        try faded(shape.opacity, in: bounds.with(shadows)) { () throws(CardError) in
            // What is clear casts no shadow: a frame has one of its line alone.
            for shadow in shadows { try draw(shadow, of: bounds, paint) }
            saved { paint(self) }
        }
    }

    private enum Ink {
        case none
        case color(CardColor)
        case gradient([ColorStop], angle: Double)
    }

    private func addPath(of placed: PlacedShape, in box: Box, inset: Double = 0) {
        if placed.shape.kind == .circle { return addEllipse(box) }
        addRectangle(box, radius: placed.radius > 0 ? max(placed.radius - inset, 0) : 0)
    }

    private func fill(with ink: Ink, _ box: Box) {
        switch ink {
        case .none: return
        case .color(let color): setColor(color)
        case .gradient(let stops, let angle):
            let line = GradientLine(angle: angle, width: box.width, height: box.height)
            let (x, y) = (line.right * line.length / 2, line.down * line.length / 2)
            guard
                let pattern = cairo_pattern_create_linear(
                    box.center.x - x, box.center.y - y, box.center.x + x, box.center.y + y)
            else { return }
            defer { cairo_pattern_destroy(pattern) }
            for stop in blended(stops) {
                cairo_pattern_add_color_stop_rgba(
                    pattern, stop.at, stop.color.red, stop.color.green, stop.color.blue, stop.color.alpha)
            }
            cairo_set_source(cairo, pattern)
        }
        cairo_fill(cairo)
    }
}

/// Stops between which cairo, which blends colours and alpha each for itself, blends them as CSS does, by colours with alpha
/// multiplied in (CSS Images Level 3, section 3.4.2): what fades out keeps its hue. Components are shares of 1.
private func blended(
    _ stops: [ColorStop]
) -> [(at: Double, color: (red: Double, green: Double, blue: Double, alpha: Double))] {
    let steps = 16
    return zip(stops, stops.dropFirst() + stops.suffix(1)).flatMap { start, end in
        let shares = start.color.alpha == end.color.alpha ? [0, 1] : (0...steps).map { Double($0) / Double(steps) }
        return shares.map { share in
            let alphas = (start: Double(start.color.alpha) * (1 - share), end: Double(end.color.alpha) * share)
            let alpha = alphas.start + alphas.end
            // Where there is nothing to see, the colour that it fades from.
            let endShare = alpha > 0 ? alphas.end / alpha : start.color.alpha > 0 ? 0 : 1
            func mixed(_ channel: KeyPath<CardColor, UInt8>) -> Double {
                let (one, other) = (Double(start.color[keyPath: channel]), Double(end.color[keyPath: channel]))
                return (one + (other - one) * endShare) / 255
            }
            let at = start.at + (end.at - start.at) * share
            return (at, (mixed(\.red), mixed(\.green), mixed(\.blue), alpha / 255))
        }
    }
}
