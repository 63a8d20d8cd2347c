internal import Expressions
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// Makes the steps of a plan.
struct Planner {
    let workflow: Workflow
    let values: RunValues
    let fetched: FetchedSteps?
    /// Stands for every account's address; nil takes the accounts' own.
    let baseURL: String?
    let knowledge: Knowledge
    /// By the place of the step whose list it is.
    let lists: [Int: PlannedList]
    /// What certainly will not run; nil until its conditions have been asked.
    var skips: PlannedSkips?

    /// - Parameters:
    ///   - step: the place of the step whose value it is; nil for one of the workflow.
    ///   - index: the item's.
    func value(_ argument: Argument, of step: Int? = nil, _ index: Int? = nil) -> PlannedValue {
        var seen = values
        if let step, let index { seen = seen.inRow(index, of: workflow.steps[step].id) }
        return value(argument, in: step.flatMap { workflow.steps[$0].scope }, seen, of: step, index)
    }

    private func value(
        _ argument: Argument, in scope: StepScope?, _ values: RunValues, of step: Int?, _ index: Int?
    ) -> PlannedValue {
        // What is only handed on is shown as it stands where it is given.
        if let scope, case .template(let template, _) = argument, let reference = template.whole?.loneReference,
            reference.root == "inputs", reference.path.count == 1,
            let given = scope.input(reference.path[0])?.argument
        {
            return value(given, in: scope.outer, values, of: step, index)
        }
        return argument.planned(
            in: values.scoped(to: scope), isKnown: { knowledge.isKnown($0, in: scope, to: step, index) },
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

    /// The step, with its items where it has any.
    func step(_ position: Int) -> PlannedStep {
        let frame = frame(of: position)
        var planned = step(frame, nil)
        guard let root = workflow.graph.roots[position], let list = lists[root] else { return planned }
        planned.list =
            (workflow.steps[root].role.isShown ? workflow.steps[position] : workflow.steps[root]).forEach?.text
        switch list {
        case .known(let items): planned.items = .known(PlannedRows(count: items.count) { step(frame, $0) })
        case .after(let steps): planned.items = .after(steps)
        case .impossible(let why): planned.items = .impossible(why)
        }
        return planned
    }

    /// What the items of a step have in common.
    private struct Frame {
        let position: Int
        let dependencies: [String]
        let account: AccountDeclaration?
        let baseURL: String?
        /// The outputs that are not shown.
        let hidden: Set<String>
    }

    private func frame(of position: Int) -> Frame {
        let step = workflow.steps[position]
        let account = step.account.flatMap(workflow.account)
        return Frame(
            position: position, dependencies: dependencies(of: position).map { workflow.steps[$0].id },
            account: account, baseURL: account.map(url),
            hidden: Set(step.kind.declaration.outputs.filter(\.isSensitive).map(\.name)))
    }

    /// What the step waits for, by steps that people know.
    private func dependencies(of position: Int) -> [Int] {
        let all = workflow.graph.dependencies[position].flatMap { other in
            workflow.steps[other].role.isShown ? [other] : dependencies(of: other)
        }
        return Set(all).sorted()
    }

    private func url(of account: AccountDeclaration) -> String {
        if let baseURL { return baseURL }
        guard case .known(.string(let url))? = account.baseURL.map({ value($0) }) else { return account.type.baseURL }
        return url
    }

    private func step(_ frame: Frame, _ index: Int?) -> PlannedStep {
        let step = workflow.steps[frame.position]
        let declaration = step.kind.declaration
        let address = StepAddress(step: step.id, index: index).description
        let parameters = step.arguments.map { PlannedMember($0.name, value($0.value, of: frame.position, index)) }
        let call = PlannedCall(
            parameters: parameters, baseURL: frame.baseURL, settings: frame.account?.settings ?? [:])
        // What does not run reserves no key and sends nothing.
        let skip = fetched?.states[address] == nil ? skips?[frame.position, index] : nil
        let outputs = fetched?.outputs[address] ?? [:]
        return PlannedStep(
            address: address, title: step.title, kind: declaration.name, effect: step.effect,
            asksPerson: declaration.asksPerson,
            account: step.account, dependencies: frame.dependencies,
            once: skip == nil ? step.once.map { value($0.key, of: frame.position, index) } : nil,
            condition: step.condition?.source, parameters: parameters,
            requests: skip == nil ? step.kind.plan(call) : [],
            state: skip == nil ? fetched?.states[address] : .skipped,
            outputs: ValueObject(outputs.filter { !frame.hidden.contains($0.key) }.map { ($0.key, $0.value) }),
            remark: skip?.text ?? fetched?.remarks[address])
    }
}
