internal import Expressions
internal import Journal
public import StepKit
internal import Values
public import Workflows

/// Decides what happens next in a run. A value: an event in, decisions out; no clock, no task, no file.
///
/// A step is *needed* when it is an end of the graph or something needed waits for it. A step with `once` is needed only
/// when its key has been granted; so the steps that serve only such a step do not start before that, except those that
/// the key itself mentions. That is what makes an hourly run with nothing new cost one read.
public struct Scheduler: Sendable {
    /// A longer delay ends the process instead of keeping it alive.
    public static let longestPause = Duration.seconds(120)
    /// How often a step may wait for a service's time before it fails.
    public static let maxWaits = 3
    /// An instant of the journal that lies further ahead than this was written before the clock was set back.
    static let clockSlack = Duration.seconds(2)
    /// What a service asks for beyond this is taken for a slip of its.
    public static let longestWait = Duration.seconds(366 * 86_400)

    /// The steps of the file, and after them the items of those with `for-each`.
    var nodes: RunGraph
    let concurrency: Int
    var steps: [StepProgress]
    /// For each step of the file; those without `for-each` have nothing in it.
    var groups: [StepGroup]
    var generator: SeededGenerator
    /// Steps that may start, or be looked for, as soon as there is room. What has changed its mind since may still be in it.
    var ready = StepQueue()
    var accounts = AccountQueues()
    var interview: Interview
    /// Attempts and looks under way.
    var active = 0
    /// Timers that will fire.
    var timers = 0
    /// Answers that the runner gives at once.
    var questions = 0
    /// Whether other runs may hold an account.
    private let checksAccounts: Bool
    /// Steps that have just become final, whose dependents do not know it yet.
    var ended: [Int] = []
    private(set) var stopping: RunState?
    private var isFinished = false

    /// - Parameter asks: the forms of answers that a person who is there can give; such a pause is put as a question, and
    ///   the run goes on with the answer.
    /// - Parameter checksAccounts: whether other runs may hold an account: then it is asked before each write.
    public init(
        nodes: [SchedulerNode], graph: StepGraph, concurrency: Int, seed: UInt64,
        asks: Set<PauseRequest.AnswerForm> = [], checksAccounts: Bool = false
    ) {
        self.checksAccounts = checksAccounts
        let graph = RunGraph(nodes, graph)
        self.nodes = graph
        self.concurrency = max(1, concurrency)
        interview = Interview(forms: asks)
        generator = SeededGenerator(seed: seed)
        groups = nodes.map { _ in StepGroup() }
        steps = nodes.indices.map { node in
            StepProgress(
                unfinished: graph.awaited(by: node).count, gate: nodes[node].hasOnce && !graph.isGroup(node))
        }
    }

