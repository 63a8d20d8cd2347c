internal import GraphDrawing
internal import Journal
internal import StepKit
internal import Workflows

extension DrawnGraph {
    /// - Parameter states: what the journal says of the steps of a run, by address; nil without a run.
    init(_ workflow: Workflow, states: [(address: String, state: StepState)]?) {
        var steps: [String: StepState] = [:]
        var items: [String: [StepState]] = [:]
        for (text, state) in states ?? [] {
            let address = StepAddress(text)
            if address.index == nil {
                steps[address.step] = state
            } else {
                items[address.step, default: []].append(state)
            }
        }
        let whole = DrawnGraph(
            name: workflow.name,
            nodes: workflow.steps.indices.map { index in
                let step = workflow.steps[index]
                let own = items[step.id] ?? [steps[step.id]].compactMap(\.self)
                return Node(
                    step.title == step.id ? step.id : "\(step.id): \(step.title)", kind: step.kind.declaration.name,
                    remark: workflow.remarks(of: index, itemCount: items[step.id]?.count).joined(separator: ", "),
                    state: states == nil ? nil : DrawnGraph.state(of: own), writes: step.effect == .write,
                    parts: step.parts)
            }, dependencies: workflow.graph.dependencies, order: workflow.graph.order)
        self = whole.without { !workflow.steps[$0].role.isShown }
    }

    /// Of several items the one that asks for most attention.
    private static func state(of items: [StepState]) -> State {
        let attention: [State] = [
            .failed, .paused, .running, .waiting, .canceled, .ready, .pending, .succeeded, .skipped,
        ]
        return attention.first { state in items.contains { $0.rawValue == state.rawValue } } ?? .pending
    }
}

extension Step {
    /// The ids of the steps that use the parts it belongs to, from the outermost; the step of a part is in its own frame.
    fileprivate var parts: [String] {
        let slashes = id.indices.filter { id[$0] == "/" }.map { String(id[..<$0]) }
        guard case .partEnd = role else { return slashes }
        return slashes + [id]
    }
}

extension Workflow {
    /// What a drawing says of a step besides its kind.
    ///
    /// - Parameter itemCount: of the items in a run; nil where none are known.
    fileprivate func remarks(of index: Int, itemCount: Int?) -> [String] {
        let step = steps[index]
        // A part's condition and list belong to what stands before its steps.
        let first = partBegin(of: step) ?? step
        var remarks: [String] = []
        if step.effect == .write { remarks.append("writes") }
        if step.once != nil { remarks.append("once") }
        if first.condition != nil { remarks.append("if") }
        if let account = step.account.flatMap(account),
            accounts.count(where: { $0.type.name == account.type.name }) > 1
        {
            remarks.append("account \(account.name)")
        }
        if let root = graph.roots[index] { remarks.append(listRemark(first, root, itemCount)) }
        return remarks
    }

    private func listRemark(_ step: Step, _ root: Int, _ itemCount: Int?) -> String {
        if let count = itemCount ?? steps[root].forEach?.count { return "× \(count)" }
        // The list of a part is told of once, beside the step that uses it.
        guard steps[root].role.isShown || steps[root].id == step.id else { return "for each" }
        return step.forEach.map { "for each of \($0.text)" } ?? "for each"
    }

    /// What stands before the steps of the part that a step uses; nil where nothing does.
    private func partBegin(of step: Step) -> Step? {
        guard case .partEnd = step.role else { return nil }
        return self.step(step.id + StepAddress.beginning)
    }
}
