/// What a card shows. Layers from the bottom: background, shapes below, stickers, shapes above, logo, QR code, texts.
public struct CardSpec: Sendable, Hashable {
    public var size: CardSize
    public var format: CardFormat
    /// Nil is `CardColor.bareBackground`, and takes a sticker.
    public var background: CardBackground?
    /// From the lowest to the topmost.
    public var shapes: [CardShape]
    /// From the lowest to the topmost.
    public var stickers: [CardSticker]
    /// A watermark. Without a placement it stands in the bottom right corner, or the next one that the QR code leaves free.
    public var logo: CardSticker?
    public var qrCode: CardQRCode?
    public var texts: [CardText]

    /// Of the stickers, the shapes and the texts each: what a card is drawn of in seconds.
    public static let mostLayers = 200

    public init(
        size: CardSize = .story, format: CardFormat = .jpeg(), background: CardBackground? = nil,
        shapes: [CardShape] = [], stickers: [CardSticker] = [], logo: CardSticker? = nil, qrCode: CardQRCode? = nil,
        texts: [CardText] = []
    ) {
        self.size = size
        self.format = format
        self.background = background
        self.shapes = shapes
        self.stickers = stickers
        self.logo = logo
        self.qrCode = qrCode
        self.texts = texts
    }
}

/// Width and height in pixels.
public struct CardSize: Sendable, Hashable, CustomStringConvertible {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Of a story, on Instagram and VK.
    public static let story = CardSize(width: 1080, height: 1920)
    public static let square = CardSize(width: 1080, height: 1080)
    /// The tallest photo of Instagram's feed.
    public static let portrait = CardSize(width: 1080, height: 1350)
    /// The picture of a link's preview (Open Graph).
    public static let link = CardSize(width: 1200, height: 630)

    /// By the names that `init(_:)` reads.
    public static let named: [(name: String, size: CardSize)] = [
        ("story", .story), ("square", .square), ("portrait", .portrait), ("link", .link),
    ]

    /// Each side; together they may be 14000 at most, as in a VK photo.
    public static let sides = 16...8000
    static let sidesTogether = 14_000

    /// Reads "1080x1920" or a name; nil when the text is neither. The range is checked when the card is composed.
    public init?(_ text: String) {
        if let size = CardSize.named.first(where: { $0.name == text })?.size {
            self = size
            return
        }
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1] else { return nil }
        self.init(width: width, height: height)
    }

    public var description: String { "\(width)x\(height)" }

    /// Whether it is shown full-screen by a player that lays its own controls over it: a ratio near 9:16 or taller.
    var isStory: Bool { height * 100 >= width * 165 }
}

/// The format of the finished card.
public enum CardFormat: Sendable, Hashable {
    /// - Parameters:
    ///   - quality: 1 to 100.
    ///   - fullChroma: whether colours are kept at every pixel (4:4:4) and not at every fourth (4:2:0): larger, with
    ///     sharper edges between saturated colours.
    case jpeg(quality: Int = 90, fullChroma: Bool = false)
    case png
    /// - Parameter quality: 1 to 100.
    case webp(quality: Int = 90)

    /// Without the dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webp: "webp"
        }
    }
}
