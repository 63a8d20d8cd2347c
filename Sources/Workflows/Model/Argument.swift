public import Diagnostics
public import Expressions
public import Values

/// A value as a workflow file gives it: literal, with expressions in it, or made of such values.
public indirect enum Argument: Sendable {
    case literal(Value, SourceRange)
    case template(Template, SourceRange)
    case list([Argument], SourceRange)
    case object([(name: String, value: Argument)], SourceRange)

    public var range: SourceRange {
        switch self {
        case .literal(_, let range), .template(_, let range), .list(_, let range), .object(_, let range): range
        }
    }

    /// Every reference to a context in it, in order.
    public var references: [Reference] {
        switch self {
        case .literal: []
        case .template(let template, _): template.references
        case .list(let elements, _): elements.flatMap(\.references)
        case .object(let members, _): members.flatMap(\.value.references)
        }
    }
}
