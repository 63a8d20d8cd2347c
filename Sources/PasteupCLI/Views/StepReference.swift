internal import StepKit
internal import Values

/// What the step kinds say of themselves, in the forms in which it is read.
struct StepReference {
    private let kinds: [StepDeclaration]

    init(_ kinds: [StepDeclaration]) { self.kinds = kinds }

    /// A kind a line.
    var list: String {
        columns(
            [["KIND", "EFFECT", "ACCOUNT", ""]]
                + kinds.map { [$0.name, $0.effect.rawValue, $0.accountType ?? "", $0.summary] })
    }

    /// All of one kind, for a terminal.
    static func text(of kind: StepDeclaration) -> String {
        var lines = [
            "\(kind.name)  \(kind.summary)", "",
            "effect   \(kind.effect.rawValue): \(kind.effect.meaning)"
                + (kind.takesEffect ? "; a step may say otherwise under 'effect'" : ""),
            "account  \(kind.accountType ?? "none")",
        ]
        lines += ["", "Parameters:"] + kind.parameters.flatMap { entry($0, indent: 2) }
        if kind.parameters.isEmpty { lines.append("  none") }
        if kind.hasOpenParameters { lines.append("  Further parameters are passed on.") }
        lines += ["", "Outputs:"]
        for output in kind.outputs {
            lines.append(
                "  \(output.name): \(plainName(output.type))" + (output.isSensitive ? ", never shown whole" : ""))
            if !output.summary.isEmpty { lines.append("      " + output.summary) }
        }
        if kind.outputs.isEmpty { lines.append("  none") }
        if kind.hasOpenOutputs { lines.append("  Further members of the service's answer are outputs, too.") }
        if let example = kind.example {
            lines += ["", "Example:"] + example.split(separator: "\n").map { "  " + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func entry(_ parameter: Parameter, indent: Int) -> [String] {
        let blanks = String(repeating: " ", count: indent)
        var facts = [plainName(parameter.type)]
        if parameter.isRequired { facts.append("required") }
        if let value = parameter.defaultValue { facts.append("default \(value.string ?? value.json())") }
        if parameter.acceptsSecrets { facts.append("secrets may stand here") }
        var lines = [blanks + parameter.name + ": " + facts.joined(separator: ", ")]
        if !parameter.summary.isEmpty { lines.append(blanks + "    " + parameter.summary) }
        return lines + parameter.type.members.flatMap { entry($0, indent: indent + 4) }
    }

    private static func plainName(_ type: ValueType) -> String {
        switch type {
        case .choice(let words): "one of " + words.joined(separator: ", ")
        case .list(let element): "list of " + plainName(element)
        default: type.name
        }
    }
}

extension Effect {
    /// What may be done after a crash in the middle of it, as a clause.
    var meaning: String {
        switch self {
        case .pure: "computed here, run again after a crash"
        case .read: "reads from a service, run again after a crash"
        case .idempotent: "writes, and repeating is harmless"
        case .write: "writes, and is never repeated before it is known whether it happened"
        }
    }
}

extension ValueType {
    /// Those of an object, or of the objects in a list.
    var members: [Parameter] {
        switch self {
        case .object(let members): members
        case .list(let element): element.members
        default: []
        }
    }
}

// MARK: - Markdown

extension StepReference {
    /// The reference page.
    var markdown: String {
        """
        # Step kinds

        What `uses` may name. Made by `pasteup steps --markdown`; `pasteup steps NAME` shows one at the terminal.

        The effect says what may be done after a crash: `pure` and `read` steps run again, `idempotent` ones are sent again,
        a `write` is never repeated before it is known whether it happened.

        \(table.joined(separator: "\n"))

        \(kinds.map { StepReference.section($0).joined(separator: "\n") }.joined(separator: "\n\n"))

        """
    }

    /// The kinds with links to their sections.
    ///
    /// - Parameter page: the file that holds the sections, as seen from where the table stands; empty for the same file.
    func table(page: String) -> [String] {
        ["| kind | effect | account | does |", "|---|---|---|---|"]
            + kinds.map { kind in
                let anchor = kind.name.lowercased().filter { $0 != "." }
                let account = kind.accountType.map { "`\($0)`" } ?? ""
                return "| [`\(kind.name)`](\(page)#\(anchor)) | `\(kind.effect.rawValue)` | \(account) | "
                    + "\(MarkdownCell.of(kind.summary)) |"
            }
    }

    private var table: [String] { table(page: "") }

    private static func section(_ kind: StepDeclaration) -> [String] {
        let account = kind.accountType.map { " Account: `\($0)`." } ?? " No account."
        let freedom = kind.takesEffect ? " A step may say otherwise under `effect`." : ""
        var lines = ["## `\(kind.name)`", "", "\(kind.summary) Effect: `\(kind.effect.rawValue)`.\(freedom)\(account)"]
        if let example = kind.example { lines += ["", "```yaml", example, "```"] }
        if !kind.parameters.isEmpty {
            lines += ["", "| parameter | type | default | required | means |", "|---|---|---|---|---|"]
            lines += kind.parameters.flatMap { rows($0, prefix: "") }
        }
        if kind.hasOpenParameters { lines += ["", "Further parameters are passed on."] }
        if !kind.outputs.isEmpty {
            lines += ["", "| output | type | means |", "|---|---|---|"]
            lines += kind.outputs.map { output in
                let secrecy = output.isSensitive ? " Never shown whole." : ""
                return "| `\(output.name)` | \(MarkdownCell.type(output.type)) | "
                    + "\(MarkdownCell.of(output.summary))\(secrecy) |"
            }
        }
        if kind.hasOpenOutputs { lines += ["", "Further members of the service's answer are outputs, too."] }
        return lines
    }

    /// A parameter, and the members of its object or of the objects in its list.
    private static func rows(_ parameter: Parameter, prefix: String) -> [String] {
        let name = prefix + parameter.name
        let isList = if case .list = parameter.type { true } else { false }
        let secrets = parameter.acceptsSecrets ? " Secrets may stand here." : ""
        let row =
            "| `\(name)` | \(MarkdownCell.type(parameter.type)) | \(MarkdownCell.literal(parameter.defaultValue))| "
            + "\(parameter.isRequired ? "yes" : "no") | \(MarkdownCell.of(parameter.summary))\(secrets) |"
        return [row] + parameter.type.members.flatMap { rows($0, prefix: name + (isList ? "[]." : ".")) }
    }
}

/// Cells of tables in Markdown.
enum MarkdownCell {
    static func of(_ text: String) -> String {
        var cell = ""
        for character in text {
            switch character {
            case "|": cell += "\\|"
            case "\n": cell += " "
            default: cell.append(character)
            }
        }
        return cell
    }

    /// A value with a blank after it; nothing for none.
    static func literal(_ value: Value?) -> String { value.map { "`\($0.string ?? $0.json())` " } ?? "" }

    static func type(_ type: ValueType) -> String {
        switch type {
        case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .list(let element): "list of " + MarkdownCell.type(element)
        default: type.name
        }
    }
}

// MARK: - JSON

extension StepReference {
    /// A kind a line. The names are promises.
    var json: String { kinds.map { Value.object(StepReference.members(of: $0)).json() + "\n" }.joined() }

    private static func members(of kind: StepDeclaration) -> ValueObject {
        var members: ValueObject = [
            "name": .string(kind.name), "summary": .string(kind.summary), "effect": .string(kind.effect.rawValue),
            "takes-effect": .bool(kind.takesEffect), "account": kind.accountType.map(Value.string) ?? .null,
            "parameters": .array(kind.parameters.map(value)), "open-parameters": .bool(kind.hasOpenParameters),
            "outputs": .array(
                kind.outputs.map { output in
                    .object(
                        ValueObject([("name", .string(output.name))] + type(output.type)).merging([
                            "summary": .string(output.summary), "sensitive": .bool(output.isSensitive),
                        ]))
                }), "open-outputs": .bool(kind.hasOpenOutputs),
        ]
        members["example"] = kind.example.map(Value.string)
        return members
    }

    private static func value(_ parameter: Parameter) -> Value {
        var members = ValueObject([("name", .string(parameter.name))] + type(parameter.type))
        members["required"] = .bool(parameter.isRequired)
        members["default"] = parameter.defaultValue
        members["accepts-secrets"] = .bool(parameter.acceptsSecrets)
        members["summary"] = .string(parameter.summary)
        return .object(members)
    }

    private static func type(_ type: ValueType) -> [(String, Value)] {
        let name: (String, Value) = ("type", .string(type.name))
        switch type {
        case .choice(let words): return [name, ("choices", .array(words.map(Value.string)))]
        case .list(let element): return [name, ("element", .object(ValueObject(self.type(element))))]
        case .object(let members): return [name, ("members", .array(members.map(value)))]
        default: return [name]
        }
    }
}

extension ValueObject {
    fileprivate func merging(_ other: ValueObject) -> ValueObject {
        var merged = self
        for (name, value) in other { merged[name] = value }
        return merged
    }
}
