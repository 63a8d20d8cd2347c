internal import StepKit
internal import Values

/// Stretches of regular expressions, in the dialect that JSON Schema has (ECMA-262).
enum SchemaPattern {
    /// Holds an expression somewhere.
    static let expression = #"\$\{\{"#
    /// Holds none.
    static let withoutExpression = #"^(?![\s\S]*\$\{\{)"#
    static let integer = #"^[+-]?[0-9]+$"#
    static let number = #"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"#
    static let boolean = "^(true|false)$"
    static let url = "^https?://"
    static let size =
        "^(?!0+x)[0-9]{1,5}x(?!0+$)[0-9]{1,5}$|^(" + PixelSize.names.joined(separator: "|") + ")$"
    /// The forms of CSS; which names there are is left to the loader.
    static let color =
        #"^\s*(#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[A-Za-z]+|([Rr][Gg][Bb]|[Hh][Ss][Ll])[Aa]?\([^()]*\))\s*$"#
    /// Pixels or a share.
    static let length = #"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(px|%)?$"#
    /// Whole seconds since 1970, or ISO 8601 with a zone.
    static let time =
        #"^-?[0-9]+$|^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-6][0-9](\.[0-9]{1,9})?(Z|[+-][0-9]{2}:?[0-9]{2})$"#
    static let duration = "^[0-9]+(ms|s|m|h|d)$"
    static let positiveDuration = "^0*[1-9][0-9]*(ms|s|m|h|d)$"
    /// The path of a workflow file.
    static let part = #"^(\.{0,2}/.+|.+\.ya?ml)$"#
    /// A name that expressions can mention.
    static let name = "^[A-Za-z_][A-Za-z0-9_-]{0,63}$"
}

extension ValueType {
    /// The type as JSON Schema.
    ///
    /// - Parameters:
    ///   - expressions: whether expressions may stand in it.
    ///   - null: whether null stands for "not given".
    func schema(expressions: Bool, null: Bool) -> ValueObject {
        switch self {
        case .any: null ? [:] : ["not": ["type": "null"]]
        case .string: texts(["string", "number", "boolean"], nil, expressions, null)
        case .file:
            ["type": types(["string"], null), "minLength": 1]
        case .choice(let words): choice(words, expressions, null)
        case .integer: texts(["integer", "string"], SchemaPattern.integer, expressions, null)
        case .number: texts(["number", "string"], SchemaPattern.number, expressions, null)
        case .boolean:
            texts(["boolean", "integer", "string"], SchemaPattern.boolean, expressions, null)
                .merging(["minimum": 0, "maximum": 1])
        case .url: texts(["string"], SchemaPattern.url, expressions, null)
        case .size: texts(["string"], SchemaPattern.size, expressions, null)
        case .color: texts(["string"], SchemaPattern.color, expressions, null)
        case .length: texts(["number", "string"], SchemaPattern.length, expressions, null)
        case .duration: texts(["string"], SchemaPattern.duration, expressions, null)
        case .time: texts(["integer", "string"], SchemaPattern.time, expressions, null)
        case .list(let element):
            collection("array", expressions, null)
                .merging(["items": .object(element.schema(expressions: expressions, null: true))])
        case .map: collection("object", expressions, null)
        case .object(let members):
            collection("object", expressions, null).merging(members.schema(expressions: expressions))
        }
    }

    /// Scalars of which texts match a pattern or hold an expression: `pattern` says nothing of other types.
    private func texts(_ names: [String], _ pattern: String?, _ expressions: Bool, _ null: Bool) -> ValueObject {
        var schema: ValueObject = ["type": types(names, null)]
        switch (pattern, expressions) {
        case (let pattern?, true): schema["pattern"] = .string(pattern + "|" + SchemaPattern.expression)
        case (let pattern?, false): schema["pattern"] = .string(pattern)
        case (nil, false): schema["pattern"] = .string(SchemaPattern.withoutExpression)
        case (nil, true): break
        }
        return schema
    }

    /// A list or a mapping, or one whole expression that makes it.
    private func collection(_ name: String, _ expressions: Bool, _ null: Bool) -> ValueObject {
        guard expressions else { return ["type": types([name], null)] }
        return ["type": types([name, "string"], null), "pattern": .string(SchemaPattern.expression)]
    }

    private func choice(_ words: [String], _ expressions: Bool, _ null: Bool) -> ValueObject {
        var forms: [Value] = [["enum": .array(words.map(Value.string))]]
        if expressions { forms.append(["type": "string", "pattern": .string(SchemaPattern.expression)]) }
        if null { forms.append(["type": "null"]) }
        return forms.count == 1 ? forms[0].object ?? [:] : ["anyOf": .array(forms)]
    }

    private func types(_ names: [String], _ null: Bool) -> Value {
        let all = names + (null ? ["null"] : [])
        return all.count == 1 ? .string(all[0]) : .array(all.map(Value.string))
    }
}

extension [Parameter] {
    /// What an object with these members must be: `properties`, `required`, `additionalProperties`.
    ///
    /// - Parameter isOpen: whether it may have others.
    func schema(expressions: Bool, isOpen: Bool = false) -> ValueObject {
        var schema: ValueObject = [
            "properties": .object(ValueObject(map { ($0.name, .object($0.schema(expressions: expressions))) }))
        ]
        let required = filter(\.mustBeGiven).map(\.name)
        if !required.isEmpty { schema["required"] = .array(required.map(Value.string)) }
        if !isOpen { schema["additionalProperties"] = false }
        return schema
    }
}

extension Parameter {
    /// Whether a step that leaves it out is wrong.
    var mustBeGiven: Bool { isRequired && defaultValue == nil }

    func schema(expressions: Bool) -> ValueObject {
        var schema: ValueObject = summary.isEmpty ? [:] : ["description": .string(summary)]
        schema = schema.merging(type.schema(expressions: expressions, null: !mustBeGiven))
        schema["default"] = defaultValue
        return schema
    }
}

extension ValueObject {
    /// With the members of another one after its own; of the same name the other's.
    func merging(_ other: ValueObject) -> ValueObject {
        var merged = self
        for (name, value) in other { merged[name] = value }
        return merged
    }
}
