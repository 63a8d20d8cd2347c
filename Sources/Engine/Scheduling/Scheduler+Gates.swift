internal import Journal
internal import StepKit
internal import Workflows

/// Keys of `once` that are not decided hold back what serves only steps behind them: when such a key is held or done, the
/// step is skipped with all that follows it, and an upload for a comment under the post would have been made for nothing.
///
/// For each step the scheduler counts the steps that it waits for and of which it is open in that way whether they will
/// run. A step that asks for the status itself runs in any case, and is behind no key.
extension Scheduler {
    /// Counts, before the first step is considered.
    mutating func countGates() {
        for step in graph.order {
            steps[step].gatesBefore =
                nodes[step].condition == .asksStatus ? 0 : graph.dependencies[step].count { isBehindGate($0) }
            steps[step].isPastGates = !isBehindGate(step)
        }
    }

    /// Whether a key that is not decided yet may be the reason for it to be skipped.
    private func isBehindGate(_ step: Int) -> Bool {
        guard !steps[step].phase.state.isFinal else { return false }
        return steps[step].gate == .undecided || steps[step].gate == .deciding || steps[step].gatesBefore > 0
    }

    /// What must go on for a step that is needed: while a key may still be the reason to skip it, only what decides that.
    func neededSources(of step: Int) -> [Int] {
        steps[step].gatesBefore == 0
            ? graph.dependencies[step] : graph.dependencies[step].filter { isBehindGate($0) }
    }

    /// The step runs, as far as keys are concerned, or has ended: what serves the steps after it is needed from now on.
    mutating func passGate(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard !steps[step].isPastGates, !isBehindGate(step) else { return }
        var open = [step]
        while let next = open.popLast() {
            steps[next].isPastGates = true
            for dependent in graph.dependents[next] where steps[dependent].gatesBefore > 0 {
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
