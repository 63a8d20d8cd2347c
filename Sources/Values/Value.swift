/// A value as JSON knows it, with whole numbers kept apart so that 64-bit ids stay exact.
public enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([Value])
    case object(ValueObject)
}

extension Value {
    public var isNull: Bool { self == .null }

    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    public var string: String? { if case .string(let value) = self { value } else { nil } }

    public var array: [Value]? { if case .array(let value) = self { value } else { nil } }

    public var object: ValueObject? { if case .object(let value) = self { value } else { nil } }

    /// The whole number; also one that came as a double without a fraction.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The member of an object, nil for anything else.
    public subscript(key: String) -> Value? { object?[key] }

    /// The element of a list, nil out of range or for anything else.
    public subscript(index: Int) -> Value? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// The type's name as messages use it: "null", "boolean", "integer", "number", "string", "list", "object".
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .double: "number"
        case .string: "string"
        case .array: "list"
        case .object: "object"
        }
    }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, Value)...) { self = .object(ValueObject(elements)) }
}
