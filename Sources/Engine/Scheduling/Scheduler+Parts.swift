internal import Journal
internal import StepKit
internal import Workflows

/// Parts: the step that stands before the steps of a part, and the one that adds up what became of them. Neither is an
/// attempt at anything: their answers are made at once.
///
/// | the part's steps | the part |
/// |---|---|
/// | one failed that may not | `failed` |
/// | else one that no other step of the part waits for succeeded | `succeeded` |
/// | else, also when the part's own condition did not hold | `skipped` |
///
/// The last step of a part waits only for those steps that no other one waits for, so that what serves nothing but a step
/// behind a key of `once` is held back in a part as anywhere else.
extension Scheduler {
    /// Lets a step begin of which nothing stands in the way any more.
    mutating func proceed(_ step: Int, _ decisions: inout SchedulerDecisions) {
        if nodes[step].role == .begin { conclude(step, &decisions) } else { enqueue(step) }
    }

    /// By step, those of the file.
    static func partEnds(in nodes: [SchedulerNode], _ graph: RunGraph) -> [Int: Int] {
        var ends: [Int: Int] = [:]
        for (place, node) in nodes.enumerated() {
            guard case .end(let members) = node.role else { continue }
            for member in members { ends[graph.node(at: member) ?? place] = place }
        }
        return ends
    }

    /// The step that adds up the part which the node belongs to, in its row where there are rows; nil without one.
    func partEnd(of node: Int) -> Int? {
        guard let end = partEnds[nodes.step(of: node)] else { return nil }
        guard let index = nodes.index(of: node), nodes.graph.areRows(end, nodes.step(of: node)) else { return end }
        return nodes.item(end, index)
    }

    /// What runs again after a failure, and has only steps after it that ran in any case and are over, is nothing that the
    /// end waits for by itself: it comes when that is over, too.
    mutating func endPart(
        _ step: Int, _ members: [String], _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        let places = places(of: members, for: step)
        guard !isBeginning, places.allSatisfy({ steps[$0].phase.state.isFinal || !steps[$0].isWanted }) else { return }
        if let failed = places.first(where: { steps[$0].hasFailed && !countsAsSuccess($0) }) {
            let error = StepError(.invalid, "its step '\(nodes.address(of: failed))' failed")
            return fail(step, error, moment, &decisions)
        }
        let last = nodes.dependencies(of: step)
        guard last.contains(where: countsAsSuccess) else {
            return skip(step, reason(forPartOf: last), moment, &decisions)
        }
        conclude(step, &decisions)
    }

    private mutating func conclude(_ step: Int, _ decisions: inout SchedulerDecisions) {
        steps[step].phase = .deciding
        questions += 1
        decisions.actions.append(.conclude(step))
    }

    /// The steps of a part; those of the same item where there are items.
    private func places(of members: [String], for step: Int) -> [Int] {
        members.compactMap { nodes.node(at: $0) }.map { member in
            guard let index = nodes.index(of: step), nodes.graph.areRows(member, nodes.step(of: step)) else {
                return member
            }
            return nodes.item(member, index)
        }
    }

    private func reason(forPartOf last: [Int]) -> SkipReason {
        for step in last {
            guard case .skipped(let reason) = steps[step].phase else { continue }
            return reason.isOnce ? .servesOnlySkipped : reason
        }
        return blockingReason(among: last) ?? .servesOnlySkipped
    }

    /// Why a step is skipped that waits for one that has not succeeded. What stands before the steps of a part hands its own
    /// reason on: nobody knows it by its name.
    func reason(for blocking: Int) -> SkipReason {
        if nodes[blocking].role == .begin, case .skipped(let reason) = steps[blocking].phase { return reason }
        return .dependency(nodes.address(of: blocking), steps[blocking].phase.state)
    }

    /// Whether the run has failed when the step has: what fails in a part that may fail does not fail the run.
    func failsRun(_ step: Int) -> Bool {
        !nodes[step].continuesOnError && !nodes.isExpanded(step) && !nodes[step].isForgiven
    }
}

extension SchedulerNode {
    var isPartEnd: Bool { if case .end = role { true } else { false } }
}

extension StepRole {
    var node: SchedulerNode.Role {
        switch self {
        case .call: .call
        case .partBegin: .begin
        case .partEnd(let end): .end(end.members)
        }
    }
}
