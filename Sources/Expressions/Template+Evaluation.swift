public import Diagnostics
public import Values

extension Template {
    /// What is wrong with the expressions among these contexts and functions, in order of place; among it, as a warning,
    /// a list or an object inside a longer text.
    ///
    /// - Parameter suggest: the candidate that the author may have meant by a word, nil when none is near.
    public func check(
        in scope: Scope, functions: FunctionLibrary = .standard,
        suggest: (_ word: String, _ candidates: [String]) -> String? = { nearest($0, among: $1) }
    ) -> [ExpressionProblem] {
        expressions.flatMap { expression in
            let problems = expression.check(in: scope, functions: functions, suggest: suggest)
            guard !isWhole, problems.isEmpty else { return problems }
            let word: String
            switch expression.shape(in: scope, functions: functions) {
            case .list: word = "Array"
            case .object: word = "Object"
            default: return []
            }
            let what = word == "Array" ? "a list" : "an object"
            return [
                ExpressionProblem(
                    severity: .warning, offset: expression.offset, length: expression.length,
                    message: "\(what) inside a text becomes the word '\(word)'",
                    hint: word == "Array"
                        ? "Write join(…, ', ') for its items or toJSON(…) for all of it."
                        : "Name a member of it, or write toJSON(…) for all of it.")
            ]
        }
    }

    /// What kind of value comes out: that of the expression where it is the whole text, else a string.
    public func shape(in scope: Scope, functions: FunctionLibrary = .standard) -> ValueShape {
        whole?.shape(in: scope, functions: functions) ?? .string
    }

    /// The value of the expression where it is the whole text, else the text with the values in their places.
    public func evaluate(in context: EvaluationContext) throws(ExpressionError) -> Value {
        if let whole { return try whole.evaluate(in: context) }
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let part): text += part
            case .expression(let expression):
                text += try expression.evaluate(in: context).text
                try checkLength(of: text, after: expression)
            }
        }
        return .string(text)
    }

    /// A text with expressions in it may be so long, in bytes of UTF-8. Steps that each double what the one before has made
    /// would fill the memory otherwise.
    public static let maxBytes = 16 << 20

    private func checkLength(of text: String, after expression: Expression) throws(ExpressionError) {
        guard text.utf8.count > Template.maxBytes else { return }
        throw ExpressionError(
            offset: expression.offset, length: expression.length,
            message: "the text becomes longer than \(Template.maxBytes >> 20) MiB here",
            hint: "Large texts belong in files.")
    }

    /// A part of a template before everything is known.
    public enum EvaluatedPiece: Sendable, Hashable {
        case text(String)
        /// The references that the place waits for.
        case unknown([Reference])
    }

    /// What comes of a template before everything is known.
    public enum EvaluatedTemplate: Sendable, Hashable {
        case known(Value)
        /// At least one piece is unknown; neighbours are never both texts.
        case partial([EvaluatedPiece])

        /// The references that it waits for, from left to right.
        public var missing: [Reference] {
            guard case .partial(let pieces) = self else { return [] }
            return pieces.flatMap { piece -> [Reference] in
                if case .unknown(let references) = piece { references } else { [] }
            }
        }
    }

    /// The value, or its known parts and what the others wait for.
    ///
    /// - Parameter isUnknown: whether a path cannot be read yet, such as an output of a step that has not run.
    public func evaluate(
        in context: EvaluationContext, isUnknown: (Reference) -> Bool
    ) throws(ExpressionError) -> EvaluatedTemplate {
        if let whole {
            switch try whole.evaluate(in: context, isUnknown: isUnknown) {
            case .known(let value): return .known(value)
            case .unknown(let references): return .partial([.unknown(references)])
            }
        }
        var evaluated: [EvaluatedPiece] = []
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let part): text += part
            case .expression(let expression):
                switch try expression.evaluate(in: context, isUnknown: isUnknown) {
                case .known(let value):
                    text += value.text
                    try checkLength(of: text, after: expression)
                case .unknown(let references):
                    if !text.isEmpty { evaluated.append(.text(text)) }
                    evaluated.append(.unknown(references))
                    text = ""
                }
            }
        }
        if evaluated.isEmpty { return .known(.string(text)) }
        return .partial(text.isEmpty ? evaluated : evaluated + [.text(text)])
    }
}
