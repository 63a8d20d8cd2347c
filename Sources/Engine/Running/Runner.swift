internal import Expressions
internal import Files
public import Journal
public import StepKit
internal import Values
public import Workflows

/// Carries a run out: what the scheduler decides is journalled, then done.
///
/// One task owns the scheduler and takes events in one by one; attempts, looks and timers are its child tasks and answer
/// with events.
public struct Runner {
    private let workflow: Workflow
    private let record: RunRecord
    private let services: RunServices
    private let paths: ArtifactPaths
    private var scheduler: Scheduler
    private var values: RunValues
    /// The keys of `once` that this run holds.
    private var keys: [Int: LedgerKey] = [:]
    /// What became of the last attempt of each step, for messages.
    private var lastErrors: [Int: StepError] = [:]

    /// - Parameter record: the run as it stands in the journal.
    public init(_ workflow: Workflow, record: RunRecord, services: RunServices) {
        self.workflow = workflow
        self.record = record
        self.services = services
        paths = ArtifactPaths(folder: services.folder)
        scheduler = Scheduler(
            nodes: workflow.steps.map { SchedulerNode($0, account: $0.account.flatMap { services.accounts[$0] }) },
            graph: workflow.graph, concurrency: workflow.concurrency, seed: services.seed)
        let secrets = services.secrets
        values = RunValues(
            inputs: record.inputs,
            run: [
                "id": .string(record.id), "started-at": .string(record.startedAt.iso8601),
                "workflow": .string(workflow.name), "attempt": .integer(Int64(record.processes)),
            ],
            secret: { secrets[$0] }, environment: services.environment)
    }

    /// Works on the run until nothing more can be done by this process.
    ///
    /// - Parameters:
    ///   - entries: the journal of earlier processes; empty for a new run.
    ///   - answers: how paused steps go on, by address.
    /// - Throws: `JournalError`; what was under way is cancelled, and the journal holds what was committed.
    public mutating func run(
        restoring entries: [JournalEntry] = [], answers: [String: PauseAnswer?] = [:]
    ) async throws -> RunOutcome {
        services.observe(.began(record, isResumed: !entries.isEmpty))
        let resuming = try await restore(entries, answers)
        var wakesAt: Timestamp?
        var finished: RunState?
        try await withThrowingTaskGroup(of: SchedulerEvent?.self) { group in
            defer { group.cancelAll() }
            let stops = services.stops
            group.addTask {
                for await state in stops { return .stop(state) }
                return nil
            }
            var events: [SchedulerEvent] = [.begin(resuming: resuming)]
            while finished == nil {
                if events.isEmpty {
                    guard let event = try await group.next() else { break }
                    if let event { events.append(event) }
                    continue
                }
                let event = events.removeFirst()
                note(event)
                let decisions = scheduler.handle(event, at: services.clock.now)
                try await commit(decisions)
                for action in decisions.actions { try await carryOut(action, &group, &events) }
                if case .stop = event { group.cancelAll() }
                finished = decisions.finish
                wakesAt = decisions.wakesAt
            }
        }
        return outcome(finished ?? .interrupted, wakesAt: wakesAt)
    }

    // MARK: Before the first event

    private mutating func restore(
        _ entries: [JournalEntry], _ answers: [String: PauseAnswer?]
    ) async throws -> [(step: Int, how: ResumeHow)] {
        var resuming = try scheduler.restore(entries, dueBy: services.clock.now.wall)
        for entry in entries where entry.kind == .stepSucceeded {
            guard let index = workflow.steps.firstIndex(where: { $0.id == entry.address }),
                let outputs = entry.data["outputs"]?.object
            else { continue }
            values.set(
                paths.restored(outputs, of: workflow.steps[index].kind.declaration), of: workflow.steps[index].id)
        }
        for (index, step) in workflow.steps.enumerated() {
            let state = scheduler.state(of: index)
            if state != .succeeded { values.set(ValueObject?.none, of: step.id) }
            if state.isFinal { values.set(state, of: step.id) }
            if step.once != nil { keys[index] = try? onceKey(of: step) }
            if let answer = answers[step.id], scheduler.state(of: index) == .paused {
                resuming.append((index, how(answer, index)))
            }
        }
        return resuming
    }

