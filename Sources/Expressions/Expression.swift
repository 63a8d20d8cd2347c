public import Diagnostics
public import Values

/// A compiled expression of GitHub Actions' expression language.
///
/// Names of contexts, members and functions are compared ignoring case, as are texts.
public struct Expression: Sendable, Hashable {
    /// The expression as written, without `${{ }}` and the blanks around.
    public let source: String
    /// From 0, in Unicode scalars of the text that was handed in.
    public let offset: Int
    /// In Unicode scalars.
    public let length: Int
    /// Every context path that is read, from left to right.
    public let references: [Reference]
    /// The functions that are called, in lower case, from left to right.
    public let functions: [String]
    let root: Node
    private let timezone: String?

    /// Whether it reads a secret; see `Reference.mentionsSecret`.
    public var mentionsSecret: Bool { references.contains { $0.mentionsSecret } }

    /// Whether it asks how the run is going, by `success()`, `failure()`, `always()` or `cancelled()`.
    public var readsStatus: Bool { functions.contains { ["success", "failure", "always", "cancelled"].contains($0) } }

    /// Reads a bare expression, as `if` and `for-each` take it; `${{ }}` around all of it may stand or be left out. A
    /// text without anything in it is null.
    ///
    /// - Parameter timezone: the zone of dates for which the expression names none, as a file has it; nil for the
    ///   machine's, and where there is no such zone.
    public static func parse(_ text: String, timezone: String? = nil) throws(ExpressionError) -> Expression {
        let scalars = Array(text.unicodeScalars)
        return try parse(scalars, in: try bareRange(of: scalars), timezone: timezone)
    }

    static func parse(
        _ scalars: [Unicode.Scalar], in range: Range<Int>, timezone: String?
    ) throws(ExpressionError) -> Expression {
        var parser = Parser(scalars, in: range)
        return Expression(try parser.parse(), scalars, range, timezone)
    }

    private init(_ root: Node, _ scalars: [Unicode.Scalar], _ range: Range<Int>, _ timezone: String?) {
        self.root = root
        self.timezone = timezone
        source = String(String.UnicodeScalarView(scalars[range]))
        offset = range.lowerBound
        length = range.count
        var references: [Reference] = []
        var functions: [String] = []
        root.collect(&references, &functions)
        self.references = references
        self.functions = functions
    }

    /// The part of a text that is the expression: without the blanks around, without `${{ }}`.
    private static func bareRange(of scalars: [Unicode.Scalar]) throws(ExpressionError) -> Range<Int> {
        let range = scalars.trimmed(0..<scalars.count)
        guard scalars[range].starts(with: Template.opening) else { return range }
        let inner = try Template.innerRange(of: scalars, openedAt: range.lowerBound)
        let rest = scalars.trimmed(inner.upperBound + Template.closing.count..<range.upperBound)
        guard rest.isEmpty else {
            throw ExpressionError(
                Span(rest), "there is more after the '}}'",
                hint: "It is one expression: put all of it inside one ${{ … }}, or write it without.")
        }
        return try Template.expressionRange(of: scalars, inside: inner)
    }

    /// What is wrong with a text as a bare expression, in order of place; empty when nothing is. Unlike `parse` and then
    /// `check`, this names unknown contexts and functions in front of a syntax error as well.
    public static func problems(
        in text: String, scope: Scope, functions: FunctionLibrary = .standard,
        suggest: (_ word: String, _ candidates: [String]) -> String? = { nearest($0, among: $1) }
    ) -> [ExpressionProblem] {
        let scalars = Array(text.unicodeScalars)
        do throws(ExpressionError) {
            var parser = Parser(scalars, in: try bareRange(of: scalars))
            return withoutActuallyEscaping(suggest) { suggest in
                var checker = Checker(scope: scope, library: functions, suggest: suggest)
                do throws(ExpressionError) {
                    _ = checker.shape(of: try parser.parse())
                } catch {
                    for mention in parser.mentions where mention.isFunction {
                        _ = checker.function(named: mention.name, at: mention.span)
                    }
                    for mention in parser.mentions where !mention.isFunction {
                        _ = checker.context(named: mention.name, at: mention.span)
                    }
                    checker.problems.append(ExpressionProblem(error))
                }
                return checker.sortedProblems
            }
        } catch {
            return [ExpressionProblem(error)]
        }
    }

    /// What is wrong with the expression among these contexts and functions, in order of place.
    ///
    /// - Parameter suggest: the candidate that the author may have meant by a word, nil when none is near.
    public func check(
        in scope: Scope, functions: FunctionLibrary = .standard,
        suggest: (_ word: String, _ candidates: [String]) -> String? = { nearest($0, among: $1) }
    ) -> [ExpressionProblem] {
        withoutActuallyEscaping(suggest) { suggest in
            var checker = Checker(scope: scope, library: functions, suggest: suggest)
            _ = checker.shape(of: root)
            return checker.sortedProblems
        }
    }

    /// What kind of value comes out, as far as it can be told; `any` where something in it is wrong.
    public func shape(in scope: Scope, functions: FunctionLibrary = .standard) -> ValueShape {
        var checker = Checker(scope: scope, library: functions) { _, _ in nil }
        return checker.shape(of: root)
    }

    /// The value; `&&` and `||` evaluate no more than they need.
    ///
    /// - Throws: for an unknown context or function, a wrong number of arguments, what a function refuses, and when the
    ///   texts in between outgrow the context's `memoryLimit`.
    public func evaluate(in context: EvaluationContext) throws(ExpressionError) -> Value {
        var evaluator = Evaluator(context: context, timezone: timezone) { _ in false }
        return try evaluator.value(of: root)
    }

    /// The value, or which references keep it from being known.
    ///
    /// - Parameter isUnknown: whether a path cannot be read yet, such as an output of a step that has not run. It is asked
    ///   with computed indexes filled in.
    public func evaluate(
        in context: EvaluationContext, isUnknown: (Reference) -> Bool
    ) throws(ExpressionError) -> Evaluated {
        // The evaluator lives no longer than this call.
        let result: Result<Evaluated, ExpressionError> = withoutActuallyEscaping(isUnknown) { isUnknown in
            var evaluator = Evaluator(context: context, timezone: timezone, isUnknown: isUnknown)
            return Result { () throws(ExpressionError) in try evaluator.evaluated(root) }
        }
        return try result.get()
    }
}

/// What comes of evaluating before everything is known.
public enum Evaluated: Sendable, Hashable {
    case known(Value)
    /// The references that it waits for, each once, from left to right.
    case unknown([Reference])
}

extension [Unicode.Scalar] {
    /// The range without blanks at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        guard let start = range.first(where: { !self[$0].properties.isWhitespace }),
            let last = range.last(where: { !self[$0].properties.isWhitespace })
        else { return range.lowerBound..<range.lowerBound }
        return start..<last + 1
    }
}
