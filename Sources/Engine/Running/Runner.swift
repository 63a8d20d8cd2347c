internal import Expressions
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
    let paths: ArtifactPaths
    var scheduler: Scheduler
    var values: RunValues
    let redactor: Redactor
    let order: EventOrder
    let parts: RunParts
    /// The keys of `once` that this run holds.
    var keys: [Int: LedgerKey] = [:]
    /// Writes that wait for their account's turn, and what keeps the turns that were taken.
    var ready: [Int: Attempt] = [:]
    let taken = Locked<[Int: any Sendable]>([:])
    /// What each write was last sent with: that is what is looked for, whatever its inputs have become since.
    var sent: [Int: Result<ValueObject, StepError>] = [:]
    /// Digests of what writes of earlier processes were last sent with.
    var sentBefore: [Int: String] = [:]
    /// The items of each step with a list of its own, as they are to be journalled; only until they are.
    var lists: [Int: [Value]] = [:]
    /// The steps that hold their account, in every run.
    var holding: Set<Int> = []
    /// What became of the last attempt of each step, for messages.
    var lastErrors: [Int: StepError] = [:]

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
            secret: { secrets[$0] }, environment: services.environment,
            copies: services.copies)
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
}
