internal import Diagnostics
public import Expressions
public import Journal
public import StepKit
public import Values
public import Workflows

/// Where an expression's values come from in a run.
public struct RunValues: Sendable {
    private let inputs: ValueObject
    private let run: ValueObject
    private let secret: @Sendable (String) -> Secret?
    private let environment: @Sendable (String) -> String?
    private let copies: FileCopies
    /// By step id in lower case.
    private var outputs: [String: ValueObject] = [:]
    private var outcomes: [String: StepState] = [:]
    private var rows: [String: Rows] = [:]
    /// When each step last brought something, by its id in lower case.
    private var stamps: [String: Int] = [:]
    private let partInputs = PartInputs()
    /// Set where an expression belongs to one item.
    private var row: Row?
    /// Set where an expression stands in a part.
    private var scope: StepScope?

    /// What the items of a step with `for-each` have brought.
    private struct Rows: Sendable {
        /// The step's id in lower case whose list it goes over.
        let root: String
        let items: [Value]
        /// The outputs of each item, null where there are none.
        var outputs: [Value]
        var outcomes: [StepState?]
    }

    private struct Row: Sendable {
        let root: String
        let index: Int
        let item: Value
    }

    public init(
        inputs: ValueObject, run: ValueObject, secret: @escaping @Sendable (String) -> Secret?,
        environment: @escaping @Sendable (String) -> String?, copies: FileCopies = FileCopies()
    ) {
        self.inputs = inputs
        self.copies = copies
        self.run = run
        self.secret = secret
        self.environment = environment
    }

    /// - Parameter index: the item's; nil for a step that is carried out once.
    public mutating func set(_ outputs: ValueObject?, of step: String, index: Int? = nil) {
        let step = step.lowercased()
        stamps[step] = partInputs.stamp()
        guard let index else {
            self.outputs[step] = outputs
            return
        }
        guard rows[step]?.outputs.indices.contains(index) == true else { return }
        rows[step]?.outputs[index] = outputs.map(Value.object) ?? .null
    }

    public mutating func set(_ state: StepState, of step: String, index: Int? = nil) {
        let step = step.lowercased()
        stamps[step] = partInputs.stamp()
        guard let index else {
            outcomes[step] = state
            return
        }
        guard rows[step]?.outcomes.indices.contains(index) == true else { return }
        rows[step]?.outcomes[index] = state
    }

    /// The list that these steps go over is known.
    public mutating func set(items: [Value], of steps: [String], root: String) {
        for step in steps {
            stamps[step.lowercased()] = partInputs.stamp()
            rows[step.lowercased()] = Rows(
                root: root.lowercased(), items: items, outputs: items.map { _ in .null },
                outcomes: items.map { _ in nil })
        }
    }

    /// The values as an item of the step sees them: its own `item` and `index`, and of the steps that go over the same
    /// list the outputs of the same item. Everything where it has no such item.
    public func inRow(_ index: Int, of step: String) -> RunValues {
        guard let rows = rows[step.lowercased()], rows.items.indices.contains(index) else { return self }
        var values = self
        values.row = Row(root: rows.root, index: index, item: rows.items[index])
        return values
    }

    /// The values as the steps of a part see them: its own steps by their own names, and its inputs.
    public func scoped(to scope: StepScope?) -> RunValues {
        var values = self
        values.scope = scope
        return values
    }

    /// What these references can see: a context holds only the steps, secrets and variables that are mentioned.
    ///
    /// - Throws: `StepError` when an input of a part has no value that fits.
    public func context(
        for references: [Reference], status: RunStatus = .succeeded
    ) throws(StepError) -> EvaluationContext {
        var inputs = scope == nil ? self.inputs : ValueObject()
        var steps = ValueObject()
        var secrets = ValueObject()
        var variables = ValueObject()
        for reference in references {
            guard let name = reference.path.first else {
                // All of a part's inputs.
                if reference.root == "inputs", let scope { inputs = try self.inputs(of: scope) }
                continue
            }
            switch reference.root {
            case "inputs": if let scope, inputs[name] == nil { inputs[name] = try input(name, of: scope) }
            case "steps": steps[name] = step((scope?.prefix ?? "") + name)
            case "secrets": secrets[name] = secret(name).map { .string($0.reveal()) } ?? .null
            case "env": variables[name] = environment(name).map(Value.string) ?? .null
            default: break
            }
        }
        return EvaluationContext(status: status) { [run, row, inputs, steps, secrets, variables] root in
            switch root {
            case "inputs": .object(inputs)
            case "steps": .object(steps)
            case "run": .object(run)
            case "secrets": .object(secrets)
            case "env": .object(variables)
            case "item": row?.item
            case "index": row.map { .integer(Int64($0.index)) }
            default: nil
            }
        }
    }

    private func inputs(of scope: StepScope) throws(StepError) -> ValueObject {
        var inputs = ValueObject()
        for input in scope.inputs { inputs[input.declaration.name] = try value(of: input, in: scope) }
        return inputs
    }

    private func input(_ name: String, of scope: StepScope) throws(StepError) -> Value? {
        guard let input = scope.input(name) else { return nil }
        return try value(of: input, in: scope)
    }

