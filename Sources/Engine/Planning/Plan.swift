internal import Expressions
public import Journal
public import StepKit
public import Values
public import Workflows

/// A rehearsal: what a run would do, in which order, with every value that is known already.
public struct Plan: Sendable {
    public let workflow: String
    public let steps: [PlannedStep]
    public let outputs: [PlannedMember]

    /// The steps as they would be carried out: in place of one with `for-each` its items, where they are known. Where they
    /// are not, the step stands for each of them.
    public var actions: [PlannedStep] {
        steps.flatMap { step in if case .known(let items)? = step.items { items } else { [step] } }
    }

    /// How many steps of each kind of effect there are; those that ask a person are none of them.
    ///
    /// - Parameter isEach: whether those are meant whose number is not known: what is done for each item.
    public func count(_ effect: Effect, isEach: Bool = false) -> Int {
        actions.count {
            $0.effect == effect && !$0.asksPerson && $0.state != .skipped && ($0.items != nil) == isEach
        }
    }
}

/// What a step with `for-each` would go over.
public enum PlannedItems: Sendable {
    /// One for each item.
    case known([PlannedStep])
    /// The list is known after these steps.
    case after([String])
    /// There would be no list, for this reason.
    case impossible(String)
}

/// A step of a plan, or one item of it.
public struct PlannedStep: Sendable {
    public let address: String
    public let title: String
    public let kind: String
    public let effect: Effect
    /// Whether it waits for a person's answer.
    public var asksPerson = false
    /// The account's name in the workflow.
    public let account: String?
    /// The steps that it waits for.
    public let dependencies: [String]
    public let once: PlannedValue?
    /// The text of `if`; nil when it always runs.
    public let condition: String?
    /// What `with` gives it.
    public let parameters: [PlannedMember]
    /// What it would send; empty for a step that sends nothing.
    public let requests: [PlannedRequest]
    /// What became of it while the plan was made with `--fetch`, and `skipped` for what certainly will not run; else nil.
    public let state: StepState?
    /// Its outputs then; those that work like keys left out.
    public let outputs: ValueObject
    /// Why it failed or is skipped.
    public let remark: String?
    /// What it goes over, as the file says it; nil for a step without `for-each`.
    public var list: String?
    /// Nil for a step without `for-each`, and for an item.
    public var items: PlannedItems?
}

extension Plan {
    /// Plans a run. Nothing is sent, and no secret is read.
    ///
    /// - Parameters:
    ///   - inputs: fitted to the workflow's declarations.
    ///   - fetched: what the steps that were carried out for the plan have brought; nil when none were.
    ///   - environment: the variables that expressions may read.
    ///   - baseURL: stands for every account's address; nil takes the accounts' own.
    public init(
        _ workflow: Workflow, inputs: ValueObject, fetched: FetchedSteps? = nil,
        environment: @escaping @Sendable (String) -> String?, baseURL: String? = nil
    ) {
        let run: ValueObject = ["workflow": .string(workflow.name), "attempt": 1]
        var values = RunValues(inputs: inputs, run: run, secret: { _ in nil }, environment: environment)
        let known = Set((fetched?.outputs ?? [:]).keys.map { $0.lowercased() })
        let knowledge = Knowledge(known: known, workflow: workflow)
        for (address, outputs) in fetched?.outputs ?? [:] where StepAddress(address).index == nil {
            values.set(outputs, of: address)
        }
        for (address, state) in fetched?.states ?? [:] where StepAddress(address).index == nil {
            values.set(state, of: address)
        }
        // A list may be made of what the items of another have brought: in the order of the graph each finds what it needs.
        var items: [Int: PlannedList] = [:]
        for root in workflow.graph.order where workflow.graph.roots[root] == root {
            let list = PlannedList(workflow.steps[root], values, fetched?.items, knowledge)
            items[root] = list
            guard case .known(let items) = list else { continue }
            let members = workflow.steps.indices.filter { workflow.graph.roots[$0] == root }
            values.set(items: items, of: members.map { workflow.steps[$0].id }, root: workflow.steps[root].id)
            for member in members {
                for index in items.indices {
                    let address = StepAddress(step: workflow.steps[member].id, index: index).description
                    guard let fetched, let state = fetched.states[address] else { continue }
                    values.set(state, of: workflow.steps[member].id, index: index)
                    values.set(fetched.outputs[address], of: workflow.steps[member].id, index: index)
                }
            }
        }
        var planner = Planner(
            workflow: workflow, values: values, fetched: fetched, baseURL: baseURL, knowledge: knowledge, lists: items)
        planner.skips = PlannedSkips(
            workflow, holds: planner.holds,
            count: { root in if case .known(let items)? = items[root] { items.count } else { nil } })
        self.workflow = workflow.name
        steps = workflow.graph.order.filter { workflow.steps[$0].role.isShown }.map { planner.step($0) }
        outputs = workflow.outputs.map { PlannedMember($0.name, planner.value($0.value)) }
    }
}

