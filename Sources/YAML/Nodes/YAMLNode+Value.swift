public import Values

extension YAMLNode {
    /// The node as a value, without its places; the order of members is kept.
    public var value: Value {
        switch content {
        case .scalar(let scalar):
            switch scalar.value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .double(let value): .double(value)
            case .string(let text): .string(text)
            }
        case .sequence(let elements): .array(elements.map(\.value))
        case .mapping(let mapping): .object(ValueObject(mapping.pairs.map { ($0.name, $0.value.value) }))
        }
    }
}
