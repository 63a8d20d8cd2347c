internal import Expressions
internal import Journal
internal import StepKit
internal import Workflows

/// Steps with `for-each`: their lists, and what their items add up to.
///
/// Every event costs the same whatever the number of items; only what concerns all items of a step, such as a skip of the
/// whole step, goes over them, once.
extension Scheduler {
    // MARK: Lists

    /// Whether a step with `for-each` whose items are not known is needed.
    func wantsList(_ step: Int) -> Bool { nodes.isGroup(step) && groups[nodes.root(of: step)].isListWanted }

    /// What must go on when a step with `for-each` is needed: its items, or what its list is made of.
    mutating func needed(by step: Int) -> [Int] {
        if nodes.isExpanded(step) { return nodes.items(of: step).reversed() }
        return wantList(of: step)
    }

    private mutating func wantList(of step: Int) -> [Int] {
        let root = nodes.root(of: step)
        guard !groups[root].isListWanted else { return [] }
        groups[root].isListWanted = true
        return nodes.graph.listSources[root]
    }

    /// What the key of `once` mentions is needed before it is known whether the step itself is.
    mutating func wantKeySources(of step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard nodes.isGroup(step) else {
            for source in nodes.onceSources(of: step) { want(source, moment, &decisions) }
            return
        }
        guard nodes.isExpanded(step) else {
            for source in wantList(of: step) { want(source, moment, &decisions) }
            for source in nodes.graph.onceSources[step] where !nodes.graph.areRows(source, step) {
                want(source, moment, &decisions)
            }
            return considerGroup(nodes.root(of: step), moment, &decisions)
        }
        for item in nodes.items(of: step) {
            for source in nodes.onceSources(of: item) { want(source, moment, &decisions) }
        }
    }

    /// Looks whether the list can be made, or the items that wait for something outside of the batch can go on.
    mutating func considerGroup(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard stopping == nil else { return }
        guard nodes.isExpanded(step) else { return considerList(nodes.root(of: step), moment, &decisions) }
        var items: [Int] = []
        if !groups[step].keyless.isEmpty, hasKeySources(step) { swap(&items, &groups[step].keyless) }
        if steps[step].unfinished == 0 {
            items += groups[step].blocked
            groups[step].blocked = []
        }
        for item in items {
            steps[item].isBlocked = false
            consider(item, moment, &decisions)
        }
    }

    private mutating func considerList(_ root: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard case .pending = steps[root].phase, groups[root].isListWanted else { return }
        let sources = nodes.graph.listSources[root]
        guard sources.allSatisfy({ steps[$0].phase.state.isFinal }) else { return }
        if nodes[root].condition != .asksStatus, let reason = blockingReason(among: sources) {
            return skip(root, reason, moment, &decisions)
        }
        steps[root].phase = .deciding
        guard nodes[root].asksBeforeItems else { return makeList(root, &decisions) }
        questions += 1
        decisions.actions.append(.evaluateCondition(root, .succeeded))
    }

    mutating func makeList(_ root: Int, _ decisions: inout SchedulerDecisions) {
        questions += 1
        decisions.actions.append(.makeList(root))
    }

    mutating func listKnown(_ root: Int, _ count: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard count > 0 else { return skip(root, .emptyList, moment, &decisions) }
        record(.itemsKnown, root, moment, &decisions)
        steps[root].phase = .pending
        let first = nodes.indices.upperBound
        expand(root, count: count)
        countGates(inRowsOf: root)
        for step in nodes.members(of: root) {
            groups[step].left = count
            guard groups[step].servesOnlySkipped else { continue }
            for item in nodes.items(of: step) { steps[item].onceSkippedDependents = 1 }
            if nodes.waiterCount(of: nodes.item(step, 0)) == 1 { groups[step].deferredSkip = .servesOnlySkipped }
        }
        for step in nodes.members(of: root) {
            guard let reason = groups[step].deferredSkip else { continue }
            _ = skipItems(of: step, reason, moment, &decisions)
        }
        for step in nodes.members(of: root) where nodes[step].hasOnce { wantKeySources(of: step, moment, &decisions) }
        for item in first..<nodes.indices.upperBound where steps[nodes.step(of: item)].isWanted {
            want(item, moment, &decisions)
        }
    }

    /// Adds the items of a batch; what is known of them is counted later.
    mutating func expand(_ root: Int, count: Int) {
        let first = nodes.indices.upperBound
        nodes.expand(root, count: count)
        steps.reserveCapacity(nodes.indices.upperBound)
        for item in first..<nodes.indices.upperBound {
            steps.append(StepProgress(unfinished: nodes.awaited(by: item).count, gate: nodes[item].hasOnce))
        }
    }

