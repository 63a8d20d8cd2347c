internal import StepKit
internal import Values
internal import YAML

extension [KnownKey] {
    /// What a mapping with these keys must be.
    ///
    /// - Parameter definitions: the schemas of what depends on the program's step kinds and account types.
    func schema(_ definitions: SchemaDefinitions) -> ValueObject {
        var schema: ValueObject = [
            "type": "object",
            "properties": .object(ValueObject(map { ($0.name, .object($0.schema(definitions))) })),
        ]
        let required = filter(\.isRequired).map(\.name)
        if !required.isEmpty { schema["required"] = .array(required.map(Value.string)) }
        schema["additionalProperties"] = false
        return schema
    }
}

/// The schemas of what depends on the program's step kinds and account types.
struct SchemaDefinitions {
    var step: ValueObject = [:]
    var account: ValueObject = [:]
    var input: ValueObject = [:]
}

extension KnownKey {
    func schema(_ definitions: SchemaDefinitions) -> ValueObject {
        var schema: ValueObject = ["description": .string(sentence)]
        schema = schema.merging(form.schema(definitions))
        if let defaultValue, !defaultValue.isNull { schema["default"] = defaultValue }
        let examples = examples.compactMap { try? YAMLDocument.load(bytes: Array($0.utf8), file: name).root.value }
        if !examples.isEmpty { schema["examples"] = .array(examples) }
        return schema
    }

    /// The summary as a sentence.
    private var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}

extension KeyForm {
    func schema(_ definitions: SchemaDefinitions) -> ValueObject {
        switch self {
        case .text(let pattern):
            return [
                "type": ["string", "number", "boolean"], "minLength": 1,
                "pattern": .string(pattern ?? SchemaPattern.withoutExpression),
            ]
        case .word(let words): return ["enum": .array(words.map(Value.string))]
        case .integer(let range):
            return ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .number(let range):
            return ["type": "number", "minimum": .double(range.lowerBound), "maximum": .double(range.upperBound)]
        case .flag: return ["type": "boolean"]
        case .duration: return ["type": "string", "pattern": .string(SchemaPattern.positiveDuration)]
        case .condition: return ["type": ["string", "boolean", "number"], "minLength": 1]
        case .value(let type): return type.schema(expressions: true, null: false)
        case .anything: return [:]
        case .texts:
            return ["type": "array", "minItems": 1, "items": ["type": ["string", "number", "boolean"]]]
        case .words(let words):
            let word: Value = ["enum": .array(words.map(Value.string))]
            return ["anyOf": [word, ["type": "array", "minItems": 1, "items": word]]]
        case .steps:
            let id: Value = ["type": "string", "pattern": .string(SchemaPattern.name)]
            return ["anyOf": [id, ["type": ["array", "null"], "items": id]]]
        case .mapping(let keys): return keys.schema(definitions)
        case .members(let form):
            var schema: ValueObject = [
                "type": ["object", "null"], "propertyNames": ["pattern": .string(SchemaPattern.name)],
                "additionalProperties": .object(form.schema(definitions)),
            ]
            // A workflow without steps is none.
            if case .step = form {
                schema["type"] = "object"
                schema["minProperties"] = 1
            }
            return schema
        case .either(let forms): return ["anyOf": .array(forms.map { .object($0.schema(definitions)) })]
        case .step: return definitions.step
        case .account: return definitions.account
        case .input: return definitions.input
        case .parameters: return ["type": ["object", "null"]]
        }
    }
}
