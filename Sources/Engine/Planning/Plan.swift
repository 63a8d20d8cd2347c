public import Journal
public import StepKit
public import Values
public import Workflows

/// A rehearsal: what a run would do, in which order, with every value that is known already.
public struct Plan: Sendable {
    public let workflow: String
    public let steps: [PlannedStep]
    public let outputs: [PlannedMember]

    /// Goes over all actions once: in place of a step with `for-each` over its items, where they are known.
    ///
    /// - Parameter body: is given an action of the step, and whether it is done for each item of a list whose number is
    ///   not known.
    public func forEachAction(_ body: (_ action: PlannedStep, _ step: PlannedStep, _ isEach: Bool) -> Void) {
        for step in steps {
            if case .known(let items)? = step.items {
                for item in items { body(item, step, false) }
            } else {
                body(step, step, step.items != nil)
            }
        }
    }
}

/// What a step with `for-each` would go over.
public enum PlannedItems: Sendable {
    /// One for each item.
    case known(PlannedRows)
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
        let knowledge = Knowledge(fetched, workflow)
        for (address, outputs) in fetched?.outputs ?? [:] where StepAddress(address).index == nil {
            values.set(outputs, of: address)
        }
        for (address, state) in fetched?.states ?? [:] where StepAddress(address).index == nil {
            values.set(state, of: address)
        }
        // A list may be made of what the items of another have brought: in the order of the graph each finds what it needs.
        var lists: [Int: PlannedList] = [:]
        let members = Dictionary(grouping: workflow.steps.indices.filter { workflow.graph.roots[$0] != nil }) {
            workflow.graph.roots[$0]
        }
        for root in workflow.graph.order where workflow.graph.roots[root] == root {
            let list = PlannedList(workflow.steps[root], values, fetched?.items, knowledge)
            lists[root] = list
            guard case .known(let items) = list else { continue }
            let ids = (members[root] ?? []).map { workflow.steps[$0].id }
            values.set(items: items, of: ids, root: workflow.steps[root].id)
            guard let fetched else { continue }
            for id in ids {
                for index in items.indices {
                    let address = StepAddress(step: id, index: index).description
                    guard let state = fetched.states[address] else { continue }
                    values.set(state, of: id, index: index)
                    values.set(fetched.outputs[address], of: id, index: index)
                }
            }
        }
        var planner = Planner(
            workflow: workflow, values: values, fetched: fetched, baseURL: baseURL, knowledge: knowledge, lists: lists)
        planner.skips = PlannedSkips(
            workflow, holds: planner.holds,
            count: { root in if case .known(let items)? = lists[root] { items.count } else { nil } })
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