    /// Counts the items of an earlier process.
    mutating func countItems(_ decisions: inout SchedulerDecisions) {
        for step in 0..<nodes.stepCount where nodes.isExpanded(step) {
            groups[step].tally = StepGroup.Tally()
            groups[step].left = 0
            for item in nodes.items(of: step) {
                if steps[item].phase.state.isFinal { tally(item, 1) } else { groups[step].left += 1 }
            }
            steps[step].phase = groups[step].left == 0 ? groups[step].phase : .pending
            if groups[step].left == 0 { decisions.groupEnds.append((step, steps[step].phase.state)) }
        }
    }

    // MARK: Items and their step

    mutating func itemEnded(_ item: Int, isFailure: Bool, _ decisions: inout SchedulerDecisions) {
        let step = nodes.step(of: item)
        tally(item, 1)
        if isFailure { groups[step].hasRowFailure = true }
        groups[step].left -= 1
        advanceTurns(inRowOf: item)
        guard groups[step].left == 0 else { return }
        steps[step].phase = groups[step].phase
        decisions.groupEnds.append((step, steps[step].phase.state))
        ended.append(step)
    }

    /// A step with `for-each` that has ended without items takes those with it that go over the same list.
    mutating func groupEnded(_ step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard !nodes.isExpanded(step), nodes.root(of: step) == step else { return }
        let reason: SkipReason =
            switch steps[step].phase {
            case .skipped(.emptyList): .emptyList
            case .skipped(let reason) where reason.isOnce: .servesOnlySkipped
            default: self.reason(for: step)
            }
        for member in nodes.members(of: step) where member != step {
            guard case .pending = steps[member].phase else { continue }
            steps[member].hasFailureBefore = hasFailureBefore(step) || steps[step].hasFailed
            skip(member, reason, moment, &decisions)
        }
    }

    /// A succeeded item runs again, so that its step has not ended any more.
    mutating func itemReset(_ item: Int) {
        let step = nodes.step(of: item)
        groups[step].tally.succeeded -= 1
        groups[step].left += 1
        guard steps[step].phase.state.isFinal else { return }
        steps[step].phase = .pending
        if let place = ended.firstIndex(of: step) {
            ended.remove(at: place)
            return
        }
        letWait(for: step)
    }

    private mutating func tally(_ item: Int, _ count: Int) {
        let step = nodes.step(of: item)
        switch steps[item].phase {
        case .succeeded: groups[step].tally.succeeded += count
        case .failed: groups[step].tally.failed += count
        case .canceled: groups[step].tally.canceled += count
        case .skipped(let reason):
            switch reason {
            case .failFast: groups[step].tally.missing += count
            case .dependency where hasFailureBefore(item): groups[step].tally.missing += count
            case _ where reason.isOnce: groups[step].tally.done += count
            default: groups[step].tally.skipped += count
            }
        default: break
        }
    }

    /// Skips the items of a step that have not started.
    ///
    /// - Returns: false when the step has no items yet and is skipped as a whole.
    mutating func skipItems(
        of step: Int, _ reason: SkipReason, _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) -> Bool {
        guard nodes.isExpanded(step) else {
            let root = nodes.root(of: step)
            // As long as the others may get items, this one must have as many.
            guard step != root, !steps[root].phase.state.isFinal else { return false }
            groups[step].deferredSkip = reason
            return true
        }
        for item in nodes.items(of: step) where !steps[item].phase.state.isFinal {
            switch steps[item].phase {
            case .pending, .deciding: skip(item, reason, moment, &decisions)
            default: break
            }
        }
        return true
    }

    /// Nothing outside of the batch needs the step any more.
    mutating func itemsServeOneLess(of step: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        guard nodes.isExpanded(step) else {
            groups[step].servesOnlySkipped = true
            return
        }
        for item in nodes.items(of: step) { serveOneLess(item, moment, &decisions) }
    }

    /// The first failed item keeps the others from starting, when its step says so.
    mutating func failFast(after item: Int, _ moment: Moment, _ decisions: inout SchedulerDecisions) {
        let step = nodes.step(of: item)
        guard nodes.isItem(item), nodes[step].failFast, !nodes[step].continuesOnError, !groups[step].hasFailedFast
        else { return }
        groups[step].hasFailedFast = true
        let address = nodes.address(of: item)
        for other in nodes.items(of: step) where steps[other].attempts == 0 {
            switch steps[other].phase {
            case .pending, .deciding, .ready: skip(other, .failFast(address), moment, &decisions)
            default: break
            }
        }
    }

    // MARK: What is outside of the batch

    /// Whether all has ended that the item needs from outside of its batch; true for what is no item.
    func hasOuter(_ item: Int) -> Bool { !nodes.isItem(item) || steps[nodes.step(of: item)].unfinished == 0 }

    /// Whether all has ended outside of the batch that the keys of the step mention.
    private func hasKeySources(_ step: Int) -> Bool {
        nodes.graph.onceSources[step].allSatisfy {
            nodes.graph.areRows($0, step) || steps[$0].phase.state.isFinal
        }
    }