/// What the steps of a workflow that only read and compute have brought.
public struct FetchedSteps: Sendable {
    /// By address.
    public let outputs: [String: ValueObject]
    public let states: [String: StepState]
    public let remarks: [String: String]
    /// The lists that were gone over, by the id of the step that has it.
    public let items: [String: [Value]]

    public init(
        outputs: [String: ValueObject], states: [String: StepState], remarks: [String: String],
        items: [String: [Value]] = [:]
    ) {
        self.outputs = outputs
        self.states = states
        self.remarks = remarks
        self.items = items
    }
}

/// Which references of a plan have a value.
private struct Knowledge {
    /// The addresses of what was carried out for the plan, in lower case.
    let known: Set<String>
    let workflow: Workflow

    /// - Parameters:
    ///   - step: the step whose value it is; nil for an output of the workflow.
    ///   - index: the item's.
    func isKnown(_ reference: Reference, to step: Int?, _ index: Int?) -> Bool {
        isKnown(reference, in: step.flatMap { workflow.steps[$0].scope }, to: step, index)
    }

    /// - Parameter scope: of the part in which the reference stands.
    func isKnown(_ reference: Reference, in scope: StepScope?, to step: Int?, _ index: Int?) -> Bool {
        switch reference.root {
        case "inputs":
            return arguments(reference, scope).allSatisfy { argument in
                argument.references.allSatisfy { isKnown($0, in: scope?.outer, to: step, index) }
            }
        case "steps":
            guard let id = reference.path.first.map({ ((scope?.prefix ?? "") + $0).lowercased() }),
                let target = workflow.steps.firstIndex(where: { $0.id.lowercased() == id })
            else { return false }
            guard workflow.graph.roots[target] != nil else { return known.contains(id) }
            guard let step, workflow.graph.areRows(step, target) else {
                // A list is known when something of it is: what has failed has its place in it.
                return known.contains("\(id)[0]")
            }
            return index.map { known.contains("\(id)[\($0)]") } ?? false
        case "run": return ["workflow", "attempt"].contains(reference.path.first?.lowercased() ?? "")
        case "item", "index": return index != nil
        default: return true
        }
    }

    /// The steps that a reference waits for, by their ids in the workflow.
    func steps(_ reference: Reference, in scope: StepScope?) -> [String] {
        switch reference.root {
        case "steps": reference.path.first.map { [(scope?.prefix ?? "") + $0] } ?? []
        case "inputs":
            arguments(reference, scope).flatMap { $0.references.flatMap { steps($0, in: scope?.outer) } }
        default: []
        }
    }

    /// What stands behind the inputs of a part that a reference reads.
    private func arguments(_ reference: Reference, _ scope: StepScope?) -> [Argument] {
        guard let scope else { return [] }
        guard let name = reference.path.first else { return scope.inputs.compactMap(\.argument) }
        return [scope.input(name)?.argument].compactMap(\.self)
    }
}

/// The list of a step before the run.
private enum PlannedList {
    case known([Value])
    case after([String])
    case impossible(String)

    init(_ step: Step, _ values: RunValues, _ fetched: [String: [Value]]?, _ knowledge: Knowledge) {
        if let items = fetched?[step.id] {
            self = .known(items)
            return
        }
        let missing = (step.forEach?.references ?? []).filter { !knowledge.isKnown($0, in: step.scope, to: nil, nil) }
        guard missing.isEmpty else {
            var seen: Set<String> = []
            self = .after(
                missing.flatMap { knowledge.steps($0, in: step.scope) }.filter { seen.insert($0).inserted })
            return
        }
        do throws(StepError) { self = .known(try step.forEach?.items(in: values.scoped(to: step.scope)) ?? []) } catch {
            self = .impossible(error.sentence)
        }
    }
}

