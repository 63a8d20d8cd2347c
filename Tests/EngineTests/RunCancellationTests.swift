import Journal
import StepKit
import Testing
import Values

@testable import Engine

/// What becomes of a run's steps and keys when it is given up.
@Suite struct RunCancellationTests {
    enum Fate: Sendable {
        /// Canceled, its key free.
        case free
        /// Canceled, and nobody knows whether it happened: its key stays.
        case doubtful
        /// It was over before.
        case over
    }

    /// A write with a key, by what the journal says of it.
    @Test(
        arguments: [
            ("nothing", [], Fate.free), ("an intent", [.started], .doubtful),
            ("a failure that is certain", [.started, .failed(.server)], .free),
            ("a lost answer", [.started, .failed(.inDoubt)], .doubtful),
            ("a look that showed nothing", [.started, .failed(.inDoubt), .lookedInVain], .doubtful),
            ("a captcha", [.started, .failed(.captcha), .paused(.captcha)], .free),
            ("an approval", [.paused(.approval)], .free),
            ("a question about doubt", [.started, .failed(.inDoubt), .paused(.inDoubt)], .doubtful),
            ("doubt that is looked into again", [.started, .failed(.inDoubt), .paused(.inDoubt), .resumed], .doubtful),
            (
                "a person's word that it did not happen",
                [.started, .failed(.inDoubt), .paused(.inDoubt), .resumed, .raised], .free
            ),
            ("that it was sent again", [.started, .failed(.inDoubt), .paused(.inDoubt), .raised, .started], .doubtful),
            ("a wait", [.started, .failed(.quota), .waiting], .free),
            ("new inputs", [.started, .failed(.inDoubt), .reset], .free), ("success", [.started, .succeeded], .over),
            ("failure", [.started, .failed(.invalid), .ended], .over),
        ] as [(String, [Event], Fate)])
    func keepsTheKeyOfDoubtAlone(_ name: String, events: [Event], fate: Fate) {
        let write = SchedulerNode(address: "post", effect: .write, doubtRule: .look, hasOnce: true)
        let cancellation = RunCancellation(events.map(\.entry), nodes: [write], reserved: [reserved], at: later)
        let canceled = cancellation.entries.filter { $0.kind == .stepCanceled }
        #expect(canceled.map(\.address) == (fate == .over ? [] : ["post"]))
        #expect(cancellation.entries.last?.kind == .runEnded)
        #expect(cancellation.stepCount == canceled.count)
        #expect(cancellation.releases == (fate == .doubtful ? [] : [reserved.key]))
        #expect(cancellation.doubts.map(\.address) == (fate == .doubtful ? ["post"] : []))
        #expect(cancellation.doubts.flatMap(\.keys) == (fate == .doubtful ? [reserved.key] : []))
    }

    @Test(arguments: [
        (SchedulerNode(address: "post", effect: .read), false),
        (SchedulerNode(address: "post", effect: .idempotent), false),
        (SchedulerNode(address: "post", effect: .write, doubtRule: .redoInputs), false),
        (SchedulerNode(address: "post", effect: .write, doubtRule: .look), true),
        (SchedulerNode(address: "post", effect: .write, doubtRule: .ask), true),
    ])
    func onlyWritesThatWouldDoubleAreInDoubt(node: SchedulerNode, isInDoubt: Bool) {
        let cancellation = RunCancellation([Event.started.entry], nodes: [node], reserved: [], at: later)
        #expect(cancellation.doubts.isEmpty == !isInDoubt)
    }

    /// Another version of the program may know classes of errors that this one does not.
    @Test func aFailureThatCannotBeReadIsDoubt() {
        let write = SchedulerNode(address: "post", effect: .write, doubtRule: .look, hasOnce: true)
        let failure = JournalEntry(
            .attemptFailed, "post", attempt: 1, at: early,
            data: ["error": ["class": "of-another-version", "what": "it went wrong"]])
        let cancellation = RunCancellation(
            [Event.started.entry, failure], nodes: [write], reserved: [reserved], at: later)
        #expect(cancellation.doubts.map(\.address) == ["post"])
        #expect(cancellation.releases.isEmpty)
    }

    /// Without the workflow nobody knows that it was only a read.
    @Test func withoutTheWorkflowAnIntentIsDoubt() {
        let cancellation = RunCancellation([Event.started.entry], nodes: [], reserved: [reserved], at: later)
        #expect(cancellation.doubts.map(\.address) == ["post"])
        #expect(cancellation.releases.isEmpty)
    }

    @Test func stepsComeInTheOrderOfTheFileAndFinishedOnesAreLeft() {
        let nodes = ["a", "b", "c"].map { SchedulerNode(address: $0) }
        let entries = [
            JournalEntry(.attemptStarted, "b", attempt: 1, at: early),
            JournalEntry(.attemptStarted, "a", attempt: 1, at: early),
            JournalEntry(.stepSucceeded, "a", attempt: 1, at: early),
        ]
        let cancellation = RunCancellation(entries, nodes: nodes, reserved: [], at: later)
        #expect(cancellation.entries.map(\.address) == ["b", "c", ""])
        #expect(cancellation.entries.allSatisfy { $0.at == later })
    }

    /// The process may have died between the ledger and the journal.
    @Test func keyThatTheJournalDoesNotKnowIsReleased() {
        let nodes = [SchedulerNode(address: "post", effect: .write, doubtRule: .look, hasOnce: true)]
        #expect(RunCancellation([], nodes: nodes, reserved: [reserved], at: later).releases == [reserved.key])
    }

    enum Event: Sendable {
        case started, succeeded, ended, waiting, resumed, raised, reset, lookedInVain
        case failed(ErrorClass)
        case paused(PauseKind)

        var entry: JournalEntry {
            func entry(_ kind: JournalEntry.Kind, _ data: Value = .null) -> JournalEntry {
                JournalEntry(kind, "post", attempt: 1, at: early, data: data)
            }
            switch self {
            case .started: return entry(.attemptStarted)
            case .succeeded: return entry(.stepSucceeded, ["outputs": [:]])
            case .ended: return entry(.stepFailed, ["error": StepError(.invalid, "wrong").journalValue])
            case .waiting: return entry(.stepWaiting, ["until": .string(later.iso8601)])
            case .resumed: return entry(.stepResumed)
            case .raised: return entry(.generationRaised)
            case .reset: return entry(.stepReset, ["redo": true])
            case .lookedInVain: return entry(.looked, ["sighting": "absent"])
            case .failed(let errorClass):
                return entry(.attemptFailed, ["error": StepError(errorClass, "it went wrong").journalValue])
            case .paused(let kind):
                return entry(.stepPaused, ["pause": PauseRequest(kind, message: "?", answer: .none).journalValue])
            }
        }
    }
}

private let early = Timestamp(seconds: 1_790_000_000)
private let later = Timestamp(seconds: 1_790_000_600)
private let reserved = LedgerEntry(
    key: LedgerKey(scope: "daily", text: "own/1"), run: "1shf50a0", address: "post", state: .reserved, at: early)
