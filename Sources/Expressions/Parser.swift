internal import Values

/// Reads an expression by operator precedence.
///
/// | binds | operators |
/// |---|---|
/// | strongest | `.name` `[index]` `.*` `[*]` |
/// | | `!` |
/// | | `<` `<=` `>` `>=` |
/// | | `==` `!=` |
/// | | `&&` |
/// | weakest | `||` |
///
/// Open parentheses wait on a list of frames, not on the stack, so that no text can overflow it.
struct Parser {
    /// The levels of a tree, parentheses not counted; GitHub's number.
    static let maxDepth = 50
    /// The longest expression, in scalars; GitHub's number.
    static let maxLength = 21_000

    /// A name or a function that has been read, in order of place; also those before a syntax error.
    struct Mention {
        let name: String
        let isFunction: Bool
        let span: Span
    }

    private(set) var mentions: [Mention] = []
    private var lexer: Lexer
    private let range: Range<Int>
    private var frames = [Frame(opening: .whole)]
    private var current: Token?
    private var previous: Token?

    /// - Parameter range: the part of `scalars` that is the expression.
    init(_ scalars: [Unicode.Scalar], in range: Range<Int>) {
        lexer = Lexer(scalars, in: range)
        self.range = range
    }

    /// The tree; nothing at all is the literal null.
    mutating func parse() throws(ExpressionError) -> Node {
        guard range.count <= Self.maxLength else {
            throw ExpressionError(
                Span(range), "the expression is longer than \(Self.maxLength) characters",
                hint: "Move long texts into an input or a file.")
        }
        while true {
            let token = take()
            if case .end = token.kind, previous == nil {
                return .literal(.null, Span(range.lowerBound..<range.lowerBound))
            }
            if let node = try frames[frames.count - 1].expectsOperand ? readOperand(token) : readOperator(token) {
                return node
            }
        }
    }

    private mutating func take() -> Token {
        previous = current
        let token = lexer.next()
        current = token
        return token
    }

    private mutating func readOperand(_ token: Token) throws(ExpressionError) -> Node? {
        switch token.kind {
        case .literal(let value): try push(.literal(value, token.span), depth: 1, takesAccess: false)
        case .name(let name):
            mentions.append(Mention(name: name, isFunction: false, span: token.span))
            try push(.name(name, token.span), depth: 1)
        case .function(let name):
            mentions.append(Mention(name: name, isFunction: true, span: token.span))
            _ = take()
            frames.append(Frame(opening: .call(name, token.span)))
        case .mark("("): frames.append(Frame(opening: .group))
        case .not: frames[frames.count - 1].operators.append(.not(token.span))
        case .mark(")"):
            guard case .call(let name, let span) = frames[frames.count - 1].opening, frames.last!.isUntouched else {
                throw unexpected(token)
            }
            frames.removeLast()
            let whole = span.joined(token.span)
            try push(.call(name, name: span, arguments: [], span: whole), depth: 1)
        case .mark("*"):
            guard case .index(let base) = frames[frames.count - 1].opening, frames.last!.isUntouched else {
                throw unexpected(token)
            }
            let closing = take()
            guard closing.isMark("]") else { throw unexpected(closing) }
            frames.removeLast()
            try pushAccess(to: base, .wildcard(token.span), indexDepth: 1, end: closing.span)
        default: throw unexpected(token)
        }
        return nil
    }

    /// Returns the whole tree at the end of the expression.
    private mutating func readOperator(_ token: Token) throws(ExpressionError) -> Node? {
        switch token.kind {
        case .and: try pushOperator(.and)
        case .or: try pushOperator(.or)
        case .comparison(let comparison): try pushOperator(.comparison(comparison))
        case .mark("."): try readMember(token)
        case .mark("["):
            guard let base = frames[frames.count - 1].operands.last, base.takesAccess else { throw unexpected(token) }
            frames[frames.count - 1].operands.removeLast()
            frames.append(Frame(opening: .index(base)))
        case .mark(","):
            guard case .call = frames[frames.count - 1].opening else { throw unexpected(token) }
            let argument = try reduceAll()
            frames[frames.count - 1].arguments.append(argument)
            frames[frames.count - 1].expectsOperand = true
        case .mark(")"), .mark("]"): try close(token)
        case .end:
            guard case .whole = frames[frames.count - 1].opening else { throw unexpected(token) }
            return try reduceAll().node
        default: throw unexpected(token)
        }
        return nil
    }

    private mutating func readMember(_ dot: Token) throws(ExpressionError) {
        guard let base = frames[frames.count - 1].operands.last, base.takesAccess else { throw unexpected(dot) }
        let token = take()
        frames[frames.count - 1].operands.removeLast()
        switch token.kind {
        case .member(let name): try pushAccess(to: base, .member(name, token.span), indexDepth: 1, end: token.span)
        case .mark("*"): try pushAccess(to: base, .wildcard(token.span), indexDepth: 1, end: token.span)
        default: throw unexpected(token)
        }
    }

    private mutating func close(_ token: Token) throws(ExpressionError) {
        let isBracket = token.isMark("]")
        switch frames[frames.count - 1].opening {
        case .group where !isBracket:
            var inner = try reduceAll()
            frames.removeLast()
            inner.takesAccess = true
            frames[frames.count - 1].operands.append(inner)
            frames[frames.count - 1].expectsOperand = false
        case .call(let name, let span) where !isBracket:
            let arguments = frames[frames.count - 1].arguments + [try reduceAll()]
            frames.removeLast()
            let depth = 1 + (arguments.map(\.depth).max() ?? 0)
            let whole = span.joined(token.span)
            try push(.call(name, name: span, arguments: arguments.map(\.node), span: whole), depth: depth)
        case .index(let base) where isBracket:
            let index = try reduceAll()
            frames.removeLast()
            try pushAccess(to: base, .index(index.node), indexDepth: index.depth, end: token.span)
        default: throw unexpected(token)
        }
    }
}

