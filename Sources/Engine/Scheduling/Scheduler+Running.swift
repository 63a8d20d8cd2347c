internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// What starts when there is room, and when the run is over.
extension Scheduler {
    mutating func startReady(_ moment: Moment, _ decisions: inout SchedulerDecisions) {
        var later: [Int] = []
        while stopping == nil, active < concurrency, let step = ready.removeFirst() {
            switch steps[step].phase {
            case .ready:
                if !hasOuter(step) {
                    withdraw(step)
                    unpark(nodes.step(of: step))
                } else if nodes[step].effect == .write, let account = nodes[step].account, accounts.isHeld(account) {
                    accounts.postpone(step, account)
                    unpark(nodes.step(of: step))
                } else if checksAccounts, nodes[step].effect == .write, nodes[step].account != nil,
                    !steps[step].isCleared
                {
                    checkAccount(step, &decisions)
                } else if takeSlot(for: step) {
                    start(step, moment, &decisions)
                }
            case .looking(var search) where search.isDue:
                if let account = nodes[step].account, !lookedAt.insert(account).inserted {
                    later.append(step)
                    break
                }
                search.isDue = false
                steps[step].phase = .looking(search)
                active += 1
                decisions.actions.append(.look(step, since: search.intent(at: moment)))
            case .pending, .skipped, .succeeded, .failed, .canceled:
                // It was skipped, or its inputs died, while it waited for room or its turn, which goes to the next.
                releaseAccount(of: step)
                unpark(nodes.step(of: step))
            default: break
            }
        }
        for step in later { ready.insert(step) }
    }

    /// Lets the next look at the step's account come.
    mutating func lookEnded(_ step: Int) {
        active -= 1
        if let account = nodes[step].account { lookedAt.remove(account) }
    }

    private mutating func start(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        steps[step].attempts += 1
        steps[step].attemptStarted = moment
        if steps[step].firstAttempt == nil { steps[step].firstAttempt = moment.monotonic }
        steps[step].phase = .running
        active += 1
        if nodes[step].effect == .write {
            if steps[step].keyFirstSent == nil { steps[step].keyFirstSent = moment.wall }
            decisions.durability = .durable
        }
        record(.attemptStarted, step, moment, &decisions)
        decisions.actions.append(.start(step, attempt: steps[step].attempts, resumption: steps[step].resumption))
    }

    mutating func finishIfOver(_ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard active == 0, questions == 0, !isFinished else { return }
        if stopping == nil {
            guard timers == 0, ready.isEmpty, interview.isIdle else { return }
            passUnneededTurns(moment, &decisions)
            guard active == 0, questions == 0, ready.isEmpty else { return }
            endBehind(moment, &decisions)
            guard active == 0, questions == 0, ready.isEmpty else { return }
            skipUnneeded(moment, &decisions)
            guard active == 0, questions == 0, ready.isEmpty else { return }
        }
        isFinished = true
        let (state, wakesAt) = outcome
        // What was stopped after its last step had ended is simply over.
        let isOver = steps.allSatisfy { $0.phase.state.isFinal }
        let final = isOver ? state : stopping ?? state
        decisions.finish = final
        decisions.wakesAt = final == .waiting || final == .paused ? wakesAt : nil
        decisions.durability = .durable
        decisions.entries.append(JournalEntry(.runEnded, at: moment.wall, data: ["state": .string(final.rawValue)]))
    }

    /// When all that was needed is over, what nothing asked for is skipped.
    private mutating func skipUnneeded(_ moment: Moment, _ decisions: inout SchedulerDecisions) {
        let rest = nodes.indices.filter { !steps[$0].phase.state.isFinal && !nodes.isExpanded($0) }
        guard rest.allSatisfy({ steps[$0].phase.state == .pending && !steps[$0].isNeeded && !wantsList($0) }) else {
            return
        }
        for step in rest where steps[step].phase.state == .pending {
            skip(step, .servesOnlySkipped, moment, &decisions)
        }
        spread(moment, &decisions)
        startReady(moment, &decisions)
    }

    /// Paused before waiting before failed: a paused run is not over.
    private var outcome: (RunState, wakesAt: Timestamp?) {
        var wakesAt: Timestamp?
        var isPaused = false
        var hasFailed = false
        for step in nodes.indices {
            switch steps[step].phase {
            case .paused(let pause):
                isPaused = true
                if let over = pause.answerableUntil { wakesAt = min(wakesAt ?? over, over) }
            case .held: isPaused = true
            case .waiting(let until): wakesAt = min(wakesAt ?? until, until)
            case .failed where failsRun(step): hasFailed = true
            default: break
            }
        }
        if isPaused { return (.paused, wakesAt) }
        if wakesAt != nil { return (.waiting, wakesAt) }
        return (hasFailed ? .failed : .succeeded, nil)
    }

    mutating func record(
        _ kind: JournalEntry.Kind, _ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions,
        data: Value = .null
    ) {
        decisions.entries.append(
            JournalEntry(kind, nodes.address(of: step), attempt: steps[step].attempts, at: moment.wall, data: data))
    }
}
