internal import TimeZones
internal import Values

/// Evaluates a tree. It calls itself at most `Parser.maxDepth` levels deep.
struct Evaluator {
    private let context: EvaluationContext
    private let isUnknown: (Reference) -> Bool
    /// The bytes of the values that functions have made and that are still in use.
    private var usedMemory = 0

    private let timezone: String?

    init(context: EvaluationContext, timezone: String?, isUnknown: @escaping (Reference) -> Bool) {
        self.context = context
        self.timezone = timezone
        self.isUnknown = isUnknown
    }

    /// A value on its way.
    enum Operand {
        /// `origin` is the path in the contexts that a list or an object came by: these equal only themselves.
        case known(Value, origin: [String]?)
        /// The values that `.*` picked; further members are picked from each of them.
        case filtered([Value])
        case unknown([Reference])

        var value: Value? {
            switch self {
            case .known(let value, _): value
            case .filtered(let values): .array(values)
            case .unknown: nil
            }
        }

        var references: [Reference] { if case .unknown(let references) = self { references } else { [] } }
    }

    /// The value, when nothing is unknown.
    mutating func value(of node: Node) throws(ExpressionError) -> Value {
        try evaluate(node).value ?? .null
    }

    mutating func evaluated(_ node: Node) throws(ExpressionError) -> Evaluated {
        let operand = try evaluate(node)
        if let value = operand.value { return .known(value) }
        var seen: Set<Reference> = []
        return .unknown(operand.references.filter { seen.insert($0).inserted })
    }

    private mutating func evaluate(_ node: Node) throws(ExpressionError) -> Operand {
        switch node {
        case .literal(let value, _): .known(value, origin: nil)
        case .name, .access: try evaluateChain(node)
        case .call: try evaluateCall(node)
        case .not(let operand, _): try evaluateNot(operand)
        case .comparison(let comparison, let left, let right): try compare(comparison, left, right)
        case .and(let operands): try evaluateChoice(operands, endsAt: false)
        case .or(let operands): try evaluateChoice(operands, endsAt: true)
        }
    }

    private mutating func evaluateNot(_ operand: Node) throws(ExpressionError) -> Operand {
        let operand = try evaluate(operand)
        guard let value = operand.value else { return operand }
        return .known(.bool(!value.isTruthy), origin: nil)
    }

    /// The first operand that is as true as `end`, else the last. With an unknown one among those before, the result is
    /// unknown, and what comes after counts only as far as it would be evaluated.
    private mutating func evaluateChoice(_ operands: [Node], endsAt end: Bool) throws(ExpressionError) -> Operand {
        var missing: [Reference] = []
        var isKnown = true
        var last = Operand.known(.null, origin: nil)
        for operand in operands {
            last = try evaluate(operand)
            if let value = last.value {
                if value.isTruthy == end { break }
            } else {
                isKnown = false
                missing += last.references
            }
        }
        return isKnown ? last : .unknown(missing)
    }
}

extension Evaluator {
    private mutating func compare(
        _ comparison: Node.Comparison, _ leftNode: Node, _ rightNode: Node
    ) throws(ExpressionError) -> Operand {
        let left = try evaluate(leftNode)
        let right = try evaluate(rightNode)
        guard let one = left.value, let other = right.value else { return .unknown(left.references + right.references) }
        func equal() -> Bool {
            if one.isCollection, other.isCollection { return Self.areSame(left, right) }
            return one.looselyEquals(other)
        }
        let result =
            switch comparison {
            case .equal: equal()
            case .unequal: !equal()
            case .less: one.looselyPrecedes(other)
            case .lessOrEqual: one.looselyPrecedes(other) || equal()
            case .greater: other.looselyPrecedes(one)
            case .greaterOrEqual: other.looselyPrecedes(one) || equal()
            }
        return .known(.bool(result), origin: nil)
    }

    private static func areSame(_ left: Operand, _ right: Operand) -> Bool {
        guard case .known(_, let one?) = left, case .known(_, let other?) = right else { return false }
        return one == other
    }
}

extension Evaluator {
    private mutating func evaluateChain(_ node: Node) throws(ExpressionError) -> Operand {
        let (base, accessors) = node.chain
        var keys: [Key?] = []
        var missing: [Reference] = []
        for (accessor, _) in accessors {
            switch accessor {
            case .member(let name, _): keys.append(Key(.string(name)))
            case .wildcard: keys.append(nil)
            case .index(let index):
                let operand = try evaluate(index)
                missing += operand.references
                keys.append(Key(operand.value ?? .null))
            }
        }
        var operand: Operand
        if case .name(let name, let span) = base {
            if missing.isEmpty {
                let reference = Self.reference(name, keys, node.span)
                if isUnknown(reference) { return .unknown([reference]) }
            }
            guard let value = context.root(CaseFolding.asciiLowercased(name)) else {
                throw ExpressionError(span, "unknown context '\(name)'")
            }
            operand = .known(value, origin: [CaseFolding.asciiLowercased(name)])
        } else {
            operand = try evaluate(base)
            missing = operand.references + missing
        }
        guard missing.isEmpty else { return .unknown(missing) }
        for key in keys { operand = Self.access(operand, key) }
        return operand
    }

