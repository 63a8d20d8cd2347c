internal import Expressions
internal import Files
public import Journal
public import StepKit
internal import Threading
internal import Values
public import Workflows

/// Carries a run out: what the scheduler decides is journalled, then done.
///
/// One task owns the scheduler and takes events in one by one; attempts, looks and timers are its child tasks and answer
/// with events.
public struct Runner {
    let workflow: Workflow
    let record: RunRecord
    let services: RunServices
    private let paths: ArtifactPaths
    private var scheduler: Scheduler
    private var values: RunValues
    private let redactor: Redactor
    /// The keys of `once` that this run holds.
    private var keys: [Int: LedgerKey] = [:]
    /// Writes that wait for their account's turn, and what keeps the turns that were taken.
    private var ready: [Int: Attempt] = [:]
    private let taken = Locked<[Int: any Sendable]>([:])
    /// What each write was last sent with: that is what is looked for, whatever its inputs have become since.
    private var sent: [Int: Result<ValueObject, StepError>] = [:]
    /// The steps that hold their account, in every run.
    var holding: Set<Int> = []
    /// What became of the last attempt of each step, for messages.
    private(set) var lastErrors: [Int: StepError] = [:]

    /// - Parameter record: the run as it stands in the journal.
    public init(_ workflow: Workflow, record: RunRecord, services: RunServices) {
        self.workflow = workflow
        self.record = record
        self.services = services
        paths = ArtifactPaths(folder: services.folder)
        scheduler = Scheduler(
            nodes: workflow.steps.map { SchedulerNode($0, account: $0.account.flatMap { services.accounts[$0] }) },
            graph: workflow.graph, concurrency: workflow.concurrency, seed: services.seed,
            asks: services.interviewer?.forms ?? [], checksAccounts: true)
        let secrets = services.secrets
        values = RunValues(
            inputs: record.inputs,
            run: [
                "id": .string(record.id), "started-at": .string(record.startedAt.iso8601),
                "workflow": .string(workflow.name), "attempt": .integer(Int64(record.processes)),
            ],
            secret: { secrets[$0] }, environment: services.environment)
        let variables = workflow.steps.flatMap(\.arguments).flatMap(\.value.references)
            .filter { $0.root == "env" && $0.mentionsSecret }
            .compactMap { $0.path.first.flatMap(services.environment).map(Secret.init) }
        redactor = Redactor(secrets.values + services.accounts.values.map(\.token) + variables)
    }

    /// Works on the run until nothing more can be done by this process.
    ///
    /// - Parameters:
    ///   - entries: the journal of earlier processes; empty for a new run.
    ///   - answers: how paused steps go on, by address.
    /// - Throws: `JournalError`; what was under way is cancelled, and the journal holds what was committed. `StepError`
    ///   when an answer is of no use to its step; nothing has been done then.
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
            var next = 0
            while finished == nil {
                if next == events.count {
                    events.removeAll(keepingCapacity: true)
                    next = 0
                    switch try await group.next() {
                    case .some(let event?): events.append(event)
                    case .some(nil): break
                    // Only when the task of the whole run was cancelled: its timers will not fire any more.
                    case nil: events.append(.stop(.interrupted))
                    }
                    continue
                }
                let event = try await claimed(events[next])
                next += 1
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
        if !entries.isEmpty { holding = try await holdingSteps() }
        for entry in entries {
            guard let index = workflow.place(of: entry.address) else { continue }
            switch entry.kind {
            case .stepSucceeded: set(entry.data["outputs"]?.object ?? [:], of: index)
            case .onceReserved: keys[index] = LedgerKey(journalValue: entry.data)
            default: break
            }
        }
        for (index, step) in workflow.steps.enumerated() {
            let state = scheduler.state(of: index)
            if state.isFinal {
                values.set(state, of: step.id)
                if state != .succeeded { values.set(ValueObject?.none, of: step.id) }
            }
            if !scheduler.holdsKey(index) { keys[index] = nil }
        }
        for (address, answer) in answers {
            guard let index = workflow.place(of: address), scheduler.state(of: index) == .paused else { continue }
            resuming.append((index, try how(answer, index)))
        }
        return resuming.sorted { $0.step < $1.step }
    }

