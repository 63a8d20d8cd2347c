/// What a card shows. Lengths are pixels of the card.
public struct CardSpec: Sendable, Hashable {
    public var size: CardSize
    public var format: CardFormat
    /// Nil is `CardColor.bareBackground`, and takes a sticker.
    public var background: CardBackground?
    /// From the lowest to the topmost.
    public var stickers: [CardSticker]
    /// Above the stickers. Those at one place stand one below another, in this order.
    public var texts: [CardText]

    public init(
        size: CardSize = .story, format: CardFormat = .jpeg(), background: CardBackground? = nil,
        stickers: [CardSticker] = [], texts: [CardText] = []
    ) {
        self.size = size
        self.format = format
        self.background = background
        self.stickers = stickers
        self.texts = texts
    }
}

extension CardColor {
    /// Behind a sticker without a background: the colour that Instagram takes.
    public static let bareBackground = CardColor(red: 0x22, green: 0x22, blue: 0x22)
}

/// Width and height in pixels.
public struct CardSize: Sendable, Hashable, CustomStringConvertible {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size of a story, on Instagram and VK.
    public static let story = CardSize(width: 1080, height: 1920)

    /// Each side; together they may be 14000 at most, as in a VK photo.
    public static let sides = 16...8000
    static let sidesTogether = 14_000

    /// Reads "1080x1920"; nil when the text is not like that. The range is checked when the card is composed.
    public init?(_ text: String) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1] else { return nil }
        self.init(width: width, height: height)
    }

    public var description: String { "\(width)x\(height)" }
}

/// The format of the finished card.
public enum CardFormat: Sendable, Hashable {
    /// - Parameter quality: 1 to 100.
    case jpeg(quality: Int = 90)
    case png

    /// Without the dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        }
    }
}

/// What lies behind everything. What it leaves transparent shows `CardColor.bareBackground`.
public enum CardBackground: Sendable, Hashable {
    case color(CardColor)
    case gradient(CardGradient)
    case image(CardBackgroundImage)
}

/// Colours that run into one another along a straight line.
public struct CardGradient: Sendable, Hashable {
    /// A colour and its place, from 0 where the line begins to 1 where it ends.
    public struct Stop: Sendable, Hashable {
        public var color: CardColor
        public var at: Double

        public init(_ color: CardColor, at place: Double) {
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

    public init(top: CardColor, bottom: CardColor) { self.init(stops: [Stop(top, at: 0), Stop(bottom, at: 1)]) }
}

/// A picture that covers the whole card; what sticks out at the sides is cut off.
public struct CardBackgroundImage: Sendable, Hashable {
    public var path: String
    /// The standard deviation of the blur, in pixels; 0 is none. About 40 makes a calm backdrop.
    public var blur: Double
    /// How much black is laid over it, from 0 to 1.
    public var dim: Double

    public init(path: String, blur: Double = 0, dim: Double = 0) {
        self.path = path
        self.blur = blur
        self.dim = dim
    }
}

/// A point, in pixels from the top left corner.
public struct CardPoint: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A picture laid on the card.
public struct CardSticker: Sendable, Hashable {
    public var image: String
    /// The box into which the picture is fitted; nil is 80 % of the card's width and 60 % of its height.
    public var width: Double?
    public var height: Double?
    /// Makes the fitted picture larger or smaller.
    public var scale: Double
    /// Where its middle lies. Nil finds a place between the texts, next to the other such stickers.
    public var center: CardPoint?
    /// In degrees clockwise.
    public var rotation: Double
    /// Of the rounded corners; nil is 48 for each 1080 of the card's shorter side, 0 is none.
    public var radius: Double?
    /// Whether a soft shadow lies below it.
    public var shadow: Bool

    public init(
        image: String, width: Double? = nil, height: Double? = nil, scale: Double = 1, center: CardPoint? = nil,
        rotation: Double = 0, radius: Double? = nil, shadow: Bool = true
    ) {
        self.image = image
        self.width = width
        self.height = height
        self.scale = scale
        self.center = center
        self.rotation = rotation
        self.radius = radius
        self.shadow = shadow
    }
}

/// A block of text.
///
/// It keeps out of the zones that the story player's own controls cover: 250 pixels at the top and the bottom of
/// 1920. A text of nothing but spaces is not drawn.
public struct CardText: Sendable, Hashable {
    public enum Place: String, Sendable, Hashable, CaseIterable {
        case top, center, bottom
    }

    /// For a text written from right to left, `left` means the side where it starts.
    public enum Alignment: String, Sendable, Hashable, CaseIterable {
        case left, center, right
    }

    /// Plain, not markup. Line breaks are kept.
    public var text: String
    public var at: Place
    /// Family, style and size in pixels, as Pango reads them: "Noto Sans Bold 44". Without a size it is 44.
    public var font: String
    public var color: CardColor
    public var alignment: Alignment
    /// How small the letters may become for the text to fit, in pixels; nil is half of the font's size. What does not
    /// fit even so is cut, and ends in "…".
    public var minimumSize: Double?
    /// Whether bright letters have a faint shadow, so that they can be read on a bright picture.
    public var shadow: Bool

    public static let defaultFont = "Noto Sans Bold 44"

    public init(
        _ text: String, at place: Place = .bottom, font: String = CardText.defaultFont, color: CardColor = .white,
        alignment: Alignment = .center, minimumSize: Double? = nil, shadow: Bool = true
    ) {
        self.text = text
        self.at = place
        self.font = font
        self.color = color
        self.alignment = alignment
        self.minimumSize = minimumSize
        self.shadow = shadow
    }
}
