public import Diagnostics

/// A value in a YAML file, with the place where it is written.
public struct YAMLNode: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        case mapping(YAMLMapping)
    }

    public let content: Content
    /// Where the value is written, its tag and anchor included; for a value that an alias repeats, where the anchor is.
    ///
    /// The length is that of the first line; of a collection without brackets only the first scalar counts.
    public let range: SourceRange
    /// The alias that stands for this value; nil when it is written here.
    public internal(set) var alias: SourceRange?
    /// The line and the column after the last scalar, both from 1.
    let end: Mark

    init(content: Content, range: SourceRange, end: Mark) {
        self.content = content
        self.range = range
        self.end = end
    }

    public var location: SourceLocation { range.start }

    /// Where to point for the reader of the file: at the alias, when one stands for the value.
    public var useRange: SourceRange { alias ?? range }
}

extension YAMLNode {
    public var scalar: YAMLScalar? { if case .scalar(let scalar) = content { scalar } else { nil } }

    public var isNull: Bool { scalar?.value == .null }

    /// The text of a string; nil for numbers, booleans and null, which `scalar?.text` gives as written.
    public var string: String? { if case .string(let text) = scalar?.value { text } else { nil } }

    public var bool: Bool? { if case .bool(let value) = scalar?.value { value } else { nil } }

    public var integer: Int64? { if case .integer(let value) = scalar?.value { value } else { nil } }

    /// A number with a fraction or without.
    public var double: Double? {
        switch scalar?.value {
        case .double(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    public var sequence: [YAMLNode]? { if case .sequence(let elements) = content { elements } else { nil } }

    public var mapping: YAMLMapping? { if case .mapping(let mapping) = content { mapping } else { nil } }

    /// The value under a key of a mapping, nil for anything else.
    public subscript(key: String) -> YAMLNode? { mapping?[key] }

    /// What it is, as messages say it: "a mapping", "a list", "text", "an integer", "a number", "a boolean", "null".
    public var typeName: String {
        switch content {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .scalar(let scalar):
            switch scalar.value {
            case .null: "null"
            case .bool: "a boolean"
            case .integer: "an integer"
            case .double: "a number"
            case .string: "text"
            }
        }
    }
}
