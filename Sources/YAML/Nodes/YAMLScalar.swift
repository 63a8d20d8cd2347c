/// A single value, with the text it was written as.
public struct YAMLScalar: Sendable, Hashable {
    /// What the text means in the YAML 1.2 core schema.
    public enum Value: Sendable, Hashable {
        case null
        case bool(Bool)
        case integer(Int64)
        case double(Double)
        case string(String)
    }

    public enum Style: Sendable, Hashable {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    /// The text without quotes, escapes and indentation, as the author meant it: "017" for the integer 17.
    public let text: String
    public let value: Value
    public let style: Style

    public init(text: String, value: Value, style: Style) {
        self.text = text
        self.value = value
        self.style = style
    }
}