    /// Takes an event in and says what is to be done about it.
    public mutating func handle(_ event: SchedulerEvent, at moment: Moment) -> SchedulerDecisions {
        var decisions = SchedulerDecisions()
        switch event {
        case .begin(let resuming): begin(resuming, moment, &decisions)
        case .conditionKnown(let step, let holds):
            questions -= 1
            guard case .deciding = steps[step].phase else { break }
            if !holds {
                skip(step, .conditionFalse, moment, &decisions)
            } else if nodes.isGroup(step) {
                makeList(step, &decisions)
            } else {
                proceed(step, &decisions)
            }
        case .conditionFailed(let step, let error):
            questions -= 1
            guard case .deciding = steps[step].phase else { break }
            fail(step, error, moment, &decisions)
        case .listKnown(let step, let count):
            questions -= 1
            guard case .deciding = steps[step].phase else { break }
            listKnown(step, count, moment, &decisions)
        case .listFailed(let step, let error):
            questions -= 1
            guard case .deciding = steps[step].phase else { break }
            fail(step, error, moment, &decisions)
        case .concluded(let step, let result):
            questions -= 1
            guard case .deciding = steps[step].phase else { break }
            switch result {
            case .success(let outputs): succeed(step, outputs, moment, &decisions)
            case .failure(let error): fail(step, error, moment, &decisions)
            }
        case .onceGranted(let step):
            questions -= 1
            guard steps[step].gate == .deciding else { break }
            steps[step].gate = .granted
            steps[step].hadKey = false
            record(.onceReserved, step, moment, &decisions)
            if steps[step].isWanted { wantSources(of: step, moment, &decisions) }
            passGate(step, moment, &decisions)
            consider(step, moment, &decisions)
        case .onceHeld(let step, let entry):
            questions -= 1
            guard steps[step].gate == .deciding else { break }
            steps[step].gate = .closed
            steps[step].hadKey = false
            skip(step, .once(entry), moment, &decisions)
        case .onceTaken(let step, let key, let address):
            questions -= 1
            guard steps[step].gate == .deciding else { break }
            steps[step].gate = .closed
            steps[step].hadKey = false
            skip(step, .sameKey(key, by: address), moment, &decisions)
        case .onceFailed(let step, let error):
            questions -= 1
            guard steps[step].gate == .deciding else { break }
            steps[step].gate = .closed
            fail(step, error, moment, &decisions)
        case .succeeded(let step, let outputs):
            active -= 1
            succeed(step, outputs, moment, &decisions)
        case .nothingToDo(let step, let reason):
            active -= 1
            skip(step, .nothingToDo(reason), moment, &decisions)
        case .paused(let step, let pause):
            active -= 1
            self.pause(step, pause, moment, &decisions)
        case .failed(let step, let error):
            active -= 1
            attemptFailed(step, error, moment, &decisions)
        case .timerFired(let step):
            timers -= 1
            timerFired(step)
        case .looked(let step, let sighting):
            active -= 1
            looked(step, sighting, moment, &decisions)
        case .lookFailed(let step, let error):
            active -= 1
            lookFailed(step, error, moment, &decisions)
        case .accountFree, .accountHeld, .failedOnHold: handleHold(event, moment, &decisions)
        case .turnTaken(let step): turnTaken(step, moment, &decisions)
        case .cancelled:
            active -= 1
            // Without a stop it was the task of the whole run that was cancelled: nothing more can be done in it.
            if stopping == nil { stopping = .interrupted }
        case .answered(let step, let reply):
            if stopping == nil { answered(step, reply, moment, &decisions) }
        case .stop(let state):
            stopping = state
            interview.end()
        }
        spread(moment, &decisions)
        startReady(moment, &decisions)
        finishIfOver(moment, &decisions)
        return decisions
    }

    private mutating func begin(
        _ resuming: [(step: Int, how: ResumeHow)], _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        // All counts stand before the first step is considered: what ends below is subtracted from them.
        countItems(&decisions)
        for step in nodes.indices {
            steps[step].unfinished = nodes.awaited(by: step).count { !steps[$0].phase.state.isFinal }
        }
        countGates()
        for (step, _) in resuming { if case .running = steps[step].phase { takeTurn(step) } }
        for step in 0..<nodes.stepCount where nodes.isEnd(step) { want(step, moment, &decisions) }
        // What runs again, and has nothing after it but what ran in any case and is over, is an end of what is left.
        for node in nodes.indices where !steps[node].phase.state.isFinal {
            let after = nodes.followers(of: node)
            if !after.isEmpty, after.allSatisfy({ steps[$0].phase.state.isFinal }) { want(node, moment, &decisions) }
        }
        for step in 0..<nodes.stepCount where nodes[step].hasOnce { wantKeySources(of: step, moment, &decisions) }
        // A step that holds its account goes first: what it was asked is answered for now.
        for (step, how) in resuming where holdsAccount(step) { resume(step, how, moment, &decisions) }
        for (step, how) in resuming { resume(step, how, moment, &decisions) }
        for step in nodes.graph.order { consider(step, moment, &decisions) }
        for step in nodes.stepCount..<nodes.indices.upperBound { consider(step, moment, &decisions) }
        // Only now is it known which rows are needed: one that looks unneeded is passed over for good.
        for step in 0..<nodes.stepCount { advanceTurn(step) }
        putOldQuestions(&decisions)
    }
}

// MARK: - Readiness

extension Scheduler {
    /// Marks a step and all that serves it as needed. Stops at a `once` that is not decided.
    mutating func want(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        var open = [step]
        while let next = open.popLast() {
            guard !steps[next].isWanted else { continue }
            steps[next].isWanted = true
            if nodes.isGroup(next) {
                open += needed(by: next)
            } else if steps[next].isGateOpen, !steps[next].phase.state.isFinal {
                open += neededSources(of: next)
            }
            consider(next, moment, &decisions)
        }
    }

    mutating func wantSources(of step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        for dependency in neededSources(of: step) { want(dependency, moment, &decisions) }
    }