    /// What a person says was posted becomes the step's outputs.
    private func how(_ answer: PauseAnswer?, _ index: Int) -> ResumeHow {
        guard case .posted(let id)? = answer,
            let call = try? attempt(index, number: scheduler.attempts(of: index), resumption: nil).call(),
            let outputs = workflow.steps[index].kind.outputs(forPosted: id, of: call)
        else { return .answer(answer) }
        return .posted(paths.stored(outputs, of: workflow.steps[index].kind.declaration))
    }

    // MARK: Carrying out

    private mutating func note(_ event: SchedulerEvent) {
        switch event {
        case .succeeded(let index, let outputs), .looked(let index, .found(let outputs)):
            let step = workflow.steps[index]
            values.set(paths.restored(outputs, of: step.kind.declaration), of: step.id)
        case .begin(let resuming):
            for case (let index, .posted(let outputs)) in resuming {
                let step = workflow.steps[index]
                values.set(paths.restored(outputs, of: step.kind.declaration), of: step.id)
            }
        case .failed(let index, let error), .lookFailed(let index, let error): lastErrors[index] = error
        default: break
        }
    }

    private mutating func commit(_ decisions: SchedulerDecisions) async throws(JournalError) {
        for entry in decisions.entries { noteOutcome(entry) }
        guard !decisions.entries.isEmpty || decisions.finish != nil else { return }
        var batch = JournalBatch(
            run: record.id, entries: decisions.entries, state: decisions.finish, wakesAt: decisions.wakesAt,
            durability: decisions.durability)
        for (step, outputs) in decisions.completes {
            if let key = keys[step] { batch.ledger.append(.complete(key, outputs: outputs)) }
        }
        for step in decisions.releases {
            if let key = keys[step] { batch.ledger.append(.release(key)) }
        }
        try await services.journal.commit(batch)
        for entry in decisions.entries { services.observe(.entry(entry)) }
    }

    private mutating func noteOutcome(_ entry: JournalEntry) {
        switch entry.kind {
        case .stepSucceeded: values.set(StepState.succeeded, of: entry.address)
        case .stepFailed: values.set(StepState.failed, of: entry.address)
        case .stepSkipped: values.set(StepState.skipped, of: entry.address)
        default: break
        }
    }

    private mutating func carryOut(
        _ action: SchedulerAction, _ group: inout ThrowingTaskGroup<SchedulerEvent?, any Error>,
        _ events: inout [SchedulerEvent]
    ) async throws(JournalError) {
        switch action {
        case .evaluateCondition(let index, let status): events.append(condition(index, status))
        case .reserve(let index): events.append(try await reserve(index))
        case .start(let index, let number, let resumption):
            let attempt = attempt(index, number: number, resumption: resumption)
            group.addTask { await attempt.carryOut() }
        case .look(let index, let since):
            services.observe(.looking(address: workflow.steps[index].id))
            let attempt = attempt(index, number: scheduler.attempts(of: index), resumption: nil)
            group.addTask { await attempt.look(since: since) }
        case .timer(let index, let delay):
            if let error = lastErrors[index] {
                services.observe(.retrying(address: workflow.steps[index].id, after: delay, error: error))
            }
            group.addTask { [clock = services.clock] in
                do { try await clock.sleep(for: delay, purpose: .pause) } catch { return nil }
                return .timerFired(index)
            }
        case .forget(let index): values.set(ValueObject?.none, of: workflow.steps[index].id)
        }
    }

