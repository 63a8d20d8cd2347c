import Expressions
import Journal
import StepKit
import Values
import Workflows

@testable import Engine

/// A scheduler under test, with a journal, a ledger and a clock of its own. Conditions and keys are answered at once, as
/// the runner does; attempts and looks end when the test says so.
struct Rig: Sendable {
    let names: [String]
    private let sketches: [Sketch]
    private let concurrency: Int
    private let checksAccounts: Bool
    private let asks: Set<PauseRequest.AnswerForm>
    var scheduler: Scheduler

    var wall = Timestamp(seconds: 1_800_000_000)
    var monotonic = Duration.zero
    /// The batches that were committed.
    var batches: [[JournalEntry]] = []
    /// Attempts under way, in the order in which they began.
    private(set) var running: [String] = []
    private(set) var looking: [String] = []
    /// The instants from which looks counted.
    private(set) var lookedSince: [Timestamp] = []
    private(set) var timers: [(step: String, due: Duration)] = []
    /// Every attempt that was begun, and every look as "look post".
    private(set) var begun: [String] = []
    /// Steps that were begun before something they need had ended.
    private(set) var begunTooEarly: [String] = []
    /// Steps that a person is being asked about, with the refused answers before.
    private(set) var asked: [(step: String, refusals: Int)] = []
    private(set) var resumptions: [String: Resumption] = [:]
    private(set) var finish: RunState?
    private(set) var wakesAt: Timestamp?

    /// By step; a step without one gets true.
    var conditions: [String: @Sendable (RunStatus) -> Bool] = [:]
    /// The text of each key, by step; the step's name unless said, nil for a key with an empty part.
    var keys: [String: String?] = [:]
    var ledger: [String: LedgerEntry] = [:]
    /// How many items each list has; nil for one that cannot be made.
    var lists: [String: Int?] = [:]
    /// Events that the scheduler was told, and what it decided on them: entries, actions, changes of the ledger.
    private(set) var work = (events: 0, decisions: 0)
    /// Accounts about which another run is being asked.
    var holds: [String: AccountHold] = [:]

    /// - Parameters:
    ///   - asks: what a person who is there can answer.
    ///   - checksAccounts: whether other runs may hold an account (see `holds`).
    init(
        _ sketches: [Sketch], concurrency: Int = 4, asks: Set<PauseRequest.AnswerForm> = [],
        checksAccounts: Bool = false
    ) {
        self.checksAccounts = checksAccounts
        self.sketches = sketches
        self.concurrency = concurrency
        self.asks = asks
        names = sketches.map(\.name)
        scheduler = Scheduler(
            nodes: sketches.nodes, graph: sketches.graph, concurrency: concurrency, seed: 1, asks: asks,
            checksAccounts: checksAccounts)
    }

    var journal: [JournalEntry] { batches.flatMap(\.self) }

    func state(_ name: String) -> StepState { scheduler.state(of: index(name)) }

    /// The node of a step, or of an item: "post[3]".
    func index(_ name: String) -> Int { scheduler.nodes.node(at: name)! }

    private func name(_ node: Int) -> String { scheduler.address(of: node) }

    /// The states by name.
    var states: [String: StepState] {
        Dictionary(uniqueKeysWithValues: scheduler.nodes.indices.map { (name($0), scheduler.state(of: $0)) })
    }

    /// The kinds of the entries of a step.
    func history(_ name: String) -> [JournalEntry.Kind] { journal.filter { $0.address == name }.map(\.kind) }

    // MARK: What happens

    mutating func begin() { send(.begin(resuming: [])) }

    mutating func succeed(_ name: String, _ outputs: ValueObject = [:]) {
        end(name)
        send(.succeeded(index(name), outputs))
    }

    mutating func fail(_ name: String, _ error: StepError) {
        end(name)
        send(.failed(index(name), error))
    }

    mutating func fail(_ name: String, _ errorClass: ErrorClass, retryAfter: Duration? = nil) {
        fail(name, StepError(errorClass, "it went wrong", retryAfter: retryAfter))
    }