    /// Looks whether a pending step can go on, and takes it there.
    mutating func consider(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        if nodes.isGroup(step) { return considerGroup(step, moment, &decisions) }
        guard case .pending = steps[step].phase, steps[step].isWanted, stopping == nil else { return }
        if steps[step].gate == .undecided { return considerGate(step, moment, &decisions) }
        guard steps[step].isGateOpen, steps[step].unfinished == 0 else { return }
        guard hasOuter(step) else { return block(step) }
        if case .end(let members) = nodes[step].role { return endPart(step, members, moment, &decisions) }
        let status = status(before: step)
        switch condition(of: step) {
        case .none where status == .succeeded: proceed(step, &decisions)
        case .plain where status == .succeeded, .asksStatus:
            steps[step].phase = .deciding
            questions += 1
            decisions.actions.append(.evaluateCondition(step, status))
        case .none, .plain: skip(step, blockingReason(of: step), moment, &decisions)
        }
    }

    private func condition(of step: Int) -> SchedulerNode.Condition {
        nodes.isItem(step) && nodes[step].asksBeforeItems ? .none : nodes[step].condition
    }

    /// The key of `once` is reserved as soon as the steps that it mentions have succeeded; when one of them has not,
    /// there is no key, and the step is skipped.
    private mutating func considerGate(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        let sources = nodes.onceSources(of: step)
        if let missing = sources.first(where: { steps[$0].phase.state.isFinal && !countsAsSuccess($0) }) {
            steps[step].gate = .closed
            return skip(step, reason(for: missing), moment, &decisions)
        }
        guard sources.allSatisfy(countsAsSuccess) else { return waitForKey(step) }
        steps[step].gate = .deciding
        questions += 1
        decisions.actions.append(.reserve(step))
    }

    private func status(before step: Int) -> RunStatus {
        if nodes.dependencies(of: step).allSatisfy(countsAsSuccess) { return .succeeded }
        return hasFailureBefore(step) ? .failed : .skipped
    }

    /// Whether something before it has failed, in its row or outside of its batch.
    func hasFailureBefore(_ step: Int) -> Bool {
        steps[step].hasFailureBefore || (nodes.isItem(step) && steps[nodes.step(of: step)].hasFailureBefore)
    }

    func countsAsSuccess(_ step: Int) -> Bool {
        switch steps[step].phase {
        case .succeeded: true
        // A row that a failure before it has left out is no failure of its own that could be passed over.
        case .failed: nodes[step].continuesOnError && (nodes.isItem(step) || groups[step].tally.missing == 0)
        default: false
        }
    }

    /// The first step that stands in the way; a failed one before a skipped one.
    private func blockingReason(of step: Int) -> SkipReason {
        blockingReason(among: nodes.dependencies(of: step)) ?? .servesOnlySkipped
    }

    func blockingReason(among dependencies: [Int]) -> SkipReason? {
        let blocking = dependencies.filter { !countsAsSuccess($0) }
        guard let first = blocking.first(where: { steps[$0].hasFailed }) ?? blocking.first else { return nil }
        return reason(for: first)
    }

    /// A write waits its turn among its account's writes. A step whose inputs are being made again waits for them first.
    mutating func enqueue(_ step: Int) {
        guard steps[step].unfinished == 0, hasOuter(step) else { return withdraw(step) }
        steps[step].phase = .ready
        steps[step].isCleared = false
        guard nodes[step].effect == .write, let account = nodes[step].account else { return ready.insert(step) }
        if let index = nodes.index(of: step) { return enqueueInTurn(step, index) }
        if let admitted = accounts.enqueue(step, account) { ready.insert(admitted) }
    }

    /// Lets a step that has no attempt under way wait for what it depends on.
    mutating func withdraw(_ step: Int) {
        steps[step].phase = .pending
        freeSlot(of: step)
        releaseAccount(of: step)
        if steps[step].unfinished == 0, !hasOuter(step) { block(step) }
    }

    /// Keeps the account's other writes back.
    private mutating func takeTurn(_ step: Int) {
        if let account = nodes[step].account { accounts.takeTurn(step, account) }
    }

    private func holdsAccount(_ step: Int) -> Bool {
        if case .paused(let pause) = steps[step].phase { pause.kind.holdsAccount } else { false }
    }

    /// The question that this step was paused on is answered, or is being tried out.
    mutating func unhold(_ step: Int) {
        if let account = nodes[step].account, let admitted = accounts.unhold(account, by: step) {
            ready.insert(admitted)
        }
    }

    /// Lets the account's next write come, when this one had its turn.
    mutating func releaseAccount(of step: Int) {
        guard nodes[step].effect == .write, let account = nodes[step].account else { return }
        if let admitted = accounts.leave(step, account) { ready.insert(admitted) }
    }
}

