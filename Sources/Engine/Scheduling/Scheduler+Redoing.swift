internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// Running again what made a step's inputs.
extension Scheduler {
    /// Resets the step and the uploads that fed it, once.
    mutating func redoInputs(
        of step: Int, _ error: StepError, isAfterDeath: Bool = false, _ moment: Moment,
        _ decisions: inout SchedulerDecisions
    ) {
        let chain = inputChain(of: step)
        // The death of a process is not the step's fault: its one re-run is kept for what the service says.
        let counts = !isAfterDeath
        guard !chain.isEmpty, !counts || !steps[step].hasRedoneInputs else {
            return fail(step, error, moment, &decisions)
        }
        if counts { steps[step].hasRedoneInputs = true }
        // The new upload is another thing to save: what was asked before belongs to the old one.
        steps[step].resumption = nil
        withdraw(step)
        record(.stepReset, step, moment, &decisions, data: ["redo": .bool(counts)])
        // What is being made again already, for another step, is waited for.
        for source in chain where steps[source].phase.state == .succeeded { reset(source, moment, &decisions) }
        for source in chain { consider(source, moment, &decisions) }
        consider(step, moment, &decisions)
    }

    /// Makes a succeeded step run again. What has not started yet waits for it; what has keeps the old outputs until
    /// there are new ones.
    private mutating func reset(_ source: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        steps[source].phase = .pending
        steps[source].failures = 0
        steps[source].firstAttempt = nil
        steps[source].isWanted = true
        record(.stepReset, source, moment, &decisions)
        if let place = ended.firstIndex(of: source) {
            // Its dependents have not been told yet that it had ended.
            ended.remove(at: place)
            return
        }
        letWait(for: source)
        if nodes.isItem(source) { itemReset(source) }
    }

    /// What has not started waits for the node again.
    mutating func letWait(for source: Int) {
        for dependent in nodes.waiters(of: source) {
            steps[dependent].unfinished += 1
            switch steps[dependent].phase {
            case .ready, .deciding: withdraw(dependent)
            default: break
            }
        }
    }

    /// The uploads that the step's inputs come from, and the reads with the same account that those come from. A photo
    /// fetched elsewhere and a card made from it stay as they are.
    private func inputChain(of step: Int) -> [Int] {
        var chain: Set<Int> = []
        var groups: Set<Int> = []
        var open = nodes.sources(of: step)
        while let source = open.popLast() {
            guard !chain.contains(source), !groups.contains(source) else { continue }
            if nodes.isExpanded(source) {
                groups.insert(source)
                open += nodes.items(of: source)
                continue
            }
            // What ended without success has made nothing that could have died.
            if steps[source].phase.state.isFinal, steps[source].phase.state != .succeeded { continue }
            switch nodes[source].effect {
            case .idempotent: break
            case .read where serves(source, step): break
            default: continue
            }
            chain.insert(source)
            open += nodes.sources(of: source)
        }
        // A chain of reads alone would only ask the same question again, unless it is an upload that wants a new address.
        guard nodes[step].effect == .idempotent || chain.contains(where: { nodes[$0].effect == .idempotent }) else {
            return []
        }
        return chain.sorted()
    }

    /// Whether a read asks the service that the step works with, for the same account: an upload itself has none.
    private func serves(_ source: Int, _ step: Int) -> Bool {
        guard let account = nodes[source].account, nodes[source].service == nodes[step].service else { return false }
        return nodes[step].account == nil || nodes[step].account == account
    }
}
