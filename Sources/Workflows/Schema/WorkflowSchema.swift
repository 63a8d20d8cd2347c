public import StepKit
public import Values
internal import YAML

/// The JSON Schema (2020-12) of workflow files, for editors.
///
/// It says of a file's shape what the loader says: keys, types, step kinds with their parameters, types of accounts. What
/// the loader knows besides (which steps an expression may mention, rings, secrets in the wrong place) it cannot.
public struct WorkflowSchema: Sendable {
    private let catalog: StepCatalog

    /// - Parameter catalog: the step kinds and account types that files may name.
    public init(catalog: StepCatalog) { self.catalog = catalog }

    /// The schema, one JSON object.
    public var value: Value {
        let definitions = SchemaDefinitions(
            step: ["$ref": "#/$defs/step"], account: ["$ref": "#/$defs/account"], input: ["$ref": "#/$defs/input"])
        var schema: ValueObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Workflow of pasteup",
            "description": "What pasteup runs: inputs, accounts, and steps that wait for one another.",
        ]
        schema = schema.merging([KnownKey].workflow.schema(definitions))
        schema["$defs"] = [
            "input": .object(input(definitions)), "account": .object(account(definitions)),
            "step": .object(step(definitions)),
        ]
        return .object(schema)
    }

    // MARK: Steps

    private func step(_ definitions: SchemaDefinitions) -> ValueObject {
        let kinds = catalog.kindNames.compactMap { catalog.kind($0)?.declaration }
        var schema = [KnownKey].step.schema(definitions)
        var properties = schema["properties"]?.object ?? [:]
        var uses = properties["uses"]?.object ?? [:]
        for name in ["type", "minLength", "pattern"] { uses[name] = nil }
        uses["enum"] = .array(kinds.map { .string($0.name) })
        // Shown by editors beside each; no keyword of the standard.
        uses["enumDescriptions"] = .array(kinds.map { .string($0.summary) })
        properties["uses"] = .object(withFamilies(uses))
        schema["properties"] = .object(properties)
        schema["allOf"] = .array(
            kinds.map { rule("uses", $0.name, then: step(of: $0)) } + [part])
        return schema
    }

    /// What a step that uses a file must be besides. What `with` may hold is in that file, for the loader alone to know.
    private var part: Value {
        [
            "if": ["properties": ["uses": ["pattern": .string(SchemaPattern.part)]], "required": ["uses"]],
            "then": ["properties": .object(ValueObject([KnownKey].ofCallsOnly.map { ($0, false) }))],
        ]
    }

    /// Names that are not listed: those that the families know, for completion, all others of their form, and files.
    private func withFamilies(_ uses: ValueObject) -> ValueObject {
        var uses = uses
        var listed = ValueObject()
        for key in ["enum", "enumDescriptions"] {
            listed[key] = uses[key]
            uses[key] = nil
        }
        let known = Set(catalog.kindNames)
        let others = catalog.knownNames.filter { !known.contains($0) }
        uses["anyOf"] = .array(
            [.object(listed)] + (others.isEmpty ? [] : [["enum": .array(others.map(Value.string))]])
                + (catalog.familyPatterns + [SchemaPattern.part]).map { ["type": "string", "pattern": .string($0)] })
        return uses
    }

    /// What a step of the kind must be besides.
    private func step(of kind: StepDeclaration) -> ValueObject {
        let mustHaveParameters = kind.parameters.contains(where: \.mustBeGiven)
        var parameters: ValueObject = [
            "description": .string(kind.summary), "type": mustHaveParameters ? "object" : ["object", "null"],
        ]
        parameters = parameters.merging(kind.parameters.schema(expressions: true, isOpen: kind.hasOpenParameters))
        if let example = example(of: kind) { parameters["examples"] = [example] }
        var properties: ValueObject = ["with": .object(parameters)]
        if kind.accountType == nil { properties["account"] = false }
        if !kind.takesEffect { properties["effect"] = false }
        var schema: ValueObject = ["properties": .object(properties)]
        if mustHaveParameters { schema["required"] = ["with"] }
        return schema
    }

    /// The parameters in the kind's example.
    private func example(of kind: StepDeclaration) -> Value? {
        guard let example = kind.example,
            let root = try? YAMLDocument.load(bytes: Array(example.utf8), file: kind.name).root
        else { return nil }
        return root.mapping?.pairs.first?.value["with"]?.value
    }

    // MARK: Accounts and inputs

    private func account(_ definitions: SchemaDefinitions) -> ValueObject {
        let types = catalog.accountTypeNames.compactMap(catalog.accountType)
        var schema = [KnownKey].account(types: types.map(\.name)).schema(definitions)
        var properties = schema["properties"]?.object ?? [:]
        // A token is an expression at least in part; one that is written out is refused.
        properties["token"] = .object(
            (properties["token"]?.object ?? [:]).merging([
                "type": "string", "pattern": .string(SchemaPattern.expression),
            ]))
        let settings = types.flatMap(\.settings)
        for setting in settings where properties[setting.name] == nil { properties[setting.name] = true }
        schema["properties"] = .object(properties)
        if types.isEmpty { return schema }
        schema["allOf"] = .array(
            types.map { type in
                var own = type.settings.schema(expressions: false)["properties"]?.object ?? [:]
                for other in settings where own[other.name] == nil { own[other.name] = false }
                return rule("type", type.name, then: ["properties": .object(own)])
            })
        return schema
    }

    private func input(_ definitions: SchemaDefinitions) -> ValueObject {
        var schema = [KnownKey].input.schema(definitions)
        schema["type"] = "object"
        schema["allOf"] = .array(
            InputType.names.map { name in
                let type = InputType(name: name)?.valueType ?? .any
                var then: ValueObject = [
                    "properties": ["default": .object(type.schema(expressions: false, null: true))]
                ]
                if name == "choice" { then["required"] = ["options"] }
                return rule("type", name, then: then)
            } + [
                // One that is required cannot be left out.
                [
                    "if": ["properties": ["required": ["const": true]], "required": ["required"]],
                    "then": ["properties": ["default": ["type": "null"]]],
                ]
            ])
        return schema
    }

    private func rule(_ key: String, _ word: String, then schema: ValueObject) -> Value {
        [
            "if": ["properties": .object([key: ["const": .string(word)]]), "required": [.string(key)]],
            "then": .object(schema),
        ]
    }
}

extension InputType {
    /// The type of that name without its options; nil for one that has no fixed form of values.
    fileprivate init?(name: String) {
        switch name {
        case "string": self = .string
        case "integer": self = .integer
        case "number": self = .number
        case "boolean": self = .boolean
        case "file": self = .file
        case "list": self = .list
        default: return nil
        }
    }
}
