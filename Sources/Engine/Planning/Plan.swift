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

    /// How many steps of each kind of effect there are; those that ask a person are none of them.
    public func count(_ effect: Effect) -> Int {
        steps.count { $0.effect == effect && !$0.asksPerson && $0.state != .skipped }
    }
}

/// A step of a plan.
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
    /// What became of it while the plan was made with `--fetch`; nil when it was not carried out.
    public let state: StepState?
    /// Its outputs then; those that work like keys left out.
    public let outputs: ValueObject
    /// Why it failed or was skipped then.
    public let remark: String?
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
        for (id, outputs) in fetched?.outputs ?? [:] { values.set(outputs, of: id) }
        for (id, state) in fetched?.states ?? [:] { values.set(state, of: id) }
        let planner = Planner(workflow: workflow, values: values, fetched: fetched, baseURL: baseURL)
        self.workflow = workflow.name
        steps = workflow.graph.order.map { planner.step($0) }
        outputs = workflow.outputs.map { PlannedMember($0.name, planner.value($0.value)) }
    }
}

/// What the steps of a workflow that only read and compute have brought.
public struct FetchedSteps: Sendable {
    /// By step id.
    public let outputs: [String: ValueObject]
    public let states: [String: StepState]
    public let remarks: [String: String]

    public init(outputs: [String: ValueObject], states: [String: StepState], remarks: [String: String]) {
        self.outputs = outputs
        self.states = states
        self.remarks = remarks
    }
}

private struct Planner {
    let workflow: Workflow
    let values: RunValues
    let fetched: FetchedSteps?
    let baseURL: String?

    func value(_ argument: Argument) -> PlannedValue {
        argument.planned(in: values) { reference in
            switch reference.root {
            case "steps":
                guard let id = reference.path.first?.lowercased() else { return false }
                return fetched?.outputs.keys.contains { $0.lowercased() == id } ?? false
            case "run": return ["workflow", "attempt"].contains(reference.path.first?.lowercased() ?? "")
            default: return true
            }
        }
    }

    func step(_ index: Int) -> PlannedStep {
        let step = workflow.steps[index]
        let declaration = step.kind.declaration
        let parameters = step.arguments.map { PlannedMember($0.name, value($0.value)) }
        let account = step.account.flatMap(workflow.account)
        let address = account.map { account -> String in
            if let baseURL { return baseURL }
            guard case .known(.string(let url))? = account.baseURL.map(value) else { return account.type.baseURL }
            return url
        }
        let call = PlannedCall(parameters: parameters, baseURL: address, settings: account?.settings ?? [:])
        let hidden = Set(declaration.outputs.filter(\.isSensitive).map(\.name))
        let outputs = fetched?.outputs[step.id] ?? [:]
        return PlannedStep(
            address: step.id, title: step.title, kind: declaration.name, effect: step.effect,
            asksPerson: declaration.asksPerson,
            account: step.account, dependencies: workflow.graph.dependencies[index].map { workflow.steps[$0].id },
            once: step.once.map { value($0.key) }, condition: step.condition?.source, parameters: parameters,
            requests: step.kind.plan(call), state: fetched?.states[step.id],
            outputs: ValueObject(outputs.filter { !hidden.contains($0.key) }.map { ($0.key, $0.value) }),
            remark: fetched?.remarks[step.id])
    }
}
