import Journal
import StepKit
import TestSupport
import Testing
import Threading
import Values

@testable import Engine

/// Questions about an account that another run is being asked.
@Suite struct AccountHoldTests {
    private static let hold = AccountHold(account: "vk", run: "other", address: "post", at: Timestamp(seconds: 1))

    // MARK: The scheduler

    @Test func heldAccountsWritesWaitAndNothingElseDoes() throws {
        var rig = Rig(
            [
                Sketch("p1", .write, account: "vk"), Sketch("p2", .write, account: "vk"),
                Sketch("other", .write, account: "vk2"), Sketch("read", .read, account: "vk"),
                Sketch("after", needs: ["read"]), Sketch("end", needs: ["p2"]),
            ], checksAccounts: true)
        rig.holds["vk"] = Self.hold
        rig.begin()
        #expect(rig.running == ["read", "other"])
        rig.succeed("other")
        rig.succeed("read")
        rig.succeed("after")
        #expect(rig.finish == .paused)
        #expect(rig.history("p1") == [.stepHeld], "no intent is journalled for what may not go")
        #expect(rig.history("p2") == [])
        #expect(rig.scheduler.hold(of: 0) == Self.hold)
        #expect(rig.scheduler.pause(of: 0) == nil, "it has no question of its own")
        #expect(rig.state("end") == .pending)

        try rig.restart()
        #expect(rig.finish == .paused, "held still")
        rig.holds = [:]
        try rig.restart()
        #expect(rig.begun == ["p1"])
        rig.succeed("p1")
        rig.succeed("p2")
        rig.succeed("end")
        #expect(rig.finish == .succeeded)
        #expect(rig.scheduler.attempts(of: 0) == 1)
    }

    @Test func accountIsAskedForBeforeEveryAttempt() throws {
        var rig = Rig([Sketch("p", .write, account: "vk")], checksAccounts: true)
        rig.begin()
        rig.fail("p", .rateLimit)
        rig.holds["vk"] = Self.hold
        rig.fire()
        #expect(rig.begun == ["p"])
        #expect(rig.history("p") == [.attemptStarted, .attemptFailed, .stepHeld])
        #expect(rig.finish == .paused)
        rig.holds = [:]
        try rig.restart()
        #expect(rig.begun == ["p 2"])
    }

    @Test func heldStepKeepsItsKey() throws {
        var rig = Rig([Sketch("p", .write, once: [], account: "vk")], checksAccounts: true)
        rig.holds["vk"] = Self.hold
        rig.begin()
        #expect(rig.ledger["p"]?.state == .reserved)
        rig.holds = [:]
        try rig.restart()
        rig.succeed("p")
        #expect(rig.finish == .succeeded)
        #expect(rig.ledger["p"]?.isDone == true)
    }

    @Test func stopWhileTheAccountIsHeldEndsAsStopped() {
        var rig = Rig([Sketch("p", .write, account: "vk"), Sketch("slow")], checksAccounts: true)
        rig.holds["vk"] = Self.hold
        rig.begin()
        rig.stop()
        rig.cancelAll()
        #expect(rig.finish == .stopped)
    }

    // MARK: The runner

    private static func asking(_ kind: PauseKind, _ errorClass: ErrorClass, on step: String) -> HandKind {
        HandKind("ask." + step, .write) { call in
            if call.resumption?.answer == .captcha("qwe") { return .succeeded(["id": 5]) }
            throw StepError(
                errorClass, "the service asks",
                pause: PauseRequest(kind, message: "Well?", answer: kind == .captcha ? .captchaText : .none))
        }
    }

    private func pair(
        _ first: any StepKind, _ second: any StepKind
    ) throws -> (Bench, Bench) {
        let one = try Bench([Part("post", first, account: "vk")])
        return (one, try Bench([Part("send", second, account: "vk")], store: one.store, clock: one.clock))
    }

