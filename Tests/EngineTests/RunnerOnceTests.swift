import Journal
import StepKit
import TestSupport
import Testing
import Values

@testable import Engine

/// Keys of `once` of two steps of one run, over the ledger.
@Suite struct RunnerOnceTests {
    /// The conditions mention what is later than the key, so that the first step has the key until it is known not to run.
    @Test(arguments: [
        "inputs.text == 'hello'", "steps.check.outputs.is == 'hello'", "always() && inputs.text == 'hello'",
    ])
    func ofTwoStepsWithOneKeyTheOneWhoseConditionHoldsRuns(condition: String) async throws {
        let (yes, no) = (HandKind("yes", .write), HandKind("no", .write))
        let check = HandKind("check", .read) { _ in .succeeded(["is": "hello"]) }
        let bench = try Bench([
            Part("check", check), Part("no", no, once: "k", condition: "!(\(condition))"),
            Part("yes", yes, once: "k", condition: condition),
        ])
        #expect(try await bench.process().state == .succeeded)
        #expect(yes.calls.count == 1 && no.calls.isEmpty)
        #expect(await bench.ledger("k")?.address == "yes")
        #expect(await bench.ledger("k")?.state == .done([:]))
    }

    @Test func aStepThatRunsForCertainTakesTheKeyFromOneThatMayRun() async throws {
        let (sure, maybe) = (HandKind("sure", .write), HandKind("maybe", .write))
        let check = HandKind("check", .read) { _ in .succeeded(["is": "hello"]) }
        let bench = try Bench([
            Part("maybe", maybe, once: "k", condition: "steps.check.outputs.is == 'other'"), Part("check", check),
            Part("sure", sure, needs: ["check"], once: "k"),
        ])
        #expect(try await bench.process().state == .succeeded)
        #expect(sure.calls.count == 1 && maybe.calls.isEmpty)
        #expect(await bench.ledger("k")?.address == "sure")
        #expect(await bench.ledger("k")?.state == .done([:]))
    }

    /// The run's number of processes stands for what a later process may find changed, such as the environment.
    @Test func aKeyIsKeptAsAnEarlierProcessHasMadeIt() async throws {
        let (upload, post) = (HandKind("upload", .idempotent), HandKind("post", .write))
        let bench = try Bench([
            Part("upload", upload), Part("post", post, needs: ["upload"], once: "k${{ run.attempt }}"),
        ])
        let failing = FailingStore(bench.store, failingAt: 2)
        await #expect(throws: JournalError.self) { try await bench.process(journal: failing) }
        #expect(await bench.ledger("k1")?.state == .reserved)
        #expect(try await bench.process().state == .succeeded)
        #expect(post.calls.count == 1)
        #expect(await bench.store.ledger(withPrefix: "", limit: 9).map(\.key.text) == ["k1"])
        #expect(await bench.ledger("k1")?.isDone == true)
    }

    @Test func aReservationThatTheJournalDoesNotKnowIsGivenBack() async throws {
        let check = HandKind("check", .read) { _ in .succeeded(["is": "hello"]) }
        let post = HandKind("post", .write)
        let bench = try Bench([
            Part("check", check), Part("post", post, once: "k", condition: "steps.check.outputs.is == 'other'"),
        ])
        let failing = FailingStore(bench.store, failingAt: 1)
        await #expect(throws: JournalError.self) { try await bench.process(journal: failing) }
        let key = LedgerKey(scope: "test", text: "k")
        _ = await bench.store.reserve(key, run: Bench.run, address: "post", at: bench.clock.wall)
        #expect(try await bench.process().state == .succeeded)
        #expect(post.calls.isEmpty)
        #expect(await bench.ledger("k") == nil)
    }
}
