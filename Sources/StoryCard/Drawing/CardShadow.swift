internal import CPangoCairo

/// A soft shadow of something on the card, in pixels.
struct CardShadow {
    /// The standard deviation of its blur.
    let sigma: Double
    /// How far below the thing it falls.
    let offset: Double
    let opacity: Double

    /// A wide shadow for the height above the ground and a narrow one for the edge, as daylight casts them.
    ///
    /// - Parameters:
    ///   - unit: pixels for each pixel of a card that is 1080 wide.
    ///   - strength: 0 is none, 1 the usual one.
    static func all(unit: Double, strength: Double) -> [CardShadow] {
        guard strength > 0 else { return [] }
        return [
            CardShadow(sigma: 32 * unit, offset: 22 * unit, opacity: min(0.30 * strength, 1)),
            CardShadow(sigma: 7 * unit, offset: 4 * unit, opacity: min(0.18 * strength, 1)),
        ]
    }

    /// What is blurred that much shows no difference at a fraction of the pixels.
    var reduction: Int { sigma >= 6 ? 4 : sigma >= 3 ? 2 : 1 }

    /// How many of the reduced pixels it reaches beyond the thing, with one that is clear.
    var reach: Int { boxRadii(sigma: sigma / Double(reduction)).reduce(1, +) }
}

extension Canvas {
    /// Casts the shadow of what `fill` draws in `bounds` of the card.
    func draw(_ shadow: CardShadow, of bounds: Box, _ fill: (Canvas) -> Void) throws(CardError) {
        let reduction = shadow.reduction
        let scale = Double(reduction)
        // What lies above the card casts its shadow down onto it.
        let above = (shadow.offset / scale).rounded(.up)
        func range(_ start: Double, _ end: Double, from least: Double, to most: Int) -> Range<Int>? {
            let reach = Double(shadow.reach)
            let first = max((start / scale).rounded(.down) - reach, least)
            let past = min((end / scale).rounded(.up) + reach, Double(most / reduction + 1))
            return first < past ? Int(first)..<Int(past) : nil
        }
        guard let columns = range(bounds.left, bounds.right, from: 0, to: width),
            let rows = range(bounds.top, bounds.bottom, from: -above, to: height)
        else { return }
        let (left, top) = (Double(columns.lowerBound * reduction), Double(rows.lowerBound * reduction))
        let box = Box(
            left: left, top: top + shadow.offset - scale, width: Double(columns.count * reduction),
            height: Double((rows.count + 2) * reduction))
        guard let area = PixelArea(box, on: self) else { return }
        let mask = try Canvas(width: columns.count, height: rows.count, .mask)
        cairo_scale(mask.cairo, 1 / scale, 1 / scale)
        cairo_translate(mask.cairo, -left, -top)
        mask.saved { fill(mask) }
        mask.blur(sigma: shadow.sigma / scale, channels: 1)
        try darken(through: mask, reduction: reduction, in: area, down: top + shadow.offset, opacity: shadow.opacity)
    }
}

extension Box {
    /// With the shadows of what lies in it.
    func with(_ shadows: [CardShadow]) -> Box {
        var (left, top, right, bottom) = (left, top, right, bottom)
        for shadow in shadows {
            let reach = Double((shadow.reach + 2) * shadow.reduction)
            left = min(left, self.left - reach)
            top = min(top, self.top - reach + shadow.offset)
            right = max(right, self.right + reach)
            bottom = max(bottom, self.bottom + reach + shadow.offset)
        }
        return Box(left: left, top: top, width: right - left, height: bottom - top)
    }
}
