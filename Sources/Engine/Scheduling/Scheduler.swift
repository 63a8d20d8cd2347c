internal import Expressions
internal import Journal
public import StepKit
internal import Values
public import Workflows

/// Decides what happens next in a run. A value: an event in, decisions out; no clock, no task, no file.
///
/// A step is *needed* when it is an end of the graph or something needed waits for it. A step with `once` is needed only
/// when its key has been granted; so the steps that serve only such a step do not start before that, except those that
/// the key itself mentions. That is what makes an hourly run with nothing new cost one read.
public struct Scheduler: Sendable {
    /// A longer delay ends the process instead of keeping it alive.
    public static let longestPause = Duration.seconds(120)
    /// How often a step may wait for a service's time before it fails.
    public static let maxWaits = 3
    /// An instant of the journal that lies further ahead than this was written before the clock was set back.
    static let clockSlack = Duration.seconds(2)
    /// What a service asks for beyond this is taken for a slip of its.
    public static let longestWait = Duration.seconds(366 * 86_400)

    /// The steps of the file, and after them the items of those with `for-each`.
    var nodes: RunGraph
    /// For each step of a part the one that adds the part up.
    let partEnds: [Int: Int]
    let concurrency: Int
    var steps: [StepProgress]
    /// For each step of the file; those without `for-each` have nothing in it.
    var groups: [StepGroup]
    var generator: SeededGenerator
    /// Steps that may start, or be looked for, as soon as there is room. What has changed its mind since may still be in it.
    var ready = StepQueue()
    var accounts = AccountQueues()
    /// The accounts with a look under way: what one step finds there, the next must not find for itself.
    var lookedAt: Set<String> = []
    var interview: Interview
    /// Attempts and looks under way.
    var active = 0
    /// Timers that will fire.
    var timers = 0
    /// Answers that the runner gives at once.
    var questions = 0
    /// Whether other runs may hold an account.
    let checksAccounts: Bool
    /// Steps that have just become final, whose dependents do not know it yet.
    var ended: [Int] = []
    /// By the step that has a key: those that wait for what becomes of it.
    var behind: [Int: [(step: Int, key: String)]] = [:]
    var stopping: RunState?
    /// While it is being found out what is needed, no part ends.
    var isBeginning = false
    var isFinished = false

    /// - Parameter asks: the forms of answers that a person who is there can give; such a pause is put as a question, and
    ///   the run goes on with the answer.
    /// - Parameter checksAccounts: whether other runs may hold an account: then it is asked before each write.
    public init(
        nodes: [SchedulerNode], graph: StepGraph, concurrency: Int, seed: UInt64,
        asks: Set<PauseRequest.AnswerForm> = [], checksAccounts: Bool = false
    ) {
        self.checksAccounts = checksAccounts
        let graph = RunGraph(nodes, graph)
        self.nodes = graph
        partEnds = Scheduler.partEnds(in: nodes, graph)
        self.concurrency = max(1, concurrency)
        interview = Interview(forms: asks)
        generator = SeededGenerator(seed: seed)
        groups = nodes.map { _ in StepGroup() }
        steps = nodes.indices.map { node in
            StepProgress(
                unfinished: graph.awaited(by: node).count, gate: nodes[node].hasOnce && !graph.isGroup(node))
        }
    }