    /// Lets an item wait until its key can be made; what is in its row tells it by itself.
    mutating func waitForKey(_ item: Int) {
        guard nodes.isItem(item), !steps[item].isBlocked, !hasKeySources(nodes.step(of: item)) else { return }
        steps[item].isBlocked = true
        groups[nodes.step(of: item)].keyless.append(item)
    }

    mutating func block(_ item: Int) {
        guard !steps[item].isBlocked else { return }
        steps[item].isBlocked = true
        groups[nodes.step(of: item)].blocked.append(item)
    }

    // MARK: max-parallel

    /// Takes one of the places that `max-parallel` allows.
    ///
    /// - Returns: false when there is none; the item comes when one is free.
    mutating func takeSlot(for item: Int) -> Bool {
        let step = nodes.step(of: item)
        guard nodes.isItem(item), let limit = nodes[step].maxParallel, !steps[item].hasSlot else { return true }
        guard groups[step].slots < limit else {
            groups[step].parked.insert(item)
            return false
        }
        groups[step].slots += 1
        steps[item].hasSlot = true
        return true
    }

    mutating func freeSlot(of item: Int) {
        guard steps[item].hasSlot else { return }
        steps[item].hasSlot = false
        groups[nodes.step(of: item)].slots -= 1
        unpark(nodes.step(of: item))
    }

    /// Lets the next item try for a free place.
    mutating func unpark(_ step: Int) {
        guard let limit = nodes[step].maxParallel, groups[step].slots < limit,
            let next = groups[step].parked.removeFirst()
        else { return }
        ready.insert(next)
    }

    // MARK: The order of writes

    /// Writes of one step go in the order of the items: one that is ready before an earlier one that can still come waits
    /// for it. A row with something paused or waiting in it is not waited for, and a write that was begun already, in an
    /// earlier process too, waits no more: it had its turn.
    mutating func enqueueInTurn(_ item: Int, _ index: Int) {
        let step = nodes.step(of: item)
        guard index <= groups[step].turn || steps[item].attempts > 0 else {
            groups[step].early.insert(index)
            return
        }
        enter(item)
        if index == groups[step].turn {
            groups[step].turn += 1
            advanceTurn(step)
        }
    }

    private mutating func enter(_ item: Int) {
        guard let account = nodes[item].account else { return ready.insert(item) }
        if let admitted = accounts.enqueue(item, account) { ready.insert(admitted) }
    }

    mutating func advanceTurns(inRowOf item: Int) {
        guard let index = nodes.index(of: item) else { return }
        for step in nodes.members(of: nodes.root(of: nodes.step(of: item))) where groups[step].turn == index {
            advanceTurn(step)
        }
    }

    /// Passes over the rows of which no write will come now, or has come already.
    mutating func advanceTurn(_ step: Int) {
        guard nodes.isExpanded(step), nodes[step].effect == .write, nodes[step].account != nil else { return }
        while groups[step].turn < nodes.count(of: step) {
            let index = groups[step].turn
            let item = nodes.item(step, index)
            if groups[step].early.remove(index) != nil, case .ready = steps[item].phase {
                enter(item)
            } else {
                guard hasPassed(item, index) else { return }
            }
            groups[step].turn += 1
        }
    }

    private func hasPassed(_ item: Int, _ index: Int) -> Bool {
        switch steps[item].phase {
        case .pending, .deciding: isHeldUp(item, index) || !mayBeNeeded(item)
        default: true
        }
    }

    /// Whether the item is needed, or may turn out to be; not when all that it serves in its row has ended without it, nor
    /// while another step of the run has its key.
    private func mayBeNeeded(_ item: Int) -> Bool {
        if steps[item].gate == .behind { return false }
        if steps[item].isWanted || !nodes.waiters(of: nodes.step(of: item)).isEmpty { return true }
        return nodes.waiters(of: item).contains { !steps[$0].phase.state.isFinal && mayBeNeeded($0) }
    }

    /// When nothing else can go on, writes do not wait for earlier rows either: those that are not needed never come.
    mutating func passUnneededTurns(_ moment: Moment, _ decisions: inout SchedulerDecisions) {
        for step in 0..<nodes.stepCount where !groups[step].early.isEmpty {
            groups[step].turn = groups[step].early.min() ?? groups[step].turn
            advanceTurn(step)
        }
        startReady(moment, &decisions)
    }

    /// Whether something before the item in its row waits for a person or a time.
    private func isHeldUp(_ item: Int, _ index: Int) -> Bool {
        nodes.members(of: nodes.root(of: nodes.step(of: item))).contains { member in
            switch steps[nodes.item(member, index)].phase {
            case .paused, .held, .waiting: true
            default: false
            }
        }
    }
}
