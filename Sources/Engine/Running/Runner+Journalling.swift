internal import Hashing
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// What is journalled of the decisions, and what is remembered of it.
extension Runner {
    mutating func note(_ event: SchedulerEvent) {
        switch event {
        case .succeeded(let index, let outputs), .looked(let index, .found(let outputs)),
            .concluded(let index, .success(let outputs)):
            set(outputs, of: index)
        case .begin(let resuming):
            for case (let index, .posted(let outputs)) in resuming { set(outputs, of: index) }
        case .failed(let index, let error), .lookFailed(let index, let error), .failedOnHold(let index, let error, _):
            lastErrors[index] = error
        default: break
        }
    }

    /// Whether the attempts need not wait until the journal has their beginning: all of them only compute, so that a
    /// repeat loses nothing, and nothing is sent before the journal has proved that it can be written.
    func mayStartAtOnce(_ decisions: SchedulerDecisions) -> Bool {
        guard decisions.durability == .grouped, decisions.finish == nil else { return false }
        // A step whose question is settled ends before others may hold its account.
        guard holding.isEmpty else { return false }
        return decisions.actions.allSatisfy { action in
            if case .start(let index, _, _) = action { step(index).effect == .pure } else { false }
        }
    }

    /// What is journalled of the decisions; nil for nothing.
    mutating func batch(of decisions: SchedulerDecisions) -> JournalBatch? {
        var entries: [JournalEntry] = []
        for entry in decisions.entries { noteOutcome(entry) }
        for entry in decisions.entries { entries.append(completed(entry)) }
        guard !entries.isEmpty || !decisions.releases.isEmpty || decisions.finish != nil else { return nil }
        var batch = JournalBatch(
            run: record.id, entries: entries, state: decisions.finish, wakesAt: decisions.wakesAt,
            unholds: freed(by: entries), durability: decisions.durability)
        for (step, outputs) in decisions.completes {
            if let key = keys[step] { batch.ledger.append(.complete(key, outputs: outputs)) }
        }
        for step in decisions.releases {
            if let key = keys[step] { batch.ledger.append(.release(key, heldBy: scheduler.address(of: step))) }
        }
        return batch
    }

    static func commit(
        _ batch: JournalBatch?, _ journal: any JournalStore, _ order: EventOrder
    ) async throws(JournalError) {
        if let batch { try await journal.commit(batch) }
        order.release(after: (batch?.entries ?? []).map { .entry($0) })
    }

    /// A reservation is journalled with its key: a later process must not find another one, when a variable of the
    /// environment has changed. So is a list with its items, and a write with a digest of what it sends.
    mutating func completed(_ entry: JournalEntry) -> JournalEntry {
        guard let node = scheduler.nodes.node(at: entry.address) else { return entry }
        var data = entry.data
        switch entry.kind {
        case .itemsKnown: data = paths.storedItems(lists.removeValue(forKey: node) ?? [])
        case .onceReserved: if let key = keys[node] { data = key.journalValue }
        case .attemptStarted where step(node).effect == .write:
            // One that has waited for its turn is begun anew with what it was begun with.
            if ready[node] == nil { sent[node] = arguments(of: step(node), values(for: node)) }
            if let digest = sent[node].flatMap(digest) { data = ["sent": .string(digest)] }
        default: return entry
        }
        return JournalEntry(entry.kind, entry.address, attempt: entry.attempt, at: entry.at, data: data)
    }

    /// Of what a write is given, whatever its secrets are by now and wherever the run's folder is; nil when it has no value.
    private func digest(_ given: Result<ValueObject, StepError>) -> String? {
        guard case .success(let given) = given else { return nil }
        return SHA256.hex(redactor.redact(paths.portable(.object(given))).json(.canonical))
    }

    /// Whether a write of an earlier process was sent with this; true when that is not known.
    func isAsSent(_ node: Int, _ given: Result<ValueObject, StepError>) -> Bool {
        guard sent[node] == nil, let before = sentBefore[node] else { return true }
        return digest(given) == before
    }

    mutating func noteOutcome(_ entry: JournalEntry) {
        let state: StepState
        switch entry.kind {
        case .stepSucceeded: state = .succeeded
        case .stepFailed: state = .failed
        case .stepSkipped: state = .skipped
        default: return
        }
        guard let node = scheduler.nodes.node(at: entry.address) else { return }
        let (id, index) = (step(node).id, scheduler.nodes.index(of: node))
        values.set(state, of: id, index: index)
        // Outputs that a step had before it ran again are void now.
        if state != .succeeded { values.set(ValueObject?.none, of: id, index: index) }
        sent[node] = nil
        lastErrors[node] = nil
    }
}