    /// - Parameter keys: nil for a wildcard.
    private static func reference(_ name: String, _ keys: [Key?], _ span: Span) -> Reference {
        let path = keys.prefix { $0?.name != nil }.compactMap { $0?.name }
        return Reference(
            root: CaseFolding.asciiLowercased(name), path: path, isExact: path.count == keys.count, offset: span.offset,
            length: span.length)
    }

    /// What stands between brackets, as a member's name and as an element's number.
    private struct Key {
        /// Nil for lists and objects, which name nothing.
        let name: String?
        let index: Int?

        init(_ value: Value) {
            name = value.isCollection ? nil : value.text
            index = value.number.index
        }
    }

    private static func access(_ operand: Operand, _ key: Key?) -> Operand {
        switch operand {
        case .unknown: return operand
        case .filtered(let values):
            guard let key else { return .filtered(values.flatMap(all)) }
            return .filtered(values.compactMap { pick(key, from: $0)?.value })
        case .known(let value, let origin):
            guard let key else { return .filtered(all(of: value)) }
            guard let picked = pick(key, from: value) else { return .known(.null, origin: nil) }
            return .known(picked.value, origin: origin.map { $0 + [picked.name] })
        }
    }

    private static func all(of value: Value) -> [Value] {
        switch value {
        case .array(let items): items
        case .object(let object): object.values
        default: []
        }
    }

    private static func pick(_ key: Key, from value: Value) -> (value: Value, name: String)? {
        switch value {
        case .array(let items):
            guard let index = key.index, index < items.count else { return nil }
            return (items[index], String(index))
        case .object(let object):
            guard let name = key.name, let member = object.member(ignoringCase: name) else { return nil }
            return (member, CaseFolding.fold(name))
        default: return nil
        }
    }
}

extension Evaluator {
    private mutating func evaluateCall(_ node: Node) throws(ExpressionError) -> Operand {
        guard case .call(let name, let nameSpan, let arguments, let span) = node else { return .unknown([]) }
        guard let function = context.functions[name] else {
            throw ExpressionError(nameSpan, "unknown function '\(name)'")
        }
        if let message = function.arityMessage(arguments.count) {
            throw ExpressionError(span, message, hint: "It is \(function.signature).")
        }
        switch function.body {
        case .firstNotNull: return try evaluateFirstNotNull(arguments)
        case .values(let body):
            let usedBefore = usedMemory
            var values: [Value] = []
            var missing: [Reference] = []
            var isKnown = true
            for argument in arguments {
                let operand = try evaluate(argument)
                if let value = operand.value { values.append(value) } else { isKnown = false }
                missing += operand.references
            }
            guard isKnown else { return .unknown(missing) }
            let call = FunctionCall(
                values, status: context.status, room: context.memoryLimit - usedMemory, zone: zone)
            let value: Value
            do throws(FunctionError) {
                value = try body(call)
                guard value.memory <= call.room else { throw .memory }
            } catch {
                throw ExpressionError(
                    error.argument.map { arguments[$0].span } ?? span, error.message, hint: error.hint)
            }
            usedMemory = usedBefore + value.memory
            return .known(value, origin: nil)
        }
    }

    private var zone: TimeZone { timezone.flatMap { try? TimeZone.named($0) } ?? .machine }

    private mutating func evaluateFirstNotNull(_ arguments: [Node]) throws(ExpressionError) -> Operand {
        var missing: [Reference] = []
        var isKnown = true
        var last = Operand.known(.null, origin: nil)
        for argument in arguments {
            last = try evaluate(argument)
            if last.value == nil {
                isKnown = false
                missing += last.references
            } else if last.value != .null {
                break
            }
        }
        return isKnown ? last : .unknown(missing)
    }
}

extension Value {
    /// The bytes that the value counts for; see `EvaluationContext.memoryLimit`.
    fileprivate var memory: Int {
        switch self {
        case .string(let text): 24 + 2 * text.utf16.count
        case .array(let items): items.reduce(24) { $0 + $1.memory }
        case .object(let object): object.reduce(24) { $0 + 24 + 2 * $1.key.utf16.count + $1.value.memory }
        default: 24
        }
    }
}
