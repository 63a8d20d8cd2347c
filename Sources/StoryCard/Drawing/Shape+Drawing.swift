internal import CPangoCairo

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
        if shape.shadow > 0, shape.opacity > 0 {
            try drawShadow(unit: unit, strength: shape.shadow * shape.opacity) { mask in
                mask.move(to: placed.box, rotation: shape.rotation)
                mask.setColor(.black)
                mask.addPath(of: placed, in: box)
                cairo_fill(mask.cairo)
            }
        }
        faded(shape.opacity) {
            move(to: placed.box, rotation: shape.rotation)
            addPath(of: placed, in: box)
            self.fill(with: fill, box)
            guard let border else { return }
            addPath(of: placed, in: box.inset(by: border.width / 2), inset: border.width / 2)
            cairo_set_line_width(cairo, border.width)
            setColor(border.color)
            cairo_stroke(cairo)
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
            for stop in stops {
                let color = stop.color
                cairo_pattern_add_color_stop_rgba(
                    pattern, stop.at, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
                    Double(color.alpha) / 255)
            }
            cairo_set_source(cairo, pattern)
        }
        cairo_fill(cairo)
    }
}
