internal import Diagnostics
internal import Values

/// Infers the shape of a tree and notes what is wrong with it on the way.
struct Checker {
    let scope: Scope
    let library: FunctionLibrary
    let suggest: (String, [String]) -> String?
    var problems: [ExpressionProblem] = []

    init(scope: Scope, library: FunctionLibrary, suggest: @escaping (String, [String]) -> String?) {
        self.scope = scope
        self.library = library
        self.suggest = suggest
    }

    var sortedProblems: [ExpressionProblem] { problems.sorted { ($0.offset, $0.length) < ($1.offset, $1.length) } }

    mutating func shape(of node: Node) -> ValueShape {
        switch node {
        case .literal(let value, _):
            switch value {
            case .null: return .null
            case .bool: return .boolean
            case .integer: return .integer
            case .double: return .number
            case .string: return .string
            case .array: return .list(of: .any)
            case .object: return .object(members: [:], open: true)
            }
        case .name, .access: return shape(ofChain: node)
        case .call(let name, let nameSpan, let arguments, let span):
            return shape(ofCall: name, nameSpan, arguments, span)
        case .not(let operand, _):
            _ = shape(of: operand)
            return .boolean
        case .comparison(let comparison, let left, let right):
            checkComparison(comparison, left, right)
            return .boolean
        case .and(let operands), .or(let operands):
            let shapes = operands.map { shape(of: $0) }
            return shapes.dropFirst().reduce(shapes[0]) { $0.union($1) }
        }
    }

    /// The shape of a context; a problem where there is none of that name.
    mutating func context(named name: String, at span: Span) -> ValueShape {
        if let shape = scope[name] { return shape }
        report(
            span, "unknown context '\(name)'",
            hint: otherUse(of: name) ?? hint(for: name, among: scope.roots.keys.sorted()))
        return .any
    }

    /// A literal in other letters, or a function without its parentheses.
    private func otherUse(of name: String) -> String? {
        let word = CaseFolding.asciiLowercased(name)
        if ["true", "false", "null"].contains(word) { return "Write \(word)." }
        return library[name].map { "It is a function: write \($0.name)(\($0.parameters.isEmpty ? "" : "…"))." }
    }

    /// The function of that name; a problem where there is none.
    mutating func function(named name: String, at span: Span) -> Function? {
        if let function = library[name] { return function }
        report(span, "unknown function '\(name)'", hint: hint(for: name, among: library.functions.map(\.name)))
        return nil
    }

    private mutating func report(
        _ span: Span, _ message: String, hint: String?, severity: Diagnostic.Severity = .error
    ) {
        problems.append(
            ExpressionProblem(
                severity: severity, offset: span.offset, length: span.length, message: message, hint: hint))
    }

    private func hint(for word: String, among candidates: [String]) -> String? {
        if let near = suggest(word, candidates) { return "Did you mean '\(near)'?" }
        guard !candidates.isEmpty else { return nil }
        let shown = candidates.prefix(8).joined(separator: ", ")
        return "There \(candidates.count == 1 ? "is" : "are") \(shown)\(candidates.count > 8 ? " and others" : "")."
    }
}

extension Checker {
    private mutating func shape(ofChain node: Node) -> ValueShape {
        let (base, accessors) = node.chain
        var current: ValueShape
        var label: String
        if case .name(let name, let span) = base {
            current = context(named: name, at: span)
            label = "'\(name)'"
        } else {
            current = shape(of: base)
            label = "this"
        }
        var isFiltered = false
        for (accessor, _) in accessors {
            if case .index(let index) = accessor { _ = shape(of: index) }
            if case .wildcard = accessor {
                let elements = all(of: isFiltered ? element(of: current) : current, label, at: accessor.span)
                current = .list(of: elements)
                isFiltered = true
            } else if isFiltered {
                current = .list(of: access(element(of: current), accessor, label))
            } else {
                current = access(current, accessor, label)
            }
            label = extended(label, by: accessor)
        }
        return current
    }

    private func element(of shape: ValueShape) -> ValueShape {
        if case .list(let element) = shape { element } else { .any }
    }

    private func extended(_ label: String, by accessor: Node.Accessor) -> String {
        guard label.hasPrefix("'") else { return label }
        let suffix = if case .wildcard = accessor { ".*" } else { accessor.staticName.map { "." + $0 } ?? "[…]" }
        return label.dropLast() + suffix + "'"
    }

    /// What `.*` picks.
    private mutating func all(of shape: ValueShape, _ label: String, at span: Span) -> ValueShape {
        switch shape {
        case .any, .null: return .any
        case .list(let element): return element
        case .object(let members, let open):
            guard !open, let first = members.values.first else { return .any }
            return members.values.reduce(first) { $0.union($1) }
        default:
            report(span, "\(label) is \(shape.phrase) and has no members", hint: nil)
            return .any
        }
    }