    mutating func pause(
        _ name: String, _ kind: PauseKind, answer: PauseRequest.AnswerForm = .none, continuation: Value = .null
    ) {
        let errorClass: ErrorClass =
            switch kind {
            case .captcha: .captcha
            case .validation: .validation
            case .auth: .auth
            case .approval, .inDoubt: .invalid
            }
        let pause = PauseRequest(kind, message: "?", answer: answer, continuation: continuation)
        fail(name, StepError(errorClass, "a person is needed", pause: pause))
    }

    /// The person who was asked says what to do.
    mutating func reply(_ name: String, _ reply: QuestionReply) {
        asked.removeAll { $0.step == name }
        send(.answered(index(name), reply))
    }

    mutating func findNothing(_ name: String) {
        end(name)
        send(.nothingToDo(index(name), reason: "there is nothing new"))
    }

    mutating func look(_ name: String, _ sighting: Sighting) {
        looking.removeAll { $0 == name }
        send(.looked(index(name), sighting))
    }

    mutating func failLook(_ name: String, _ errorClass: ErrorClass) {
        looking.removeAll { $0 == name }
        send(.lookFailed(index(name), StepError(errorClass, "the look failed")))
    }

    /// Ends the timer that is due first.
    ///
    /// - Returns: how much time that took; nil when there is none.
    @discardableResult
    mutating func fire() -> Duration? {
        guard let place = timers.indices.min(by: { timers[$0].due < timers[$1].due }) else { return nil }
        let (step, due) = timers.remove(at: place)
        let length = due - monotonic
        advance(by: max(length, .zero))
        send(.timerFired(index(step)))
        return length
    }

    mutating func advance(by duration: Duration) {
        monotonic += duration
        wall = wall + duration
    }

    mutating func stop(_ state: RunState = .stopped) { send(.stop(state)) }

    /// What ran when the run was stopped ends by cancellation.
    mutating func cancelAll() {
        while let name = running.first {
            end(name)
            send(.cancelled(index(name)))
        }
        while let name = looking.popLast() { send(.cancelled(index(name))) }
    }

    private mutating func end(_ name: String) {
        precondition(running.contains(name), "\(name) is not under way")
        running.removeAll { $0 == name }
    }

    // MARK: Processes

    /// The next process, begun: the journal's entries are all that is left, beside the ledger.
    ///
    /// - Parameters:
    ///   - entries: how many of them are left; nil for all.
    ///   - answers: how paused steps go on.
    mutating func restart(after pause: Duration = .zero, answers: [String: ResumeHow] = [:]) throws {
        try restore(after: pause)
        send(.begin(resuming: resuming(answers)))
    }

    private var due: [(step: Int, how: ResumeHow)] = []

    private mutating func restore(after pause: Duration) throws {
        advance(by: pause)
        monotonic = .zero
        scheduler = Scheduler(
            nodes: sketches.nodes, graph: sketches.graph, concurrency: concurrency, seed: 2, asks: asks,
            checksAccounts: checksAccounts)
        running = []
        looking = []
        asked = []
        timers = []
        begun = []
        resumptions = [:]
        finish = nil
        wakesAt = nil
        due = try scheduler.restore(journal, dueBy: wall)
        // As the runner does: the ledger knows more than the journal when the process has died between the two.
        for entry in ledger.values where entry.run == "own" && entry.state == .reserved {
            _ = scheduler.restoreKey(of: index(entry.address))
        }
    }

    private func resuming(_ answers: [String: ResumeHow]) -> [(step: Int, how: ResumeHow)] {
        let answered = answers.map { (step: index($0), how: $1) }
            .filter { scheduler.state(of: $0.step) == .paused }
        return (due + answered).sorted { $0.step < $1.step }
    }

    // MARK: Decisions

    mutating func send(_ event: SchedulerEvent) {
        var events = [event]
        while !events.isEmpty {
            let decisions = scheduler.handle(
                events.removeFirst(), at: Moment(wall: wall, monotonic: monotonic))
            work.events += 1
            work.decisions += decisions.entries.count + decisions.actions.count + decisions.releases.count
            commit(decisions)
            for action in decisions.actions { carryOut(action, &events) }
        }
    }

