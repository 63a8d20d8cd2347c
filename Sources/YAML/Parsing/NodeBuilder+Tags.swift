internal import Diagnostics

extension NodeBuilder {
    private static let core = "tag:yaml.org,2002:"

    /// A key is its text, whatever that looks like.
    mutating func keyValue(_ text: String, _ event: Event, _ place: SourceRange) -> YAMLScalar.Value {
        if let tag = event.tag, tag != "!", !tag.hasPrefix(Self.core) { refuse(tag, event) }
        return .string(text)
    }

    mutating func value(
        _ text: String, _ style: YAMLScalar.Style, _ event: Event, _ place: SourceRange
    ) -> YAMLScalar.Value {
        guard let tag = event.tag else {
            guard style == .plain else { return .string(text) }
            return resolved(text, place) { text throws(CoreSchema.Fault) in try CoreSchema.resolve(text) }
        }
        switch tag {
        // The non-specific tag: whatever it looks like, it is text (YAML 1.2.2, section 6.9.1).
        case "!", Self.core + "str": return .string(text)
        case Self.core + "null":
            return CoreSchema.isNull(text) ? .null : mismatch(text, "null", place)
        case Self.core + "bool":
            return CoreSchema.bool(text).map { .bool($0) } ?? mismatch(text, "a boolean", place)
        case Self.core + "int":
            return resolved(text, place) { text throws(CoreSchema.Fault) in
                try CoreSchema.integer(text).map { .integer($0) }
            } orElse: {
                $0.mismatch(text, "an integer", place)
            }
        case Self.core + "float":
            return resolved(text, place) { text throws(CoreSchema.Fault) in
                try CoreSchema.double(text).map { .double($0) }
            } orElse: {
                $0.mismatch(text, "a number", place)
            }
        case Self.core + "seq": return mismatch(text, "a list", place)
        case Self.core + "map": return mismatch(text, "a mapping", place)
        default:
            refuse(tag, event)
            return .string(text)
        }
    }

    mutating func checkCollectionTag(_ event: Event, isMapping: Bool) {
        guard let tag = event.tag, tag != "!", tag != Self.core + (isMapping ? "map" : "seq") else { return }
        let known = ["str", "null", "bool", "int", "float", "seq", "map"].map { Self.core + $0 }
        guard known.contains(tag) else { return refuse(tag, event) }
        problems.error(
            at: range(event.start, event.end),
            "the tag '\(written(tag))' does not fit \(isMapping ? "a mapping" : "a list")",
            fix: "Remove the tag")
    }

    private mutating func resolved(
        _ text: String, _ place: SourceRange,
        _ resolve: (String) throws(CoreSchema.Fault) -> YAMLScalar.Value?,
        orElse: (inout NodeBuilder) -> YAMLScalar.Value = { _ in .null }
    ) -> YAMLScalar.Value {
        do throws(CoreSchema.Fault) {
            return try resolve(text) ?? orElse(&self)
        } catch {
            switch error {
            case .integerTooLarge:
                problems.error(
                    at: place, "the integer \(text) is too large",
                    why: "Integers lie between \(Int64.min) and \(Int64.max)",
                    fix: "If it is an id, write it in quotes: \(Quoting.quoted(text))")
            case .doubleTooLarge:
                problems.error(
                    at: place, "the number \(text) is too large", why: "Numbers reach to about 1.8e308",
                    fix: "If it is text, write it in quotes: \(Quoting.quoted(text))")
            }
            return .string(text)
        }
    }

    private mutating func mismatch(_ text: String, _ wanted: String, _ place: SourceRange) -> YAMLScalar.Value {
        problems.error(
            at: place, "'\(text)' is not \(wanted), as its tag says", fix: "Remove the tag, or write \(wanted)")
        return .string(text)
    }

    private mutating func refuse(_ tag: String, _ event: Event) {
        let name = written(tag)
        let line = source.line(event.start.line)?.unicodeScalars.dropFirst(event.start.column - 1)
        // The tag may stand behind an anchor; the place of the whole node is then the better one.
        let length = line?.first == "!" ? line!.prefix { $0 != " " && $0 != "\t" }.count : 1
        let place = range(event.start, length: length)
        if tag.hasPrefix(Self.core) {
            problems.error(
                at: place, "the tag '\(name)' is not supported",
                why: "The core schema of YAML 1.2 has !!str, !!int, !!float, !!bool, !!null, !!seq and !!map",
                fix: "Remove the tag")
            return
        }
        // Where a collection follows, quoting the line would not be what the author wants.
        let isText = if case .scalar = event.kind { true } else { false }
        problems.error(
            at: place, "unknown tag '\(name)'", why: "An unquoted '!' at the beginning of a value begins a YAML tag",
            fix: isText
                ? "If it is text or an expression, write \(Quoting.restOfLine(source, event.start, isInFlow: isInFlow))"
                : "Remove the tag")
    }

    private func written(_ tag: String) -> String {
        tag.hasPrefix(Self.core) ? "!!" + tag.dropFirst(Self.core.count) : tag
    }
}
