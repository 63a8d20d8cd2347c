/// A part of a spec, for messages.
public struct CardPart: Sendable, Hashable, CustomStringConvertible {
    /// Positions count from 0.
    public enum Layer: Sendable, Hashable, CustomStringConvertible {
        case card, background, logo, qrCode
        case shape(Int)
        case sticker(Int)
        case text(Int)

        public var description: String {
            switch self {
            case .card: "the card"
            case .background: "the background"
            case .logo: "the logo"
            case .qrCode: "the QR code"
            case .shape(let index): "shape \(index + 1)"
            case .sticker(let index): "sticker \(index + 1)"
            case .text(let index): "text \(index + 1)"
            }
        }
    }

    public var layer: Layer
    /// As the parameters of `card.compose` are called: "radius", "border.width".
    public var key: String

    public init(_ layer: Layer, _ key: String) {
        self.layer = layer
        self.key = key
    }

    public var description: String { "'\(key)' of \(layer)" }
}
