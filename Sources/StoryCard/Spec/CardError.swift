public import Files

/// Why a card cannot be composed.
public enum CardError: Error, Sendable, Hashable {
    /// The file at `path` is there, but no picture for a card.
    case image(path: String, ImageError)
    /// The picture's file cannot be read.
    case file(FileError)
    case size(CardSize)
    /// A number outside its range; `name` is the property's, `place` tells which one: "sticker 2".
    case number(name: String, place: String, value: Double, range: ClosedRange<Double>)
    /// A gradient without stops, or with stops that do not ascend.
    case stops
    /// Neither a background nor a sticker.
    case nothingToShow
    case font(String)
    /// No installed font has any of the text's characters. `text` counts from 1.
    case noGlyphs(text: Int, font: String)
    case outOfMemory

    /// What is wrong, as a clause without a full stop.
    public var what: String {
        switch self {
        case .image(let path, let error): "'\(path)' \(error.what)"
        case .file(let error): error.description
        case .size(let size): "the card's size is \(size)"
        case .number(let name, let place, let value, _): "the \(name) of \(place) is \(short(value))"
        case .stops: "the gradient's stops are not in order"
        case .nothingToShow: "the card has neither a background nor a sticker"
        case .font(let text): "'\(text)' is not a font"
        case .noGlyphs(let text, let font): "none of the characters of text \(text) can be drawn in '\(font)'"
        case .outOfMemory: "the card does not fit into memory"
        }
    }

    /// A sentence on the rule behind it; nil where it says itself.
    public var why: String? {
        switch self {
        case .image(_, let error): error.why
        case .file, .nothingToShow, .outOfMemory: nil
        case .size:
            "Each side is \(CardSize.sides.lowerBound) to \(CardSize.sides.upperBound) pixels, "
                + "both together \(CardSize.sidesTogether) at most."
        case .number(_, _, _, let range): "It is \(short(range.lowerBound)) to \(short(range.upperBound))."
        case .stops: "A gradient has at least one stop, and their places ascend from 0 to 1."
        case .font: "A font is a family, a style and a size of 4 to 2000 pixels."
        case .noGlyphs: "No installed font has them."
        }
    }

    /// A sentence on how to mend it.
    public var fix: String {
        switch self {
        case .image(_, let error): error.fix
        case .file(let error): error.isMissing ? "Check the path." : "Check the file and its permissions."
        case .size: "Write 1080x1920 for a story."
        case .number(let name, _, _, _): "Change the \(name)."
        case .stops: "Write the top colour at 0 and the bottom colour at 1."
        case .nothingToShow: "Add a sticker or a background."
        case .font: "Write it like 'Noto Sans Bold 44'."
        case .noGlyphs:
            "Install a font for this script (on Debian: fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji)."
        case .outOfMemory: "Make the card or its pictures smaller."
        }
    }
}

extension CardError: CustomStringConvertible {
    public var description: String { [what + ".", why, fix].compactMap { $0 }.joined(separator: " ") }
}

/// Without a fraction where there is none.
private func short(_ value: Double) -> String {
    abs(value) < 1e9 && value == value.rounded() ? String(Int(value)) : String(value)
}