// MARK: - Ends

extension Scheduler {
    mutating func succeed(
        _ step: Int, _ outputs: ValueObject, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].phase = .succeeded
        record(.stepSucceeded, step, moment, &decisions, data: ["outputs": .object(outputs)])
        if nodes[step].effect == .write { decisions.durability = .durable }
        if steps[step].gate == .granted {
            decisions.completes.append((step, outputs))
            decisions.durability = .durable
        }
        end(step)
    }

    mutating func fail(
        _ step: Int, _ error: StepError, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        steps[step].phase = .failed(error)
        record(.stepFailed, step, moment, &decisions, data: ["error": error.journalValue])
        release(step, &decisions)
        end(step)
        failFast(after: step, moment, &decisions)
    }

    mutating func skip(
        _ step: Int, _ reason: SkipReason, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        if nodes.isGroup(step), skipItems(of: step, reason, moment, &decisions) { return }
        steps[step].phase = .skipped(reason)
        record(.stepSkipped, step, moment, &decisions, data: reason.journalValue)
        release(step, &decisions)
        end(step)
    }

    private mutating func end(_ step: Int) {
        freeSlot(of: step)
        releaseAccount(of: step)
        ended.append(step)
    }

    /// Gives the key of `once` back: the write did not happen and will not.
    private mutating func release(_ step: Int, _ decisions: inout SchedulerDecisions) {
        // While the answer is under way the key may be reserved already; what was not asked yet is not asked any more.
        let hadKey = steps[step].hadKey
        steps[step].hadKey = false
        guard steps[step].gate == .granted || steps[step].gate == .deciding || hadKey else { return }
        if steps[step].gate == .deciding, let place = decisions.actions.lastIndex(of: .reserve(step)) {
            decisions.actions.remove(at: place)
            questions -= 1
            steps[step].gate = .closed
            if !hadKey { return }
        }
        steps[step].gate = .closed
        decisions.releases.append(step)
        decisions.durability = .durable
    }

    /// Tells the neighbours of steps that have become final, until no news is left.
    private mutating func spread(_ moment: Moment, _ decisions: inout SchedulerDecisions) {
        while let step = ended.popLast() {
            let reason: SkipReason? = if case .skipped(let reason) = steps[step].phase { reason } else { nil }
            let isOnceSkip = reason?.isOnce ?? false
            if reason?.endsNeed ?? false { prune(before: step, moment, &decisions) }
            let isFailure =
                hasFailureBefore(step) || (steps[step].hasFailed && !nodes[step].continuesOnError)
                || (nodes.isGroup(step) && groups[step].hasRowFailure)
            for dependent in nodes.waiters(of: step) {
                steps[dependent].unfinished -= 1
                if isFailure { steps[dependent].hasFailureBefore = true }
                if isOnceSkip, nodes[dependent].condition != .asksStatus, !nodes[dependent].isPartEnd,
                    steps[dependent].phase.state == .pending
                {
                    skip(dependent, .servesOnlySkipped, moment, &decisions)
                } else {
                    consider(dependent, moment, &decisions)
                }
            }
            if nodes.isItem(step) {
                itemEnded(step, isFailure: isFailure, &decisions)
            } else if nodes.isGroup(step) {
                groupEnded(step, moment, &decisions)
            }
            passGate(step, moment, &decisions)
        }
    }

    /// Skips what has not started and serves only steps that a `once` has skipped.
    private mutating func prune(before step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        for source in nodes.awaited(by: step) { serveOneLess(source, moment, &decisions) }
    }

    /// One of those that wait for the node needs it no more.
    mutating func serveOneLess(_ source: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        steps[source].onceSkippedDependents += 1
        guard steps[source].onceSkippedDependents == nodes.waiterCount(of: source) else { return }
        if nodes.isGroup(source) { return itemsServeOneLess(of: source, moment, &decisions) }
        switch steps[source].phase {
        case .pending, .ready: skip(source, .servesOnlySkipped, moment, &decisions)
        default: break
        }
    }
}

// MARK: - What runs

extension Scheduler {
    mutating func startReady(_ moment: Moment, _ decisions: inout SchedulerDecisions) {
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

    private mutating func finishIfOver(_ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard active == 0, questions == 0, !isFinished else { return }
        if stopping == nil {
            guard timers == 0, ready.isEmpty, interview.isIdle else { return }
            passUnneededTurns(moment, &decisions)
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
