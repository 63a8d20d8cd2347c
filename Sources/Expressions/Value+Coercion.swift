public import Values

extension Value {
    /// The value inside a longer text, as GitHub's expressions write it.
    ///
    /// | value | text |
    /// |---|---|
    /// | null | nothing |
    /// | true, false | `true`, `false` |
    /// | a whole number | all its digits, `9071234567890123456` |
    /// | another number | 15 significant digits: `0.1`, `1E+20`, `Infinity`, `NaN` |
    /// | a list, an object | the words `Array`, `Object` |
    public var text: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .double(let value): NumberText.text(of: value)
        case .string(let text): text
        case .array: "Array"
        case .object: "Object"
        }
    }

    /// Whether a condition takes the value for true: all but null, false, zero, NaN and the empty text.
    public var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .integer(let value): value != 0
        case .double(let value): value != 0 && !value.isNaN
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }

    var isCollection: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// The value as a number: null is 0, true is 1, a text is read, a list and an object are NaN.
    var number: Number {
        switch self {
        case .null: .integer(0)
        case .bool(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .string(let text): NumberText.number(from: text)
        case .array, .object: .double(.nan)
        }
    }

    /// `==` between two values that are not lists or objects, or of which one is: those equal nothing.
    func looselyEquals(_ other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.string(let one), .string(let two)): CaseFolding.equal(one, two)
        case (.array, _), (.object, _), (_, .array), (_, .object): false
        default: number == other.number
        }
    }

    /// `<`; false for lists, objects and two nulls.
    func looselyPrecedes(_ other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null), (.array, _), (.object, _), (_, .array), (_, .object): false
        case (.string(let one), .string(let two)): CaseFolding.precedes(one, two)
        default: number < other.number
        }
    }
}

extension ValueObject {
    /// The member of that name; failing that, the first whose name differs in case only.
    func member(ignoringCase name: String) -> Value? {
        if let exact = self[name] { return exact }
        let folded = CaseFolding.fold(name)
        guard let key = keys.first(where: { CaseFolding.fold($0).utf8.elementsEqual(folded.utf8) }) else { return nil }
        return self[key]
    }
}

/// A number of the expression language; whole ones stay exact.
enum Number: Sendable {
    case integer(Int64)
    case double(Double)

    var value: Value {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        }
    }

    var isNaN: Bool { if case .double(let value) = self { value.isNaN } else { false } }

    /// The number of an element: rounded down, nil when it is below zero, NaN or too large.
    var index: Int? {
        switch self {
        case .integer(let value): value >= 0 ? Int(value) : nil
        case .double(let value): value >= 0 ? Int(exactly: value.rounded(.down)) : nil
        }
    }

    static func == (one: Number, other: Number) -> Bool {
        switch (one, other) {
        case (.integer(let one), .integer(let other)): one == other
        case (.double(let one), .double(let other)): one == other
        case (.integer(let whole), .double(let real)), (.double(let real), .integer(let whole)):
            Int64(exactly: real) == whole
        }
    }

    static func < (one: Number, other: Number) -> Bool {
        switch (one, other) {
        case (.integer(let one), .integer(let other)): one < other
        case (.double(let one), .double(let other)): one < other
        case (.integer(let whole), .double(let real)): order(whole, real).isBelow
        case (.double(let real), .integer(let whole)): order(whole, real).isAbove
        }
    }

    /// Where a whole number stands to a double, without rounding it; neither below nor above where they are equal or the
    /// double is NaN.
    private static func order(_ whole: Int64, _ real: Double) -> (isBelow: Bool, isAbove: Bool) {
        if real >= 0x1p63 { return (true, false) }
        if real < -0x1p63 { return (false, true) }
        guard let floor = Int64(exactly: real.rounded(.down)) else { return (false, false) }
        let hasFraction = Double(floor) != real
        return (hasFraction ? whole <= floor : whole < floor, whole > floor)
    }
}
