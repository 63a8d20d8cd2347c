internal import Engine
internal import Files
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// Goes on with runs that nobody has to be asked about: their process died, or their time has come.
struct Recovery {
    private let continuation: RunContinuation
    private var state: StateFolder { continuation.state }
    private var store: any JournalStore { continuation.store }

    init(_ continuation: RunContinuation) { self.continuation = continuation }

    /// For `resume --due` and `resume --all`.
    ///
    /// - Returns: the most pressing exit code of them all.
    func sweep(all: Bool) async throws -> ExitCode {
        let open = try await open(nil)
        var runs = due(open)
        runs += try await freed(open).filter { run in !runs.contains { $0.id == run.id } }
        if all { runs += open.filter { $0.state == .interrupted } }
        if runs.isEmpty, continuation.isQuiet { return .done }
        if runs.isEmpty {
            continuation.session.output.note("No run is \(all ? "due or interrupted" : "due").\n")
            return .done
        }
        return ExitCode.worst(try await go(on: runs) + goOnWithFreed(except: Set(runs.map(\.id))))
    }

    /// Goes on with the runs that waited for an answer which has been given now.
    ///
    /// - Parameter others: runs that this process has worked on already.
    func goOnWithFreed(except others: Set<String>) async throws -> [ExitCode] {
        try await go(on: freed(try await open(nil)).filter { !others.contains($0.id) })
    }

    private func go(on runs: [RunRecord]) async throws -> [ExitCode] {
        var codes: [ExitCode] = []
        for run in runs.sorted(by: { $0.id < $1.id }) {
            if let code = try await go(on: run.id, overlap: nil) { codes.append(code) }
        }
        return codes
    }

    /// What `run` begins with: runs of the same file and inputs that were interrupted or are due go on first, so that a
    /// cron line heals by itself.
    ///
    /// One that was interrupted longer ago than `recover-within` is not touched: a person decides.
    ///
    /// - Parameter overlap: the lock that the new run holds.
    func before(_ workflow: Workflow, file: String, lockKey: String, overlap: FileLock) async throws -> [ExitCode] {
        let mine = try await open(file).filter { $0.lockKey == lockKey }
        var codes: [ExitCode] = []
        for run in try await mine.filter({ $0.state == .interrupted }) + due(mine) + freed(mine) {
            if run.state == .interrupted, let since = try await interruption(of: run, olderThan: workflow.recoverWithin)
            {
                try await ask(about: run, since, workflow)
                codes.append(.paused)
            } else if let code = try await go(on: run.id, overlap: overlap) {
                codes.append(code)
            }
        }
        return codes
    }

    /// Runs that are not over, with what nobody works on told apart.
    private func open(_ file: String?) async throws -> [RunRecord] {
        let lookup = RunLookup(state, store)
        return try await store.runs(in: [.running, .paused, .waiting, .interrupted], file: file, limit: 1000)
            .map { lookup.living($0) }.filter { $0.state != .running }
    }

    private func due(_ runs: [RunRecord]) -> [RunRecord] {
        let now = continuation.session.now
        return runs.filter { $0.state != .interrupted && ($0.wakesAt.map { $0 <= now } ?? false) }
    }

    /// Those that are not due, with a step that another run's question held, and holds no longer.
    private func freed(_ runs: [RunRecord]) async throws -> [RunRecord] {
        let due = Set(due(runs).map(\.id))
        var freed: [RunRecord] = []
        for run in runs where run.state == .paused && !due.contains(run.id) {
            for (_, hold) in RunHistory(try await store.entries(of: run.id)).held {
                guard try await store.hold(on: hold.account) == nil else { continue }
                freed.append(run)
                break
            }
        }
        return freed
    }

    /// A run that cannot go on does not keep the others from it.
    private func go(on id: String, overlap: FileLock?) async throws -> ExitCode? {
        do {
            return try await continuation.go(on: id, tries: false, overlap: overlap)
        } catch let failure as CommandFailure {
            // Another process was faster, and the run is over by now.
            if failure.code == .usage, try await store.run(id)?.state.isFinal ?? false { return nil }
            continuation.session.tell(failure)
            return failure.code == .locked ? nil : failure.code
        }
    }

    /// - Returns: when its process was last heard of, if that is longer ago.
    private func interruption(of run: RunRecord, olderThan limit: Duration) async throws -> Timestamp? {
        let now = continuation.session.now
        guard now - run.changedAt > limit else { return nil }
        let last = try await store.entries(of: run.id).last?.at ?? run.changedAt
        return now - last > limit ? last : nil
    }

    /// Makes an old interrupted run a question.
    private func ask(about run: RunRecord, _ since: Timestamp, _ workflow: Workflow) async throws {
        guard let lock = try FileLock.take(state.lockPath(run.id)) else { return }
        defer { withExtendedLifetime(lock) {} }
        let pause = PauseRequest(
            .approval,
            message:
                "It was interrupted on \(since.localText), longer ago than \(workflow.recoverWithin.text). "
                + "Go on with it, or give it up with: pasteup cancel \(run.id)\(state.options)",
            answer: .none)
        let now = continuation.session.now
        try await store.commit(
            JournalBatch(
                run: run.id,
                entries: [JournalEntry(.runPaused, at: now, data: ["pause": pause.journalValue])], state: .paused,
                durability: .durable))
        continuation.session.tell(
            warning: "run \(run.id) was interrupted on \(since.localText). It is not gone on with by itself. "
                + "Go on with: pasteup resume \(run.id)\(state.options)")
    }
}

extension ExitCode {
    /// Of several runs: 3 before 4 before 1 before 0; a signal before all.
    static func worst(_ codes: [ExitCode]) -> ExitCode {
        let order: [ExitCode] = [.stopped, .terminated, .paused, .waiting, .failed, .usage, .locked]
        return order.first { codes.contains($0) } ?? .done
    }
}
