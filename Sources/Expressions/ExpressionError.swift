public import Diagnostics

/// Why an expression cannot be read or evaluated, and where.
public struct ExpressionError: Error, Sendable, Hashable {
    /// From 0, in Unicode scalars of the text that was handed in.
    public let offset: Int
    /// In Unicode scalars.
    public let length: Int
    /// What is wrong, as a clause without a full stop.
    public let message: String
    /// A sentence on the rule behind it or on how to mend it.
    public let hint: String?

    public init(offset: Int, length: Int, message: String, hint: String? = nil) {
        self.offset = offset
        self.length = length
        self.message = message
        self.hint = hint
    }

    init(_ span: Span, _ message: String, hint: String? = nil) {
        self.init(offset: span.offset, length: span.length, message: message, hint: hint)
    }
}

/// Something that is wrong with an expression before it is evaluated.
public struct ExpressionProblem: Sendable, Hashable {
    public let severity: Diagnostic.Severity
    /// From 0, in Unicode scalars of the text that was handed in.
    public let offset: Int
    /// In Unicode scalars.
    public let length: Int
    /// What is wrong, as a clause without a full stop.
    public let message: String
    /// A sentence on the rule behind it or on how to mend it ("Did you mean 'latest'?").
    public let hint: String?

    public init(severity: Diagnostic.Severity, offset: Int, length: Int, message: String, hint: String? = nil) {
        self.severity = severity
        self.offset = offset
        self.length = length
        self.message = message
        self.hint = hint
    }

    /// A syntax error as a problem.
    public init(_ error: ExpressionError) {
        self.init(
            severity: .error, offset: error.offset, length: error.length, message: error.message, hint: error.hint)
    }
}

/// A stretch of the text that holds an expression, in Unicode scalars.
struct Span: Sendable, Hashable {
    let offset: Int
    let length: Int

    init(offset: Int, length: Int) {
        self.offset = offset
        self.length = length
    }

    init(_ range: Range<Int>) { self.init(offset: range.lowerBound, length: range.count) }

    var end: Int { offset + length }

    func joined(_ other: Span) -> Span {
        let start = min(offset, other.offset)
        return Span(offset: start, length: max(end, other.end) - start)
    }
}
