internal import Expressions
internal import Journal
internal import Workflows

/// Which steps of a plan certainly do not run: their condition is known to be false, or what they wait for does not run.
struct PlannedSkips {
    private struct Place: Hashable {
        let step: Int
        /// The item's; nil for the step as a whole.
        let index: Int?
    }

    private var reasons: [Place: SkipReason] = [:]

    /// - Parameters:
    ///   - holds: whether the condition of a step, or of one of its items, holds; nil where that is not known yet.
    ///   - count: how many items a step with `for-each` has; nil where that is not known yet.
    init(_ workflow: Workflow, holds: (Int, Int?) -> Bool?, count: (Int) -> Int?) {
        guard workflow.steps.contains(where: { $0.condition != nil }) else { return }
        for step in workflow.graph.order {
            let root = workflow.graph.roots[step]
            guard let root, let count = count(root) else {
                reasons[Place(step: step, index: nil)] = reason(step, nil, workflow, holds)
                continue
            }
            for index in 0..<count {
                reasons[Place(step: step, index: index)] = reason(step, index, workflow, holds)
            }
            if count > 0, (0..<count).allSatisfy({ reasons[Place(step: step, index: $0)] != nil }) {
                reasons[Place(step: step, index: nil)] = .itemsSkipped(isOnce: false)
            }
        }
    }

    subscript(step: Int, index: Int?) -> SkipReason? { reasons[Place(step: step, index: index)] }

    private func reason(
        _ step: Int, _ index: Int?, _ workflow: Workflow, _ holds: (Int, Int?) -> Bool?
    ) -> SkipReason? {
        let condition = workflow.steps[step].condition
        // What asks for the status runs whatever became of what it waits for.
        if condition?.readsStatus == true { return nil }
        if condition != nil, holds(step, index) == false { return .conditionFalse }
        let missing = workflow.graph.dependencies[step].filter { other in
            self[other, workflow.graph.areRows(step, other) ? index : nil] != nil
        }
        // A part is skipped when none of its last steps runs.
        if case .partEnd = workflow.steps[step].role, missing.count < workflow.graph.dependencies[step].count {
            return nil
        }
        guard let first = missing.first else { return nil }
        let isRow = workflow.graph.areRows(step, first)
        // Nobody knows what stands before the steps of a part by its name.
        if case .partBegin = workflow.steps[first].role { return self[first, isRow ? index : nil] }
        return .dependency(
            StepAddress(step: workflow.steps[first].id, index: isRow ? index : nil).description, .skipped)
    }
}
