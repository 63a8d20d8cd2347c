internal import Engine
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// The part of `retry` that differs from `resume`.
extension RunContinuation {
    /// - Throws: `CommandFailure` with exit code 2 that names the command that fits the run's state.
    func checkFailed(_ record: RunRecord) throws {
        let command: String
        switch record.state {
        case .failed: return
        case .succeeded:
            throw CommandFailure(
                "run \(record.id) succeeded", why: "Nothing is left to do again.", code: .usage)
        case .canceled:
            throw CommandFailure(
                "run \(record.id) was canceled", why: "A canceled run does not go on.",
                fix: "Start another: pasteup run \(quoted(record.file))", code: .usage)
        case .paused: command = "pasteup paused\(state.options)"
        case .waiting, .stopped, .interrupted, .running: command = "pasteup resume \(record.id)\(state.options)"
        }
        // Nobody works on it, or the lock would not be ours.
        let word = record.state == .running ? RunState.interrupted.rawValue : record.state.rawValue
        throw CommandFailure(
            "run \(record.id) is \(word), not failed", why: "Only a failed run is retried.", fix: "See: \(command)",
            code: .usage)
    }

    /// Makes the failed run one that goes on: in the journal, and with the keys that doubtful writes need.
    ///
    /// - Returns: what was added to the journal, and the steps that are looked for first.
    func revive(
        _ record: RunRecord, _ workflow: Workflow, _ entries: [JournalEntry]
    ) async throws -> (entries: [JournalEntry], answers: [String: PauseAnswer?]) {
        let retry = RunRetry(entries, workflow: workflow)
        guard !retry.steps.isEmpty else {
            throw CommandFailure(
                "run \(record.id) has no step to run again", fix: "See: pasteup show \(record.id)\(state.options)",
                code: .usage)
        }
        let now = session.now
        var held: Set<String> = []
        for doubt in retry.doubts {
            guard let key = doubt.key else { continue }
            let holder =
                record.options["ignore-once"] == true
                ? nil : try await store.reserve(key, run: record.id, address: doubt.address, at: now)
            if holder == nil { held.insert(doubt.address) }
        }
        let added = retry.entries(at: now, holding: held)
        // Running from here on: should the process die, the run is interrupted, and `resume` goes on with it.
        try await store.commit(
            JournalBatch(run: record.id, entries: added, state: .running, durability: .durable))
        let looked = retry.doubts(holding: held).map { ($0.address, PauseAnswer?.none) }
        return (added, Dictionary(uniqueKeysWithValues: looked))
    }
}
