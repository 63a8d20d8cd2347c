extension CardSpec {
    /// What keeps it from being drawn, without a look at files and fonts: the first thing; nil for nothing.
    public var problem: CardError? {
        do throws(CardError) {
            try check()
            return nil
        } catch {
            return error
        }
    }

    /// Refuses what cannot be drawn, before any file is read. Fonts are checked when they are loaded.
    func check() throws(CardError) {
        guard CardSize.sides.contains(size.width), CardSize.sides.contains(size.height),
            size.width + size.height <= CardSize.sidesTogether
        else { throw .size(size) }
        switch format {
        case .jpeg(let quality, _), .webp(let quality): try Check(.card).number("quality", Double(quality), 1...100)
        case .png: break
        }
        try checkBackground()
        for (index, shape) in shapes.enumerated() { try Check(.shape(index)).shape(shape) }
        for (index, sticker) in stickers.enumerated() { try Check(.sticker(index)).sticker(sticker) }
        if let logo { try Check(.logo).sticker(logo) }
        if let qrCode {
            let check = Check(.qrCode)
            try check.placement(qrCode.placement)
            try check.length("size", qrCode.size, 1...14_000)
            try check.length("radius", qrCode.radius, 0...14_000)
        }
        for (index, text) in texts.enumerated() { try Check(.text(index)).text(text) }
    }

    private func checkBackground() throws(CardError) {
        let check = Check(.background)
        switch background {
        case .none: if stickers.isEmpty { throw .nothingToShow }
        case .color: break
        case .gradient(let gradient): try check.gradient(gradient)
        case .image(let image):
            try check.number("blur", image.blur, 0...1000)
            try check.number("dim", image.dim, 0...1)
            try check.focus(image.focus)
            if image.path == nil, stickers.isEmpty { throw .noPicture(CardPart(.background, "image")) }
        }
    }
}

/// Checks the numbers of one layer.
private struct Check {
    let layer: CardPart.Layer

    init(_ layer: CardPart.Layer) { self.layer = layer }

    func number(_ key: String, _ value: Double?, _ range: ClosedRange<Double>) throws(CardError) {
        guard let value, !range.contains(value) else { return }
        throw .number(CardPart(layer, key), value: value, range: range)
    }

    /// - Parameter range: of pixels; percentages reach from 0, or its negative, to 1000.
    func length(_ key: String, _ length: CardLength?, _ range: ClosedRange<Double>) throws(CardError) {
        switch length {
        case nil: break
        case .pixels(let pixels): try number(key, pixels, range)
        case .percent(let percent): try number(key, percent, range.lowerBound < 0 ? -1000...1000 : 0...1000)
        }
    }

    func placement(_ placement: CardPlacement?) throws(CardError) {
        try length("x", placement?.x, -14_000...14_000)
        try length("y", placement?.y, -14_000...14_000)
    }

    func focus(_ focus: CardFocus) throws(CardError) {
        try number("focus", focus.x, 0...1)
        try number("focus", focus.y, 0...1)
    }

    func border(_ border: CardBorder?) throws(CardError) {
        try number("border.width", border?.width, 0...2000)
        try number("border.bottom", border?.bottom, 0...4000)
    }

    func gradient(_ gradient: CardGradient) throws(CardError) {
        try number("angle", gradient.angle, -3600...3600)
        let places = gradient.stops.map(\.at)
        guard !places.isEmpty, places.allSatisfy({ (0...1).contains($0) }), places == places.sorted() else {
            throw .stops(CardPart(layer, "stops"))
        }
    }

    func sticker(_ sticker: CardSticker) throws(CardError) {
        try length("width", sticker.width, 1...14_000)
        try length("height", sticker.height, 1...14_000)
        try number("scale", sticker.scale, 0.01...10)
        try focus(sticker.focus)
        try placement(sticker.placement)
        try number("rotation", sticker.rotation, -3600...3600)
        try length("radius", sticker.radius, 0...14_000)
        try border(sticker.border)
        try number("shadow-strength", sticker.shadow, 0...3)
        try number("opacity", sticker.opacity, 0...1)
    }

    func shape(_ shape: CardShape) throws(CardError) {
        try placement(shape.placement)
        try length("width", shape.width, 0...14_000)
        try length("height", shape.height, 0...14_000)
        try number("rotation", shape.rotation, -3600...3600)
        try length("radius", shape.radius, 0...14_000)
        if case .gradient(let fill) = shape.fill { try gradient(fill) }
        try border(shape.border)
        try number("shadow-strength", shape.shadow, 0...3)
        try number("opacity", shape.opacity, 0...1)
    }

    func text(_ text: CardText) throws(CardError) {
        try placement(text.placement)
        try length("width", text.width, 1...14_000)
        try length("height", text.height, 1...14_000)
        try number("rotation", text.rotation, -3600...3600)
        try number("size", text.size, Fonts.sizes)
        try number("weight", text.weight.map(Double.init), 100...1000)
        try number("line-spacing", text.lineSpacing, 0.5...4)
        try number("letter-spacing", text.letterSpacing, -100...500)
        try number("max-lines", text.maxLines.map(Double.init), 1...1000)
        try number("min-size", text.minimumSize, Fonts.sizes)
        try number("space-above", text.spaceAbove, 0...2000)
        try number("pill.padding", text.pill?.padding, 0...1000)
        try number("pill.radius", text.pill?.radius, 0...14_000)
        try number("outline.width", text.outline?.width, 0...200)
    }
}
