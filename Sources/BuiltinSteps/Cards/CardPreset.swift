internal import CCardPresets
public import Diagnostics
internal import StepKit
internal import StoryCard
public import Values
internal import YAML

/// A ready design, as data: parameters of `card.compose` that an author's own are laid over.
public struct CardPreset: Sendable {
    /// The design as it is drawn at one size.
    public struct Variant: Sendable {
        /// One of `CardSize.named`.
        public let size: String
        /// As it is to be copied into a file of one's own; lengths in pixels are those of a card of that size.
        public let yaml: String

        /// Its parameters.
        public func parameters() throws(DiagnosticsError) -> ValueObject {
            let document = try YAMLDocument.load(bytes: Array(yaml.utf8), file: size + ".yaml")
            return plain(document.root).object ?? [:]
        }

        fileprivate var pixels: CardSize { CardSize(size) ?? .story }
    }

    public let name: String
    /// One for each of `CardSize.named`.
    public let variants: [Variant]

    public static let all: [CardPreset] = {
        var presets: [CardPreset] = []
        var index: Int32 = 0
        while let entry = pasteup_card_preset_at(index)?.pointee {
            let variant = Variant(size: String(cString: entry.size), yaml: String(cString: entry.yaml))
            let name = String(cString: entry.name)
            let others = presets.last.flatMap { $0.name == name ? $0.variants : nil }
            if others != nil { presets.removeLast() }
            presets.append(CardPreset(name: name, variants: (others ?? []) + [variant]))
            index += 1
        }
        return presets
    }()

    /// What its first comment says.
    public var summary: String {
        let line = variants.first?.yaml.split(separator: "\n").first ?? ""
        return String(line.drop { $0 == "#" || $0 == " " })
    }

    /// The one that is nearest in shape.
    public func variant(for size: String) -> Variant? {
        let size = CardSize(size) ?? .story
        func slenderness(_ size: CardSize) -> Double { Double(size.height) / Double(max(size.width, 1)) }
        let wanted = slenderness(size)
        /// By which factor one is more slender than the other; at least 1.
        func distance(_ variant: Variant) -> Double {
            let own = slenderness(variant.pixels)
            return max(own, wanted) / max(min(own, wanted), 0.001)
        }
        return variants.min { distance($0) < distance($1) }
    }

    /// The design for a card of that size: the variant nearest in shape, its pixels scaled.
    func parameters(for size: String) throws(DiagnosticsError) -> ValueObject {
        guard let variant = variant(for: size) else { return [:] }
        let (wanted, own) = (CardSize(size) ?? .story, variant.pixels)
        let factor = Double(min(wanted.width, wanted.height)) / Double(min(own.width, own.height))
        var design = try variant.parameters()
        design["size"] = nil
        return factor == 1 || factor <= 0 ? design : scaled(design, by: factor)
    }

    /// The parameters with the preset that they name laid under them.
    ///
    /// Mappings are merged key by key; of 'texts', 'shapes' and 'stickers' the first is laid over the preset's first, and
    /// so on; an empty list leaves nothing of the preset's. A background of another type replaces the preset's whole.
    /// Several stickers have its look, and find places of their own.
    static func merged(under parameters: ValueObject) throws(CardProblem) -> ValueObject {
        guard let name = parameters["preset"]?.string else { return parameters }
        guard let preset = all.first(where: { $0.name == name }) else {
            throw CardProblem(
                "preset", predicate: "is '\(name)', not a preset", fix: "'pasteup card presets' lists them.")
        }
        var design: ValueObject
        do { design = try preset.parameters(for: parameters["size"]?.string ?? "story") } catch {
            throw CardProblem(
                "preset", predicate: "is '\(name)', which cannot be read: \(error.diagnostics.map(\.what))")
        }
        if var sticker = design["sticker"]?.object, let own = parameters["stickers"]?.array, !own.isEmpty,
            parameters["sticker"]?.isNull ?? true
        {
            if own.count > 1 {
                for key in ["at", "x", "y"] { sticker[key] = nil }
                let size = CardSize(parameters["size"]?.string ?? "story") ?? .story
                sticker = scaled(sticker, by: share(ofEachOf: own.count, on: size))
            }
            let sticker = Value.object(sticker)
            design["stickers"] = .array(own.map { _ in sticker })
            design["sticker"] = nil
        }
        return merged(design, parameters)
    }

    /// How large each of several stickers is of what one would be: in a row on a wide card, else in a grid of two or more
    /// columns, two of them one below the other.
    private static func share(ofEachOf count: Int, on size: CardSize) -> Double {
        if size.width > size.height { return min(0.95, 1.9 / Double(count)) }
        return count == 2 ? 0.55 : 0.92 / Double(count).squareRoot().rounded(.up)
    }

    private static func merged(_ design: ValueObject, _ own: ValueObject) -> ValueObject {
        var result = design
        for (key, value) in own where !value.isNull {
            switch (key, design[key], value) {
            case ("background", .some(let under), .object):
                let isOther =
                    CardReader.backgroundType(value).map { $0 != CardReader.backgroundType(under) } ?? false
                result[key] = isOther ? value : merged(under, value)
            case ("texts", .array(let under), .array(let over)), ("shapes", .array(let under), .array(let over)),
                ("stickers", .array(let under), .array(let over)):
                guard !over.isEmpty else {
                    result[key] = value
                    continue
                }
                result[key] = .array(
                    (0..<max(under.count, over.count)).map { index in
                        guard index < over.count else { return under[index] }
                        return index < under.count ? merged(under[index], over[index]) : over[index]
                    })
            case (_, .some(let under), _): result[key] = merged(under, value)
            default: result[key] = value
            }
        }
        return result
    }

    private static func merged(_ under: Value, _ over: Value) -> Value {
        guard case .object(let design) = under, case .object(let own) = over else { return over.isNull ? under : over }
        return .object(merged(design, own))
    }
}

/// Whose numbers are pixels; a number at the end of a font is one, too.
private let pixelKeys: Set<String> = [
    "width", "height", "x", "y", "radius", "bottom", "blur", "padding", "size", "min-size", "space-above",
    "letter-spacing",
]

private func scaled(_ object: ValueObject, by factor: Double) -> ValueObject {
    ValueObject(
        object.map { key, value in
            switch value {
            case .object(let members): return (key, .object(scaled(members, by: factor)))
            case .array(let elements):
                return (
                    key, .array(elements.map { $0.object.map { .object(scaled($0, by: factor)) } ?? $0 })
                )
            case .string(let text) where key == "font":
                let words = text.split(separator: " ")
                guard let size = words.last.flatMap({ Double($0) }) else { return (key, value) }
                let rest = words.dropLast().joined(separator: " ")
                return (key, .string("\(rest) \(max((size * factor * 2).rounded() / 2, 4))"))
            case .integer, .double:
                guard pixelKeys.contains(key), let number = value.double else { return (key, value) }
                let pixels = number * factor
                return (key, .double(key == "min-size" ? max(pixels, 4) : pixels))
            default: return (key, value)
            }
        })
}

private func plain(_ node: YAMLNode) -> Value {
    switch node.content {
    case .scalar(let scalar):
        switch scalar.value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .string(let text): .string(text)
        }
    case .sequence(let elements): .array(elements.map(plain))
    case .mapping(let mapping): .object(ValueObject(mapping.pairs.map { ($0.name, plain($0.value)) }))
    }
}
