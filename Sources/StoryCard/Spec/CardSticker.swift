/// A picture laid on the card.
public struct CardSticker: Sendable, Hashable {
    public enum Fit: String, Sendable, Hashable, CaseIterable {
        /// The whole picture is shown, as large as the box allows.
        case contain
        /// The picture fills the box; what sticks out is cut off.
        case cover
    }

    public enum Frame: Sendable, Hashable {
        case card
        /// The card without its margins.
        case margins
    }

    public var image: String
    /// The box of the picture and its border; nil is 80 % of the card's width and 60 % of its height.
    public var width: CardLength?
    public var height: CardLength?
    /// Makes the fitted picture larger or smaller.
    public var scale: Double
    public var fit: Fit
    /// For `cover`: what is kept.
    public var focus: CardFocus
    /// Nil finds a place between the texts, next to the other such stickers; of a logo a corner.
    public var placement: CardPlacement?
    /// What `placement` refers to.
    public var frame: Frame
    /// In degrees clockwise.
    public var rotation: Double
    /// Of the rounded corners; nil is 48 for each 1080 of the card's shorter side, 0 is none. A percentage is of the
    /// sticker's own shorter side: 50 % makes a circle of a square.
    public var radius: CardLength?
    public var border: CardBorder?
    /// How strong the soft shadow below it is: 0 is none, 1 the usual one.
    public var shadow: Double
    /// From 0, invisible, to 1.
    public var opacity: Double

    public init(
        image: String, width: CardLength? = nil, height: CardLength? = nil, scale: Double = 1, fit: Fit = .contain,
        focus: CardFocus = .center, placement: CardPlacement? = nil, frame: Frame = .card, rotation: Double = 0,
        radius: CardLength? = nil, border: CardBorder? = nil, shadow: Double = 1, opacity: Double = 1
    ) {
        self.image = image
        self.width = width
        self.height = height
        self.scale = scale
        self.fit = fit
        self.focus = focus
        self.placement = placement
        self.frame = frame
        self.rotation = rotation
        self.radius = radius
        self.border = border
        self.shadow = shadow
        self.opacity = opacity
    }
}

/// A frame around a picture.
public struct CardBorder: Sendable, Hashable {
    /// In pixels.
    public var width: Double
    /// Below the picture, in pixels; nil is `width`. A wide one makes a polaroid.
    public var bottom: Double?
    public var color: CardPaint

    public init(width: Double, bottom: Double? = nil, color: CardPaint = .white) {
        self.width = width
        self.bottom = bottom
        self.color = color
    }
}