    /// What a person says was posted becomes the step's outputs.
    private func how(_ answer: PauseAnswer?, _ index: Int) throws -> ResumeHow {
        guard case .posted(let id)? = answer else { return .answer(answer) }
        let step = workflow.steps[index]
        let call = try attempt(index, number: scheduler.attempts(of: index), resumption: nil).call()
        guard let outputs = step.kind.outputs(forPosted: id, of: call) else {
            throw StepError(
                .invalid, "'\(id)' cannot be what step '\(step.id)' has made",
                why: "'\(step.kind.declaration.name)' makes no outputs of it.",
                fix: "Give the id as the service shows it.")
        }
        return .posted(paths.stored(outputs, of: step.kind.declaration))
    }

    private mutating func set(_ outputs: ValueObject, of index: Int) {
        let step = workflow.steps[index]
        values.set(paths.restored(outputs, of: step.kind.declaration), of: step.id)
    }

    // MARK: Carrying out

    private mutating func note(_ event: SchedulerEvent) {
        switch event {
        case .succeeded(let index, let outputs), .looked(let index, .found(let outputs)): set(outputs, of: index)
        case .begin(let resuming):
            for case (let index, .posted(let outputs)) in resuming { set(outputs, of: index) }
        case .failed(let index, let error), .lookFailed(let index, let error), .failedOnHold(let index, let error, _):
            lastErrors[index] = error
        default: break
        }
    }

    private mutating func commit(_ decisions: SchedulerDecisions) async throws(JournalError) {
        let entries = decisions.entries.map(withKey)
        for entry in entries { noteOutcome(entry) }
        guard !entries.isEmpty || decisions.finish != nil else { return }
        var batch = JournalBatch(
            run: record.id, entries: entries, state: decisions.finish, wakesAt: decisions.wakesAt,
            unholds: freed(by: entries), durability: decisions.durability)
        for (step, outputs) in decisions.completes {
            if let key = keys[step] { batch.ledger.append(.complete(key, outputs: outputs)) }
        }
        for step in decisions.releases {
            if let key = keys[step] { batch.ledger.append(.release(key)) }
        }
        try await services.journal.commit(batch)
        if !batch.unholds.isEmpty { try await holdFurther() }
        for entry in entries { services.observe(.entry(entry)) }
    }

    /// A reservation is journalled with its key: a later process must not find another one, when a variable of the
    /// environment has changed.
    private func withKey(_ entry: JournalEntry) -> JournalEntry {
        guard entry.kind == .onceReserved, let key = workflow.place(of: entry.address).flatMap({ keys[$0] }) else { return entry }
        return JournalEntry(entry.kind, entry.address, attempt: entry.attempt, at: entry.at, data: key.journalValue)
    }

    private mutating func noteOutcome(_ entry: JournalEntry) {
        switch entry.kind {
        case .stepSucceeded: values.set(StepState.succeeded, of: entry.address)
        case .stepFailed: noteEmptyEnd(.failed, entry.address)
        case .stepSkipped: noteEmptyEnd(.skipped, entry.address)
        default: break
        }
    }

    /// Outputs that a step had before it ran again are void now.
    private mutating func noteEmptyEnd(_ state: StepState, _ address: String) {
        values.set(state, of: address)
        values.set(ValueObject?.none, of: address)
    }

