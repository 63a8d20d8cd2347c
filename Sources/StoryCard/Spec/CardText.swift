/// A block of text.
///
/// Without a box and an offset it flows: those at `top`, `center` and `bottom` stand one below another in the card's column,
/// between its margins. A text of nothing but spaces is not drawn.
public struct CardText: Sendable, Hashable {
    /// For a text written from right to left, `left` means the side where it starts.
    public enum Alignment: String, Sendable, Hashable, CaseIterable {
        case left, center, right
    }

    public enum Wrap: String, Sendable, Hashable, CaseIterable {
        /// Between words; a word that is wider than the column is broken.
        case word
        /// Anywhere.
        case char
        /// Lines end only where the text says so.
        case none
    }

    /// Plain, not markup. Line breaks are kept.
    public var text: String
    /// In the card without its margins.
    public var placement: CardPlacement
    /// The box; nil is the column's width, and as much height as the text needs.
    public var width: CardLength?
    public var height: CardLength?
    /// In degrees clockwise, about the middle of the block; on a sticker from the sticker's own.
    public var rotation: Double
    /// Whether it is written on the lower border of the first sticker, or, where that is narrow, over the lower edge of its
    /// picture. Without a sticker it stands where `placement` says.
    public var isOnSticker: Bool
    /// Among those that flow at one place: the lowest first, equal ones as they are listed.
    public var order: Int
    /// Of a text that flows: whether it begins and ends with its letters, without the room that the font keeps above and
    /// below them.
    public var isTrimmed: Bool
    /// Family, style and size in pixels, as Pango reads them: "Noto Sans Bold 44". Without a size it is 44.
    public var font: String
    /// In pixels; nil is the font's own.
    public var size: Double?
    /// From 100 to 1000, 400 is regular and 700 bold; nil is the font's own.
    public var weight: Int?
    public var color: CardPaint
    /// Nil follows the anchor: left at the left side, right at the right, else centred.
    public var alignment: Alignment?
    /// From one line to the next, as a multiple of what the font wants.
    public var lineSpacing: Double
    /// Added between letters, in pixels.
    public var letterSpacing: Double
    public var wrap: Wrap
    /// Nil is as many as there is room for.
    public var maxLines: Int?
    /// How small the letters may become for the text to fit, in pixels; nil is half of the font's size. What does not
    /// fit even so is cut, and ends in "…".
    public var minimumSize: Double?
    /// Added above a text that flows below another, in pixels.
    public var spaceAbove: Double
    public var pill: CardPill?
    public var outline: CardOutline?
    /// Whether bright letters have a faint shadow; nil: where the ground is restless or as bright as they are.
    public var shadow: Bool?

    public static let defaultFont = "Noto Sans Bold 44"
    public static let defaultLineSpacing = 0.94

    public init(
        _ text: String, at anchor: CardAnchor = .bottom, font: String = CardText.defaultFont,
        color: CardPaint = .auto, alignment: Alignment? = nil, minimumSize: Double? = nil, shadow: Bool? = nil
    ) {
        self.text = text
        placement = CardPlacement(anchor)
        rotation = 0
        isOnSticker = false
        order = 0
        isTrimmed = false
        self.font = font
        self.color = color
        self.alignment = alignment
        lineSpacing = CardText.defaultLineSpacing
        letterSpacing = 0
        wrap = .word
        spaceAbove = 0
        self.minimumSize = minimumSize
        self.shadow = shadow
    }

    /// Whether it stands in the column with others.
    var flows: Bool {
        !isOnSticker && placement.at.shares.x == 0.5 && !placement.isMoved && height == nil
    }
}

extension CardSpec {
    /// Texts that are written over an earlier one, whatever they say: both on the first sticker, or both at one place without
    /// standing below one another. Positions count from 0.
    public var coveringTexts: [(text: Int, earlier: Int)] {
        let isOnSticker = texts.map { $0.isOnSticker && !stickers.isEmpty }
        let fixed = texts.indices.filter {
            !texts[$0].flows && !TextBlock.drawable(texts[$0].text).isEmpty
        }
        return fixed.compactMap { text in
            let earlier = fixed.prefix { $0 < text }.first { other in
                isOnSticker[other] == isOnSticker[text]
                    && (isOnSticker[text] || texts[other].placement == texts[text].placement)
            }
            return earlier.map { (text, $0) }
        }
    }
}

/// A plate behind a text.
public struct CardPill: Sendable, Hashable {
    public var color: CardPaint
    /// Around the letters, in pixels; nil follows their size. Half of it above and below.
    public var padding: Double?
    /// Of the corners, in pixels; nil is round for one line.
    public var radius: Double?

    public init(color: CardPaint, padding: Double? = nil, radius: Double? = nil) {
        self.color = color
        self.padding = padding
        self.radius = radius
    }
}

/// A line around letters.
public struct CardOutline: Sendable, Hashable {
    /// Outside the letters, in pixels.
    public var width: Double
    public var color: CardPaint

    public init(width: Double, color: CardPaint) {
        self.width = width
        self.color = color
    }
}
