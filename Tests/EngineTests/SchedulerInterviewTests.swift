import Journal
import StepKit
import Testing
import Values

@testable import Engine

/// Pauses that a person answers while the run goes on.
@Suite struct SchedulerInterviewTests {
    private static let forms: Set<PauseRequest.AnswerForm> = [.captchaText, .successToken, .approval]

    private func rig(_ sketches: [Sketch]) -> Rig {
        var rig = Rig(sketches, asks: Self.forms)
        rig.begin()
        return rig
    }

    private func captcha(_ rig: inout Rig, _ name: String) {
        rig.pause(name, .captcha, answer: .captchaText, continuation: ["sid": "7"])
    }

    @Test func questionKeepsTheRunAlive() {
        var rig = rig([Sketch("p", .write, account: "vk")])
        captcha(&rig, "p")
        #expect(rig.asked.map(\.step) == ["p"])
        #expect(rig.finish == nil)
        #expect(rig.history("p").last == .stepPaused, "it is journalled before it is asked")

        rig.reply("p", .answer(.captcha("zx8mq")))
        #expect(rig.history("p").suffix(2) == [.stepResumed, .attemptStarted])
        #expect(rig.resumptions["p"] == Resumption(continuation: ["sid": "7"], answer: .captcha("zx8mq")))
        rig.succeed("p")
        #expect(rig.finish == .succeeded)
    }

    @Test func nobodyThereEndsTheProcessAsBefore() {
        var rig = Rig([Sketch("p", .write, account: "vk")])
        rig.begin()
        captcha(&rig, "p")
        #expect(rig.asked.isEmpty)
        #expect(rig.finish == .paused)
    }

    @Test(arguments: [PauseRequest.AnswerForm.none, .doubt, .validated])
    func whatThePersonCannotAnswerHereStaysPaused(form: PauseRequest.AnswerForm) {
        var rig = rig([Sketch("p", .write, account: "vk")])
        rig.pause("p", .validation, answer: form)
        #expect(rig.asked.isEmpty)
        #expect(rig.finish == .paused)
    }

    @Test func leavingItForLaterPausesTheRun() {
        var rig = rig([Sketch("p", .write, account: "vk"), Sketch("q", .write, account: "vk")])
        captcha(&rig, "p")
        rig.reply("p", .later)
        #expect(rig.finish == .paused)
        #expect(rig.begun == ["p"], "the account's other writes hold")
    }

    @Test func sendingAgainBringsAFreshQuestionAndCountsNoRefusal() {
        var rig = rig([Sketch("p", .write, account: "vk")])
        for _ in 0..<20 {
            captcha(&rig, "p")
            #expect(rig.asked.map(\.refusals) == [0])
            rig.reply("p", .again)
            #expect(rig.resumptions["p"]?.answer == nil)
        }
        rig.succeed("p")
        #expect(rig.finish == .succeeded)
    }

    @Test func fifthRefusalMakesItWaitAnHour() throws {
        var rig = rig([Sketch("p", .write, account: "vk"), Sketch("q", .write, account: "vk")])
        captcha(&rig, "p")
        for refusals in 0..<5 {
            #expect(rig.asked.map(\.refusals) == [refusals])
            rig.reply("p", .answer(.captcha("wrong")))
            captcha(&rig, "p")
        }
        #expect(rig.asked.isEmpty)
        #expect(rig.state("p") == .waiting)
        #expect(rig.finish == .waiting)
        #expect(rig.wakesAt == rig.wall + .seconds(3600))
        #expect(!rig.begun.contains("q"), "it would meet the same captcha")

        try rig.restart(after: .seconds(3600))
        if rig.running == ["q"] { rig.succeed("q") }
        captcha(&rig, "p")
        #expect(rig.asked.map(\.refusals) == [0], "a new process counts anew")
    }

