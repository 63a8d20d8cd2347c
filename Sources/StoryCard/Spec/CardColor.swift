public import CSSColors

/// A colour in sRGB.
public typealias CardColor = CSSColor

extension CSSColor {
    public static let white = CardColor(red: 255, green: 255, blue: 255)
    public static let black = CardColor(red: 0, green: 0, blue: 0)
    /// For letters on a bright ground: softer than black.
    public static let ink = CardColor(red: 0x16, green: 0x18, blue: 0x1D)

    /// Behind a sticker without a background: the colour that Instagram takes.
    public static let bareBackground = CardColor(red: 0x22, green: 0x22, blue: 0x22)

    /// How bright it looks, from 0 to 1 (the luma weights of ITU-R BT.709).
    var brightness: Double {
        (0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)) / 255
    }

    /// This colour laid over an opaque one.
    func over(_ below: CardColor) -> CardColor {
        func mixed(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
            let (share, rest) = (Int(alpha), 255 - Int(alpha))
            let sum = Int(top) * share + Int(bottom) * rest
            return UInt8((sum + 127) / 255)
        }
        return CardColor(
            red: mixed(red, below.red), green: mixed(green, below.green), blue: mixed(blue, below.blue))
    }
}

/// A colour that is given, or one that is found when the card is drawn.
public enum CardPaint: Sendable, Hashable {
    case color(CardColor)
    /// Of a background or a shape: a colour that the picture is rich in. Of a text: white or nearly black, whichever can be
    /// read.
    case auto

    /// Reads what `CSSColor` reads, and "auto".
    public init(_ text: String) throws(CSSColorError) {
        self = text == "auto" ? .auto : .color(try CSSColor(text))
    }

    public static let white = CardPaint.color(.white)
    public static let black = CardPaint.color(.black)
    public static let bareBackground = CardPaint.color(.bareBackground)
}
