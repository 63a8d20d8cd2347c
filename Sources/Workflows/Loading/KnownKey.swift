internal import Diagnostics
internal import StepKit
internal import Values

/// A key that a mapping of a workflow file may have: what the loader knows, what the JSON Schema and the reference say.
struct KnownKey: Sendable {
    let name: String
    let form: KeyForm
    let isRequired: Bool
    /// When it is required, where that depends on other keys: "for `choice`".
    let condition: String?
    /// What it is when left out.
    let defaultValue: Value?
    /// The same where it is no literal: "the kind's".
    let defaultText: String?
    /// A clause on what it is for, in Markdown.
    let summary: String
    /// The sentence that an author who misspelled it needs; nil where the name says it.
    let purpose: String?
    /// Values as an author would write them, in YAML.
    let examples: [String]

    init(
        _ name: String, _ form: KeyForm, _ summary: String, purpose: String? = nil, required: Bool = false,
        when condition: String? = nil, default defaultValue: Value? = nil, otherwise defaultText: String? = nil,
        examples: [String] = []
    ) {
        self.name = name
        self.form = form
        self.summary = summary
        self.purpose = purpose
        isRequired = required
        self.condition = condition
        self.defaultValue = defaultValue
        self.defaultText = defaultText
        self.examples = examples
    }
}

extension [KnownKey] {
    var names: [String] { map(\.name) }

    /// The key that is most likely meant by a name that is none: the nearest, or what other programs call it.
    func meant(by name: String) -> KnownKey? {
        let word = name.lowercased().map { $0 == "_" ? "-" : $0 }
        let near = nearest(name, among: names) ?? Self.otherNames[String(word)]
        return near.flatMap { near in first { $0.name == near } }
    }

    /// What GitHub Actions, dagu, Ansible, Airflow and others call them.
    private static let otherNames = [
        "jobs": "steps", "tasks": "steps", "stages": "steps", "pipeline": "steps", "params": "inputs",
        "parameters": "inputs", "variables": "inputs", "vars": "inputs", "on": "schedule", "cron": "schedule",
        "tz": "timezone", "title": "name", "secrets": "accounts", "credentials": "accounts",
        "when": "if", "condition": "if", "only-if": "if", "depends": "needs", "depends-on": "needs", "after": "needs",
        "requires": "needs", "retries": "retry", "attempts": "retry", "loop": "for-each", "matrix": "for-each",
        "with-items": "for-each", "strategy": "for-each", "kind": "uses", "action": "uses", "module": "uses",
        "args": "with", "options": "with", "idempotency-key": "once", "dedupe": "once",
        "ignore-errors": "continue-on-error",
        "allow-failure": "continue-on-error", "delay": "initial", "backoff": "factor", "limit": "max-attempts",
    ]
}

/// What a key's value is.
indirect enum KeyForm: Sendable {
    /// Fixed text without expressions; numbers and booleans count as written.
    case text(pattern: String?)
    case word([String])
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case flag
    /// Longer than nothing.
    case duration
    /// A bare expression, with or without `${{ }}`.
    case condition
    /// A value that expressions may stand in.
    case value(ValueType)
    /// Any value, null as well.
    case anything
    /// A fixed list of texts.
    case texts
    /// One of these, or a list of them.
    case words([String])
    /// An id of a step, or a list of them.
    case steps
    /// A mapping with these keys and no others.
    case mapping([KnownKey])
    /// A mapping of names to such values.
    case members(KeyForm)
    /// One of several.
    case either([KeyForm])
    /// A mapping that depends on the step kinds and account types of the program.
    case step, account, parameters
    /// An input, whose default depends on its type.
    case input

    static var text: KeyForm { .text(pattern: nil) }

    /// As the reference names it.
    var typeName: String {
        switch self {
        case .text: "string"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .integer: "integer"
        case .number: "number"
        case .flag: "boolean"
        case .duration: "duration"
        case .condition: "expression"
        case .anything: "any"
        case .value(.map): "mapping"
        case .value(let type): type.name
        case .texts, .words, .steps: "list"
        case .mapping, .members, .step, .account, .parameters, .input: "mapping"
        case .either(let forms): forms.map(\.typeName).joined(separator: " or ")
        }
    }
}
