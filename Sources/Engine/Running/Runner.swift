internal import Diagnostics
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
    private(set) var scheduler: Scheduler
    private var values: RunValues
    private let redactor: Redactor
    private let order: EventOrder
    private let parts: RunParts
    /// The keys of `once` that this run holds.
    private var keys: [Int: LedgerKey] = [:]
    /// Writes that wait for their account's turn, and what keeps the turns that were taken.
    private var ready: [Int: Attempt] = [:]
    private let taken = Locked<[Int: any Sendable]>([:])
    /// What each write was last sent with: that is what is looked for, whatever its inputs have become since.
    private var sent: [Int: Result<ValueObject, StepError>] = [:]
    /// The items of each step with a list of its own, as they are to be journalled; only until they are.
    private var lists: [Int: [Value]] = [:]
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
        order = EventOrder(services.observe)
        parts = RunParts(run: record.id, services: services)
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
        try await SerialTasks.run { try await work(restoring: entries, answers: answers) }
    }

    private mutating func work(
        restoring entries: [JournalEntry], answers: [String: PauseAnswer?]
    ) async throws -> RunOutcome {
        services.observe(.began(record, isResumed: !entries.isEmpty))
        let resuming = try await restore(entries, answers)
        var wakesAt: Timestamp?
        var finished: RunState?
        try await withThrowingTaskGroup(of: SchedulerEvent?.self) { group in
            defer { group.cancelAll() }
            let stops = services.stops
            let (journal, order) = (services.journal, order)
            group.addTask {
                for await state in stops { return .stop(state) }
                return nil
            }
            // What is known at once is dealt with before the group is asked. A batch brings many such events: they are read
            // in place, since to take the first out of an array moves all others.
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
                for (step, state) in decisions.groupEnds { values.set(state, of: workflow.steps[step].id) }
                let batch = batch(of: decisions)
                if mayStartAtOnce(decisions) {
                    order.hold()
                    async let committed: Void = Runner.commit(batch, journal, order)
                    for action in decisions.actions { try await carryOut(action, &group, &events) }
                    try await committed
                } else {
                    try await Runner.commit(batch, journal, order)
                    if batch?.unholds.isEmpty == false { try await holdFurther() }
                    for action in decisions.actions { try await carryOut(action, &group, &events) }
                }
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
            guard let node = scheduler.nodes.node(at: entry.address) else { continue }
            switch entry.kind {
            case .itemsKnown: setItems(paths.restoredItems(entry.data), of: node)
            case .stepSucceeded: set(entry.data["outputs"]?.object ?? [:], of: node)
            case .onceReserved: keys[node] = LedgerKey(journalValue: entry.data)
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
        for (address, answer) in answers {
            guard let node = scheduler.nodes.node(at: address), scheduler.state(of: node) == .paused else { continue }
            resuming.append((node, try await how(answer, node)))
        }
        return resuming.sorted { $0.step < $1.step }
    }

    /// What a person says was posted becomes the step's outputs.
    private func how(_ answer: PauseAnswer?, _ index: Int) async throws -> ResumeHow {
        guard case .posted(let id)? = answer else { return .answer(answer) }
        let step = step(index)
        let call = try attempt(index, number: scheduler.attempts(of: index), resumption: nil).call()
        guard let outputs = try await step.kind.outputs(forPosted: id, of: call) else {
            throw StepError(
                .invalid, "'\(id)' cannot be what step '\(scheduler.address(of: index))' has made",
                why: "'\(step.kind.declaration.name)' makes no outputs of it.",
                fix: "Give the id as the service shows it.")
        }
        return .posted(paths.stored(outputs, of: step.kind.declaration))
    }

    private mutating func set(_ outputs: ValueObject, of node: Int) {
        let step = step(node)
        values.set(
            paths.restored(outputs, of: step.kind.declaration), of: step.id, index: scheduler.nodes.index(of: node))
    }

    // MARK: Items

    func step(_ node: Int) -> Step { workflow.steps[scheduler.nodes.step(of: node)] }

    /// The values as the node's expressions see them.
    private func values(for node: Int) -> RunValues {
        let step = step(node)
        let values = step.scope.map { self.values.scoped(to: $0) } ?? self.values
        guard let index = scheduler.nodes.index(of: node) else { return values }
        return values.inRow(index, of: step.id)
    }

    /// The outputs of a part whose steps are over.
    private func conclude(_ node: Int) -> SchedulerEvent {
        guard case .partEnd(let end) = step(node).role else { return .concluded(node, .success([:])) }
        let values = values(for: node).scoped(to: end.scope)
        var outputs = ValueObject()
        do throws(StepError) {
            for output in end.outputs { outputs[output.name] = try output.value.value(in: values) }
            return .concluded(node, .success(redactor.redact(outputs)))
        } catch {
            return .concluded(node, .failure(redactor.redact(error)))
        }
    }

    private mutating func setItems(_ items: [Value], of root: Int) {
        let members = scheduler.nodes.members(of: root).map { workflow.steps[$0].id }
        values.set(items: items, of: members, root: workflow.steps[root].id)
    }

    private mutating func makeList(_ root: Int) -> SchedulerEvent {
        let step = workflow.steps[root]
        do throws(StepError) {
            guard let forEach = step.forEach else { throw StepError(.invalid, "step '\(step.id)' has no 'for-each'") }
            // A later process reads the items from the journal: this one takes them as they stand there.
            let items = try forEach.items(in: values(for: root)).map { redactor.redact($0) }
            setItems(items, of: root)
            lists[root] = items
            return .listKnown(root, count: items.count)
        } catch {
            return .listFailed(root, redactor.redact(error))
        }
    }

    private func origin(of node: Int) -> ItemOrigin? {
        guard let index = scheduler.nodes.index(of: node) else { return nil }
        let root = workflow.steps[scheduler.nodes.root(of: scheduler.nodes.step(of: node))]
        return root.forEach?.input.flatMap { services.origins[$0] }.map { ItemOrigin(table: $0, row: index) }
    }

    // MARK: Carrying out

    private mutating func note(_ event: SchedulerEvent) {
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
    private func mayStartAtOnce(_ decisions: SchedulerDecisions) -> Bool {
        guard decisions.durability == .grouped, decisions.finish == nil else { return false }
        // A step whose question is settled ends before others may hold its account.
        guard holding.isEmpty else { return false }
        return decisions.actions.allSatisfy { action in
            if case .start(let index, _, _) = action { step(index).effect == .pure } else { false }
        }
    }

    /// What is journalled of the decisions; nil for nothing.
    private mutating func batch(of decisions: SchedulerDecisions) -> JournalBatch? {
        var entries: [JournalEntry] = []
        for entry in decisions.entries { entries.append(completed(entry)) }
        for entry in entries { noteOutcome(entry) }
        guard !entries.isEmpty || decisions.finish != nil else { return nil }
        var batch = JournalBatch(
            run: record.id, entries: entries, state: decisions.finish, wakesAt: decisions.wakesAt,
            unholds: freed(by: entries), durability: decisions.durability)
        for (step, outputs) in decisions.completes {
            if let key = keys[step] { batch.ledger.append(.complete(key, outputs: outputs)) }
        }
        for step in decisions.releases {
            if let key = keys[step] { batch.ledger.append(.release(key)) }
        }
        return batch
    }

    private static func commit(
        _ batch: JournalBatch?, _ journal: any JournalStore, _ order: EventOrder
    ) async throws(JournalError) {
        if let batch { try await journal.commit(batch) }
        order.release(after: (batch?.entries ?? []).map { .entry($0) })
    }

    /// A reservation is journalled with its key: a later process must not find another one, when a variable of the
    /// environment has changed. So is a list with its items.
    private mutating func completed(_ entry: JournalEntry) -> JournalEntry {
        guard entry.kind == .onceReserved || entry.kind == .itemsKnown,
            let node = scheduler.nodes.node(at: entry.address)
        else { return entry }
        var data = entry.data
        if entry.kind == .itemsKnown {
            data = paths.storedItems(lists.removeValue(forKey: node) ?? [])
        } else if let key = keys[node] {
            data = key.journalValue
        }
        return JournalEntry(entry.kind, entry.address, attempt: entry.attempt, at: entry.at, data: data)
    }

    private mutating func noteOutcome(_ entry: JournalEntry) {
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

    private mutating func carryOut(
        _ action: SchedulerAction, _ group: inout ThrowingTaskGroup<SchedulerEvent?, any Error>,
        _ events: inout [SchedulerEvent]
    ) async throws(JournalError) {
        switch action {
        case .evaluateCondition(let index, let status): events.append(condition(index, status))
        case .makeList(let root): events.append(makeList(root))
        case .conclude(let index): events.append(conclude(index))
        case .reserve(let index): events.append(try await reserve(index))
        case .checkAccount(let index): events.append(try await checkAccount(index))
        case .start(let index, let number, let resumption):
            let attempt = attempt(index, number: number, resumption: resumption)
            guard attempt.step.effect == .write else {
                group.addTask { try await attempt.carryOut() }
                return
            }
            sent[index] = attempt.given
            guard let turns = services.turns, let account = attempt.account else {
                group.addTask { try await attempt.carryOut() }
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
                defer { taken.withLock { $0[index] = nil } }
                return try await attempt.carryOut()
            }
        case .look(let index, let since):
            services.observe(.looking(address: scheduler.address(of: index)))
            let attempt = attempt(index, number: scheduler.attempts(of: index), resumption: nil, given: sent[index])
            group.addTask { await attempt.look(since: since) }
        case .timer(let index, let delay):
            if !scheduler.isLooking(index), let error = lastErrors[index] {
                services.observe(.retrying(address: scheduler.address(of: index), after: delay, error: error))
            }
            group.addTask { [clock = services.clock] in
                do { try await clock.sleep(for: delay, purpose: .pause) } catch { return nil }
                return .timerFired(index)
            }
        case .ask(let index, let pause, let refusals):
            guard let interviewer = services.interviewer else { return }
            let question = StepQuestion(
                address: scheduler.address(of: index), account: step(index).account, pause: paths.restored(pause),
                refusals: refusals)
            group.addTask { .answered(index, await interviewer.ask(question)) }
        }
    }

    private func attempt(
        _ index: Int, number: Int, resumption: Resumption?, given: Result<ValueObject, StepError>? = nil
    ) -> Attempt {
        let step = step(index)
        let address = scheduler.address(of: index)
        let key = idempotencyKey(run: record.id, address: address, generation: scheduler.generation(of: index))
        return Attempt(
            index: index, step: step, address: address, origin: origin(of: index),
            folder: step.scope?.folder ?? workflow.folder,
            paths: paths,
            account: step.account.flatMap { services.accounts[$0] }, renew: services.renew,
            given: given ?? arguments(of: step, values(for: index)),
            redactor: redactor, run: record.id, number: number,
            idempotencyKey: key, keyFirstSent: scheduler.keyFirstSent(of: index), resumption: resumption,
            parts: parts.parts(of: address, attempt: number, key: key, redactor), clock: services.clock,
            postedKeys: postedKeys, observe: order.report)
    }

    /// Asks the ledger, unless it is passed over.
    private var postedKeys: @Sendable (String) async throws -> [PostedKey] {
        guard !services.ignoresOnce else { return { _ in [] } }
        let ledger = services.ledger
        let scopes = ["", workflow.name]
        return { prefix in
            try await ledger.ledger(withPrefix: prefix, limit: .max)
                .filter { entry in scopes.contains { $0.utf8.elementsEqual(entry.key.scope.utf8) } }
                .map { PostedKey(text: $0.key.text, at: $0.at) }
        }
    }

    private func arguments(of step: Step, _ values: RunValues) -> Result<ValueObject, StepError> {
        Result { () throws(StepError) in
            var given = ValueObject()
            for argument in step.arguments { given[argument.name] = try argument.value.value(in: values) }
            return given
        }
    }

    // MARK: Conditions and keys

    private func condition(_ index: Int, _ status: RunStatus) -> SchedulerEvent {
        guard let condition = step(index).condition else { return .conditionKnown(index, true) }
        do {
            let context = try values(for: index).context(for: condition.references, status: status)
            return .conditionKnown(index, try condition.evaluate(in: context).isTruthy)
        } catch let error as StepError {
            return .conditionFailed(index, error)
        } catch let error as ExpressionError {
            return .conditionFailed(index, StepError(.invalid, "its condition has no value: \(error.message)"))
        } catch {
            return .conditionFailed(index, StepError(.invalid, "its condition has no value"))
        }
    }

    private mutating func reserve(_ index: Int) async throws(JournalError) -> SchedulerEvent {
        let key: LedgerKey
        do { key = try onceKey(of: step(index), values(for: index)) } catch { return .onceFailed(index, error) }
        keys[index] = nil
        if !services.ignoresOnce {
            let address = scheduler.address(of: index)
            let held = try await services.journal.reserve(
                key, run: record.id, address: address, at: services.clock.now.wall)
            if let held, held.run == record.id, held.address != address {
                return .onceTaken(index, key: key.text, by: held.address)
            }
            if let held { return .onceHeld(index, held) }
        }
        keys[index] = key
        return .onceGranted(index)
    }

    /// - Throws: `StepError` when a part of the key is null or empty: such a key would fit too much.
    private func onceKey(of step: Step, _ values: RunValues) throws(StepError) -> LedgerKey {
        guard let once = step.once else { throw StepError(.invalid, "step '\(step.id)' has no 'once'") }
        if case .template(let template, _) = once.key {
            for expression in template.expressions {
                let context = try values.context(for: expression.references)
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
        return RunOutcome(state: state, steps: reports, outputs: outputs, wakesAt: wakesAt)
    }

    /// In the order of the file; in place of a step with `for-each` its items, where there are any.
    private var reports: [StepReport] {
        workflow.steps.indices.flatMap { index -> [StepReport] in
            let nodes = scheduler.nodes.isExpanded(index) ? scheduler.nodes.items(of: index) : [index]
            if workflow.steps[index].role.isShown { return nodes.map(report) }
            return nodes.filter { scheduler.state(of: $0) == .failed }.map(report)
        }
    }

    private func report(_ node: Int) -> StepReport {
        StepReport(step(node), scheduler, node, paths, origin: origin(of: node)?.location())
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
    init(_ step: Step, _ scheduler: Scheduler, _ index: Int, _ paths: ArtifactPaths, origin: SourceLocation?) {
        self.init(
            address: scheduler.address(of: index), kind: step.kind.declaration.name, effect: step.effect,
            state: scheduler.state(of: index),
            attempts: scheduler.attempts(of: index), error: scheduler.error(of: index),
            skipReason: scheduler.skipReason(of: index), pause: scheduler.pause(of: index).map(paths.restored),
            hold: scheduler.hold(of: index),
            waitsUntil: scheduler.waitsUntil(index), continuesOnError: step.continueOnError, origin: origin)
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
            doubtRule: declaration.doubtRule, account: account?.identity ?? step.account,
            retry: step.retry, timeout: step.timeout, settle: settle, condition: condition,
            hasOnce: step.once != nil, continuesOnError: step.continueOnError, maxParallel: step.forEach?.maxParallel,
            failFast: step.forEach?.failFast ?? false, asksBeforeItems: step.asksBeforeItems, role: step.role.node,
            isForgiven: step.isForgiven)
    }
}

extension Step {
    /// Whether its condition is the same for all items and known from the start, so that the step can be skipped whole.
    fileprivate var asksBeforeItems: Bool {
        guard let forEach, let condition, !condition.readsStatus else { return false }
        if case .of = forEach.source { return false }
        return !condition.references.contains { ["item", "index", "steps"].contains($0.root) }
    }
}