extension Parser {
    /// A part between an opening mark and its closing one.
    private struct Frame {
        enum Opening {
            case whole
            case group
            case call(String, Span)
            case index(Operand)
        }

        let opening: Opening
        var operands: [Operand] = []
        var operators: [Operator] = []
        var arguments: [Operand] = []
        var expectsOperand = true

        /// Whether nothing has been read in it yet.
        var isUntouched: Bool { operands.isEmpty && operators.isEmpty && arguments.isEmpty }
    }

    private struct Operand {
        let node: Node
        let depth: Int
        var takesAccess: Bool
    }

    private enum Operator {
        case not(Span)
        case comparison(Node.Comparison)
        case and
        case or

        var precedence: Int {
            switch self {
            case .or: 1
            case .and: 2
            case .comparison(.equal), .comparison(.unequal): 3
            case .comparison: 4
            case .not: 5
            }
        }
    }

    private mutating func push(_ node: Node, depth: Int, takesAccess: Bool = true) throws(ExpressionError) {
        guard depth <= Self.maxDepth else {
            throw ExpressionError(
                node.span, "the expression is nested deeper than \(Self.maxDepth) levels",
                hint: "Compute a part of it in a step of its own.")
        }
        frames[frames.count - 1].operands.append(Operand(node: node, depth: depth, takesAccess: takesAccess))
        frames[frames.count - 1].expectsOperand = false
    }

    private mutating func pushAccess(
        to base: Operand, _ accessor: Node.Accessor, indexDepth: Int, end: Span
    ) throws(ExpressionError) {
        let span = base.node.span.joined(end)
        try push(.access(base.node, accessor, span), depth: 1 + max(base.depth, indexDepth))
    }

    private mutating func pushOperator(_ next: Operator) throws(ExpressionError) {
        while let top = frames[frames.count - 1].operators.last, top.precedence >= next.precedence { try reduce() }
        frames[frames.count - 1].operators.append(next)
        frames[frames.count - 1].expectsOperand = true
    }

    /// Applies every operator of the innermost frame and takes its one operand out.
    private mutating func reduceAll() throws(ExpressionError) -> Operand {
        while !frames[frames.count - 1].operators.isEmpty { try reduce() }
        return frames[frames.count - 1].operands.removeLast()
    }

    private mutating func reduce() throws(ExpressionError) {
        let top = frames[frames.count - 1].operators.removeLast()
        let right = frames[frames.count - 1].operands.removeLast()
        if case .not(let span) = top {
            return try push(.not(right.node, span.joined(right.node.span)), depth: right.depth + 1)
        }
        let left = frames[frames.count - 1].operands.removeLast()
        let depth = 1 + max(left.depth, right.depth)
        switch top {
        case .comparison(let comparison): try push(.comparison(comparison, left.node, right.node), depth: depth)
        case .and: try pushChain(left, right, operands: \.conjuncts) { .and($0) }
        case .or, .not: try pushChain(left, right, operands: \.disjuncts) { .or($0) }
        }
    }

    /// A chain of `&&` is one level, however long; so is one of `||`.
    private mutating func pushChain(
        _ left: Operand, _ right: Operand, operands: (Node) -> [Node]?, make: ([Node]) -> Node
    ) throws(ExpressionError) {
        var parts: [Node] = []
        var depth = 0
        for operand in [left, right] {
            let nested = operands(operand.node)
            parts += nested ?? [operand.node]
            depth = max(depth, nested == nil ? operand.depth + 1 : operand.depth)
        }
        try push(make(parts), depth: depth)
    }

    private func unexpected(_ token: Token) -> ExpressionError {
        guard case .end = token.kind else {
            let word = String(lexer.text(token.span.offset..<token.span.end))
            return ExpressionError(token.span, "unexpected '\(word)'", hint: hint(for: token, word))
        }
        let last = previous?.span ?? token.span
        return ExpressionError(
            last, "the expression ends unfinished after '\(lexer.text(last.offset..<last.end))'", hint: openingHint)
    }

    private func hint(for token: Token, _ word: String) -> String? {
        let expectsOperand = frames[frames.count - 1].expectsOperand
        return switch token.kind {
        case .unexpected(let hint): hint
        case .mark(","): "Commas separate the arguments of a function."
        case .mark("*") where !expectsOperand: Lexer.hint(forArithmetic: word)
        // A number with a sign behind a value, as in "a -1".
        case .literal where !expectsOperand && (word.hasPrefix("+") || word.hasPrefix("-")):
            Lexer.hint(forArithmetic: String(word.prefix(1)))
        case .literal, .name, .function:
            expectsOperand ? nil : "An operator is missing before it: ==, !=, <, <=, >, >=, && or ||."
        default: nil
        }
    }

    private var openingHint: String {
        if frames[frames.count - 1].expectsOperand { return "A value is missing." }
        return switch frames[frames.count - 1].opening {
        case .whole: "A value is missing."
        case .group, .call: "A ) is missing."
        case .index: "A ] is missing."
        }
    }
}
