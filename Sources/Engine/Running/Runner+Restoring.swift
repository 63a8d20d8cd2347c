internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// What is known before the first event.
extension Runner {
    mutating func restore(
        _ entries: [JournalEntry], _ answers: [String: PauseAnswer?]
    ) async throws -> [(step: Int, how: ResumeHow)] {
        var resuming = try scheduler.restore(entries, dueBy: services.clock.now.wall)
        if !entries.isEmpty { holding = try await holdingSteps() }
        for entry in entries {
            guard let node = scheduler.nodes.node(at: entry.address) else { continue }
            switch entry.kind {
            case .itemsKnown: setItems(paths.restoredItems(entry.data), of: node)
            case .stepSucceeded: set(entry.data["outputs"]?.object ?? [:], of: node)
            case .onceReserved: keys[node] = LedgerKey(journalValue: entry.data)
            case .attemptStarted: sentBefore[node] = entry.data["sent"]?.string
            case .partKept: parts.restore(entry)
            default: break
            }
        }
        for node in scheduler.nodes.indices {
            let state = scheduler.state(of: node)
            if state.isFinal {
                let (id, index) = (step(node).id, scheduler.nodes.index(of: node))
                values.set(state, of: id, index: index)
                if state != .succeeded { values.set(ValueObject?.none, of: id, index: index) }
            }
            if !scheduler.holdsKey(node) { keys[node] = nil }
        }
        for entry in try await services.journal.reserved(by: record.id) {
            guard let node = scheduler.nodes.node(at: entry.address), scheduler.restoreKey(of: node) else { continue }
            keys[node] = entry.key
        }
        for (address, answer) in answers {
            guard let node = scheduler.nodes.node(at: address), scheduler.state(of: node) == .paused else { continue }
            resuming.append((node, try await how(answer, node)))
        }
        return try await withKeys(resuming).sorted { $0.step < $1.step }
    }

    /// Those that still have their key of `once`, or have it again. The ledger may have been changed by hand while they were
    /// paused or waited: one whose key is another's by now asks for it like a step that begins, and is told who has it.
    private mutating func withKeys(
        _ resuming: [(step: Int, how: ResumeHow)]
    ) async throws(JournalError) -> [(step: Int, how: ResumeHow)] {
        guard !services.ignoresOnce else { return resuming }
        var kept: [(step: Int, how: ResumeHow)] = []
        for (node, how) in resuming {
            // What may have happened already is looked for, whoever has the key.
            if let key = keys[node], !scheduler.mayHaveHappened(node, how),
                try await services.journal.reserve(
                    key, run: record.id, address: scheduler.address(of: node), at: services.clock.now.wall) != nil
            {
                scheduler.loseKey(of: node)
            } else {
                kept.append((node, how))
            }
        }
        return kept
    }

    /// What a person says was posted becomes the step's outputs.
    private func how(_ answer: PauseAnswer?, _ index: Int) async throws -> ResumeHow {
        guard let answer, answer.endsDoubt else { return .answer(answer) }
        let step = step(index)
        let call = try attempt(index, number: scheduler.attempts(of: index), resumption: nil).call()
        if let parts = try await step.kind.parts(settledBy: answer, of: call) {
            for part in parts { try await call.parts.keep(part.value, as: part.name) }
            return .partSettled
        }
        guard case .posted(let id) = answer else { return .answer(answer) }
        guard let outputs = try await step.kind.outputs(forPosted: id, of: call) else {
            throw StepError(
                .invalid, "'\(id)' cannot be what step '\(scheduler.address(of: index))' has made",
                why: "'\(step.kind.declaration.name)' makes no outputs of it.",
                fix: "Give \(step.kind.declaration.postedForm).")
        }
        return .posted(paths.stored(outputs, of: step.kind.declaration))
    }

    mutating func set(_ outputs: ValueObject, of node: Int) {
        let step = step(node)
        values.set(
            paths.restored(outputs, of: step.kind.declaration), of: step.id, index: scheduler.nodes.index(of: node))
    }
}

extension PauseAnswer {
    /// Whether it says what became of a write in doubt.
    fileprivate var endsDoubt: Bool {
        switch self {
        case .posted, .resend: true
        default: false
        }
    }
}
