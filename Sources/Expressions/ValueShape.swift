/// What is known about a value before there is one.
public indirect enum ValueShape: Sendable, Hashable {
    /// Nothing.
    case any
    case null
    case boolean
    case integer
    /// A number, whole or not.
    case number
    case string
    /// A string that is one of these words.
    case oneOf([String])
    case list(of: ValueShape)
    /// An open object may have other members as well, of which nothing is known.
    case object(members: [String: ValueShape], open: Bool)

    /// What a value has that is of the one shape or the other; `null` beside another shape is that shape.
    public func union(_ other: ValueShape) -> ValueShape {
        switch (self, other) {
        case _ where self == other: self
        case (.null, let shape), (let shape, .null): shape
        case (.integer, .number), (.number, .integer): .number
        case (.oneOf(let one), .oneOf(let other)): .oneOf(one + other.filter { !one.contains($0) })
        case (.oneOf, .string), (.string, .oneOf): .string
        case (.list(let one), .list(let other)): .list(of: one.union(other))
        default: .any
        }
    }

    /// As messages name it: "a list", "an integer".
    public var phrase: String {
        switch self {
        case .any: "any value"
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string, .oneOf: "a string"
        case .list: "a list"
        case .object: "an object"
        }
    }

    var isCollection: Bool {
        switch self {
        case .list, .object: true
        default: false
        }
    }
}

/// Which contexts there are, and of what shape: `steps`, `inputs`, `secrets` …
public struct Scope: Sendable, Hashable {
    /// By name, in lower case.
    public private(set) var roots: [String: ValueShape]

    public init(_ roots: [String: ValueShape] = [:]) {
        self.roots = [:]
        for (name, shape) in roots { self[name] = shape }
    }

    /// The shape of a context; the name's case does not count.
    public subscript(name: String) -> ValueShape? {
        get { roots[CaseFolding.asciiLowercased(name)] }
        set { roots[CaseFolding.asciiLowercased(name)] = newValue }
    }
}
