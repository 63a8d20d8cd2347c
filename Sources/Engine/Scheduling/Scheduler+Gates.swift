internal import Journal
internal import StepKit
internal import Workflows

/// Keys of `once` that are not decided hold back what serves only steps behind them: when such a key is held or done, the
/// step is skipped with all that follows it, and an upload for a comment under the post would have been made for nothing.
///
/// For each step, and for each item in its row, the scheduler counts those that it waits for and of which it is open in
/// that way whether they will run. A step that asks for the status itself runs in any case, and is behind no key; a step
/// with `for-each` as a whole is behind none either, since its items have keys of their own.
extension Scheduler {
    /// Counts, before the first step is considered.
    mutating func countGates() {
        for step in nodes.graph.order { countGates(of: step) }
        for step in 0..<nodes.stepCount where nodes.isExpanded(step) && nodes.root(of: step) == step {
            countGates(inRowsOf: step)
        }
    }

    /// Counts for the items of a batch.
    mutating func countGates(inRowsOf root: Int) {
        let members = nodes.graph.order.filter { nodes.isGroup($0) && nodes.root(of: $0) == root }
        for index in 0..<nodes.count(of: root) {
            for member in members { countGates(of: nodes.item(member, index)) }
        }
    }

    private mutating func countGates(of node: Int) {
        let runsInAnyCase = nodes[node].condition == .asksStatus || nodes.isGroup(node)
        steps[node].gatesBefore = runsInAnyCase ? 0 : nodes.awaited(by: node).count { isBehindGate($0) }
        steps[node].isPastGates = !isBehindGate(node)
    }

    /// Whether a key that is not decided yet may be the reason for it to be skipped.
    private func isBehindGate(_ node: Int) -> Bool {
        guard !steps[node].phase.state.isFinal else { return false }
        return steps[node].gate.isUndecided || steps[node].gatesBefore > 0
    }

    /// What must go on for a step that is needed: while a key may still be the reason to skip it, only what decides that.
    func neededSources(of node: Int) -> [Int] {
        let sources = nodes.dependencies(of: node)
        return steps[node].gatesBefore == 0 ? sources : sources.filter { isBehindGate($0) }
    }

    /// The step runs, as far as keys are concerned, or has ended: what serves the steps after it is needed from now on.
    mutating func passGate(_ node: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard !steps[node].isPastGates, !isBehindGate(node) else { return }
        var open = [node]
        while let next = open.popLast() {
            steps[next].isPastGates = true
            for dependent in nodes.waiters(of: next) where steps[dependent].gatesBefore > 0 {
                steps[dependent].gatesBefore -= 1
                guard steps[dependent].gatesBefore == 0 else { continue }
                if steps[dependent].isNeeded, !steps[dependent].phase.state.isFinal {
                    wantSources(of: dependent, moment, &decisions)
                }
                // What has just ended tells those after it by itself, when they know whether they are skipped.
                let hasEnded = steps[dependent].phase.state.isFinal
                if !hasEnded, !steps[dependent].isPastGates, !isBehindGate(dependent) { open.append(dependent) }
            }
        }
    }
}
