import Journal
import StepKit
import Testing
import Threading
import Values

@testable import Engine

/// What may begin before the journal has its entry.
@Suite struct RunnerStartTests {
    /// The commit waits for the attempt: a runner that waited for the commit first would wait for ever.
    @Test func whatOnlyComputesBeginsWhileItsEntryIsBeingCommitted() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let kind = HandKind("compute") { call in
            call.warn("slow today")
            begin.finish()
            return .succeeded([:])
        }
        let bench = try Bench([Part("a", kind)])
        let journal = FailingStore(
            bench.store, failingAt: .max,
            before: { batch in if batch.entries.map(\.kind) == [.attemptStarted] { for await _ in begun {} } })
        let outcome = try await bench.process(journal: journal)
        #expect(outcome.state == .succeeded)
        #expect(
            bench.events.withLock { $0.map(name) } == [
                "began", "attempt-started", "warning", "step-succeeded", "run-ended",
            ])
    }

    @Test(arguments: [Effect.read, .idempotent, .write])
    func whatIsSentIsSentAfterItsEntry(effect: Effect) async throws {
        let kind = HandKind("post", effect)
        let bench = try Bench([Part("a", kind)])
        let journal = FailingStore(bench.store, failingAt: 1)
        await #expect(throws: JournalError.self) { try await bench.process(journal: journal) }
        #expect(kind.calls.isEmpty)
    }

    @Test func aCommitThatFailsEndsWhatHasBegun() async throws {
        let kind = HandKind("compute") { _ in
            for await _ in AsyncStream<Void>.makeStream().stream {}
            try Task.checkCancellation()
            return .succeeded([:])
        }
        let bench = try Bench([Part("a", kind)])
        await #expect(throws: JournalError.self) {
            try await bench.process(journal: FailingStore(bench.store, failingAt: 1))
        }
        #expect(await bench.history == [])
    }

    /// Another process writes with the account until this one is stopped.
    private struct NoTurns: WriteTurns {
        let isAsked: AsyncStream<RunState>.Continuation

        func take(for account: Account) async throws -> any Sendable {
            isAsked.yield(.stopped)
            for await _ in AsyncStream<Void>.makeStream().stream {}
            try Task.checkCancellation()
            return 0
        }
    }

    @Test func aWriteThatIsStoppedWhileItWaitsForItsTurnIsSentLaterWithoutAQuestion() async throws {
        let post = HandKind("post", .write)
        let bench = try Bench([Part("post", post, account: "vk")])
        let (stops, stop) = AsyncStream.makeStream(of: RunState.self)
        #expect(try await bench.process(stops: stops, turns: NoTurns(isAsked: stop)).state == .stopped)
        #expect(post.calls.isEmpty)
        #expect(try await bench.process().state == .succeeded)
        #expect(post.calls.count == 1)
    }

    private func name(_ event: RunEvent) -> String {
        switch event {
        case .began: "began"
        case .entry(let entry): entry.kind.rawValue
        case .warning: "warning"
        case .retrying: "retrying"
        case .looking: "looking"
        }
    }
}
