extension CardSpec {
    /// Refuses what cannot be drawn, before any file is read. Fonts are checked when they are loaded.
    func check() throws(CardError) {
        guard CardSize.sides.contains(size.width), CardSize.sides.contains(size.height),
            size.width + size.height <= CardSize.sidesTogether
        else { throw .size(size) }
        if case .jpeg(let quality) = format { try check("quality", of: "the card", Double(quality), 1...100) }
        switch background {
        case .none: if stickers.isEmpty { throw .nothingToShow }
        case .color: break
        case .gradient(let gradient): try check(gradient)
        case .image(let image):
            try check("blur", of: "the background", image.blur, 0...1000)
            try check("dim", of: "the background", image.dim, 0...1)
        }
        for (index, sticker) in stickers.enumerated() { try check(sticker, "sticker \(index + 1)") }
        for (index, text) in texts.enumerated() {
            try check("minimum size", of: "text \(index + 1)", text.minimumSize, Fonts.sizes)
        }
    }

    private func check(_ gradient: CardGradient) throws(CardError) {
        try check("angle", of: "the gradient", gradient.angle, -3600...3600)
        let places = gradient.stops.map(\.at)
        guard !places.isEmpty, places.allSatisfy({ (0...1).contains($0) }), places == places.sorted() else {
            throw .stops
        }
    }

    private func check(_ sticker: CardSticker, _ place: String) throws(CardError) {
        try check("width", of: place, sticker.width, 1...14_000)
        try check("height", of: place, sticker.height, 1...14_000)
        try check("scale", of: place, sticker.scale, 0.01...10)
        try check("rotation", of: place, sticker.rotation, -3600...3600)
        try check("radius", of: place, sticker.radius, 0...14_000)
        try check("centre", of: place, sticker.center?.x, -14_000...14_000)
        try check("centre", of: place, sticker.center?.y, -14_000...14_000)
    }

    private func check(
        _ name: String, of place: String, _ value: Double?, _ range: ClosedRange<Double>
    ) throws(CardError) {
        guard let value, !range.contains(value) else { return }
        throw .number(name: name, place: place, value: value, range: range)
    }
}
