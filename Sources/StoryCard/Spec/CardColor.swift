/// A colour in sRGB.
public struct CardColor: Sendable, Hashable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    /// 0 is invisible, 255 covers what is below.
    public var alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    public static let white = CardColor(red: 255, green: 255, blue: 255)
    public static let black = CardColor(red: 0, green: 0, blue: 0)

    /// Reads `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
    ///
    /// - Parameter text: nil and "" are what YAML makes of a colour without quotes; the error says so.
    public static func parse(_ text: String?) throws(CardColorError) -> CardColor {
        guard let text, !text.isEmpty else { throw .missing }
        guard text.utf8.first == UInt8(ascii: "#") else {
            throw isHexadecimal(text) ? .missingHash(text) : .notAColor(text)
        }
        let digits = text.utf8.dropFirst().compactMap(hexadecimalValue)
        guard digits.count == text.utf8.count - 1 else { throw .notAColor(text) }
        let channels: [UInt8]
        switch digits.count {
        case 3, 4: channels = digits.map { $0 * 17 }
        case 6, 8: channels = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        default: throw .notAColor(text)
        }
        return CardColor(
            red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 255)
    }

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

/// Why a text is no colour.
public enum CardColorError: Error, Sendable, Hashable, CustomStringConvertible {
    case missing
    /// Hexadecimal digits without the `#`.
    case missingHash(String)
    case notAColor(String)

    public var what: String {
        switch self {
        case .missing: "the colour is missing"
        case .missingHash(let text), .notAColor(let text): "'\(text)' is not a colour"
        }
    }

    public var why: String? {
        switch self {
        case .missing: "In YAML, '#' after a space starts a comment, so a colour without quotes vanishes."
        case .missingHash: "A colour begins with '#'."
        case .notAColor: "A colour is #rgb, #rrggbb or #rrggbbaa, in hexadecimal digits."
        }
    }

    public var fix: String {
        switch self {
        case .missing: "Write it in quotes: \"#FF9500\"."
        case .missingHash(let text): "Write \"#\(text)\", with the quotes."
        case .notAColor: "Write it like \"#FF9500\", with the quotes."
        }
    }

    public var description: String { [what + ".", why, fix].compactMap { $0 }.joined(separator: " ") }
}

private func isHexadecimal(_ text: String) -> Bool {
    [3, 6, 8].contains(text.utf8.count) && text.utf8.allSatisfy { hexadecimalValue($0) != nil }
}

private func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