    private mutating func access(_ shape: ValueShape, _ accessor: Node.Accessor, _ label: String) -> ValueShape {
        switch shape {
        case .any: return .any
        case .null: return .null
        case .object(let members, let open): return member(of: members, open: open, accessor, label)
        case .list(let element):
            guard let name = accessor.staticName else { return element }
            if NumberText.number(from: name).index != nil { return element }
            report(
                accessor.span, "\(label) is a list and has no '\(name)'",
                hint: "Write [0].\(name) for the first item's, or .*.\(name) for a list of every item's.")
            return .any
        default:
            let name = accessor.staticName.map { " '\($0)'" } ?? "thing"
            report(accessor.span, "\(label) is \(shape.phrase) and has no\(name)", hint: nil)
            return .any
        }
    }

    private mutating func member(
        of members: [String: ValueShape], open: Bool, _ accessor: Node.Accessor, _ label: String
    ) -> ValueShape {
        guard let name = accessor.staticName else { return .any }
        if let exact = members[name] { return exact }
        if let near = members.first(where: { CaseFolding.equal($0.key, name) }) { return near.value }
        if !open {
            report(accessor.span, "\(label) has no '\(name)'", hint: hint(for: name, among: members.keys.sorted()))
        }
        return .any
    }
}

extension Checker {
    private mutating func shape(
        ofCall name: String, _ nameSpan: Span, _ arguments: [Node], _ span: Span
    ) -> ValueShape {
        let function = function(named: name, at: nameSpan)
        let shapes = arguments.map { shape(of: $0) }
        guard let function else { return .any }
        if let message = function.arityMessage(arguments.count) {
            report(span, message, hint: "It is \(function.signature).")
            return function.result(shapes)
        }
        for (index, argument) in arguments.enumerated() { checkLiteral(argument, of: function, at: index) }
        for (index, shape) in shapes.enumerated() where shape.isCollection {
            let parameter = function.parameters[min(index, function.parameters.count - 1)]
            switch parameter.shape {
            case .string, .integer, .number, .boolean:
                report(
                    arguments[index].span,
                    "\(function.name) wants \(parameter.shape.phrase) as '\(parameter.name)', and this is \(shape.phrase)",
                    hint: nil, severity: .warning)
            default: break
            }
        }
        return function.result(shapes)
    }

    /// A text that is written out as an argument may be known to be wrong: a pattern, a format, a zone.
    private mutating func checkLiteral(_ argument: Node, of function: Function, at index: Int) {
        let parameter = function.parameters[min(index, function.parameters.count - 1)]
        guard case .literal(.string(let text), let span) = argument, let error = parameter.check?(text) else { return }
        guard let position = error.position else { return report(span, error.message, hint: error.hint) }
        // Behind the opening quote; a quote in the text is written twice.
        let quotes = text.unicodeScalars.prefix(position).count { $0 == "'" }
        let offset = min(span.offset + 1 + position + quotes, span.end - 1)
        report(Span(offset: offset, length: 1), error.message, hint: error.hint)
    }

    private mutating func checkComparison(_ comparison: Node.Comparison, _ left: Node, _ right: Node) {
        let leftShape = shape(ofCompared: left)
        let rightShape = shape(ofCompared: right)
        if leftShape.isCollection || rightShape.isCollection {
            let shape = leftShape.isCollection ? leftShape : rightShape
            report(
                left.span.joined(right.span), "\(shape.phrase) is compared, and equals nothing but itself",
                hint: "Compare a member or an item of it, or ask contains(…).", severity: .warning)
        } else if comparison == .equal || comparison == .unequal {
            checkWord(left, leftShape, against: rightShape)
            checkWord(right, rightShape, against: leftShape)
        }
    }

    /// A bare word beside an operator is most likely a text whose quotes are missing.
    private mutating func shape(ofCompared node: Node) -> ValueShape {
        guard case .name(let name, let span) = node, scope[name] == nil, otherUse(of: name) == nil,
            suggest(name, scope.roots.keys.sorted()) == nil
        else { return shape(of: node) }
        report(span, "unknown context '\(name)'", hint: "A text stands in quotes: '\(name)'.")
        return .any
    }

    /// A text literal that is compared with one of a few words must be one of them.
    private mutating func checkWord(_ literal: Node, _ shape: ValueShape, against other: ValueShape) {
        guard case .literal(.string(let word), let span) = literal, case .oneOf(let words) = other,
            !words.contains(where: { CaseFolding.equal($0, word) })
        else { return }
        report(span, "this is never '\(word)'", hint: hint(for: word, among: words))
    }
}