    @Test func refusalsAreCountedForEachCall() {
        var rig = rig([Sketch("p", .write, account: "a"), Sketch("q", .write, account: "b")])
        captcha(&rig, "p")
        rig.reply("p", .answer(.captcha("wrong")))
        captcha(&rig, "q")
        #expect(rig.asked.map(\.refusals) == [0])
        captcha(&rig, "p")
        rig.reply("q", .later)
        #expect(rig.asked.map(\.refusals) == [1])
    }

    @Test func questionsComeOneAtATime() {
        var rig = rig([
            Sketch("r1", .read, account: "vk"), Sketch("r2", .read, account: "vk"), Sketch("r3", .read, account: "vk2"),
        ])
        captcha(&rig, "r2")
        captcha(&rig, "r1")
        captcha(&rig, "r3")
        #expect(rig.asked.map(\.step) == ["r2"])
        rig.reply("r2", .later)
        #expect(rig.asked.map(\.step) == ["r1"])
        rig.reply("r1", .answer(.captcha("x")))
        #expect(rig.asked.map(\.step) == ["r3"])
        rig.reply("r3", .later)
        rig.succeed("r1")
        #expect(rig.finish == .paused)
        #expect(rig.state("r1") == .succeeded)
    }

    @Test func answeredCallGoesFirstAndTheAccountsOthersFollow() {
        var rig = rig([
            Sketch("slow"), Sketch("early", .write, needs: ["slow"], account: "vk"), Sketch("p", .write, account: "vk"),
            Sketch("other", .write, account: "vk2"),
        ])
        captcha(&rig, "p")
        rig.succeed("slow")
        #expect(rig.running == ["other"], "another account is not held")
        rig.reply("p", .answer(.captcha("x")))
        #expect(rig.running == ["other", "p"], "an answer is good for a short time")
        rig.succeed("p")
        #expect(rig.running == ["other", "early"])
    }

    @Test func branchesGoOnWhileAPersonThinks() {
        var rig = rig([Sketch("p", .write, account: "vk"), Sketch("a"), Sketch("b", needs: ["a"])])
        captcha(&rig, "p")
        rig.succeed("a")
        rig.succeed("b")
        #expect(rig.finish == nil)
        rig.reply("p", .answer(.captcha("x")))
        rig.succeed("p")
        #expect(rig.finish == .succeeded)
    }

    @Test func stopDuringAQuestionLeavesItPaused() throws {
        var rig = rig([Sketch("p", .write, account: "vk")])
        captcha(&rig, "p")
        rig.stop()
        #expect(rig.finish == .stopped)
        rig.reply("p", .answer(.captcha("late")))
        #expect(rig.state("p") == .paused)
        try rig.restart(answers: ["p": .answer(nil)])
        #expect(rig.begun == ["p 2"])
    }

    @Test func captchaDuringAStopIsNotAskedAbout() {
        var rig = rig([Sketch("p", .write, account: "vk")])
        rig.stop()
        captcha(&rig, "p")
        #expect(rig.asked.isEmpty)
        #expect(rig.finish == .stopped)
    }

    @Test func approvalOfAnEarlierProcessIsAskedAtOnce() throws {
        var rig = rig([Sketch("a"), Sketch("b", needs: ["a"])])
        rig.pause("a", .approval, answer: .approval)
        rig.reply("a", .later)
        #expect(rig.finish == .paused)
        try rig.restart()
        #expect(rig.asked.map(\.step) == ["a"])
        rig.reply("a", .answer(.approved))
        rig.succeed("a")
        #expect(rig.running == ["b"])
    }

    /// Its captcha may have died since: the call is sent again first, when somebody resumes it.
    @Test func captchaOfAnEarlierProcessIsNotAskedAbout() throws {
        var rig = rig([Sketch("p", .write, account: "vk")])
        captcha(&rig, "p")
        rig.reply("p", .later)
        try rig.restart()
        #expect(rig.asked.isEmpty)
        #expect(rig.finish == .paused)
    }

    @Test func rejectionFailsTheStep() {
        var rig = rig([Sketch("a")])
        rig.pause("a", .approval, answer: .approval)
        rig.reply("a", .answer(.rejected))
        #expect(rig.finish == .failed)
    }
}
