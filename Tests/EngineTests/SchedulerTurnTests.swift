import Journal
import StepKit
import Testing
import Values
import Workflows

@testable import Engine

/// What a wait for the account's turn means for the search for a post.
@Suite struct SchedulerTurnTests {
    private let start = Timestamp(seconds: 1_790_000_000)

    private func moment(_ seconds: Int) -> Moment {
        Moment(wall: start + .seconds(seconds), monotonic: .seconds(seconds))
    }

    private func scheduler() throws -> Scheduler {
        let node = SchedulerNode(
            address: "post", effect: .write, doubtRule: .look, account: "vk", timeout: .seconds(60),
            settle: .seconds(5))
        let graph = try StepGraph(dependencies: [[]], sources: [[]], onceSources: [[]])
        return Scheduler(nodes: [node], graph: graph, concurrency: 1, seed: 1)
    }

    @Test func writeThatWaitedForItsTurnHasItsIntentJournalledAnew() throws {
        var scheduler = try scheduler()
        _ = scheduler.handle(.begin(resuming: []), at: moment(0))
        let decisions = scheduler.handle(.turnTaken(0), at: moment(50))
        #expect(decisions.entries.map(\.kind) == [.attemptStarted])
        #expect(decisions.entries.first?.at == start + .seconds(50))
        #expect(decisions.durability == .durable)
        #expect(decisions.actions == [.send(0)])
    }

    @Test func writeThatHadItsTurnAtOnceIsNotJournalledTwice() throws {
        var scheduler = try scheduler()
        _ = scheduler.handle(.begin(resuming: []), at: moment(0))
        let decisions = scheduler.handle(.turnTaken(0), at: moment(0))
        #expect(decisions.entries.isEmpty)
        #expect(decisions.actions == [.send(0)])
    }

    @Test func deadlineOfAWriteCountsFromItsTurn() throws {
        var scheduler = try scheduler()
        _ = scheduler.handle(.begin(resuming: []), at: moment(0))
        _ = scheduler.handle(.turnTaken(0), at: moment(50))
        let doubt = scheduler.handle(.failed(0, StepError(.inDoubt, "the connection broke")), at: moment(61))
        #expect(doubt.actions.contains { if case .look = $0 { true } else { false } })
        // The request may be on its way until 50 + 60 seconds: an empty look before that proves nothing.
        let empty = scheduler.handle(.looked(0, .absent), at: moment(62))
        #expect(empty.actions == [.timer(0, .seconds(48))])
    }

    /// The process ends while the write waits for its turn: it certainly has not gone, so that nobody needs to look for it.
    @Test(arguments: [false, true]) func writeThatIsStoppedBeforeItsTurnIsNotInDoubt(takesTurn: Bool) throws {
        var scheduler = try scheduler()
        var entries = scheduler.handle(.begin(resuming: []), at: moment(0)).entries
        entries += scheduler.handle(.stop(.stopped), at: moment(1)).entries
        // The turn may have been taken at the moment of the stop.
        let last = scheduler.handle(takesTurn ? .turnTaken(0) : .notSent(0), at: moment(2))
        #expect(last.actions.isEmpty)
        #expect(last.finish == .stopped)
        #expect(last.durability == .durable)
        entries += last.entries

        var later = try self.scheduler()
        let resuming = try later.restore(entries, dueBy: start + .seconds(3))
        #expect(resuming.isEmpty)
        let decisions = later.handle(.begin(resuming: resuming), at: moment(3))
        #expect(decisions.actions == [.start(0, attempt: 2, resumption: nil)])
        // What was not sent was no try: all of them are left.
        for attempt in 2...RetryPolicy().maxAttempts {
            _ = later.handle(.turnTaken(0), at: moment(3))
            let failed = later.handle(.failed(0, StepError(.network, "no route")), at: moment(3))
            #expect(failed.finish == nil, "attempt \(attempt)")
            _ = later.handle(.timerFired(0), at: moment(100))
        }
    }
}
