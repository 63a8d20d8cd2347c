internal import Glibc

/// Where texts and stickers go on a card of some size.
///
///     0      ┌──────────┐
///            │          │  margin; of a story 250 of 1920, where the player's own controls are
///     top    │  texts   │
///            │ stickers │  in the middle of what the texts leave
///     center │  texts   │  below the stickers, as one group with them
///     bottom │  texts   │  end at the lower margin
///            │          │
///     height └──────────┘
struct CardLayout {
    let size: CardSize
    /// Pixels for each pixel of a card whose shorter side is 1080.
    let unit: Double
    /// The card without its margins.
    let inner: Box
    let gap: Double

    init(_ size: CardSize) {
        self.size = size
        unit = Double(min(size.width, size.height)) / 1080
        let (width, height) = (Double(size.width), Double(size.height))
        let across = (size.isStory ? width * 0.08 : 92 * unit).rounded()
        let down = (size.isStory ? height * 250 / 1920 : 92 * unit).rounded()
        inner = Box(left: across, top: down, width: width - 2 * across, height: height - 2 * down)
        gap = (56 * unit).rounded()
    }

    var whole: Box { Box(left: 0, top: 0, width: Double(size.width), height: Double(size.height)) }

    /// How much of the column's height the texts of one place may take.
    ///
    /// - Parameter free: what the texts at top and bottom leave.
    func mostTextHeight(at place: CardTextPlace, in column: Box, free: Double, hasStickers: Bool) -> Double {
        switch place {
        case .top: column.height * (hasStickers ? 0.25 : 0.3)
        case .bottom: column.height * (hasStickers ? 0.25 : 0.5)
        case .center: hasStickers ? column.height * 0.2 : free
        }
    }

    /// Between two texts at the same place.
    var textGap: Double { (20 * unit).rounded() }

    /// A box of that size at its place in `frame`.
    func box(width: Double, height: Double, at placement: CardPlacement, in frame: Box) -> Box {
        let shares = placement.at.shares
        return Box(
            left: frame.left + (frame.width - width) * shares.x + placement.x.pixels(of: Double(size.width)),
            top: frame.top + (frame.height - height) * shares.y + placement.y.pixels(of: Double(size.height)),
            width: width, height: height)
    }
}

/// A rectangle, in pixels.
struct Box: Hashable {
    var left: Double
    var top: Double
    var width: Double
    var height: Double

    var right: Double { left + width }
    var bottom: Double { top + height }
    var center: CardPoint { CardPoint(x: left + width / 2, y: top + height / 2) }

    func inset(by distance: Double) -> Box {
        Box(
            left: left + distance, top: top + distance, width: max(width - 2 * distance, 0),
            height: max(height - 2 * distance, 0))
    }

    func meets(_ other: Box) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    /// The upright box around this one, turned about its middle.
    func turned(degrees: Double) -> Box {
        guard degrees != 0 else { return self }
        let angle = degrees * .pi / 180
        let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
        let (width, height) = (width * cosine + height * sine, width * sine + height * cosine)
        return Box(left: center.x - width / 2, top: center.y - height / 2, width: width, height: height)
    }
}

/// A point, in pixels from the top left corner.
struct CardPoint: Hashable {
    var x: Double
    var y: Double
}
