/// A drawn form.
public struct CardShape: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case rectangle
        /// An ellipse where width and height differ.
        case circle
        /// With round ends; `width` is its length, `height` its thickness.
        case line
    }

    public enum Layer: String, Sendable, Hashable, CaseIterable {
        /// Under the stickers.
        case below
        /// Over the stickers, under the texts.
        case above
    }

    public enum Fill: Sendable, Hashable {
        case none
        case color(CardPaint)
        case gradient(CardGradient)
    }

    public var kind: Kind
    public var layer: Layer
    /// On the whole card.
    public var placement: CardPlacement
    /// The texts that it is a plate for: it lies around those that flow there, and is not drawn when there are none. Its
    /// anchor has no meaning then.
    public var around: CardTextPlace?
    /// Of a plate, between its edge and the texts, in pixels.
    public var padding: Double
    /// Nil: the height; without that 40 % of the card's width. Of a plate what the texts take, and at most the column's.
    public var width: CardLength?
    /// Nil: the width; of a line 4 pixels for each 1080 of the card's shorter side; of a plate what the texts take.
    public var height: CardLength?
    /// In degrees clockwise.
    public var rotation: Double
    /// Of a rectangle's corners; a percentage is of its shorter side.
    public var radius: CardLength
    public var fill: Fill
    /// Inside the form.
    public var border: CardBorder?
    /// How strong the soft shadow below it is: 0 is none, 1 that of stickers.
    public var shadow: Double
    /// From 0, invisible, to 1.
    public var opacity: Double

    public init(
        _ kind: Kind, layer: Layer = .below, placement: CardPlacement = CardPlacement(.center),
        around: CardTextPlace? = nil, padding: Double = 48, width: CardLength? = nil, height: CardLength? = nil,
        rotation: Double = 0, radius: CardLength = 0, fill: Fill = .color(.white), border: CardBorder? = nil,
        shadow: Double = 0, opacity: Double = 1
    ) {
        self.kind = kind
        self.layer = layer
        self.placement = placement
        self.around = around
        self.padding = padding
        self.width = width
        self.height = height
        self.rotation = rotation
        self.radius = radius
        self.fill = fill
        self.border = border
        self.shadow = shadow
        self.opacity = opacity
    }
}

/// A QR code (ISO/IEC 18004) on a plate with the quiet zone of four modules that the standard asks for.
public struct CardQRCode: Sendable, Hashable {
    /// How much of it may be hidden or damaged: about 7, 15, 25 and 30 %.
    public enum Correction: String, Sendable, Hashable, CaseIterable {
        case low, medium, quartile, high
    }

    /// As a rule a link; UTF-8, up to 2331 bytes at medium correction.
    public var text: String
    /// In the card without its margins; nil is the bottom right corner, or the next one that the logo leaves free.
    public var placement: CardPlacement?
    /// The plate's side; nil is 220 for each 1080 of the card's shorter side.
    public var size: CardLength?
    public var color: CardColor
    public var ground: CardColor
    /// Of the plate's corners; a percentage is of its side.
    public var radius: CardLength
    public var correction: Correction

    public init(
        _ text: String, placement: CardPlacement? = nil, size: CardLength? = nil,
        color: CardColor = .black, ground: CardColor = .white, radius: CardLength = .percent(8),
        correction: Correction = .medium
    ) {
        self.text = text
        self.placement = placement
        self.size = size
        self.color = color
        self.ground = ground
        self.radius = radius
        self.correction = correction
    }
}
