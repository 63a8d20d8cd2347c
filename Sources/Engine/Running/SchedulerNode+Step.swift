internal import Expressions
internal import StepKit
internal import Values
internal import Workflows

extension SchedulerNode {
    init(_ step: Step, account: Account?) {
        let declaration = step.kind.declaration
        let settle = account?.settings["settle"]?.string.flatMap { Duration(text: $0) } ?? .seconds(5)
        let condition: Condition =
            step.condition.map { $0.readsStatus ? .asksStatus : .plain } ?? SchedulerNode.Condition.none
        self.init(
            address: step.id, service: String(declaration.name.prefix { $0 != "." }), effect: step.effect,
            doubtRule: declaration.doubtRule, account: account?.identity ?? step.account,
            retry: step.retry, timeout: step.timeout, settle: settle, condition: condition,
            hasOnce: step.once != nil, continuesOnError: step.continueOnError, maxParallel: step.forEach?.maxParallel,
            failFast: step.forEach?.failFast ?? false, asksBeforeItems: step.asksBeforeItems, role: step.role.node,
            isForgiven: step.isForgiven)
    }
}

extension Step {
    /// Whether its condition is the same for all items and known from the start, so that the step can be skipped whole.
    fileprivate var asksBeforeItems: Bool {
        guard let forEach, let condition, !condition.readsStatus else { return false }
        if case .of = forEach.source { return false }
        return !condition.references.contains { ["item", "index", "steps"].contains($0.root) }
    }
}