    private func value(of input: ScopedInput, in scope: StepScope) throws(StepError) -> Value {
        guard let sources = partInputs.sources(of: input, in: scope), !sources.contains(where: isRow) else {
            return try fitted(input, in: scope)
        }
        var stamps: [String: Int] = [:]
        for source in sources { stamps[source] = self.stamps[source] }
        if let value = partInputs.value(of: input, in: scope, stamps) { return value }
        let value = try fitted(input, in: scope)
        partInputs.keep(value, of: input, in: scope, stamps)
        return value
    }

    /// Whether what the step has brought is another for each item of what is gone over here.
    private func isRow(_ step: String) -> Bool {
        guard let row, let rows = rows[step] else { return false }
        return rows.root == row.root
    }

    private func fitted(_ input: ScopedInput, in scope: StepScope) throws(StepError) -> Value {
        let given = try input.argument?.value(in: scoped(to: scope.outer)) ?? .null
        do { return try scope.fit(given, to: input, copies: copies) } catch {
            let place = (input.argument?.range ?? scope.use).start
            throw StepError(
                .invalid,
                "\(place.file):\(place.line):\(place.column): input '\(input.declaration.name)' of \(scope.file) "
                    + error.problem,
                why: input.declaration.description.map { $0.hasSuffix(".") ? $0 : $0 + "." })
        }
    }

    private func step(_ id: String) -> Value {
        let id = id.lowercased()
        var step: ValueObject
        let outcome: StepState?
        if let rows = rows[id], let row, rows.root == row.root {
            step = ["outputs": .object(rows.outputs[row.index].object ?? [:])]
            outcome = rows.outcomes[row.index]
        } else if let rows = rows[id] {
            step = ["outputs": .array(rows.outputs)]
            outcome = outcomes[id]
        } else {
            step = ["outputs": .object(outputs[id] ?? [:])]
            outcome = outcomes[id]
        }
        step["outcome"] = outcome.map { .string($0.rawValue) }
        return .object(step)
    }
}

extension Argument {
    /// The value.
    ///
    /// - Throws: `StepError` of class `invalid`, naming the place.
    public func value(in values: RunValues, status: RunStatus = .succeeded) throws(StepError) -> Value {
        switch self {
        case .literal(let value, _): return value
        case .template(let template, let range):
            let context = try values.context(for: template.references, status: status)
            do {
                return try template.evaluate(in: context)
            } catch {
                let place = "\(range.start.file):\(range.start.line):\(range.start.column)"
                // The expression's own words may hold pieces of its values.
                if template.mentionsSecret {
                    throw StepError(.invalid, "\(place): an expression that reads a secret has no value")
                }
                throw StepError(.invalid, "\(place): \(error.message)", fix: error.hint)
            }
        case .list(let elements, _):
            var list: [Value] = []
            for element in elements { list.append(try element.value(in: values, status: status)) }
            return .array(list)
        case .object(let members, _):
            var object = ValueObject()
            for member in members { object[member.name] = try member.value.value(in: values, status: status) }
            return .object(object)
        }
    }

    /// The value as far as it is known before the run: what comes from steps' outputs is not.
    ///
    /// - Parameter steps: the ids of the steps that a reference waits for.
    public func planned(
        in values: RunValues, isKnown: (Reference) -> Bool,
        steps: (Reference) -> [String] = { $0.root == "steps" ? Array($0.path.prefix(1)) : [] }
    ) -> PlannedValue {
        switch self {
        case .literal(let value, _): return .known(value)
        case .template(let template, _):
            if template.mentionsSecret { return .secret }
            guard let context = try? values.context(for: template.references.filter(isKnown)) else {
                return .after([])
            }
            return template.planned(in: context, isKnown: isKnown, steps: steps)
        case .list(let elements, _):
            return .list(elements.map { $0.planned(in: values, isKnown: isKnown, steps: steps) }).known
        case .object(let members, _):
            return PlannedValue.object(
                members.map { PlannedMember($0.name, $0.value.planned(in: values, isKnown: isKnown, steps: steps)) }
            ).known
        }
    }
}

extension Template {
    fileprivate func planned(
        in context: EvaluationContext, isKnown: (Reference) -> Bool, steps: (Reference) -> [String]
    ) -> PlannedValue {
        guard let evaluated = try? evaluate(in: context, isUnknown: { !isKnown($0) }) else { return .after([]) }
        switch evaluated {
        case .known(let value): return .known(value)
        case .partial(let pieces):
            let planned = pieces.map { piece -> PlannedValue in
                switch piece {
                case .text(let text): .known(.string(text))
                case .unknown(let missing): .after(missing.stepIDs(steps))
                }
            }
            return planned.count == 1 ? planned[0] : .text(planned)
        }
    }
}

extension PlannedValue {
    /// A list or an object of which every part is known is known itself.
    fileprivate var known: PlannedValue {
        switch self {
        case .list(let elements):
            let values = elements.compactMap { if case .known(let value) = $0 { value } else { nil } }
            return values.count == elements.count ? .known(.array(values)) : self
        case .object(let members):
            var object = ValueObject()
            for member in members {
                guard case .known(let value) = member.value else { return self }
                object[member.name] = value
            }
            return .known(.object(object))
        default: return self
        }
    }
}

extension [Reference] {
    /// The steps that are mentioned, each once, in order.
    fileprivate func stepIDs(_ steps: (Reference) -> [String]) -> [String] {
        var seen: Set<String> = []
        return flatMap(steps).filter { seen.insert($0.lowercased()).inserted }
    }
}