    /// Takes an event in and says what is to be done about it.
    public mutating func handle(_ event: SchedulerEvent, at moment: Moment) -> SchedulerDecisions {
        var decisions = SchedulerDecisions()
        switch event {
        case .begin(let resuming): begin(resuming, moment, &decisions)
        case .conditionKnown(let step, let holds): conditionKnown(step, holds, moment, &decisions)
        case .conditionFailed(let step, let error): conditionFailed(step, error, moment, &decisions)
        case .listKnown(let step, let count):
            questions -= 1
            guard case .deciding = steps[step].phase else { break }
            listKnown(step, count, moment, &decisions)
        case .listFailed(let step, let error):
            questions -= 1
            guard case .deciding = steps[step].phase else { break }
            fail(step, error, moment, &decisions)
        case .concluded(let step, let result):
            questions -= 1
            guard case .deciding = steps[step].phase else { break }
            switch result {
            case .success(let outputs): succeed(step, outputs, moment, &decisions)
            case .failure(let error): fail(step, error, moment, &decisions)
            }
        case .onceGranted, .onceHeld, .onceTaken, .onceFailed: handleKey(event, moment, &decisions)
        case .succeeded(let step, let outputs):
            active -= 1
            succeed(step, outputs, moment, &decisions)
        case .nothingToDo(let step, let reason):
            active -= 1
            skip(step, .nothingToDo(reason), moment, &decisions)
        case .paused(let step, let pause):
            active -= 1
            self.pause(step, pause, moment, &decisions)
        case .failed(let step, let error):
            active -= 1
            attemptFailed(step, error, moment, &decisions)
        case .timerFired(let step):
            timers -= 1
            timerFired(step)
        case .looked(let step, let sighting):
            lookEnded(step)
            looked(step, sighting, moment, &decisions)
        case .lookFailed(let step, let error):
            lookEnded(step)
            lookFailed(step, error, moment, &decisions)
        case .accountFree, .accountHeld, .failedOnHold: handleHold(event, moment, &decisions)
        case .turnTaken(let step) where stopping == nil: turnTaken(step, moment, &decisions)
        case .turnTaken(let step), .notSent(let step):
            active -= 1
            notSent(step, moment, &decisions)
        case .cancelled:
            active -= 1
            endWithTask()
        case .answered(let step, let reply):
            if stopping == nil { answered(step, reply, moment, &decisions) }
        case .stop(let state):
            stopping = state
            interview.end()
        }
        spread(moment, &decisions)
        startReady(moment, &decisions)
        finishIfOver(moment, &decisions)
        return decisions
    }

    /// Without a stop it was the task of the whole run that was cancelled: nothing more can be done in it.
    mutating func endWithTask() {
        if stopping == nil { stopping = .interrupted }
    }

    private mutating func begin(
        _ resuming: [(step: Int, how: ResumeHow)], _ moment: Moment, _ decisions: inout SchedulerDecisions
    ) {
        // All counts stand before the first step is considered: what ends below is subtracted from them.
        countItems(&decisions)
        for step in nodes.indices {
            steps[step].unfinished = nodes.awaited(by: step).count { !steps[$0].phase.state.isFinal }
        }
        countGates()
        for (step, _) in resuming { if case .running = steps[step].phase { takeTurn(step) } }
        isBeginning = true
        for step in 0..<nodes.stepCount where nodes.isEnd(step) { want(step, moment, &decisions) }
        // What runs again, and has nothing after it but what ran in any case and is over, is an end of what is left.
        for node in nodes.indices where !steps[node].phase.state.isFinal {
            let after = nodes.followers(of: node)
            if !after.isEmpty, after.allSatisfy({ steps[$0].phase.state.isFinal }) { want(node, moment, &decisions) }
        }
        for step in 0..<nodes.stepCount where nodes[step].hasOnce { wantKeySources(of: step, moment, &decisions) }
        isBeginning = false
        // A step that holds its account goes first: what it was asked is answered for now.
        for (step, how) in resuming where holdsAccount(step) { resume(step, how, moment, &decisions) }
        for (step, how) in resuming { resume(step, how, moment, &decisions) }
        for step in nodes.graph.order { consider(step, moment, &decisions) }
        for step in nodes.stepCount..<nodes.indices.upperBound { consider(step, moment, &decisions) }
        // Only now is it known which rows are needed: one that looks unneeded is passed over for good.
        for step in 0..<nodes.stepCount { advanceTurn(step) }
        putOldQuestions(&decisions)
    }
}
