internal import Diagnostics
internal import Values
internal import YAML

/// Reading single values of a mapping. Every function reports what does not fit and gives nil.
extension WorkflowReader {
    /// A text without expressions; numbers and booleans count as written.
    mutating func text(_ pair: YAMLMapping.Pair, of owner: String) -> String? {
        guard let scalar = pair.value.scalar, scalar.value != .null else {
            problems.error(
                at: place(of: pair),
                "'\(pair.name)' of \(owner) is \(missing(pair.value) ?? pair.value.typeName), not text")
            return nil
        }
        guard !scalar.text.contains("${{") else {
            problems.error(
                at: pair.value.useRange, "'\(pair.name)' of \(owner) takes no expression",
                why: "It is fixed text, known before anything runs")
            return nil
        }
        guard !scalar.text.isEmpty else {
            problems.error(at: pair.value.useRange, "'\(pair.name)' of \(owner) is empty")
            return nil
        }
        return scalar.text
    }

    mutating func word(_ pair: YAMLMapping.Pair, of owner: String, among words: [String]) -> String? {
        if let text = pair.value.scalar?.text, words.contains(text) { return text }
        let near = pair.value.scalar.flatMap { nearest($0.text, among: words) }
        problems.error(
            at: place(of: pair),
            "'\(pair.name)' of \(owner) is \(missing(pair.value) ?? quoted(pair.value)), not "
                + words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")",
            fix: near.map { "Did you mean '\($0)'?" })
        return nil
    }

    mutating func flag(_ pair: YAMLMapping.Pair, of owner: String) -> Bool? {
        if let flag = pair.value.bool { return flag }
        let words = ["yes": true, "on": true, "no": false, "off": false]
        let meant = pair.value.string.flatMap { words[$0.lowercased()] }
        let isExpression = pair.value.string?.contains("${{") == true
        problems.error(
            at: place(of: pair),
            "'\(pair.name)' of \(owner) is \(missing(pair.value) ?? quoted(pair.value)), not true or false",
            why: isExpression ? "It takes no expression" : meant == nil ? nil : "In YAML 1.2 that is a text",
            fix: meant.map { "Write '\(pair.name): \($0)'" })
        return nil
    }

    mutating func integer(_ pair: YAMLMapping.Pair, of owner: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let integer = pair.value.integer else {
            problems.error(
                at: place(of: pair),
                "'\(pair.name)' of \(owner) is \(missing(pair.value) ?? quoted(pair.value)), not an integer")
            return nil
        }
        guard range.contains(integer) else {
            problems.error(
                at: pair.value.useRange, "'\(pair.name)' of \(owner) is \(integer)",
                why: "It lies between \(range.lowerBound) and \(range.upperBound)")
            return nil
        }
        return integer
    }

    /// A duration longer than nothing.
    mutating func duration(_ pair: YAMLMapping.Pair, of owner: String) -> Duration? {
        guard let scalar = pair.value.scalar, let duration = Duration(text: scalar.text) else {
            problems.error(
                at: place(of: pair),
                "'\(pair.name)' of \(owner) is \(missing(pair.value) ?? quoted(pair.value)), not a duration",
                why: "Durations are a whole number and a unit: 500ms, 30s, 2m, 1h, 3d",
                fix: pair.value.integer.map { "Write '\(pair.name): \($0)s' if seconds are meant" })
            return nil
        }
        guard duration > .zero else {
            problems.error(
                at: pair.value.useRange, "'\(pair.name)' of \(owner) is \(scalar.text)",
                why: "It must be longer than zero")
            return nil
        }
        return duration
    }

    /// The pairs of a mapping; an absent or empty one has none. Nil when it is something else.
    mutating func members(_ node: YAMLNode?, of key: String, example: String) -> [YAMLMapping.Pair]? {
        guard let node, !node.isNull else { return [] }
        if let mapping = node.mapping { return mapping.pairs }
        problems.error(
            at: node.useRange, "'\(key)' is \(node.typeName), not a mapping",
            fix: "Write each under its name: '\(example)'")
        return nil
    }

    /// Whether a key is a name that expressions can mention.
    mutating func checkName(_ pair: YAMLMapping.Pair, what: String) -> Bool {
        let name = pair.name.utf8
        let isFit =
            name.first.map { isLetter($0) || $0 == UInt8(ascii: "_") } == true && name.count <= 64
            && name.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        if !isFit {
            problems.error(
                at: pair.key.useRange, "'\(pair.name)' cannot be the name of \(what)",
                why:
                    "Names begin with a letter or '_', go on with letters, digits, '_' and '-', and are at most 64 long"
            )
        }
        return isFit
    }

    /// Reports keys that are not known.
    mutating func checkKeys(of mapping: YAMLMapping, known: [KnownKey], in owner: String) {
        for pair in mapping.pairs {
            if known.contains(where: { $0.name == pair.name }) { continue }
            reportUnknownKey(pair, known: known, in: owner)
        }
    }

    /// Whether a key that is not known was most likely meant to be this one; then nothing is said of its absence.
    func hasMisspelled(_ name: String, in mapping: YAMLMapping, known: [String]) -> Bool {
        mapping.pairs.contains { !known.contains($0.name) && nearest($0.name, among: known) == name }
    }

    mutating func reportUnknownKey(_ pair: YAMLMapping.Pair, known: [KnownKey], in owner: String) {
        let near = known.meant(by: pair.name)
        let fix: String
        if let near {
            // A value for another program's key seldom fits as it is.
            let value = nearest(pair.name, among: [near.name]) == nil ? nil : written(pair.value)
            fix =
                value.map { "Write '\(near.name): \($0)'" } ?? "Did you mean '\(near.name)'?"
        } else {
            fix = "The keys are " + known.names.joined(separator: ", ")
        }
        problems.error(
            at: pair.key.useRange, "unknown key '\(pair.name)' in \(owner)", why: near?.purpose, fix: fix,
            code: .unknownKey)
    }

    // MARK: How values are shown

    /// A value as the author wrote it, in quotes where it is text; long ones cut.
    func quoted(_ node: YAMLNode) -> String {
        guard let scalar = node.scalar else { return node.sequence?.isEmpty == true ? "an empty list" : node.typeName }
        guard case .string(let text) = scalar.value else { return scalar.text.isEmpty ? "null" : scalar.text }
        let line = text.prefix { $0 != "\n" }
        return "'" + (line.count > 60 || line.count < text.count ? line.prefix(57) + "…" : line) + "'"
    }

    /// A short value on one line, as it stands in the file.
    private func written(_ node: YAMLNode) -> String? {
        let range = node.useRange
        guard node.alias == nil, let line = document.source.line(range.start.line)?.unicodeScalars else { return nil }
        let text = String(String.UnicodeScalarView(line.dropFirst(range.start.column - 1).prefix(range.length)))
        guard !text.isEmpty, text.utf8.count <= 40 else { return nil }
        switch node.content {
        case .scalar(let scalar): return scalar.style == .literal || scalar.style == .folded ? nil : text
        case .sequence: return text.hasPrefix("[") && text.hasSuffix("]") ? text : nil
        case .mapping: return text.hasPrefix("{") && text.hasSuffix("}") ? text : nil
        }
    }

    /// "empty" for a key without a value.
    private func missing(_ node: YAMLNode) -> String? { node.isNull ? "empty" : nil }

    /// The value, or the key where there is no value to see.
    private func place(of pair: YAMLMapping.Pair) -> SourceRange {
        pair.value.scalar?.text.isEmpty == true ? pair.key.useRange : pair.value.useRange
    }
}
