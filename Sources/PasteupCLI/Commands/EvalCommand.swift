internal import Diagnostics
internal import Expressions
internal import Files
internal import Values
internal import YAML

/// `pasteup eval EXPR`.
enum EvalCommand: Command {
    static let spec = CommandSpec(
        "eval", "Evaluates an expression and prints its value as JSON.",
        example: "pasteup eval \"lower('ABC')\"",
        arguments: [CommandSpec.Argument("EXPR", "An expression, or a text with ${{ }} in it.")],
        options: [
            CommandSpec.Option(
                "--context", value: "FILE",
                "Reads inputs, steps, env … from a YAML or JSON file, each under its name.")
        ],
        notes: [
            "A context is written as expressions see it: 'inputs: { wall: -12 }'. Without one, 'env' has the variables of "
                + "this\nprocess. An expression that reads a secret is not evaluated."
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let text = arguments.positionals[0]
        let source = SourceText(file: "expression", text: text)
        let contexts = try arguments.value("--context").map { try readContexts($0, session) } ?? [:]
        let evaluation = Evaluation(text, contexts, environment: session.environment)
        do {
            session.output.result(try evaluation.value().json(.indented) + "\n")
            return .done
        } catch {
            session.output.note(
                DiagnosticRenderer(sources: [source], color: session.output.usesColor).render(error))
            return .usage
        }
    }

    private static func readContexts(_ path: String, _ session: Session) throws -> [String: Value] {
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(path, maxBytes: 16 << 20) } catch {
            throw CommandFailure("the context cannot be read: \(error)", code: .usage)
        }
        let source = SourceText(file: path, bytes: bytes)
        do throws(DiagnosticsError) {
            let root = try YAMLDocument.load(bytes: bytes, file: path).root
            guard let mapping = root.mapping else {
                throw DiagnosticsError([
                    Diagnostic(
                        at: root.useRange, "the context is \(root.typeName), not a mapping",
                        fix: "Write each context under its name: 'inputs: { wall: -12 }'")
                ])
            }
            return Dictionary(mapping.pairs.map { ($0.name, $0.value.value) }) { _, later in later }
        } catch {
            session.output.note(DiagnosticRenderer(sources: [source], color: session.output.usesColor).render(error))
            throw CommandFailure("the context does not fit", code: .usage)
        }
    }
}

/// An expression of the command line, with what it is evaluated in.
private struct Evaluation {
    private let text: String
    private let contexts: [String: Value]
    private let environment: [String: String]

    /// What a workflow's expressions may mention.
    private static let known = ["inputs", "steps", "env", "secrets", "run", "item", "index"]

    init(_ text: String, _ contexts: [String: Value], environment: [String: String]) {
        self.text = text
        self.contexts = contexts
        self.environment = environment
    }

    func value() throws(DiagnosticsError) -> Value {
        do throws(ExpressionError) {
            guard text.contains("${{") else {
                let expression = try Expression.parse(text)
                return try expression.evaluate(in: try context(of: [expression]))
            }
            let template = try Template.parse(text)
            return try template.evaluate(in: try context(of: template.expressions))
        } catch {
            throw DiagnosticsError([diagnostic(ExpressionProblem(error))])
        }
    }

    /// What the expressions are evaluated in.
    ///
    /// - Throws: the first thing that is wrong, or that reads a secret.
    private func context(of expressions: [Expression]) throws(ExpressionError) -> EvaluationContext {
        try check(expressions)
        var roots = contexts
        if roots["env"] == nil { roots["env"] = variables(expressions) }
        return EvaluationContext(roots)
    }

    private func check(_ expressions: [Expression]) throws(ExpressionError) {
        for reference in expressions.flatMap(\.references) {
            if reference.mentionsSecret {
                throw ExpressionError(
                    offset: reference.offset, length: reference.length, message: "'\(reference)' may be a secret",
                    hint: "Secrets are never printed, and neither is what is made of them.")
            }
            let names = contexts.keys.map { $0.lowercased() }
            if reference.root != "env", !names.contains(reference.root), Evaluation.known.contains(reference.root) {
                throw ExpressionError(
                    offset: reference.offset, length: reference.root.unicodeScalars.count,
                    message: "nothing is known of '\(reference.root)'",
                    hint: "Give its values in a file: --context FILE, with '\(reference.root):' in it.")
            }
        }
        var shapes = contexts.mapValues { _ in ValueShape.any }
        shapes["env"] = .any
        for problem in expressions.flatMap({ $0.check(in: Scope(shapes)) }) where problem.severity == .error {
            throw ExpressionError(
                offset: problem.offset, length: problem.length, message: problem.message, hint: problem.hint)
        }
    }

    /// The variables that are mentioned.
    private func variables(_ expressions: [Expression]) -> Value {
        let names = expressions.flatMap(\.references).filter { $0.root == "env" }.compactMap(\.path.first)
        return .object(ValueObject(names.map { ($0, environment[$0].map(Value.string) ?? .null) }))
    }

    private func diagnostic(_ problem: ExpressionProblem) -> Diagnostic {
        let before = text.unicodeScalars.prefix(problem.offset)
        let line = before.count { $0 == "\n" }
        let column = before.reversed().prefix { $0 != "\n" }.count
        return Diagnostic(
            problem.severity,
            at: SourceRange(
                start: SourceLocation(file: "expression", line: line + 1, column: column + 1),
                length: max(1, problem.length)),
            problem.message, fix: problem.hint)
    }
}
