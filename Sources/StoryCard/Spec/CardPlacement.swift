/// A length on the card.
public enum CardLength: Sendable, Hashable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    case pixels(Double)
    /// Of the card's width for what runs across, of its height for what runs down.
    case percent(Double)

    public init(floatLiteral value: Double) { self = .pixels(value) }
    public init(integerLiteral value: Int) { self = .pixels(Double(value)) }

    /// Reads "40", "40px" or "12.5%"; nil when the text is not like that.
    public init?(_ text: String) {
        let isPercent = text.hasSuffix("%")
        let digits = isPercent ? text.dropLast() : text.hasSuffix("px") ? text.dropLast(2) : text[...]
        guard let first = digits.utf8.first, first == UInt8(ascii: "-") || first < UInt8(ascii: ":"),
            let number = Double(digits), number.isFinite
        else { return nil }
        self = isPercent ? .percent(number) : .pixels(number)
    }

    func pixels(of whole: Double) -> Double {
        switch self {
        case .pixels(let pixels): pixels
        case .percent(let share): whole * share / 100
        }
    }
}

/// A place in a frame, and the point of a thing that is put there: its own corner goes into a corner, its middle into the
/// middle.
public enum CardAnchor: String, Sendable, Hashable, CaseIterable {
    case topLeft = "top-left"
    case top
    case topRight = "top-right"
    case left, center, right
    case bottomLeft = "bottom-left"
    case bottom
    case bottomRight = "bottom-right"

    /// From 0, left and top, to 1, right and bottom.
    var shares: (x: Double, y: Double) {
        let x =
            switch self {
            case .topLeft, .left, .bottomLeft: 0.0
            case .top, .center, .bottom: 0.5
            case .topRight, .right, .bottomRight: 1.0
            }
        let y =
            switch self {
            case .topLeft, .top, .topRight: 0.0
            case .left, .center, .right: 0.5
            case .bottomLeft, .bottom, .bottomRight: 1.0
            }
        return (x, y)
    }
}

/// Where a thing is put: an anchor, and how far it is moved from there.
public struct CardPlacement: Sendable, Hashable {
    public var at: CardAnchor
    /// To the right, negative to the left.
    public var x: CardLength
    /// Downwards, negative upwards.
    public var y: CardLength

    public init(_ anchor: CardAnchor, x: CardLength = 0, y: CardLength = 0) {
        at = anchor
        self.x = x
        self.y = y
    }

    var isMoved: Bool { x.pixels(of: 1) != 0 || y.pixels(of: 1) != 0 }
}

/// A point of a picture, from 0, left and top, to 1, right and bottom.
public struct CardFocus: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    public static let center = CardFocus(x: 0.5, y: 0.5)

    /// Reads the name of an anchor, or two percentages: "30% 20%". Nil when the text is neither.
    public init?(_ text: String) {
        if let anchor = CardAnchor(rawValue: text) {
            self.init(x: anchor.shares.x, y: anchor.shares.y)
            return
        }
        let parts = text.split { $0.isWhitespace || $0 == "," }.map { CardLength(String($0)) }
        guard parts.count == 2, case .percent(let x) = parts[0], case .percent(let y) = parts[1],
            (0...100).contains(x), (0...100).contains(y)
        else { return nil }
        self.init(x: x / 100, y: y / 100)
    }
}
