public import Files
internal import Glibc

/// Why a card cannot be composed.
public enum CardError: Error, Sendable, Hashable {
    /// The file at `path` is there, but no picture for a card.
    case image(path: String, ImageError)
    /// The picture's file cannot be read.
    case file(FileError)
    case size(CardSize)
    /// A number outside its range.
    case number(CardPart, value: Double, range: ClosedRange<Double>)
    /// More stickers, shapes or texts than `CardSpec.mostLayers`.
    case layers(CardPart, count: Int)
    /// A gradient without stops, or with stops that do not ascend.
    case stops(CardPart)
    /// Neither a background nor a sticker.
    case nothingToShow
    /// A colour or a background is to be taken from a picture, and there is none.
    case noPicture(CardPart)
    case font(CardPart, String)
    /// No installed font has any of the text's characters.
    case noGlyphs(CardPart, font: String)
    /// The text does not fit into a QR code, or is empty.
    case code(bytes: Int)
    case outOfMemory

    /// The part of the spec that is at fault; nil where it is the whole, or a picture's file.
    public var part: CardPart? {
        switch self {
        case .image, .file, .nothingToShow, .outOfMemory: nil
        case .size: CardPart(.card, "size")
        case .code: CardPart(.qrCode, "link")
        case .number(let part, _, _), .layers(let part, _), .stops(let part), .noPicture(let part), .font(let part, _),
            .noGlyphs(let part, _):
            part
        }
    }

    /// What is wrong, as a clause without a full stop.
    public var what: String {
        switch self {
        case .image(let path, let error): "'\(path)' \(error.what)"
        case .file(let error):
            error.code == EINVAL ? "'\(error.path)' is a pipe or a device, not a picture" : error.description
        case .size(let size): "the card's size is \(size)"
        case .number(let part, _, _), .layers(let part, _), .stops(let part), .noPicture(let part):
            "\(part) \(predicate ?? "")"
        case .nothingToShow: "the card has neither a background nor a sticker"
        case .font(_, let text): "'\(text)' is not a font"
        case .noGlyphs(let part, let font): "none of the characters of \(part.layer) can be drawn in '\(font)'"
        case .outOfMemory: "the card does not fit into memory"
        case .code(let bytes): bytes == 0 ? "the QR code has no text" : "\(bytes) bytes do not fit into a QR code"
        }
    }

    /// How the sentence goes on that the name of the part begins; nil where there is no part, or more to it.
    public var predicate: String? {
        switch self {
        case .size(let size): "is \(size)"
        case .number(_, let value, _): "is \(short(value))"
        case .layers(_, let count): "are \(count)"
        case .stops: "are not in order"
        case .noPicture: "has no picture to take from"
        case .font(_, let text): "is '\(text)', not a font"
        case .code(let bytes): bytes == 0 ? "is empty" : "has \(bytes) bytes, too many for a QR code"
        case .image, .file, .nothingToShow, .noGlyphs, .outOfMemory: nil
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
        case .number(_, _, let range): "It is \(short(range.lowerBound)) to \(short(range.upperBound))."
        case .layers: "A card has up to \(CardSpec.mostLayers) of them."
        case .stops: "A gradient has at least one stop, and their places ascend from 0 to 1."
        case .noPicture: "It is taken from the background's picture or the first sticker."
        case .font: "A font is a family, a style and a size of 4 to 2000 pixels."
        case .noGlyphs: "No installed font has them."
        case .code(let bytes): bytes == 0 ? nil : "It takes about 2300 at medium correction."
        }
    }

    /// A sentence on how to mend it.
    public var fix: String {
        switch self {
        case .image(_, let error): error.fix
        case .file(let error):
            switch error.code {
            case EINVAL: "Write what it gives to a file, and name that."
            case EISDIR: "Name a picture in it."
            default: error.isMissing ? "Check the path." : "Check the file and its permissions."
            }
        case .size: "Write 1080x1920 or 'story' for a story."
        case .number(let part, _, _): "Change '\(part.key)'."
        case .layers: "Remove some, or draw them into a picture and lay that on the card."
        case .stops: "Write the first colour at 0 and the last at 1."
        case .nothingToShow: "Add a sticker or a background."
        case .noPicture: "Add a sticker, or write a colour."
        case .font: "Write it like 'Noto Sans Bold 44'."
        case .noGlyphs:
            "Install a font for this script (on Debian: fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji)."
        case .code(let bytes): bytes == 0 ? "Write the link." : "Shorten the link."
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