    @Test(arguments: [(PauseKind.captcha, ErrorClass.captcha), (.validation, .validation), (.auth, .auth)])
    func pauseHoldsTheAccountInEveryRun(kind: PauseKind, errorClass: ErrorClass) async throws {
        let send = HandKind("send", .write)
        let (one, two) = try pair(Self.asking(kind, errorClass, on: "post"), send)
        #expect(try await one.process("r1").state == .paused)
        let held = try await two.process("r2")
        #expect(held.state == .paused)
        #expect(held.steps[0].hold?.run == "r1")
        #expect(held.steps[0].hold?.address == "post")
        #expect(held.steps[0].pause == nil)
        #expect(send.calls.isEmpty)
        #expect(await !one.store.entries(of: "r2").contains { $0.data.json().contains("token-of-vk") })
    }

    @Test func answerLetsTheOtherRunsGo() async throws {
        let send = HandKind("send", .write)
        let (one, two) = try pair(Self.asking(.captcha, .captcha, on: "post"), send)
        #expect(try await one.process("r1").state == .paused)
        #expect(try await two.process("r2").state == .paused)
        #expect(try await one.process("r1", answers: ["post": .captcha("no")]).state == .paused)
        #expect(try await two.process("r2").state == .paused, "a refused answer is none")
        #expect(try await one.process("r1", answers: ["post": .captcha("qwe")]).state == .succeeded)
        #expect(try await two.process("r2").state == .succeeded)
        #expect(send.calls.map(\.attempt) == [1])
    }

    @Test func secondQuestionAboutAnAccountIsNotOpened() async throws {
        // A read is not held back, and meets the same dead token.
        let read = HandKind("read", .read) { _ in
            throw StepError(.auth, "the token is dead", pause: PauseRequest(.auth, message: "Well?", answer: .none))
        }
        let (one, two) = try pair(Self.asking(.auth, .auth, on: "post"), read)
        #expect(try await one.process("r1").state == .paused)
        let held = try await two.process("r2")
        #expect(held.state == .paused)
        #expect(held.steps[0].hold?.run == "r1")
        #expect(await !one.store.entries(of: "r2").contains { $0.kind == .stepPaused })
    }

    @Test func otherPausesHoldOnlyTheirStep() async throws {
        let approval = HandKind("post", .write) { _ in
            .paused(PauseRequest(.approval, message: "Well?", answer: .approval))
        }
        let (one, two) = try pair(approval, HandKind("send", .write))
        #expect(try await one.process("r1").state == .paused)
        #expect(try await two.process("r2").state == .succeeded)
    }

    /// Five refused answers make the call wait an hour: the account's other writes would meet the same captcha.
    @Test func waitAfterRefusedAnswersHoldsTheAccountStill() async throws {
        let send = HandKind("send", .write)
        let (one, two) = try pair(Self.asking(.captcha, .captcha, on: "post"), send)
        let asked = Locked(0)
        let run = try await one.process(
            "r1",
            interviewer: Interviewer(forms: [.captchaText]) { _ in
                asked.withLock { $0 += 1 }
                return .answer(.captcha("no"))
            })
        #expect(run.state == .waiting)
        #expect(asked.withLock { $0 } == 5)
        #expect(try await two.process("r2").state == .paused)
        #expect(send.calls.isEmpty)
    }

    @Test func wordAboutSomethingElseLetsTheAccountGo() async throws {
        let post = HandKind("post", .write) { call in
            if call.resumption != nil { throw StepError(.quota, "too many today", retryAfter: .seconds(3600)) }
            throw StepError(
                .captcha, "the service asks",
                pause: PauseRequest(.captcha, message: "Well?", answer: .captchaText))
        }
        let (one, two) = try pair(post, HandKind("send", .write))
        #expect(try await one.process("r1").state == .paused)
        #expect(try await one.process("r1", answers: ["post": .captcha("qwe")]).state == .waiting)
        #expect(try await two.process("r2").state == .succeeded)
    }
}
