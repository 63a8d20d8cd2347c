import Journal
import StepKit
import Testing
import Values

@testable import Engine

@Suite struct SchedulerPauseTests {
    /// Two posts to one account, one to another, and a step that reads.
    static func posts() -> Rig {
        var rig = Rig([
            Sketch("p1", .write, account: "vk"), Sketch("p2", .write, account: "vk"),
            Sketch("other", .write, account: "vk2"), Sketch("read", .read, account: "vk"),
            Sketch("after", needs: ["read"]),
        ])
        rig.begin()
        return rig
    }

    @Test func captchaHoldsTheAccountsOtherWritesAndNothingElse() throws {
        var rig = Self.posts()
        rig.pause("p1", .captcha, continuation: ["sid": "7"])
        #expect(rig.running == ["other", "read"])
        rig.succeed("other")
        rig.succeed("read")
        #expect(rig.finish == nil)
        rig.succeed("after")
        #expect(rig.finish == .paused)

        try rig.restart(answers: ["p1": .answer(.captcha("qwe"))])
        #expect(rig.running == ["p1"])
        #expect(rig.resumptions["p1"] == Resumption(continuation: ["sid": "7"], answer: .captcha("qwe")))
        rig.succeed("p1")
        #expect(rig.running == ["p2"])
        rig.succeed("p2")
        #expect(rig.finish == .succeeded)
    }

    @Test func unansweredCaptchaStillHoldsInTheNextProcess() throws {
        var rig = Self.posts()
        rig.pause("p1", .captcha)
        for step in ["other", "read", "after"] { rig.succeed(step) }
        try rig.restart()
        #expect(rig.finish == .paused)
        #expect(rig.begun == [])
    }

    @Test func resumeWithoutAnAnswerSendsTheSameCallAgain() throws {
        var rig = Rig([Sketch("p", .write, account: "vk")])
        rig.begin()
        rig.pause("p", .captcha, continuation: ["sid": "7"])
        try rig.restart(answers: ["p": .answer(nil)])
        #expect(rig.begun == ["p 2"])
        #expect(rig.resumptions["p"] == Resumption(continuation: ["sid": "7"], answer: nil))
        #expect(rig.scheduler.generation(of: 0) == 1)
    }

    @Test func answeredCallThatFailsBeforeItWasSentIsRepeatedWithItsAnswer() throws {
        var rig = Rig([Sketch("p", .write, account: "vk")])
        rig.begin()
        rig.pause("p", .captcha, continuation: ["sid": "7"])
        try rig.restart(answers: ["p": .answer(.captcha("qwe"))])
        rig.fail("p", .network)
        rig.fire()
        #expect(rig.begun == ["p 2", "p 3"])
        #expect(rig.resumptions["p"] == Resumption(continuation: ["sid": "7"], answer: .captcha("qwe")))
    }

    @Test func deathBetweenAnAnswerAndItsUseKeepsTheCall() throws {
        var rig = Rig([Sketch("p", .write, account: "vk")])
        rig.begin()
        rig.pause("p", .captcha, continuation: ["sid": "7"])
        try rig.restart(answers: ["p": .answer(.captcha("qwe"))])
        // The batch holds both entries; only the first is taken to be left.
        rig.batches[rig.batches.count - 1] = Array(rig.batches.last!.prefix { $0.kind == .stepResumed })
        try rig.restart()
        #expect(rig.begun == ["p 2"])
        #expect(rig.resumptions["p"] == Resumption(continuation: ["sid": "7"], answer: nil))
    }

    @Test func heldWriteThatWaitedForRoomDoesNotSlipThrough() {
        var rig = Rig(
            [Sketch("read", .read, account: "vk"), Sketch("slow"), Sketch("post", .write, account: "vk")],
            concurrency: 2)
        rig.begin()
        #expect(rig.running == ["read", "slow"])
        rig.pause("read", .captcha)
        #expect(rig.running == ["slow"])
        rig.succeed("slow")
        #expect(rig.finish == .paused)
    }

    @Test(arguments: [PauseKind.captcha, .validation, .auth, .approval])
    func onlyQuestionsAboutTheAccountHoldIt(kind: PauseKind) {
        var rig = Self.posts()
        rig.pause("p1", kind)
        #expect(rig.running.contains("p2") == (kind == .approval))
    }

    @Test func everyHolderMustBeAnswered() throws {
        var rig = Rig([
            Sketch("r1", .read, account: "vk"), Sketch("r2", .read, account: "vk"), Sketch("card"),
            Sketch("post", .write, needs: ["card"], account: "vk"),
        ])
        rig.begin()
        rig.pause("r1", .captcha)
        rig.pause("r2", .captcha)
        rig.succeed("card")
        #expect(rig.finish == .paused)
        try rig.restart(answers: ["r1": .answer(nil)])
        rig.succeed("r1")
        #expect(rig.finish == .paused)
        try rig.restart(answers: ["r2": .answer(nil)])
        #expect(rig.running == ["r2", "post"])
    }

