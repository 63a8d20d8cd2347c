/// Where texts that flow stand.
public enum CardTextPlace: String, Sendable, Hashable, CaseIterable {
    case top, center, bottom

    init(_ anchor: CardAnchor) {
        switch anchor.shares.y {
        case 0: self = .top
        case 1: self = .bottom
        default: self = .center
        }
    }
}
