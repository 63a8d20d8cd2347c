internal import Diagnostics
internal import Expressions
internal import StepKit
internal import Values
internal import YAML

extension WorkflowReader {
    static let typeNames = ["string", "integer", "number", "boolean", "file", "list", "choice"]
    /// Types of the format that come later.
    private static let laterTypeNames = ["date", "table"]
    /// What other languages call them.
    private static let otherTypeNames = [
        "int": "integer", "bool": "boolean", "float": "number", "double": "number", "text": "string", "str": "string",
        "array": "list", "path": "file", "enum": "choice",
    ]

    mutating func readInputs(_ node: YAMLNode?) {
        guard let pairs = members(node, of: "inputs", example: "wall: { type: integer }") else {
            areInputsKnown = false
            return
        }
        for pair in pairs {
            inputShapes[pair.name] = .any
            if let first = inputNames.updateValue(pair.name, forKey: pair.name.lowercased()) {
                reportSameName(pair, first, what: "input")
                continue
            }
            guard checkName(pair, what: "an input"), let input = readInput(pair) else { continue }
            inputs.append(input)
            inputShapes[pair.name] = input.type.valueType.shape
        }
    }

    /// Names are compared by expressions without regard to case.
    mutating func reportSameName(_ pair: YAMLMapping.Pair, _ first: String, what: String) {
        problems.error(
            at: pair.key.useRange, "there is \(what) '\(first)' already",
            why: "Upper and lower case do not tell names apart", fix: "Rename one of '\(first)' and '\(pair.name)'")
    }

    private mutating func readInput(_ pair: YAMLMapping.Pair) -> InputDeclaration? {
        let owner = "input '\(pair.name)'"
        let errorsBefore = problems.errorCount
        guard let mapping = mapping(of: pair, owner: owner, example: "\(pair.name): { type: string }") else {
            return nil
        }
        checkKeys(of: mapping, known: .input, in: owner)
        let type = readType(mapping, owner)
        let isRequired = mapping.pair("required").flatMap { flag($0, of: owner) } ?? false
        let description = mapping.pair("description").flatMap { text($0, of: owner) }
        let defaultValue = type.map { readDefault(mapping, type: $0, isRequired: isRequired, owner) } ?? .null
        guard let type, problems.errorCount == errorsBefore else { return nil }
        return InputDeclaration(
            name: pair.name, type: type, isRequired: isRequired, defaultValue: defaultValue, description: description,
            range: pair.key.useRange)
    }

    private mutating func readType(_ mapping: YAMLMapping, _ owner: String) -> InputType? {
        var name = "string"
        if let pair = mapping.pair("type") {
            guard let text = text(pair, of: owner) else { return nil }
            name = text
            if Self.laterTypeNames.contains(name) {
                refuse(pair.value.useRange, "the input type '\(name)'")
                return nil
            }
            guard Self.typeNames.contains(name) else {
                let near = Self.otherTypeNames[name.lowercased()] ?? nearest(name, among: Self.typeNames)
                problems.error(
                    at: pair.value.useRange, "unknown type '\(name)' of \(owner)",
                    why: "Types are " + Self.typeNames.joined(separator: ", "),
                    fix: near.map { "Did you mean '\($0)'?" })
                return nil
            }
        }
        if name != "choice", let options = mapping.pair("options") {
            problems.error(
                at: options.key.useRange, "\(owner) has 'options' and is of type '\(name)'",
                why: "Options belong to the type 'choice'", fix: "Write 'type: choice'")
            return nil
        }
        switch name {
        case "integer": return .integer
        case "number": return .number
        case "boolean": return .boolean
        case "file": return .file
        case "list": return .list
        case "choice": return readOptions(mapping, owner).map(InputType.choice)
        default: return .string
        }
    }

    private mutating func readOptions(_ mapping: YAMLMapping, _ owner: String) -> [String]? {
        guard let pair = mapping.pair("options") else {
            if hasMisspelled("options", in: mapping, known: [KnownKey].input.names) { return nil }
            problems.error(
                at: mapping.pair("type")?.value.useRange, "\(owner) is a choice without 'options'",
                fix: "List what may be chosen: 'options: [photo, video]'")
            return nil
        }
        guard let elements = pair.value.sequence, !elements.isEmpty else {
            problems.error(
                at: pair.value.useRange, "'options' of \(owner) is \(quoted(pair.value)), not a list of texts",
                fix: "List what may be chosen: 'options: [photo, video]'")
            return nil
        }
        var options: [String] = []
        for element in elements {
            guard let scalar = element.scalar, scalar.value != .null, !scalar.text.isEmpty else {
                problems.error(at: element.useRange, "an option of \(owner) is \(quoted(element)), not text")
                return nil
            }
            guard !options.contains(scalar.text) else {
                problems.error(at: element.useRange, "the option '\(scalar.text)' of \(owner) is there twice")
                return nil
            }
            options.append(scalar.text)
        }
        return options
    }

    private mutating func readDefault(
        _ mapping: YAMLMapping, type: InputType, isRequired: Bool, _ owner: String
    ) -> Value {
        guard let pair = mapping.pair("default"), !pair.value.isNull else { return .null }
        if isRequired {
            problems.error(
                at: pair.key.useRange, "\(owner) is required and has a default",
                why: "A default stands for an input that is left out, and this one cannot be",
                fix: "Remove one of the two")
            return .null
        }
        return literal(pair.value, type: type.valueType, "the default of \(owner)") ?? .null
    }

    /// The mapping under a key; an empty value is an empty mapping.
    mutating func mapping(of pair: YAMLMapping.Pair, owner: String, example: String) -> YAMLMapping? {
        if let mapping = pair.value.mapping { return mapping }
        problems.error(
            at: pair.value.isNull ? pair.key.useRange : pair.value.useRange,
            pair.value.isNull ? "\(owner) is empty" : "\(owner) is \(pair.value.typeName), not a mapping",
            fix: "Write '\(example)'")
        return nil
    }
}
