internal import CCardPresets
public import Diagnostics
internal import StepKit
public import Values
internal import YAML

/// A ready design, as data: parameters of `card.compose` that an author's own are laid over.
public struct CardPreset: Sendable {
    public let name: String
    /// As it is to be copied into a file of one's own.
    public let yaml: String

    public static let all: [CardPreset] = {
        var presets: [CardPreset] = []
        while let preset = pasteup_card_preset_at(Int32(presets.count))?.pointee {
            presets.append(CardPreset(name: String(cString: preset.name), yaml: String(cString: preset.yaml)))
        }
        return presets
    }()

    /// What its first comment says.
    public var summary: String {
        let line = yaml.split(separator: "\n").first ?? ""
        return String(line.drop { $0 == "#" || $0 == " " })
    }

    /// Its parameters.
    public func parameters() throws(DiagnosticsError) -> ValueObject {
        let document = try YAMLDocument.load(bytes: Array(yaml.utf8), file: name + ".yaml")
        return plain(document.root).object ?? [:]
    }

    /// The parameters with the preset that they name laid under them.
    ///
    /// Mappings are merged key by key; of 'texts', 'shapes' and 'stickers' the first is laid over the preset's first, and
    /// so on; an empty list leaves nothing of the preset's. A background of another type replaces the preset's whole.
    static func merged(under parameters: ValueObject) throws(CardProblem) -> ValueObject {
        guard let name = parameters["preset"]?.string else { return parameters }
        guard let preset = all.first(where: { $0.name == name }) else {
            throw CardProblem(
                "preset", predicate: "is '\(name)', not a preset", fix: "'pasteup card presets' lists them.")
        }
        var design: ValueObject
        do { design = try preset.parameters() } catch {
            throw CardProblem(
                "preset", predicate: "is '\(name)', which cannot be read: \(error.diagnostics.map(\.what))")
        }
        // A design for one sticker is one for each of several.
        if let sticker = design["sticker"], let own = parameters["stickers"]?.array, !own.isEmpty,
            parameters["sticker"]?.isNull ?? true
        {
            design["stickers"] = .array(own.map { _ in sticker })
            design["sticker"] = nil
        }
        return merged(design, parameters)
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