private struct Planner {
    let workflow: Workflow
    let values: RunValues
    let fetched: FetchedSteps?
    let baseURL: String?
    let knowledge: Knowledge
    let lists: [Int: PlannedList]
    var skips: PlannedSkips?

    func value(_ argument: Argument, of step: Int? = nil, _ index: Int? = nil) -> PlannedValue {
        value(argument, in: step.flatMap { workflow.steps[$0].scope }, of: step, index)
    }

    private func value(_ argument: Argument, in scope: StepScope?, of step: Int?, _ index: Int?) -> PlannedValue {
        // What is only handed on is shown as it stands where it is given.
        if let scope, case .template(let template, _) = argument, let reference = template.whole?.loneReference,
            reference.root == "inputs", reference.path.count == 1,
            let given = scope.input(reference.path[0])?.argument
        {
            return value(given, in: scope.outer, of: step, index)
        }
        var seen = values.scoped(to: scope)
        if let step, let index { seen = seen.inRow(index, of: workflow.steps[step].id) }
        return argument.planned(
            in: seen, isKnown: { knowledge.isKnown($0, in: scope, to: step, index) },
            steps: { knowledge.steps($0, in: scope) })
    }

    /// Whether the condition of the step, or of one of its items, holds; nil where that is not known yet.
    func holds(_ position: Int, _ index: Int?) -> Bool? {
        let step = workflow.steps[position]
        guard let condition = step.condition, !condition.readsStatus,
            condition.references.allSatisfy({ knowledge.isKnown($0, in: step.scope, to: position, index) })
        else { return nil }
        var seen = values.scoped(to: step.scope)
        if let index { seen = seen.inRow(index, of: step.id) }
        guard let context = try? seen.context(for: condition.references) else { return nil }
        return (try? condition.evaluate(in: context))?.isTruthy
    }

    func step(_ position: Int) -> PlannedStep {
        var planned = step(position, nil)
        guard let root = workflow.graph.roots[position], let list = lists[root] else { return planned }
        planned.list =
            (workflow.steps[root].role.isShown ? workflow.steps[position] : workflow.steps[root]).forEach?.text
        switch list {
        case .known(let items): planned.items = .known(items.indices.map { step(position, $0) })
        case .after(let steps): planned.items = .after(steps)
        case .impossible(let why): planned.items = .impossible(why)
        }
        return planned
    }

    /// What the step waits for, by steps that people know.
    private func dependencies(of position: Int) -> [Int] {
        let all = workflow.graph.dependencies[position].flatMap { other in
            workflow.steps[other].role.isShown ? [other] : dependencies(of: other)
        }
        return Set(all).sorted()
    }

    private func step(_ position: Int, _ index: Int?) -> PlannedStep {
        let step = workflow.steps[position]
        let address = StepAddress(step: step.id, index: index).description
        let declaration = step.kind.declaration
        let parameters = step.arguments.map { PlannedMember($0.name, value($0.value, of: position, index)) }
        let account = step.account.flatMap(workflow.account)
        let url = account.map { account -> String in
            if let baseURL { return baseURL }
            guard case .known(.string(let url))? = account.baseURL.map({ value($0) }) else {
                return account.type.baseURL
            }
            return url
        }
        let call = PlannedCall(parameters: parameters, baseURL: url, settings: account?.settings ?? [:])
        // What does not run reserves no key and sends nothing.
        let skip = fetched?.states[address] == nil ? skips?[position, index] : nil
        let hidden = Set(declaration.outputs.filter(\.isSensitive).map(\.name))
        let outputs = fetched?.outputs[address] ?? [:]
        return PlannedStep(
            address: address, title: step.title, kind: declaration.name, effect: step.effect,
            asksPerson: declaration.asksPerson,
            account: step.account, dependencies: dependencies(of: position).map { workflow.steps[$0].id },
            once: skip == nil ? step.once.map { value($0.key, of: position, index) } : nil,
            condition: step.condition?.source,
            parameters: parameters, requests: skip == nil ? step.kind.plan(call) : [],
            state: skip == nil ? fetched?.states[address] : .skipped,
            outputs: ValueObject(outputs.filter { !hidden.contains($0.key) }.map { ($0.key, $0.value) }),
            remark: skip?.text ?? fetched?.remarks[address])
    }
}
