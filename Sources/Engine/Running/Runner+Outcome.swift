internal import Diagnostics
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// What the run adds up to.
extension Runner {
    func outcome(_ state: RunState, wakesAt: Timestamp?) -> RunOutcome {
        let outputs = workflow.outputs.compactMap { output -> (name: String, value: Value)? in
            guard let value = try? output.value.value(in: values), !value.isNull else { return nil }
            return (output.name, value)
        }
        return RunOutcome(state: state, steps: reports, outputs: outputs, wakesAt: wakesAt)
    }

    /// In the order of the file; in place of a step with `for-each` its items, where there are any.
    private var reports: [StepReport] {
        workflow.steps.indices.flatMap { index -> [StepReport] in
            let nodes = scheduler.nodes.isExpanded(index) ? scheduler.nodes.items(of: index) : [index]
            if workflow.steps[index].role.isShown { return nodes.map(report) }
            return nodes.filter { scheduler.state(of: $0) == .failed }.map(report)
        }
    }

    private func report(_ node: Int) -> StepReport {
        StepReport(step(node), scheduler, node, paths, origin: origin(of: node)?.location())
    }
}

extension StepReport {
    init(_ step: Step, _ scheduler: Scheduler, _ index: Int, _ paths: ArtifactPaths, origin: SourceLocation?) {
        self.init(
            address: scheduler.address(of: index), kind: step.kind.declaration.name, effect: step.effect,
            state: scheduler.state(of: index),
            attempts: scheduler.attempts(of: index), error: scheduler.error(of: index),
            skipReason: scheduler.skipReason(of: index), pause: scheduler.pause(of: index).map(paths.restored),
            hold: scheduler.hold(of: index),
            waitsUntil: scheduler.waitsUntil(index), waitsAfter: scheduler.waitsAfter(index),
            continuesOnError: step.continueOnError || step.isForgiven,
            origin: origin)
    }
}
