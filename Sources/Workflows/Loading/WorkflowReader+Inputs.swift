internal import Diagnostics
internal import Expressions
internal import Patterns
internal import StepKit
internal import Tables
internal import TimeZones
internal import Values
internal import YAML

extension WorkflowReader {
    /// What other languages call them.
    private static let otherTypeNames = [
        "int": "integer", "bool": "boolean", "float": "number", "double": "number", "text": "string", "str": "string",
        "array": "list", "path": "file", "enum": "choice", "datetime": "date", "timestamp": "date", "csv": "table",
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
            guard checkName(pair, what: "an input"), let input = readInput(pair, "input '\(pair.name)'") else {
                continue
            }
            inputs.append(input)
            inputShapes[pair.name] = input.type.shape
        }
    }

    /// Names are compared by expressions without regard to case.
    mutating func reportSameName(_ pair: YAMLMapping.Pair, _ first: String, what: String) {
        problems.error(
            at: pair.key.useRange, "there is \(what) '\(first)' already",
            why: "Upper and lower case do not tell names apart", fix: "Rename one of '\(first)' and '\(pair.name)'")
    }

    /// Reads an input or, with another owner, a column of a table; each is a mapping, or its type alone.
    private mutating func readInput(_ pair: YAMLMapping.Pair, _ owner: String, isColumn: Bool = false)
        -> InputDeclaration?
    {
        if let type = pair.value.scalar?.text, !pair.value.isNull {
            return plainType(type, of: pair, owner, isColumn: isColumn).map { type in
                InputDeclaration(
                    name: pair.name, type: type, isRequired: false, defaultValue: .null, description: nil,
                    range: pair.key.useRange)
            }
        }
        let errorsBefore = problems.errorCount
        guard let mapping = mapping(of: pair, owner: owner, example: "\(pair.name): { type: string }") else {
            return nil
        }
        checkKeys(of: mapping, known: .input, in: owner)
        let type = readType(mapping, owner, isColumn: isColumn)
        let isRequired = mapping.pair("required").flatMap { flag($0, of: owner) } ?? false
        let description = mapping.pair("description").flatMap { text($0, of: owner) }
        let pattern = type.flatMap { readPattern(mapping, type: $0, owner) }
        let minimum = type.flatMap { readBound("min", mapping, type: $0, owner) } ?? .null
        let maximum = type.flatMap { readBound("max", mapping, type: $0, owner) } ?? .null
        guard let type, problems.errorCount == errorsBefore else { return nil }
        func declaration(_ value: Value) -> InputDeclaration {
            InputDeclaration(
                name: pair.name, type: type, isRequired: isRequired, defaultValue: value, pattern: pattern,
                minimum: minimum, maximum: maximum, description: description, range: pair.key.useRange)
        }
        let value = readDefault(mapping, declaration(.null), owner)
        return problems.errorCount == errorsBefore ? declaration(value) : nil
    }

    private mutating func readType(_ mapping: YAMLMapping, _ owner: String, isColumn: Bool) -> InputType? {
        var name = "string"
        let names = InputType.names.filter { !isColumn || $0 != "table" }
        if let pair = mapping.pair("type") {
            guard let text = text(pair, of: owner) else { return nil }
            name = text
            guard names.contains(name) else {
                let near = Self.otherTypeNames[name.lowercased()] ?? nearest(name, among: names)
                problems.error(
                    at: pair.value.useRange, "unknown type '\(name)' of \(owner)",
                    why: "Types are " + names.joined(separator: ", "), fix: near.map { "Did you mean '\($0)'?" })
                return nil
            }
        }
        for (key, types) in Self.typesOfKeys where !types.contains(name) {
            guard let pair = mapping.pair(key) else { continue }
            problems.error(
                at: pair.key.useRange, "\(owner) has '\(key)' and is of type '\(name)'",
                why: "'\(key)' belongs to the type\(types.count == 1 ? "" : "s") "
                    + types.map { "'\($0)'" }.joined(separator: ", "),
                fix: types.count == 1 ? "Write 'type: \(types[0])'" : nil)
            return nil
        }
        switch name {
        case "integer": return .integer
        case "number": return .number
        case "boolean": return .boolean
        case "date": return .date
        case "file": return .file
        case "list": return .list
        case "choice": return readOptions(mapping, owner).map(InputType.choice)
        case "table": return readColumns(mapping, owner).map(InputType.table)
        default: return .string
        }
    }

    /// Which types take a key that not all do.
    private static let typesOfKeys: [(key: String, types: [String])] = [
        ("options", ["choice"]), ("pattern", ["string"]), ("min", ["integer", "number", "date"]),
        ("max", ["integer", "number", "date"]), ("columns", ["table"]),
    ]

    /// The columns of a table, each declared as an input is.
    private mutating func readColumns(_ mapping: YAMLMapping, _ owner: String) -> [InputDeclaration]? {
        guard let pair = mapping.pair("columns") else { return [] }
        guard let pairs = members(pair.value, of: "columns", example: "wall: integer") else { return nil }
        var columns: [InputDeclaration] = []
        var names: [String: String] = [:]
        for pair in pairs {
            if let first = names.updateValue(pair.name, forKey: pair.name.lowercased()) {
                reportSameName(pair, first, what: "column")
                return nil
            }
            let column = "column '\(pair.name)' of \(owner)"
            guard let declaration = readInput(pair, column, isColumn: true) else { return nil }
            columns.append(declaration)
        }
        return columns
    }

    /// A type that its name alone tells.
    private mutating func plainType(
        _ name: String, of pair: YAMLMapping.Pair, _ owner: String, isColumn: Bool
    ) -> InputType? {
        let types: [InputType] =
            [.string, .integer, .number, .boolean, .date, .file, .list] + (isColumn ? [] : [.table([])])
        if let type = types.first(where: { $0.name == name }) { return type }
        let near = Self.otherTypeNames[name.lowercased()] ?? nearest(name, among: types.map(\.name))
        problems.error(
            at: pair.value.useRange, "unknown type \(quoted(pair.value)) of \(owner)",
            why: "Types are " + types.map(\.name).joined(separator: ", "),
            fix: name == "choice"
                ? "Write '{ type: choice, options: [photo, video] }'"
                : near.map { "Did you mean '\($0)'?" }
                    ?? "What it is when left out stands under 'default': '\(pair.name): { default: … }'")
        return nil
    }

    private mutating func readPattern(_ mapping: YAMLMapping, type: InputType, _ owner: String) -> Pattern? {
        guard let pair = mapping.pair("pattern"), let text = text(pair, of: owner) else { return nil }
        do throws(Pattern.Fault) { return try Pattern(text) } catch {
            problems.error(
                at: document.range(ofScalars: error.offset..<error.offset + 1, in: pair.value),
                "the pattern of \(owner) cannot be read: \(error.message)", fix: error.fix)
            return nil
        }
    }

    private mutating func readBound(
        _ key: String, _ mapping: YAMLMapping, type: InputType, _ owner: String
    ) -> Value? {
        guard let pair = mapping.pair(key) else { return nil }
        let label = "'\(key)' of \(owner)"
        guard type == .date else {
            guard !pair.value.isNull else {
                problems.error(at: pair.key.useRange, "\(label) is empty")
                return nil
            }
            return literal(pair.value, type: type.valueType, label)
        }
        guard let text = pair.value.scalar?.text, DateText(text) != nil else {
            problems.error(
                at: pair.value.useRange, "\(label) is \(quoted(pair.value)), not a date", fix: "Write 2026-12-01")
            return nil
        }
        return .string(text)
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

    private mutating func readDefault(_ mapping: YAMLMapping, _ input: InputDeclaration, _ owner: String) -> Value {
        guard let pair = mapping.pair("default"), !pair.value.isNull else { return .null }
        if input.isRequired {
            problems.error(
                at: pair.key.useRange, "\(owner) is required and has a default",
                why: "A default stands for an input that is left out, and this one cannot be",
                fix: "Remove one of the two")
            return .null
        }
        let label = "the default of \(owner)"
        if case .table(let columns) = input.type { return readDefaultTable(pair.value, columns, label) }
        let type = input.type.valueType
        guard let value = literal(pair.value, type: type, label), !value.isNull else { return .null }
        // Whether the file is there is looked at when the default is used.
        if input.type == .file { return value }
        do {
            return try input.fit(value, InputSite(folder: file.folder, zone: zone))
        } catch {
            problems.error(at: pair.value.useRange, "\(label) \(error.problem)", why: input.description)
            return .null
        }
    }

    /// The path of a table, or its rows.
    private mutating func readDefaultTable(
        _ node: YAMLNode, _ columns: [InputDeclaration], _ label: String
    ) -> Value {
        if let path = node.string {
            return literal(node, type: .file, label).map { _ in .string(path) } ?? .null
        }
        do {
            let table = try Table(elements: node, file: file.name)
            return .array(table.fitted(to: columns, InputSite(folder: file.folder, zone: zone), &problems))
        } catch {
            problems.add(error)
            return .null
        }
    }

    private var zone: TimeZone { timezone.flatMap { try? TimeZone.named($0) } ?? .machine }

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