    private func attempt(_ index: Int, number: Int, resumption: Resumption?) -> Attempt {
        let step = workflow.steps[index]
        return Attempt(
            index: index, step: step, folder: workflow.folder, paths: paths,
            account: step.account.flatMap { services.accounts[$0] }, values: values, run: record.id, number: number,
            idempotencyKey: idempotencyKey(
                run: record.id, address: step.id, generation: scheduler.generation(of: index)),
            keyFirstSent: scheduler.keyFirstSent(of: index), resumption: resumption, clock: services.clock,
            observe: services.observe)
    }

    // MARK: Conditions and keys

    private func condition(_ index: Int, _ status: RunStatus) -> SchedulerEvent {
        guard let condition = workflow.steps[index].condition else { return .conditionKnown(index, true) }
        do {
            let context = values.context(for: condition.references, status: status)
            return .conditionKnown(index, try condition.evaluate(in: context).isTruthy)
        } catch {
            return .conditionFailed(index, StepError(.invalid, "its condition has no value: \(error.message)"))
        }
    }

    private mutating func reserve(_ index: Int) async throws(JournalError) -> SchedulerEvent {
        let step = workflow.steps[index]
        let key: LedgerKey
        do { key = try onceKey(of: step) } catch { return .onceFailed(index, error) }
        keys[index] = key
        if services.ignoresOnce { return .onceGranted(index) }
        let held = try await services.journal.reserve(
            key, run: record.id, address: step.id, at: services.clock.now.wall)
        return held.map { .onceHeld(index, $0) } ?? .onceGranted(index)
    }

    /// - Throws: `StepError` when a part of the key is null or empty: such a key would fit too much.
    private func onceKey(of step: Step) throws(StepError) -> LedgerKey {
        guard let once = step.once else { throw StepError(.invalid, "step '\(step.id)' has no 'once'") }
        if case .template(let template, _) = once.key {
            for expression in template.expressions {
                let context = values.context(for: expression.references)
                guard let part = try? expression.evaluate(in: context), !part.text.isEmpty else {
                    throw StepError(
                        .invalid, "a part of its 'once' key is empty: '\(expression.source)'",
                        why: "A key with an empty part would be the same for different posts.",
                        fix: "Give it another value, as with default(…, 'none').")
                }
            }
        }
        let text = try once.key.value(in: values).text
        guard !text.isEmpty else { throw StepError(.invalid, "its 'once' key is empty") }
        return LedgerKey(scope: once.isGlobal ? "" : workflow.name, text: text)
    }

    // MARK: The end

    private func outcome(_ state: RunState, wakesAt: Timestamp?) -> RunOutcome {
        let outputs = workflow.outputs.compactMap { output -> (name: String, value: Value)? in
            guard let value = try? output.value.value(in: values), !value.isNull else { return nil }
            return (output.name, value)
        }
        return RunOutcome(
            state: state, steps: workflow.steps.indices.map { StepReport(workflow.steps[$0], scheduler, $0) },
            outputs: outputs, wakesAt: wakesAt)
    }
}

extension StepReport {
    init(_ step: Step, _ scheduler: Scheduler, _ index: Int) {
        self.init(
            address: step.id, kind: step.kind.declaration.name, effect: step.effect, state: scheduler.state(of: index),
            attempts: scheduler.attempts(of: index), error: scheduler.error(of: index),
            skipReason: scheduler.skipReason(of: index), pause: scheduler.pause(of: index),
            waitsUntil: scheduler.waitsUntil(index), continuesOnError: step.continueOnError)
    }
}

extension SchedulerNode {
    init(_ step: Step, account: Account?) {
        let declaration = step.kind.declaration
        let settle = account?.settings["settle"]?.string.flatMap { Duration(text: $0) } ?? .seconds(5)
        let condition: Condition =
            step.condition.map { $0.readsStatus ? .asksStatus : .plain } ?? SchedulerNode.Condition.none
        self.init(
            address: step.id, effect: declaration.effect, doubtRule: declaration.doubtRule, account: step.account,
            retry: step.retry, timeout: step.timeout, settle: settle, condition: condition,
            hasOnce: step.once != nil, continuesOnError: step.continueOnError)
    }
}
