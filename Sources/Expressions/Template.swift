/// A text with expressions in it: `@${{ steps.latest.outputs.username }}`.
///
/// An expression ends at the first `}}` that is not inside a text literal of its own.
public struct Template: Sendable, Hashable {
    public enum Piece: Sendable, Hashable {
        case text(String)
        case expression(Expression)
    }

    /// The text that was handed in.
    public let source: String
    /// In order; neighbours are never both texts, and no text is empty.
    public let pieces: [Piece]
    /// The one expression that is the whole text, blanks around it not counted; its value keeps its type.
    public let whole: Expression?

    public var isWhole: Bool { whole != nil }

    /// The text where there is no expression in it.
    public var constant: String? { expressions.isEmpty ? source : nil }

    /// In order.
    public let expressions: [Expression]
    /// Every context path that is read, from left to right.
    public let references: [Reference]

    /// The functions that are called, in lower case, from left to right.
    public var functions: [String] { expressions.flatMap(\.functions) }

    /// Whether an expression in it reads a secret; see `Reference.mentionsSecret`.
    public let mentionsSecret: Bool

    /// Reads a text; one without `${{` is a constant.
    ///
    /// - Parameter timezone: as for `Expression.parse`.
    public static func parse(_ text: String, timezone: String? = nil) throws(ExpressionError) -> Template {
        let scalars = Array(text.unicodeScalars)
        var pieces: [Piece] = []
        var textStart = 0
        var position = 0
        func takeText(to end: Int) {
            guard end > textStart else { return }
            pieces.append(.text(String(String.UnicodeScalarView(scalars[textStart..<end]))))
        }
        while position < scalars.count {
            guard scalars[position...].starts(with: opening) else {
                position += 1
                continue
            }
            takeText(to: position)
            let inner = try innerRange(of: scalars, openedAt: position)
            pieces.append(
                .expression(
                    try Expression.parse(
                        scalars, in: try expressionRange(of: scalars, inside: inner), timezone: timezone)))
            position = inner.upperBound + closing.count
            textStart = position
        }
        takeText(to: scalars.count)
        return Template(source: text, pieces: pieces, scalars)
    }

    private init(source: String, pieces: [Piece], _ scalars: [Unicode.Scalar]) {
        self.source = source
        self.pieces = pieces
        expressions = pieces.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
        references = expressions.flatMap(\.references)
        mentionsSecret = expressions.contains { $0.mentionsSecret }
        let others = pieces.filter { piece in
            guard case .text(let text) = piece else { return true }
            return !text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        }
        if others.count == 1, case .expression(let expression) = others[0] { whole = expression } else { whole = nil }
    }

    static let opening: [Unicode.Scalar] = ["$", "{", "{"]
    static let closing: [Unicode.Scalar] = ["}", "}"]

    /// What stands between a `${{` and its `}}`.
    static func innerRange(of scalars: [Unicode.Scalar], openedAt start: Int) throws(ExpressionError) -> Range<Int> {
        let first = start + opening.count
        var quote: Int?
        var position = first
        while position < scalars.count {
            if scalars[position] == "'" {
                quote = quote == nil ? position : nil
            } else if quote == nil, scalars[position...].starts(with: closing) {
                return first..<position
            }
            position += 1
        }
        if let quote, scalars[quote...].indices.dropLast().contains(where: { scalars[$0...].starts(with: closing) }) {
            throw ExpressionError(
                offset: quote, length: 1, message: "the text that begins here is not closed",
                hint: "A ' is missing before the '}}'. A quote inside a text is written twice: ''.")
        }
        throw ExpressionError(
            offset: start, length: opening.count, message: "'${{' without its '}}'",
            hint: "Close the expression with '}}'.")
    }

    /// The expression inside of `${{ }}`, without the blanks around.
    static func expressionRange(
        of scalars: [Unicode.Scalar], inside inner: Range<Int>
    ) throws(ExpressionError) -> Range<Int> {
        let range = scalars.trimmed(inner)
        guard !range.isEmpty else {
            throw ExpressionError(
                Span(inner.lowerBound - opening.count..<inner.upperBound + closing.count),
                "there is no expression in '${{ }}'",
                hint: "Write one, such as ${{ inputs.wall }}, or leave the braces out.")
        }
        return range
    }
}
