import Journal
import StepKit
import Testing
import Values
import Workflows

@testable import Engine

/// Which steps of a failed run run again, and what the journal gets for it.
@Suite struct RunRetryTests {
    @Test(arguments: [
        RetryCase(
            "what waits for the failed step, however far",
            [
                EndedStep("a", .failed), EndedStep("b", .want("a"), needs: ["a"]),
                EndedStep("c", .want("b"), needs: ["b"]),
            ],
            again: ["a", "b", "c"]),
        RetryCase(
            "no finished step of any branch",
            [EndedStep("a", .done), EndedStep("b", .failed, needs: ["a"]), EndedStep("c", .done, needs: ["a"])],
            again: ["b"]),
        RetryCase(
            "no step whose condition was false elsewhere",
            [EndedStep("a", .failed), EndedStep("b", .done), EndedStep("c", .conditionFalse, needs: ["b"])],
            again: ["a"]),
        RetryCase(
            "a step whose condition may have asked for the failure",
            [EndedStep("a", .failed), EndedStep("b", .conditionFalse, needs: ["a"])], again: ["a", "b"]),
        RetryCase(
            "no step that ran because of the failure",
            [
                EndedStep("a", .failed), EndedStep("alarm", .done, needs: ["a"]),
                EndedStep("b", .want("a"), needs: ["a"]),
            ],
            again: ["a", "b"]),
        RetryCase(
            "no post that was there already",
            [
                EndedStep("a", .done), EndedStep("b", .failed, needs: ["a"]),
                EndedStep("post", .posted, needs: ["a", "b"]),
            ],
            again: ["b"]),
        RetryCase(
            "what was not needed without the key that could not be made",
            [
                EndedStep("latest", .failed), EndedStep("card", .notNeeded),
                EndedStep("upload", .notNeeded, needs: ["card"]),
                EndedStep("post", .want("latest"), needs: ["latest", "upload"]),
            ], again: ["latest", "card", "upload", "post"]),
        RetryCase(
            "nothing that found nothing to do",
            [
                EndedStep("a", .nothingToDo), EndedStep("b", .want("a", .skipped), needs: ["a"]),
                EndedStep("c", .failed),
            ],
            again: ["c"]),
        RetryCase(
            "an accepted failure that nothing stands on",
            [EndedStep("a", .failed, continues: true), EndedStep("b", .failed)], again: ["a", "b"]),
        RetryCase(
            "no accepted failure that a later step has got over",
            [
                EndedStep("a", .failed, continues: true), EndedStep("b", .done, needs: ["a"]),
                EndedStep("c", .failed, needs: ["b"]),
            ],
            again: ["c"]),
        RetryCase("nothing of a run without failures", [EndedStep("a", .done)], again: []),
    ])
    func runsAgain(_ example: RetryCase) throws {
        let retry = try RunRetry(example.parts.entries, nodes: example.parts.nodes, graph: example.parts.graph)
        #expect(retry.steps == example.again)
        #expect(retry.entries(at: later, holding: []).map(\.kind) == example.again.map { _ in .stepReset })
    }

    @Test func schedulerStartsTheFailedStepAndNothingFinished() throws {
        let parts = [
            EndedStep("a", .done), EndedStep("b", .failed, needs: ["a"]), EndedStep("c", .want("b"), needs: ["b"]),
        ]
        let entries = parts.entries
        let retry = try RunRetry(entries, nodes: parts.nodes, graph: parts.graph)
        var scheduler = try parts.scheduler
        _ = try scheduler.restore(entries + retry.entries(at: later, holding: []), dueBy: later)
        let decisions = scheduler.handle(.begin(resuming: []), at: moment)
        #expect(decisions.actions == [.start(1, attempt: 2, resumption: nil)])
        _ = scheduler.handle(.succeeded(1, [:]), at: moment)
        #expect(scheduler.state(of: 2) == .running)
        #expect(scheduler.handle(.succeeded(2, [:]), at: moment).finish == .succeeded)
    }

    /// The key was given back with the failure: another run may have it by now.
    @Test func schedulerAsksForTheKeyAgainBeforeAnythingIsSent() throws {
        let parts = [EndedStep("a", .done), EndedStep("post", .failed, needs: ["a"], effect: .write, once: ["a"])]
        let entries = parts.entries
        let retry = try RunRetry(entries, nodes: parts.nodes, graph: parts.graph)
        #expect(retry.doubts.isEmpty)
        var scheduler = try parts.scheduler
        _ = try scheduler.restore(entries + retry.entries(at: later, holding: []), dueBy: later)
        #expect(scheduler.handle(.begin(resuming: []), at: moment).actions == [.reserve(1)])
        let held = LedgerEntry(key: key, run: "other", address: "post", state: .done([:]), at: later)
        #expect(scheduler.handle(.onceHeld(1, held), at: moment).actions.isEmpty)
        #expect(scheduler.state(of: 1) == .skipped)
    }

    // MARK: Doubt

    private static let doubtful = [
        EndedStep("a", .done),
        EndedStep("post", .failedInDoubt, needs: ["a"], effect: .write, rule: .look, once: ["a"]),
    ]

