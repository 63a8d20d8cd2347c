public import Diagnostics
internal import Expressions
public import Patterns
public import StepKit
public import Values

/// An input that a workflow asks for, or a column of a table that is one.
public struct InputDeclaration: Sendable, Hashable {
    public let name: String
    public let type: InputType
    public let isRequired: Bool
    /// Used when the input is left out; null otherwise.
    public let defaultValue: Value
    /// What texts must hold; nil for anything.
    public let pattern: Pattern?
    /// The least and the greatest number or date; null where there is no bound.
    public let minimum: Value
    public let maximum: Value
    public let description: String?
    public let range: SourceRange

    public init(
        name: String, type: InputType, isRequired: Bool, defaultValue: Value, pattern: Pattern? = nil,
        minimum: Value = .null, maximum: Value = .null, description: String?, range: SourceRange
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.pattern = pattern
        self.minimum = minimum
        self.maximum = maximum
        self.description = description
        self.range = range
    }
}

public indirect enum InputType: Sendable, Hashable {
    case string, integer, number, boolean
    /// A day ("2026-12-01"), or an instant with its offset ("2026-12-01T10:00:00+03:00").
    case date
    /// The path of a file that is there; on the command line taken from the current folder, in a file from the file's.
    case file
    case list
    case choice([String])
    /// A list of rows, from a file of its own or written out; the columns that are declared have types.
    case table([InputDeclaration])

    /// As files name it.
    public var name: String {
        switch self {
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .date: "date"
        case .file: "file"
        case .list: "list"
        case .choice: "choice"
        case .table: "table"
        }
    }

    /// In the order of messages.
    static let names = ["string", "integer", "number", "boolean", "date", "file", "list", "table", "choice"]
    /// Those that need nothing besides: an input may be declared by such a name alone.
    static let plainNames = names.filter { $0 != "choice" }

    /// The type that values are fitted to.
    public var valueType: ValueType {
        switch self {
        case .string, .date: .string
        case .integer: .integer
        case .number: .number
        case .boolean: .boolean
        case .file: .file
        case .list, .table: .list(.any)
        case .choice(let options): .choice(options)
        }
    }

    /// What expressions may know of a value.
    var shape: ValueShape {
        guard case .table(let columns) = self else { return valueType.shape }
        if columns.isEmpty { return .list(of: .any) }
        let members = columns.map { ($0.name, $0.type.shape) }
        return .list(of: .object(members: Dictionary(members) { first, _ in first }, open: true))
    }

    /// The type with its article, for messages.
    var phrase: String {
        switch self {
        case .date: "a date"
        case .table: "a table"
        default: valueType.phrase
        }
    }
}
