internal import Expressions
internal import Journal
internal import StepKit
internal import Workflows

/// Keys of `once`. A step's condition comes before its key: a step that does not run takes none, so that another one with
/// the same key can, and whether its key has an empty part does not matter.
///
/// | its `if` | when the steps that the key mentions have succeeded |
/// |---|---|
/// | none | the key is reserved |
/// | mentions only what is over by then | it is asked; when it holds, the key is reserved |
/// | mentions what is to come, or asks for the status | the key is reserved so that other runs leave it alone, and given back when the condition does not hold |
///
/// Of two steps of a run with the same key the first goes that no condition of its own keeps from running: one whose
/// condition is not known yet gives its key up to it, and so does one that waits for it. The second is
/// skipped when the first has an attempt under way or is over. Until then what the first waits for may turn out not to run:
/// when it is skipped because of that, and nothing before it has failed, the second gets the key.
extension Scheduler {
    mutating func considerGate(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        let sources = nodes.onceSources(of: step)
        if skipForWant(of: sources, step, moment, &decisions) { return }
        guard sources.allSatisfy(countsAsSuccess) else { return waitForKey(step) }
        let condition = condition(of: step)
        if condition == .none { return reserve(step, &decisions) }
        let asked = nodes.conditionSources(of: step)
        if condition == .plain, asked.allSatisfy({ steps[$0].phase.state.isFinal }) {
            if skipForWant(of: asked, step, moment, &decisions) { return }
            steps[step].gate = .asking
            questions += 1
            decisions.actions.append(.evaluateCondition(step, .succeeded))
        } else {
            reserve(step, as: .trying, &decisions)
        }
    }

    /// Skips the step when one of these has ended without success: then there is no key, or nothing to ask.
    private mutating func skipForWant(
        of sources: [Int], _ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) -> Bool {
        guard let missing = sources.first(where: { steps[$0].phase.state.isFinal && !countsAsSuccess($0) }) else {
            return false
        }
        steps[step].gate = .closed
        skip(step, reason(for: missing), moment, &decisions)
        return true
    }

    mutating func reserve(
        _ step: Int, as gate: StepProgress.Gate = .deciding, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].gate = gate
        questions += 1
        decisions.actions.append(.reserve(step))
    }

    /// An answer of the ledger.
    mutating func handleKey(_ event: SchedulerEvent, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        questions -= 1
        switch event {
        case .onceGranted(let step):
            guard isReserving(step) else { break }
            steps[step].gate = steps[step].gate == .trying ? .promised : .granted
            steps[step].hadKey = false
            record(.onceReserved, step, moment, &decisions)
            if let (first, _) = behind[step]?.first(where: { $0.step != step && waits(step, for: $0.step) }) {
                return take(keyOf: step, for: first, moment, &decisions)
            }
            if steps[step].isWanted { wantSources(of: step, moment, &decisions) }
            passGate(step, moment, &decisions)
            consider(step, moment, &decisions)
        case .onceHeld(let step, let entry):
            guard isReserving(step) else { break }
            close(step, .once(entry), moment, &decisions)
        case .onceTaken(let step, _, _) where steps[step].gate == .trying:
            steps[step].hadKey = false
            goOnWithoutKey(step, moment, &decisions)
        case .onceTaken(let step, let key, let address):
            guard steps[step].gate == .deciding else { break }
            steps[step].hadKey = false
            stand(step, behind: nodes.node(at: address), key, address, moment, &decisions)
        case .onceFailed(let step, _) where steps[step].gate == .trying:
            goOnWithoutKey(step, moment, &decisions)
        case .onceFailed(let step, let error):
            guard steps[step].gate == .deciding else { break }
            steps[step].gate = .closed
            fail(step, error, moment, &decisions)
        default: break
        }
    }

    // MARK: Two steps with the same key

    /// - Parameter holder: the step that has the key.
    private mutating func stand(
        _ step: Int, behind holder: Int?, _ key: String, _ address: String, _ moment: Moment,
        _ decisions: inout SchedulerDecisions
    ) {
        guard let holder else { return close(step, .sameKey(key, by: address), moment, &decisions) }
        // While its answer is under way it is to have the key: what waits for it is asked then.
        let yields = steps[holder].gate != .deciding && (mayNotRun(holder) || waits(holder, for: step))
        switch steps[holder].phase {
        case .pending where yields, .deciding where yields: take(keyOf: holder, for: step, moment, &decisions)
        case .pending, .deciding, .ready:
            steps[step].gate = .behind
            behind[holder, default: []].append((step, key))
            advanceTurns(inRowOf: step)
        default: close(step, .sameKey(key, by: address), moment, &decisions)
        }
    }

    /// Whether its condition is not known yet. After a death it may have a key though it has not asked for it.
    private func mayNotRun(_ holder: Int) -> Bool {
        switch steps[holder].gate {
        case .asking, .trying, .promised, .free: true
        case .undecided: condition(of: holder) != .none
        case .none, .deciding, .behind, .granted, .closed: false
        }
    }

    private mutating func take(
        keyOf holder: Int, for step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        steps[holder].hadKey = false
        decisions.releases.append(holder)
        decisions.durability = .durable
        reserve(step, &decisions)
        switch steps[holder].gate {
        case .promised: steps[holder].gate = .free
        case .trying: goOnWithoutKey(holder, moment, &decisions)
        case .granted: steps[holder].gate = .undecided
        default: break
        }
    }

    /// Whether the one cannot begin before the other is over.
    private func waits(_ step: Int, for other: Int) -> Bool {
        let target = nodes.step(of: other)
        var seen: Set<Int> = []
        var open = nodes.graph.dependencies[nodes.step(of: step)]
        while let next = open.popLast() {
            if next == target { return true }
            if seen.insert(next).inserted { open += nodes.graph.dependencies[next] }
        }
        return false
    }

    /// Lets those go on that have stood behind a step which is over.
    mutating func settleBehind(_ holder: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard let waiting = behind.removeValue(forKey: holder) else { return }
        for (step, key) in waiting where steps[step].gate == .behind {
            if case .skipped = steps[holder].phase, !hasFailureBefore(holder), stopping == nil {
                reserve(step, &decisions)
            } else if stopping == nil {
                close(step, .sameKey(key, by: nodes.address(of: holder)), moment, &decisions)
            }
        }
    }

    /// When nothing else can go on, and nothing waits for a person or a time, steps wait for one another: those that stand
    /// behind others are skipped.
    mutating func endBehind(_ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard !behind.isEmpty else { return }
        let isHeldUp = steps.contains { step in
            switch step.phase {
            case .paused, .held, .waiting: true
            default: false
            }
        }
        guard !isHeldUp else { return }
        for (holder, waiting) in behind.sorted(by: { $0.key < $1.key }) {
            for (step, key) in waiting where steps[step].gate == .behind {
                close(step, .sameKey(key, by: nodes.address(of: holder)), moment, &decisions)
            }
        }
        behind = [:]
        spread(moment, &decisions)
        startReady(moment, &decisions)
    }

    private func isReserving(_ step: Int) -> Bool {
        steps[step].gate == .deciding || steps[step].gate == .trying
    }

    /// Lets what serves the step run, until its condition is known.
    private mutating func goOnWithoutKey(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        steps[step].gate = .free
        if steps[step].isWanted { wantSources(of: step, moment, &decisions) }
        consider(step, moment, &decisions)
    }

    /// Skips a step whose key is another one's.
    private mutating func close(
        _ step: Int, _ reason: SkipReason, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].gate = .closed
        steps[step].hadKey = false
        skip(step, reason, moment, &decisions)
    }
}
