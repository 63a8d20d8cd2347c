internal import Values

/// The tree of an expression; at most `Parser.maxDepth` levels.
indirect enum Node: Sendable, Hashable {
    case literal(Value, Span)
    /// A context: `steps`.
    case name(String, Span)
    /// A member, an element or all of them: `.outputs`, `[0]`, `.*`. The span is that of the whole, base included.
    case access(Node, Accessor, Span)
    /// A function; `name` is the place of its name, `span` that of the whole call.
    case call(String, name: Span, arguments: [Node], span: Span)
    case not(Node, Span)
    case comparison(Comparison, Node, Node)
    /// Two operands or more.
    case and([Node])
    /// Two operands or more.
    case or([Node])

    enum Accessor: Sendable, Hashable {
        case member(String, Span)
        case index(Node)
        case wildcard(Span)

        var span: Span {
            switch self {
            case .member(_, let span), .wildcard(let span): span
            case .index(let node): node.span
            }
        }
    }

    enum Comparison: String, Sendable, Hashable {
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    var span: Span {
        switch self {
        case .literal(_, let span), .name(_, let span), .access(_, _, let span), .call(_, _, _, let span),
            .not(_, let span):
            span
        case .comparison(_, let left, let right): left.span.joined(right.span)
        case .and(let operands), .or(let operands): operands[0].span.joined(operands[operands.count - 1].span)
        }
    }

    /// What the accessors stand on, and the accessors from left to right: `a.b[0]` is `a` with `.b` and `[0]`.
    var chain: (base: Node, accessors: [(accessor: Accessor, span: Span)]) {
        var base = self
        var accessors: [(Accessor, Span)] = []
        while case .access(let inner, let accessor, let span) = base {
            accessors.append((accessor, span))
            base = inner
        }
        return (base, accessors.reversed())
    }

    /// The operands of a chain of `&&`.
    var conjuncts: [Node]? { if case .and(let operands) = self { operands } else { nil } }

    /// The operands of a chain of `||`.
    var disjuncts: [Node]? { if case .or(let operands) = self { operands } else { nil } }
}
