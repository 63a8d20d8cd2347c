import Diagnostics
import Expressions
import Journal
import StepKit
import TestSupport
import Threading
import Values
import Workflows

@testable import Engine

/// The manual clock as the engine takes it.
private struct BenchClock: EngineClock {
    let clock: ManualClock

    var now: Moment { Moment(wall: clock.wall, monotonic: clock.elapsed) }

    func sleep(for duration: Duration, purpose: SleepPurpose) async throws {
        switch purpose {
        case .pause: try await clock.pause(for: duration)
        case .timeout: try await clock.timeout(after: duration)
        }
    }
}

/// A step kind that does what a test says, and remembers its calls.
final class HandKind: StepKind {
    typealias Run = @Sendable (StepCall) async throws -> StepResult
    typealias Look = @Sendable (StepCall, Timestamp) async throws -> Sighting

    let declaration: StepDeclaration
    private let body: Run
    private let looking: Look
    private let log = Locked((calls: [StepCall](), looks: [StepCall]()))

    init(
        _ name: String, _ effect: Effect = .pure, parameters: [Parameter] = [], outputs: [Output] = [],
        rule: DoubtRule = .ask, look: @escaping Look, run: @escaping Run = { _ in .succeeded([:]) }
    ) {
        declaration = StepDeclaration(
            name, "A kind of a test.", effect: effect, parameters: parameters, outputs: outputs,
            hasOpenParameters: parameters.isEmpty, hasOpenOutputs: true, doubtRule: rule)
        body = run
        looking = look
    }

    convenience init(
        _ name: String, _ effect: Effect = .pure, parameters: [Parameter] = [], outputs: [Output] = [],
        rule: DoubtRule = .ask, run: @escaping Run = { _ in .succeeded([:]) }
    ) {
        self.init(
            name, effect, parameters: parameters, outputs: outputs, rule: rule, look: { _, _ in .absent }, run: run)
    }

    var calls: [StepCall] { log.withLock { $0.calls } }
    var looks: [StepCall] { log.withLock { $0.looks } }

    func run(_ call: StepCall) async throws -> StepResult {
        log.withLock { $0.calls.append(call) }
        return try await body(call)
    }

    func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting {
        log.withLock { $0.looks.append(call) }
        return try await looking(call, intent)
    }

    func outputs(forPosted id: String, of call: StepCall) -> ValueObject? {
        id == "nonsense" ? nil : ["id": .string(id)]
    }

    /// "part 7": the part `one` has made 7.
    func parts(settledBy answer: PauseAnswer, of call: StepCall) -> [(name: String, value: Value)]? {
        guard case .posted(let id) = answer, id.hasPrefix("part ") else { return nil }
        return [("one", .string(String(id.dropFirst(5))))]
    }
}

/// A step of a runner's test.
struct Part {
    var id: String
    var kind: any StepKind
    var with: [(name: String, value: String)]
    var needs: [String]
    var account: String?
    var once: String?
    var condition: String?
    var retry: RetryPolicy
    /// The list that it goes over, as an expression, or "of STEP".
    var forEach: String?

    init(
        _ id: String, _ kind: any StepKind, with: [(name: String, value: String)] = [], needs: [String] = [],
        account: String? = nil, once: String? = nil, condition: String? = nil,
        retry: RetryPolicy = RetryPolicy(jitter: .none), forEach: String? = nil
    ) {
        self.forEach = forEach
        self.id = id
        self.kind = kind
        self.with = with
        self.needs = needs
        self.account = account
        self.once = once
        self.condition = condition
        self.retry = retry
    }
}

/// A run with everything it needs, over several processes.
final class Bench: Sendable {
    let workflow: Workflow
    let clock: ManualClock
    let store: MemoryJournalStore
    let folder: TemporaryFolder
    let events = Locked([RunEvent]())
    private let secrets: [String: Secret]
    private let inputs: ValueObject

    static let range = SourceRange(start: SourceLocation(file: "test.yaml", line: 1, column: 1))