    private mutating func carryOut(
        _ action: SchedulerAction, _ group: inout ThrowingTaskGroup<SchedulerEvent?, any Error>,
        _ events: inout [SchedulerEvent]
    ) async throws(JournalError) {
        switch action {
        case .evaluateCondition(let index, let status): events.append(condition(index, status))
        case .reserve(let index): events.append(try await reserve(index))
        case .checkAccount(let index): events.append(try await checkAccount(index))
        case .start(let index, let number, let resumption):
            let attempt = attempt(index, number: number, resumption: resumption)
            guard attempt.step.effect == .write else {
                group.addTask { await attempt.carryOut() }
                return
            }
            sent[index] = attempt.given
            guard let turns = services.turns, let account = attempt.account else {
                group.addTask { await attempt.carryOut() }
                return
            }
            ready[index] = attempt
            // A write waits until no other process writes with the same account.
            group.addTask { [taken] in
                do {
                    let turn = try await turns.take(for: account)
                    taken.withLock { $0[index] = turn }
                    return .turnTaken(index)
                } catch {
                    return .cancelled(index)
                }
            }
        case .send(let index):
            guard let attempt = ready.removeValue(forKey: index) else { return }
            group.addTask { [taken] in
                let event = await attempt.carryOut()
                taken.withLock { $0[index] = nil }
                return event
            }
        case .look(let index, let since):
            services.observe(.looking(address: workflow.steps[index].id))
            let attempt = attempt(index, number: scheduler.attempts(of: index), resumption: nil, given: sent[index])
            group.addTask { await attempt.look(since: since) }
        case .timer(let index, let delay):
            if !scheduler.isLooking(index), let error = lastErrors[index] {
                services.observe(.retrying(address: workflow.steps[index].id, after: delay, error: error))
            }
            group.addTask { [clock = services.clock] in
                do { try await clock.sleep(for: delay, purpose: .pause) } catch { return nil }
                return .timerFired(index)
            }
        case .ask(let index, let pause, let refusals):
            guard let interviewer = services.interviewer else { return }
            let step = workflow.steps[index]
            let question = StepQuestion(
                address: step.id, account: step.account, pause: paths.restored(pause), refusals: refusals)
            group.addTask { .answered(index, await interviewer.ask(question)) }
        }
    }

    private func attempt(
        _ index: Int, number: Int, resumption: Resumption?, given: Result<ValueObject, StepError>? = nil
    ) -> Attempt {
        let step = workflow.steps[index]
        return Attempt(
            index: index, step: step, folder: workflow.folder, paths: paths,
            account: step.account.flatMap { services.accounts[$0] }, given: given ?? arguments(of: step),
            redactor: redactor, run: record.id, number: number,
            idempotencyKey: idempotencyKey(
                run: record.id, address: step.id, generation: scheduler.generation(of: index)),
            keyFirstSent: scheduler.keyFirstSent(of: index), resumption: resumption, clock: services.clock,
            observe: services.observe)
    }

    private func arguments(of step: Step) -> Result<ValueObject, StepError> {
        Result { () throws(StepError) in
            var given = ValueObject()
            for argument in step.arguments { given[argument.name] = try argument.value.value(in: values) }
            return given
        }
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
        keys[index] = nil
        if !services.ignoresOnce {
            let held = try await services.journal.reserve(
                key, run: record.id, address: step.id, at: services.clock.now.wall)
            if let held { return .onceHeld(index, held) }
        }
        keys[index] = key
        return .onceGranted(index)
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
            state: state, steps: workflow.steps.indices.map { StepReport(workflow.steps[$0], scheduler, $0, paths) },
            outputs: outputs, wakesAt: wakesAt)
    }
}

extension LedgerKey {
    var journalValue: Value { ["scope": .string(scope), "key": .string(text)] }

    /// Nil when a member is missing.
    init?(journalValue value: Value) {
        guard let scope = value["scope"]?.string, let text = value["key"]?.string else { return nil }
        self.init(scope: scope, text: text)
    }
}

extension StepReport {
    init(_ step: Step, _ scheduler: Scheduler, _ index: Int, _ paths: ArtifactPaths) {
        self.init(
            address: step.id, kind: step.kind.declaration.name, effect: step.effect, state: scheduler.state(of: index),
            attempts: scheduler.attempts(of: index), error: scheduler.error(of: index),
            skipReason: scheduler.skipReason(of: index), pause: scheduler.pause(of: index).map(paths.restored),
            hold: scheduler.hold(of: index),
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
            address: step.id, service: String(declaration.name.prefix { $0 != "." }), effect: step.effect,
            doubtRule: declaration.doubtRule, account: step.account,
            retry: step.retry, timeout: step.timeout, settle: settle, condition: condition,
            hasOnce: step.once != nil, continuesOnError: step.continueOnError)
    }
}
