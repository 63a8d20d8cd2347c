public import Values

/// What is wrong with the parameters of a step although each fits its type: found before anything runs, as far as the
/// values are written out in the file.
public struct ParameterProblem: Sendable, Hashable {
    public enum Severity: Sendable, Hashable {
        case error
        /// The step runs all the same.
        case warning
    }

    public let severity: Severity
    /// Which parameter, and where inside it; empty for the step as a whole.
    public let path: [TypeMismatch.PathElement]
    /// How the sentence goes on that the path begins, "is 0", or a clause, "the post is empty".
    public let problem: String
    /// Whether `problem` is a clause; always so without a path.
    public let isClause: Bool
    /// A sentence on the rule behind it.
    public let why: String?
    /// A sentence on how to mend it.
    public let fix: String?

    public init(
        at path: [TypeMismatch.PathElement] = [], _ problem: String, isClause: Bool = false,
        severity: Severity = .error, why: String? = nil, fix: String? = nil
    ) {
        self.isClause = isClause || path.isEmpty
        self.severity = severity
        self.path = path
        self.problem = problem
        self.why = why
        self.fix = fix
    }

    /// The problem of a parameter itself.
    public init(
        _ parameter: String, _ problem: String, severity: Severity = .error, why: String? = nil, fix: String? = nil
    ) {
        self.init(at: [.member(parameter)], problem, severity: severity, why: why, fix: fix)
    }

    /// The path as an author writes it: "background.top".
    public var pathText: String { TypeMismatch(path: path, problem: problem).pathText }
}

extension StepError {
    /// The same, found when the step runs.
    public init(_ problem: ParameterProblem) {
        self.init(
            .invalid, problem.isClause ? problem.problem : "'\(problem.pathText)' \(problem.problem)", why: problem.why,
            fix: problem.fix)
    }
}

extension StepKind {
    /// Refuses parameters that are wrong although each fits its type.
    ///
    /// - Throws: the first error among `problems(in:)`.
    public func checkParameters(of call: StepCall) throws(StepError) {
        let written = PlannedCall(parameters: call.parameters.map { PlannedMember($0.key, .known($0.value)) })
        if let problem = problems(in: written).first(where: { $0.severity == .error }) { throw StepError(problem) }
    }
}

// MARK: - Looking at what is written

extension PlannedValue {
    /// The value, where it is written out.
    public var literal: Value? { if case .known(let value) = self { value } else { nil } }

    /// Whether it is written out that there is none.
    public var isAbsent: Bool { literal == .null }

    /// The member of an object, whether all of it is known or not.
    public subscript(member name: String) -> PlannedValue? {
        switch self {
        case .known(let value): value[name].map(PlannedValue.known)
        case .object(let members): members.first { $0.name == name }?.value
        default: nil
        }
    }

    /// The elements of a list, whether all of them are known or not; nil where it is no list, or not known how long.
    public var elements: [PlannedValue]? {
        switch self {
        case .known(let value): value.array?.map(PlannedValue.known)
        case .list(let elements): elements
        default: nil
        }
    }
}

extension PlannedCall {
    /// The parameter; nil when it is not given, or null.
    public func given(_ parameter: String) -> PlannedValue? { self[parameter].flatMap { $0.isAbsent ? nil : $0 } }

    /// The parameter's value, where it is written out.
    public func literal(_ parameter: String) -> Value? { given(parameter)?.literal }
}