    init(
        _ parts: [Part], outputs: [(name: String, value: String)] = [], secrets: [String: Secret] = [:],
        concurrency: Int = 4, store: MemoryJournalStore = MemoryJournalStore(), clock: ManualClock = ManualClock(),
        inputs: ValueObject = ["text": "hello"], folder: TemporaryFolder? = nil
    ) throws {
        self.inputs = inputs
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.store = store
        self.clock = clock
        self.secrets = secrets
        workflow = try Self.workflow(parts, outputs, folder: folder.file("flow"), concurrency)
    }

    private static func workflow(
        _ parts: [Part], _ outputs: [(name: String, value: String)], folder: String, _ concurrency: Int
    ) throws -> Workflow {
        let places = Dictionary(uniqueKeysWithValues: parts.enumerated().map { ($1.id, $0) })
        func mentioned(_ arguments: [Argument]) -> [Int] {
            let names = arguments.flatMap(\.references).filter { $0.root == "steps" }.compactMap(\.path.first)
            return Set(names.map { places[$0.lowercased()]! }).sorted()
        }
        let steps = try parts.map { part in
            Step(
                id: part.id, title: part.id, kind: part.kind, account: part.account,
                arguments: try part.with.map { ($0.name, try argument($0.value)) }, needs: part.needs,
                condition: try part.condition.map { try Expression.parse($0) }, retry: part.retry,
                timeout: .seconds(60),
                once: try part.once.map { OnceDeclaration(key: try argument($0), isGlobal: false, range: range) },
                forEach: try part.forEach.map(forEach),
                continueOnError: false, range: range)
        }
        let sources = steps.map { mentioned($0.arguments.map(\.value)) }
        let keys = steps.map { mentioned($0.once.map { [$0.key] } ?? []) }
        let conditions = steps.map { step in
            let names = (step.condition?.references ?? []).filter { $0.root == "steps" }.compactMap(\.path.first)
            return Set(names.map { places[$0]! }).sorted()
        }
        let lists = steps.map { step -> [Int] in
            guard case .of(let other)? = step.forEach?.source else {
                let names = (step.forEach?.references ?? []).filter { $0.root == "steps" }.compactMap(\.path.first)
                return Set(names.map { places[$0]! }).sorted()
            }
            return [places[other]!]
        }
        let graph = try StepGraph(
            dependencies: steps.indices.map { step in
                Set(sources[step] + keys[step] + conditions[step] + lists[step] + steps[step].needs.map { places[$0]! })
                    .sorted()
            }, sources: sources, onceSources: keys, conditionSources: conditions, listSources: lists,
            roots: steps.indices.map { step in
                guard let forEach = steps[step].forEach else { return nil }
                if case .of(let other) = forEach.source { return places[other]! }
                return step
            })
        return Workflow(
            name: "test", description: nil, file: "test.yaml", folder: folder, inputs: [], accounts: [],
            concurrency: concurrency, steps: steps,
            outputs: try outputs.map { WorkflowOutput(name: $0.name, value: try argument($0.value)) }, graph: graph)
    }

    private static func forEach(_ text: String) throws -> ForEach {
        text.hasPrefix("of ")
            ? ForEach(.of(String(text.dropFirst(3))), range: range)
            : ForEach(.expression(try Expression.parse(text), range), range: range)
    }

    private static func argument(_ text: String) throws -> Argument { .template(try Template.parse(text), range) }

    static let run = "r1"

