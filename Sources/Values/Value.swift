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

/// An object whose members keep their order. Two objects are equal when they have equal members in any order, as in
/// JSON.
///
/// Keys are compared byte for byte: "é" as one scalar and as two are different keys.
public struct ValueObject: Sendable {
    private struct Name: Sendable, Hashable {
        let text: String
        static func == (one: Name, other: Name) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }
        func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
    }

    private var order: [String] = []
    private var members: [Name: Value] = [:]

    public init() {}

    /// A later member of the same name replaces an earlier one.
    public init(_ members: some Sequence<(String, Value)>) {
        for (key, value) in members { self[key] = value }
    }

    public var keys: [String] { order }
    public var count: Int { order.count }
    public var isEmpty: Bool { order.isEmpty }
    public var values: [Value] { order.map { members[Name(text: $0)]! } }

    public subscript(key: String) -> Value? {
        get { members[Name(text: key)] }
        set {
            if let newValue {
                if members.updateValue(newValue, forKey: Name(text: key)) == nil { order.append(key) }
            } else if members.removeValue(forKey: Name(text: key)) != nil {
                order.removeAll { $0.utf8.elementsEqual(key.utf8) }
            }
        }
    }
}

extension ValueObject: Hashable {
    public static func == (one: ValueObject, other: ValueObject) -> Bool { one.members == other.members }
    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension ValueObject: Sequence {
    public func makeIterator() -> AnyIterator<(key: String, value: Value)> {
        var rest = order.makeIterator()
        let members = members
        return AnyIterator {
            guard let key = rest.next() else { return nil }
            return (key, members[Name(text: key)]!)
        }
    }
}

extension ValueObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
