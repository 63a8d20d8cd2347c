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

    /// What keeps the post until a later process.
    enum Delay: CaseIterable {
        case captcha, approval, wait, doubt
    }

    /// A run that has reserved its key and, as far as a person knows, posted nothing yet, and the same run in a later process, after `meanwhile`.
    private func resumed(
        after delay: Delay, _ meanwhile: (MemoryJournalStore, LedgerKey) async throws -> Void
    ) async throws -> (outcome: RunOutcome, bench: Bench, sent: Int) {
        let post = HandKind("post", .write) { call in
            guard call.attempt == 1 else { return .succeeded(["id": 1]) }
            switch delay {
            case .captcha:
                throw StepError(
                    .captcha, "VK answered 14", pause: PauseRequest(.captcha, message: "?", answer: .captchaText))
            case .approval: return .paused(PauseRequest(.approval, message: "?", answer: .approval))
            case .wait: throw StepError(.quota, "come back later", retryAfter: .seconds(600))
            case .doubt: throw StepError(.inDoubt, "the line was cut")
            }
        }
        let bench = try Bench([Part("post", post, account: "vk", once: "k")])
        #expect(try await bench.process().state == (delay == .wait ? .waiting : .paused))
        try await meanwhile(bench.store, LedgerKey(scope: "test", text: "k"))
        bench.clock.advance(by: .seconds(601))
        let answer: PauseAnswer =
            switch delay {
            case .captcha: .captcha("qwe")
            case .doubt: .resend
            case .approval, .wait: .approved
            }
        let outcome = try await bench.process(answers: delay == .wait ? [:] : ["post": answer])
        return (outcome, bench, post.calls.count - 1)
    }

    @Test(arguments: Delay.allCases)
    func aKeyThatWasForgottenAndUsedByAnotherRunIsNotUsedByTheOneThatWaited(delay: Delay) async throws {
        let (outcome, bench, sent) = try await resumed(after: delay) { store, key in
            _ = await store.forget(key)
            try await store.add(
                RunRecord(
                    id: "r2", workflow: "test", file: "/test.yaml", lockKey: "k", inputs: [:], startedAt: .now))
            try await store.commit(
                JournalBatch(
                    run: "r2", entries: [JournalEntry(.stepSucceeded, "post", attempt: 1, at: .now)],
                    ledger: [.complete(key, outputs: ["id": 2])]))
        }
        #expect(sent == 0)
        #expect(outcome.state == .succeeded)
        #expect(outcome.steps[0].skipReason?.text == "'k' was posted already by run r2")
        #expect(await bench.ledger("k")?.run == "r2")
        #expect(await bench.store.holds(by: Bench.run).isEmpty)
    }

    @Test(arguments: Delay.allCases)
    func aKeyThatWasForgottenIsReservedAnewBeforeThePostGoes(delay: Delay) async throws {
        let (outcome, bench, sent) = try await resumed(after: delay) { store, key in _ = await store.forget(key) }
        #expect(sent == 1)
        #expect(outcome.state == .succeeded)
        #expect(await bench.ledger("k")?.state == .done(["id": 1]))
    }
}