    /// One process: the first adds the run, later ones go on with it.
    func process(
        _ run: String = Bench.run, answers: [String: PauseAnswer?] = [:], journal: (any JournalStore)? = nil,
        stops: AsyncStream<RunState> = AsyncStream { $0.finish() }, ignoresOnce: Bool = false,
        interviewer: Interviewer? = nil, origins: [String: ItemOrigins] = [:],
        turns: (any WriteTurns)? = nil, renew: (@Sendable (Account) async -> Account)? = nil,
        replace: (@Sendable (Account) async -> Account?)? = nil
    ) async throws -> RunOutcome {
        if await store.run(run) == nil {
            try await store.add(
                RunRecord(
                    id: run, workflow: "test", file: "/test.yaml", lockKey: "k", inputs: inputs,
                    startedAt: clock.wall))
        } else {
            try await store.reopen(run, at: clock.wall)
        }
        guard let record = await store.run(run) else { throw JournalError(.missing, "the run is gone") }
        let account = Account(name: "vk", type: "vk", token: Secret("token-of-vk"), baseURL: "http://127.0.0.1")
        let services = RunServices(
            journal: journal ?? store, clock: BenchClock(clock: clock), folder: folder.file("run"),
            accounts: ["vk": account], renew: renew, replace: replace,
            secrets: secrets, seed: 1, ignoresOnce: ignoresOnce, turns: turns,
            observe: { [events] event in events.withLock { $0.append(event) } }, stops: stops,
            interviewer: interviewer, origins: origins)
        var runner = Runner(workflow, record: record, services: services)
        return try await runner.run(restoring: await store.entries(of: run), answers: answers)
    }

    var entries: [JournalEntry] { get async { await store.entries(of: Self.run) } }

    /// "post attempt-started", in order.
    var history: [String] {
        get async { await entries.map { $0.address.isEmpty ? $0.kind.rawValue : "\($0.address) \($0.kind.rawValue)" } }
    }

    var state: RunState? { get async { await store.run(Self.run)?.state } }

    func ledger(_ text: String) async -> LedgerEntry? { await store.ledger(withPrefix: text, limit: 1).first }
}

/// A journal that fails at the n-th commit, and at all after it.
actor FailingStore: JournalStore {
    private let inner: MemoryJournalStore
    private let last: Int
    private let before: @Sendable (JournalBatch) async -> Void
    private(set) var commits = 0

    /// - Parameter before: is waited for before each commit.
    init(
        _ inner: MemoryJournalStore, failingAt commit: Int,
        before: @escaping @Sendable (JournalBatch) async -> Void = { _ in }
    ) {
        self.inner = inner
        last = commit
        self.before = before
    }

    func commit(_ batch: JournalBatch) async throws(JournalError) {
        await before(batch)
        commits += 1
        guard commits < last else { throw JournalError(.full, "the disk is full") }
        try await inner.commit(batch)
    }

    func add(_ run: RunRecord) async throws(JournalError) { try await inner.add(run) }
    func reopen(_ run: String, at: Timestamp) async throws(JournalError) { try await inner.reopen(run, at: at) }
    func run(_ id: String) async throws(JournalError) -> RunRecord? { await inner.run(id) }
    func runs(withPrefix prefix: String) async throws(JournalError) -> [RunRecord] {
        await inner.runs(withPrefix: prefix)
    }
    func runs(in states: Set<RunState>?, file: String?, limit: Int) async throws(JournalError) -> [RunRecord] {
        await inner.runs(in: states, file: file, limit: limit)
    }
    func entries(of run: String) async throws(JournalError) -> [JournalEntry] { await inner.entries(of: run) }
    func reserve(
        _ key: LedgerKey, run: String, address: String, at: Timestamp
    ) async throws(JournalError) -> LedgerEntry? {
        await inner.reserve(key, run: run, address: address, at: at)
    }
    func ledger(withPrefix prefix: String, limit: Int) async throws(JournalError) -> [LedgerEntry] {
        await inner.ledger(withPrefix: prefix, limit: limit)
    }
    func forget(_ text: String) async throws(JournalError) -> [LedgerEntry] { await inner.forget(text) }
    func forget(_ key: LedgerKey) async throws(JournalError) -> LedgerEntry? { await inner.forget(key) }
    func reserved(by run: String) async throws(JournalError) -> [LedgerEntry] { await inner.reserved(by: run) }
    func claim(_ hold: AccountHold) async throws(JournalError) -> AccountHold? { await inner.claim(hold) }
    func hold(on account: String) async throws(JournalError) -> AccountHold? { await inner.hold(on: account) }
    func holds(by run: String) async throws(JournalError) -> [AccountHold] { await inner.holds(by: run) }
    func close() async {}
}
