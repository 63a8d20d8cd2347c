extension CardSpec {
    /// What keeps it from being drawn, without a look at files and fonts: all of it, from the lowest layer to the topmost.
    public var problems: [CardError] {
        var found: [CardError] = []
        if !CardSize.sides.contains(size.width) || !CardSize.sides.contains(size.height)
            || size.width + size.height > CardSize.sidesTogether
        {
            found.append(.size(size))
        }
        switch format {
        case .jpeg(let quality, _), .webp(let quality):
            found += errors(of: .card) { $0.number("quality", Double(quality), 1...100) }
        case .png: break
        }
        for (key, count) in [("shapes", shapes.count), ("stickers", stickers.count), ("texts", texts.count)]
        where count > CardSpec.mostLayers {
            found.append(.layers(CardPart(.card, key), count: count))
        }
        found += backgroundProblems
        for (index, shape) in shapes.enumerated() { found += errors(of: .shape(index)) { $0.shape(shape) } }
        for (index, sticker) in stickers.enumerated() {
            found += errors(of: .sticker(index)) { $0.sticker(sticker) }
        }
        if let logo { found += errors(of: .logo) { $0.sticker(logo) } }
        if let qrCode {
            found += errors(of: .qrCode) { check in
                check.placement(qrCode.placement)
                check.length("size", qrCode.size, 1...14_000)
                check.length("radius", qrCode.radius, 0...14_000)
            }
        }
        for (index, text) in texts.enumerated() { found += errors(of: .text(index)) { $0.text(text) } }
        return found
    }

    private var backgroundProblems: [CardError] {
        switch background {
        case .none: stickers.isEmpty ? [.nothingToShow] : []
        case .color(let color): errors(of: .background) { $0.paint("color", color) }
        case .gradient(let gradient): errors(of: .background) { $0.gradient(gradient) }
        case .image(let image):
            errors(of: .background) { check in
                check.number("blur", image.blur, 0...1000)
                check.number("dim", image.dim, 0...1)
                check.focus(image.focus)
            } + (image.path == nil && stickers.isEmpty ? [.noPicture(CardPart(.background, "image"))] : [])
        }
    }

    private func errors(of layer: CardPart.Layer, _ look: (inout Check) -> Void) -> [CardError] {
        var hasPicture = !stickers.isEmpty
        if case .image(let image) = background, image.path != nil { hasPicture = true }
        var check = Check(layer: layer, hasPicture: hasPicture)
        look(&check)
        return check.errors
    }

    /// Refuses what cannot be drawn, before any file is read. Fonts are checked when they are loaded.
    func check() throws(CardError) {
        if let problem = problems.first { throw problem }
    }
}

/// Checks the numbers of one layer.
private struct Check {
    let layer: CardPart.Layer
    /// Whether there is one to take colours from.
    let hasPicture: Bool
    private(set) var errors: [CardError] = []

    init(layer: CardPart.Layer, hasPicture: Bool) {
        self.layer = layer
        self.hasPicture = hasPicture
    }

    mutating func number(_ key: String, _ value: Double?, _ range: ClosedRange<Double>) {
        guard let value, !range.contains(value) else { return }
        errors.append(.number(CardPart(layer, key), value: value, range: range))
    }

    /// - Parameter range: of pixels; percentages reach from 0, or its negative, to 1000.
    mutating func length(_ key: String, _ length: CardLength?, _ range: ClosedRange<Double>) {
        switch length {
        case nil: break
        case .pixels(let pixels): number(key, pixels, range)
        case .percent(let percent): number(key, percent, range.lowerBound < 0 ? -1000...1000 : 0...1000)
        }
    }

    mutating func placement(_ placement: CardPlacement?) {
        length("x", placement?.x, -14_000...14_000)
        length("y", placement?.y, -14_000...14_000)
    }

    mutating func focus(_ focus: CardFocus) {
        // One place in a file: one message.
        number("focus", (0...1).contains(focus.x) ? focus.y : focus.x, 0...1)
    }

    mutating func paint(_ key: String, _ paint: CardPaint?) {
        if paint == .auto, !hasPicture { errors.append(.noPicture(CardPart(layer, key))) }
    }

    mutating func border(_ border: CardBorder?) {
        paint("border.color", border?.color)
        number("border.width", border?.width, 0...2000)
        number("border.bottom", border?.bottom, 0...4000)
    }

    mutating func gradient(_ gradient: CardGradient) {
        number("angle", gradient.angle, -3600...3600)
        let places = gradient.stops.map(\.at)
        if places.isEmpty || !places.allSatisfy({ (0...1).contains($0) }) || places != places.sorted() {
            errors.append(.stops(CardPart(layer, "stops")))
        }
        // Said once, of the first colour.
        if let index = gradient.stops.firstIndex(where: { $0.color == .auto }) {
            paint(gradient.key(ofStop: index), .auto)
        }
    }

    mutating func sticker(_ sticker: CardSticker) {
        length("width", sticker.width, 1...14_000)
        length("height", sticker.height, 1...14_000)
        number("scale", sticker.scale, 0.01...10)
        focus(sticker.focus)
        placement(sticker.placement)
        number("rotation", sticker.rotation, -3600...3600)
        length("radius", sticker.radius, 0...14_000)
        border(sticker.border)
        number("shadow-strength", sticker.shadow, 0...3)
        number("opacity", sticker.opacity, 0...1)
    }

    mutating func shape(_ shape: CardShape) {
        placement(shape.placement)
        number("padding", shape.padding, 0...2000)
        length("width", shape.width, 0...14_000)
        length("height", shape.height, 0...14_000)
        number("rotation", shape.rotation, -3600...3600)
        length("radius", shape.radius, 0...14_000)
        switch shape.fill {
        case .none: break
        case .color(let color): paint("color", color)
        case .gradient(let fill): gradient(fill)
        }
        border(shape.border)
        number("shadow-strength", shape.shadow, 0...3)
        number("opacity", shape.opacity, 0...1)
    }

    mutating func text(_ text: CardText) {
        placement(text.placement)
        length("width", text.width, 1...14_000)
        length("height", text.height, 1...14_000)
        number("rotation", text.rotation, -3600...3600)
        number("size", text.size, Fonts.sizes)
        number("weight", text.weight.map(Double.init), 100...1000)
        number("line-spacing", text.lineSpacing, 0.5...4)
        number("letter-spacing", text.letterSpacing, -100...500)
        number("max-lines", text.maxLines.map(Double.init), 1...1000)
        number("min-size", text.minimumSize, Fonts.sizes)
        number("space-above", text.spaceAbove, 0...2000)
        number("order", Double(text.order), -1000...1000)
        paint("pill.color", text.pill?.color)
        number("pill.padding", text.pill?.padding, 0...1000)
        number("pill.radius", text.pill?.radius, 0...14_000)
        number("outline.width", text.outline?.width, 0...200)
    }
}

extension CardGradient {
    /// As the parameters of `card.compose` call the place of that stop's colour.
    func key(ofStop index: Int) -> String { stops.count != 2 ? "stops" : index == 0 ? "top" : "bottom" }
}
