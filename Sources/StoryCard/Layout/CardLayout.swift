internal import Glibc

/// Where texts and stickers go on a card of some size.
///
///     0      ┌──────────┐
///            │          │  safe zone's top: 250 of 1920
///     top    │  texts   │
///            │ stickers │  in the middle of what the texts leave
///     center │  texts   │  below the stickers, as one group with them
///     bottom │  texts   │  end at the safe zone's bottom
///            │          │
///     height └──────────┘
struct CardLayout {
    let size: CardSize
    /// Pixels for each pixel of a card whose shorter side is 1080.
    let unit: Double
    let safeTop: Double
    let safeBottom: Double
    /// The column of texts.
    let left: Double
    let columnWidth: Double
    let gap: Double

    init(_ size: CardSize) {
        self.size = size
        unit = Double(min(size.width, size.height)) / 1080
        let (width, height) = (Double(size.width), Double(size.height))
        safeTop = (height * 250 / 1920).rounded()
        safeBottom = height - safeTop
        left = (width * 0.08).rounded()
        columnWidth = width - 2 * left
        gap = (56 * unit).rounded()
    }

    private var safeHeight: Double { safeBottom - safeTop }

    /// How much of the safe zone's height the texts of one place may take.
    func mostTextHeight(at place: CardText.Place, hasStickers: Bool) -> Double {
        switch place {
        case .top, .bottom: safeHeight * 0.25
        case .center: safeHeight * (hasStickers ? 0.2 : 0.45)
        }
    }

    /// Between two texts at the same place.
    var textGap: Double { (20 * unit).rounded() }
}

/// A rectangle, in pixels.
struct Box {
    var left: Double
    var top: Double
    var width: Double
    var height: Double
}

/// A sticker whose picture's size is known.
struct MeasuredSticker {
    var sticker: CardSticker
    /// Of the picture, in pixels.
    var width: Double
    var height: Double

    /// The size of the turned picture at scale 1.
    private var turned: (width: Double, height: Double) {
        let angle = sticker.rotation * .pi / 180
        let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
        return (width * cosine + height * sine, width * sine + height * cosine)
    }

    /// The factor to the picture's size when nothing else limits it than the sticker's own box.
    private func ownFactor(card: CardSize) -> Double {
        switch (sticker.width, sticker.height) {
        case (nil, nil):
            min(Double(card.width) * 0.8 / turned.width, Double(card.height) * 0.6 / turned.height)
        case (let boxWidth, let boxHeight):
            min((boxWidth ?? .infinity) / width, (boxHeight ?? .infinity) / height)
        }
    }

    /// The factor to the picture's size. A sticker without a size of its own does not pass `cell`.
    func factor(card: CardSize, cell: Box?) -> Double {
        var factor = ownFactor(card: card)
        if let cell, sticker.width == nil, sticker.height == nil {
            factor = min(factor, cell.width / turned.width, cell.height / turned.height)
        }
        return factor * sticker.scale
    }

    /// The height it takes up on the card.
    func height(card: CardSize, cell: Box?) -> Double { turned.height * factor(card: card, cell: cell) }
}