    private mutating func commit(_ decisions: SchedulerDecisions) {
        if !decisions.entries.isEmpty { batches.append(decisions.entries.map(completed)) }
        for (step, outputs) in decisions.completes { changeLedger(step, .done(outputs)) }
        for step in decisions.releases {
            // As the store does: only what this run holds, and this step.
            if let text = key(name(step)), ledger[text]?.run == "own", ledger[text]?.address == name(step),
                ledger[text]?.state == .reserved
            {
                ledger[text] = nil
            }
        }
        if let state = decisions.finish {
            precondition(finish == nil, "the run ended twice")
            finish = state
            wakesAt = decisions.wakesAt
        }
    }

    /// As the runner does: a list is journalled with its items.
    private func completed(_ entry: JournalEntry) -> JournalEntry {
        guard entry.kind == .itemsKnown else { return entry }
        let count = (lists[entry.address] ?? 3) ?? 3
        return JournalEntry(
            entry.kind, entry.address, at: entry.at,
            data: ["items": .array((0..<count).map { .integer(Int64($0)) })])
    }

    func key(_ name: String) -> String? { keys[name] ?? name }

    private mutating func changeLedger(_ step: Int, _ state: LedgerEntry.State) {
        guard let text = key(name(step)) else { return }
        ledger[text] = LedgerEntry(
            key: LedgerKey(scope: "", text: text), run: "own", address: name(step), state: state, at: wall)
    }

    private mutating func carryOut(_ action: SchedulerAction, _ events: inout [SchedulerEvent]) {
        switch action {
        case .evaluateCondition(let step, let status):
            events.append(.conditionKnown(step, conditions[name(step)]?(status) ?? true))
        case .makeList(let step):
            if case .some(.none) = lists[name(step)] {
                events.append(.listFailed(step, StepError(.invalid, "it is no list")))
            } else {
                events.append(.listKnown(step, count: (lists[name(step)] ?? 3) ?? 3))
            }
        case .conclude(let step): events.append(.concluded(step, .success(["url": "done"])))
        case .reserve(let step):
            guard let text = key(name(step)) else {
                events.append(.onceFailed(step, StepError(.invalid, "its key is empty")))
                return
            }
            if let held = ledger[text], held.run == "own", held.address != name(step) {
                events.append(.onceTaken(step, key: text, by: held.address))
            } else if let held = ledger[text],
                held.run != "own" || held.address != name(step) || held.state != .reserved
            {
                events.append(.onceHeld(step, held))
            } else {
                changeLedger(step, .reserved)
                events.append(.onceGranted(step))
            }
        case .start(let step, let attempt, let resumption):
            running.append(name(step))
            if !scheduler.nodes.dependencies(of: step).allSatisfy({ scheduler.state(of: $0).isFinal }) {
                begunTooEarly.append(name(step))
            }
            begun.append(attempt == 1 ? name(step) : "\(name(step)) \(attempt)")
            resumptions[name(step)] = resumption
        case .look(let step, let since):
            lookedSince.append(since)
            looking.append(name(step))
            begun.append("look \(name(step))")
        case .send: break
        case .checkAccount(let step):
            let node = scheduler.nodes[step]
            if let hold = node.account.flatMap({ holds[$0] }) {
                events.append(.accountHeld(step, hold))
            } else {
                events.append(.accountFree(step))
            }
        case .timer(let step, let delay): timers.append((name(step), monotonic + delay))
        case .ask(let step, _, let refusals):
            precondition(history(name(step)).last == .stepPaused, "a question comes after its journal")
            asked.append((name(step), refusals))
        }
    }
}

extension LedgerEntry {
    /// A key that another run holds, or has brought to its end.
    static func elsewhere(_ text: String, _ state: LedgerEntry.State = .reserved) -> LedgerEntry {
        LedgerEntry(
            key: LedgerKey(scope: "", text: text), run: "other", address: "post", state: state,
            at: Timestamp(seconds: 1_700_000_000))
    }
}
