extension CardSpec {
    /// Refuses what cannot be drawn, before any file is read. Fonts are checked when they are loaded.
    func check() throws(CardError) {
        if let problem = problems.first { throw problem }
    }

    /// All that keeps it from being drawn, without a look at files and fonts.
    public var problems: [CardError] {
        var problems: [CardError] = []
        if !CardSize.sides.contains(size.width) || !CardSize.sides.contains(size.height)
            || size.width + size.height > CardSize.sidesTogether
        {
            problems.append(.size(size))
        }
        func check(_ name: String, of place: String, _ value: Double?, _ range: ClosedRange<Double>) {
            guard let value, !range.contains(value) else { return }
            problems.append(.number(name: name, place: place, value: value, range: range))
        }
        if case .jpeg(let quality) = format { check("quality", of: "the card", Double(quality), 1...100) }
        switch background {
        case .none: if stickers.isEmpty { problems.append(.nothingToShow) }
        case .color: break
        case .gradient(let gradient):
            check("angle", of: "the gradient", gradient.angle, -3600...3600)
            if !gradient.isInOrder { problems.append(.stops) }
        case .image(let image):
            check("blur", of: "the background", image.blur, 0...1000)
            check("dim", of: "the background", image.dim, 0...1)
        }
        for (index, sticker) in stickers.enumerated() {
            let place = "sticker \(index + 1)"
            check("width", of: place, sticker.width, 1...14_000)
            check("height", of: place, sticker.height, 1...14_000)
            check("scale", of: place, sticker.scale, 0.01...10)
            check("rotation", of: place, sticker.rotation, -3600...3600)
            check("radius", of: place, sticker.radius, 0...14_000)
            check("centre", of: place, sticker.center?.x, -14_000...14_000)
            check("centre", of: place, sticker.center?.y, -14_000...14_000)
        }
        for (index, text) in texts.enumerated() {
            check("minimum size", of: "text \(index + 1)", text.minimumSize, Fonts.sizes)
        }
        return problems
    }
}

extension CardGradient {
    fileprivate var isInOrder: Bool {
        let places = stops.map(\.at)
        return !places.isEmpty && places.allSatisfy { (0...1).contains($0) } && places == places.sorted()
    }
}
