internal import Glibc

/// A sticker whose picture's size is known.
struct MeasuredSticker {
    let sticker: CardSticker
    /// Of the picture, in pixels.
    let width: Double
    let height: Double
    /// What its border adds to the picture, in pixels.
    let borderAcross: Double
    let borderDown: Double
    /// Whether other stickers find their places beside it.
    var hasNeighbours = false

    /// - Parameter card: turns percentages into pixels.
    init(_ sticker: CardSticker, width: Int, height: Int, card: CardSize) {
        self.sticker = sticker
        let border = sticker.border
        borderAcross = (border?.width ?? 0) * 2
        borderDown = (border?.width ?? 0) + (border.map { $0.bottom ?? $0.width } ?? 0)
        guard sticker.fit == .cover else {
            (self.width, self.height) = (Double(width), Double(height))
            return
        }
        let box = MeasuredSticker.box(sticker, card)
        self.width = max((box.width ?? Double(card.width) * 0.8) - borderAcross, 1)
        self.height = max((box.height ?? Double(card.height) * 0.6) - borderDown, 1)
    }

    private static func box(_ sticker: CardSticker, _ card: CardSize) -> (width: Double?, height: Double?) {
        (sticker.width?.pixels(of: Double(card.width)), sticker.height?.pixels(of: Double(card.height)))
    }

    /// The factor to the picture's size when nothing else limits it than the sticker's own box.
    private func ownFactor(card: CardSize) -> Double {
        if sticker.fit == .cover { return 1 }
        switch MeasuredSticker.box(sticker, card) {
        case (nil, nil): return turnedFactor(width: Double(card.width) * 0.8, height: Double(card.height) * 0.6)
        case (let boxWidth, let boxHeight):
            return max(
                min(
                    ((boxWidth ?? .infinity) - borderAcross) / width,
                    ((boxHeight ?? .infinity) - borderDown) / height),
                1 / max(width, height))
        }
    }

    /// The factor at which the turned sticker, border and all, just fits.
    private func turnedFactor(width boxWidth: Double, height boxHeight: Double) -> Double {
        let angle = sticker.rotation * .pi / 180
        let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
        let across = (boxWidth - borderAcross * cosine - borderDown * sine) / (width * cosine + height * sine)
        let down = (boxHeight - borderAcross * sine - borderDown * cosine) / (width * sine + height * cosine)
        return max(min(across, down), 1 / max(width, height))
    }

    /// The factor to the picture's size. A sticker does not pass `cell`, where it would run into texts or another sticker;
    /// alone and with nothing beside it, one with a size of its own may be as wide as it likes.
    func factor(card: CardSize, cell: Box?) -> Double {
        var factor = ownFactor(card: card)
        if let cell {
            let isNarrow = cell.width < CardLayout(card).inner.width
            let isFree = !hasNeighbours && !isNarrow && (sticker.width != nil || sticker.height != nil)
            let limit = turnedFactor(width: isFree ? .greatestFiniteMagnitude : cell.width, height: cell.height)
            factor = min(factor, limit)
        }
        return factor * sticker.scale
    }

    /// Of the picture, in square pixels.
    func shownArea(card: CardSize, cell: Box?) -> Double {
        let factor = factor(card: card, cell: cell)
        return width * height * factor * factor
    }

    /// The size on the card before turning, in whole pixels of the picture.
    func size(card: CardSize, cell: Box?) -> (
        picture: (width: Int, height: Int), whole: (width: Double, height: Double)
    ) {
        let factor = factor(card: card, cell: cell)
        let (width, height) = (
            max((self.width * factor).rounded(), 1), max((self.height * factor).rounded(), 1)
        )
        return ((Int(min(width, 1e6)), Int(min(height, 1e6))), (width + borderAcross, height + borderDown))
    }
}