    @Test func doubtfulWriteIsLookedForBeforeItIsSent() throws {
        let entries = Self.doubtful.entries
        let retry = try RunRetry(entries, nodes: Self.doubtful.nodes, graph: Self.doubtful.graph)
        #expect(retry.doubts.map(\.address) == ["post"])
        #expect(retry.doubts.first?.key == key)
        let added = retry.entries(at: later, holding: ["post"])
        #expect(added.map(\.kind) == [.stepReset, .onceReserved, .stepPaused])

        var scheduler = try Self.doubtful.scheduler
        _ = try scheduler.restore(entries + added, dueBy: later)
        let begin = scheduler.handle(.begin(resuming: [(1, .answer(nil))]), at: moment)
        #expect(begin.actions == [.look(1, since: early)])
        let found = scheduler.handle(.looked(1, .found(["post_id": 7])), at: moment)
        #expect(found.completes.map(\.step) == [1], "what is found is noted under the key")
        #expect(found.finish == .succeeded)
    }

    @Test func doubtfulWriteWhoseKeyIsTakenIsNotLookedFor() throws {
        let retry = try RunRetry(Self.doubtful.entries, nodes: Self.doubtful.nodes, graph: Self.doubtful.graph)
        #expect(retry.entries(at: later, holding: []).map(\.kind) == [.stepReset])
        #expect(retry.doubts(holding: []).isEmpty)
    }

    @Test func doubtThatDoesNoHarmIsSimplyRunAgain() throws {
        let parts = [EndedStep("saved", .failedInDoubt, effect: .write, rule: .redoInputs)]
        let retry = try RunRetry(parts.entries, nodes: parts.nodes, graph: parts.graph)
        #expect(retry.steps == ["saved"])
        #expect(retry.doubts.isEmpty)
    }
}

struct RetryCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let parts: [EndedStep]
    let again: [String]

    fileprivate init(_ name: String, _ parts: [EndedStep], again: [String]) {
        testDescription = name
        self.parts = parts
        self.again = again
    }
}

private let early = Timestamp(seconds: 1_790_000_000)
private let later = Timestamp(seconds: 1_790_000_600)
private let moment = Moment(wall: later, monotonic: .seconds(600))
private let key = LedgerKey(scope: "daily", text: "own/1")

/// A step and how it ended.
private struct EndedStep: Sendable {
    enum End: Sendable {
        case done, failed, failedInDoubt, conditionFalse, posted, notNeeded, nothingToDo
        /// Skipped for want of that step.
        case want(String, StepState = .failed)
    }

    let name: String
    let end: End
    let needs: [String]
    let effect: Effect
    let rule: DoubtRule
    let once: [String]?
    let continues: Bool

    init(
        _ name: String, _ end: End, needs: [String] = [], effect: Effect = .pure, rule: DoubtRule = .ask,
        once: [String]? = nil, continues: Bool = false
    ) {
        self.name = name
        self.end = end
        self.needs = needs
        self.effect = effect
        self.rule = rule
        self.once = once
        self.continues = continues
    }

    var entries: [JournalEntry] {
        func entry(_ kind: JournalEntry.Kind, attempt: Int = 0, _ data: Value = .null) -> JournalEntry {
            JournalEntry(kind, name, attempt: attempt, at: early, data: data)
        }
        func skipped(_ reason: SkipReason) -> [JournalEntry] { [entry(.stepSkipped, reason.journalValue)] }
        func failed(_ error: StepError) -> [JournalEntry] {
            [
                entry(.attemptStarted, attempt: 1), entry(.attemptFailed, attempt: 1, ["error": error.journalValue]),
                entry(.stepFailed, attempt: 1, ["error": error.journalValue]),
            ]
        }
        let reserved = once == nil ? [] : [entry(.onceReserved, key.journalValue)]
        switch end {
        case .done:
            return [entry(.attemptStarted, attempt: 1), entry(.stepSucceeded, attempt: 1, ["outputs": [:]])]
        case .failed: return reserved + failed(StepError(.permission, "it may not"))
        case .failedInDoubt: return reserved + failed(StepError(.inDoubt, "the answer was lost"))
        case .conditionFalse: return skipped(.conditionFalse)
        case .posted:
            return skipped(.once(LedgerEntry(key: key, run: "1", address: "post", state: .done([:]), at: early)))
        case .notNeeded: return skipped(.servesOnlySkipped)
        case .nothingToDo: return skipped(.nothingToDo("nothing new"))
        case .want(let step, let state): return skipped(.dependency(step, state))
        }
    }
}

extension [EndedStep] {
    fileprivate var entries: [JournalEntry] { flatMap(\.entries) }

    fileprivate var nodes: [SchedulerNode] {
        map {
            SchedulerNode(
                address: $0.name, effect: $0.effect, doubtRule: $0.rule, hasOnce: $0.once != nil,
                continuesOnError: $0.continues)
        }
    }

    fileprivate var graph: StepGraph {
        get throws {
            let places = Dictionary(uniqueKeysWithValues: enumerated().map { ($1.name, $0) })
            func indices(_ names: [String]) -> [Int] { names.map { places[$0]! }.sorted() }
            return try StepGraph(
                dependencies: map { indices($0.needs) }, sources: map { indices($0.needs) },
                onceSources: map { indices($0.once ?? []) })
        }
    }

    fileprivate var scheduler: Scheduler {
        get throws { Scheduler(nodes: nodes, graph: try graph, concurrency: 4, seed: 1) }
    }
}
