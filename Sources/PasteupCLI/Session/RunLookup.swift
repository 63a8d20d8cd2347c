internal import Journal
internal import StepKit

/// Finds runs by what a user types.
struct RunLookup {
    let state: StateFolder
    let store: any JournalStore

    init(_ state: StateFolder, _ store: any JournalStore) {
        self.state = state
        self.store = store
    }

    /// The run with that id, or the only one whose id begins so.
    ///
    /// - Throws: `CommandFailure` with exit code 2.
    func run(_ text: String) async throws -> RunRecord {
        let prefix = text.lowercased()
        let found = try await store.runs(withPrefix: prefix)
        if let exact = found.first(where: { $0.id == prefix }) { return living(exact) }
        guard let first = found.first, !prefix.isEmpty else { throw RunLookup.unknown(text, state) }
        guard found.count == 1 else {
            throw CommandFailure(
                "'\(text)' is the beginning of several runs: \(found.map(\.id).joined(separator: ", "))",
                fix: "Give more of the id.", code: .usage)
        }
        return living(first)
    }

    /// The run that was named, or the only one that can go on.
    ///
    /// - Parameter answer: what it must be asking for; nil for anything.
    func resumable(_ text: String?, for answer: Answer? = nil) async throws -> RunRecord {
        if let text { return try await run(text) }
        if let answer, let only = try await waiting(for: answer) { return only }
        let open: Set<RunState> = [.running, .paused, .waiting, .stopped, .interrupted]
        let found = try await store.runs(in: open, file: nil, limit: 100)
            .filter { $0.state != .running || !state.isAlive($0.id) }
        var asking: [RunRecord] = []
        for run in found where run.state == .paused {
            if try await asks(run) { asking.append(run) }
        }
        if asking.count == 1 { return asking[0] }
        if found.count == 1, answer == nil { return found[0] }
        guard !found.isEmpty else {
            throw CommandFailure(
                "no run can go on", fix: state.hint(runs: "") ?? "See: pasteup list\(state.options)", code: .usage)
        }
        if let answer {
            throw CommandFailure(
                "no run waits for '\(answer.option)'", fix: "See: pasteup paused\(state.options)", code: .usage)
        }
        throw CommandFailure(
            "several runs can go on: \(names(found.map { "\($0.id) (\(living($0).state.rawValue))" }))",
            fix: "Name one: pasteup resume RUN\(state.options)", code: .usage)
    }

    /// The only run with a question that the answer fits; nil when there is none.
    private func waiting(for answer: Answer) async throws -> RunRecord? {
        var found: [RunRecord] = []
        for run in try await store.runs(in: [.paused], file: nil, limit: 1000) {
            let paused = RunHistory(try await store.entries(of: run.id)).paused
            if paused.contains(where: { answer.forms.contains($0.pause.answer) }) { found.append(run) }
        }
        guard found.count > 1 else { return found.first }
        throw CommandFailure(
            "several runs wait for '\(answer.option)': \(names(found.map(\.id)))",
            fix: "Name one: pasteup resume RUN\(state.options) \(answer.option)"
                + (answer.placeholder.map { " " + $0 } ?? ""), code: .usage)
    }

    /// Whether a paused run has a question of its own: it does not only wait for the answer to another one's.
    private func asks(_ run: RunRecord) async throws -> Bool {
        let history = RunHistory(try await store.entries(of: run.id))
        return history.held.isEmpty || !history.paused.isEmpty
    }

    /// A run that is "running" while nobody works on it was interrupted.
    func living(_ record: RunRecord) -> RunRecord {
        guard record.state == .running, !state.isAlive(record.id) else { return record }
        var record = record
        record.state = .interrupted
        return record
    }

    static func unknown(_ text: String, _ state: StateFolder) -> CommandFailure {
        CommandFailure(
            "there is no run '\(text)'",
            fix: state.hint(runs: text.lowercased()) ?? "See: pasteup list\(state.options)", code: .usage)
    }

    static func noRuns(_ state: StateFolder) -> CommandFailure {
        CommandFailure(
            "there are no runs in '\(state.path)'", fix: state.hint(runs: "") ?? "Start one: pasteup run FILE",
            code: .usage)
    }
}