    @Test func rejectedStepFailsAndLetsTheAccountGo() throws {
        var rig = Self.posts()
        for step in ["other", "read", "after"] { rig.succeed(step) }
        rig.pause("p1", .captcha)
        try rig.restart(answers: ["p1": .answer(.rejected)])
        #expect(rig.state("p1") == .failed)
        #expect(rig.running == ["p2"])
        rig.succeed("p2")
        #expect(rig.finish == .failed)
    }

    @Test func postedByHandLetsTheAccountGo() throws {
        var rig = Self.posts()
        for step in ["other", "read", "after"] { rig.succeed(step) }
        rig.pause("p1", .captcha)
        try rig.restart(answers: ["p1": .posted(["post_id": 5])])
        #expect(rig.state("p1") == .succeeded)
        #expect(rig.running == ["p2"])
    }

    @Test func answeredWriteGoesBeforeOneThatHadWaitedForATime() throws {
        var rig = Rig([Sketch("w", .write, account: "vk"), Sketch("p", .write, account: "vk")])
        rig.begin()
        rig.fail("w", .quota, retryAfter: .seconds(300))
        rig.pause("p", .captcha)
        #expect(rig.finish == .paused)
        try rig.restart(after: .seconds(300), answers: ["p": .answer(.captcha("x"))])
        #expect(rig.running == ["p"])
        rig.succeed("p")
        #expect(rig.running == ["w"])
    }

    @Test func alwaysWaitsForAPausedStep() {
        var rig = Rig([Sketch("a"), Sketch("b", needs: ["a"], condition: .asksStatus)])
        rig.begin()
        rig.pause("a", .approval)
        #expect(rig.finish == .paused)
        #expect(rig.state("b") == .pending)
    }

    // MARK: Stops

    @Test func stopStartsNothingAndLeavesWhatRanUnended() throws {
        var rig = Self.posts()
        rig.stop()
        #expect(rig.finish == nil, "what runs must end first")
        rig.succeed("read")
        #expect(!rig.running.contains("after"))
        rig.cancelAll()
        #expect(rig.finish == .stopped)
        #expect(rig.history("p1") == [.attemptStarted])
        #expect(rig.state("p2") == .ready)

        try rig.restart()
        #expect(rig.state("p1") == .paused, "a write that cannot be looked for is a question")
        #expect(rig.running == ["p2", "after"])
    }

    @Test func stopWhileAStepIsPausedEndsAsStopped() {
        var rig = Rig([Sketch("a"), Sketch("b")])
        rig.begin()
        rig.pause("a", .approval)
        rig.stop(.interrupted)
        rig.cancelAll()
        #expect(rig.finish == .interrupted)
        #expect(rig.state("a") == .paused)
    }

    @Test func stopDuringTheLastStepThatStillSucceedsIsNoStop() {
        var rig = Rig([Sketch("a")])
        rig.begin()
        rig.stop()
        rig.succeed("a")
        #expect(rig.finish == .succeeded)
    }

    @Test func stopWhileAStepBacksOffEndsAtOnce() throws {
        var rig = Rig([Sketch("a"), Sketch("b", needs: ["a"])])
        rig.begin()
        rig.fail("a", .network)
        rig.stop()
        #expect(rig.finish == .stopped)
        try rig.restart()
        #expect(rig.running == ["a"])
    }

    @Test func failureDuringAStopSkipsWhatDependsOnItInTheNextProcess() throws {
        var rig = Rig([
            Sketch("end", needs: ["middle"]), Sketch("middle", needs: ["first"]), Sketch("first"), Sketch("slow"),
        ])
        rig.begin()
        rig.stop()
        rig.fail("first", .invalid)
        rig.cancelAll()
        #expect(rig.finish == .stopped)
        try rig.restart()
        #expect(rig.state("middle") == .skipped && rig.state("end") == .skipped)
        rig.succeed("slow")
        #expect(rig.finish == .failed)
    }

    @Test func doubtDuringAStopIsLookedForByTheNextProcess() throws {
        var rig = Rig([Sketch("p", .write, rule: .look, account: "vk"), Sketch("slow")])
        rig.begin()
        rig.stop()
        rig.fail("p", .inDoubt)
        #expect(rig.looking == [])
        rig.cancelAll()
        #expect(rig.finish == .stopped)
        try rig.restart()
        #expect(rig.begun == ["look p", "slow 2"])
    }

    @Test func cancellationOfTheWholeRunIsAnInterruption() {
        var rig = Rig([Sketch("a"), Sketch("b", needs: ["a"])])
        rig.begin()
        rig.cancelAll()
        #expect(rig.finish == .interrupted)
    }
}
