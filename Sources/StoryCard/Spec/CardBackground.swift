/// What lies behind everything. What it leaves transparent shows `CardColor.bareBackground`.
public enum CardBackground: Sendable, Hashable {
    case color(CardPaint)
    case gradient(CardGradient)
    case image(CardBackgroundImage)
}

/// Colours that run into one another along a straight line.
public struct CardGradient: Sendable, Hashable {
    /// A colour and its place, from 0 where the line begins to 1 where it ends.
    public struct Stop: Sendable, Hashable {
        public var color: CardPaint
        public var at: Double

        public init(_ color: CardPaint, at place: Double) {
            self.color = color
            self.at = place
        }
    }

    /// At least one, in ascending order of place.
    public var stops: [Stop]
    /// In degrees clockwise; 0 points up, 180 down, as in CSS.
    public var angle: Double

    public init(stops: [Stop], angle: Double = 180) {
        self.stops = stops
        self.angle = angle
    }

    public init(top: CardPaint, bottom: CardPaint, angle: Double = 180) {
        self.init(stops: [Stop(top, at: 0), Stop(bottom, at: 1)], angle: angle)
    }
}

/// A picture that covers the whole card; what sticks out at the sides is cut off.
public struct CardBackgroundImage: Sendable, Hashable {
    /// Nil is the first sticker's picture.
    public var path: String?
    /// The standard deviation of the blur, in pixels; 0 is none. About 40 makes a calm backdrop.
    public var blur: Double
    /// How much black is laid over it, from 0 to 1.
    public var dim: Double
    /// What is kept when something must be cut off.
    public var focus: CardFocus

    public init(path: String?, blur: Double = 0, dim: Double = 0, focus: CardFocus = .center) {
        self.path = path
        self.blur = blur
        self.dim = dim
        self.focus = focus
    }
}
