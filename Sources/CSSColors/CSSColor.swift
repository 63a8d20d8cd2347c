/// A colour in sRGB, written as in CSS (CSS Color Module Level 4).
public struct CSSColor: Sendable, Hashable {
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

    /// Reads a colour.
    ///
    /// | form | examples |
    /// |---|---|
    /// | hexadecimal digits | `#f80` `#f808` `#ff8800` `#ff880080` |
    /// | red, green, blue | `rgb(255, 136, 0)` `rgb(100% 53% 0% / 50%)` `rgba(255, 136, 0, 0.5)` |
    /// | hue, saturation, lightness | `hsl(32, 100%, 50%)` `hsl(32deg 100% 50% / 0.5)` `hsla(32, 100%, 50%, 0.5)` |
    /// | names | `tomato` `RebeccaPurple` `transparent` |
    public init(_ text: String) throws(CSSColorError) {
        let word = text.lowercased()
        if word.utf8.first == UInt8(ascii: "#") {
            guard let color = CSSColor(hexadecimal: word.utf8.dropFirst()) else { throw .notAColor(text) }
            self = color
        } else if let open = word.firstIndex(of: "("), word.hasSuffix(")") {
            let arguments = word[word.index(after: open)...].dropLast()
            guard let color = CSSColor(function: String(word[..<open]), arguments: String(arguments)) else {
                throw .notAColor(text)
            }
            self = color
        } else if word == "transparent" {
            self.init(red: 0, green: 0, blue: 0, alpha: 0)
        } else if let number = CSSColor.names[word] {
            self.init(red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
        } else {
            throw CSSColor(hexadecimal: word.utf8) == nil ? .notAColor(text) : .missingHash(text)
        }
    }

    private init?(hexadecimal text: some Collection<UInt8>) {
        let digits = text.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == text.count else { return nil }
        let channels: [UInt8]
        switch digits.count {
        case 3, 4: channels = digits.map { $0 * 17 }
        case 6, 8: channels = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        default: return nil
        }
        self.init(
            red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 255)
    }
}

/// Why a text is no colour.
public enum CSSColorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Hexadecimal digits without the `#`.
    case missingHash(String)
    case notAColor(String)

    /// What is wrong, as a clause without a full stop.
    public var what: String {
        switch self {
        case .missingHash(let text), .notAColor(let text): "'\(text)' is not a colour"
        }
    }

    public var why: String {
        switch self {
        case .missingHash: "Hexadecimal digits begin with '#'."
        case .notAColor: "A colour is #rgb, #rrggbb, #rrggbbaa, rgb(…), hsl(…) or a name of CSS such as tomato."
        }
    }

    public var fix: String {
        switch self {
        case .missingHash(let text): "Write \"#\(text)\", with the quotes."
        case .notAColor(let text):
            CSSColor.nearestName(text).map { "Did you mean '\($0)'?" } ?? "Write it like \"#FF9500\", with the quotes."
        }
    }

    public var description: String { [what + ".", why, fix].joined(separator: " ") }
}
