import Journal
import StepKit
import Testing
import Values
import Workflows

@testable import Engine

@Suite struct SchedulerDoubtTests {
    static func rig(_ rule: DoubtRule = .look, retry: RetryPolicy = RetryPolicy(jitter: .none)) -> Rig {
        var rig = Rig([
            Sketch("p", .write, rule: rule, account: "vk", retry: retry), Sketch("after", needs: ["p"]),
            Sketch("next", .write, account: "vk"),
        ])
        rig.begin()
        return rig
    }

    @Test func whatIsFoundAtTheFirstLookSucceeds() {
        var rig = Self.rig()
        rig.fail("p", .inDoubt)
        #expect(rig.looking == ["p"])
        rig.look("p", .found(["post_id": 9]))
        #expect(rig.history("p") == [.attemptStarted, .attemptFailed, .looked, .stepSucceeded])
        #expect(rig.begun == ["p", "look p", "after", "next"])
    }

    /// Another version of the program may know classes of errors that this one does not.
    @Test(arguments: [["error": ["class": "of-another-version", "what": "it went wrong"]], nil] as [Value])
    func aFailureThatCannotBeReadLeavesAWriteInDoubt(data: Value) throws {
        var rig = Self.rig()
        rig.batches.append([JournalEntry(.attemptFailed, "p", attempt: 1, at: rig.wall, data: data)])
        try rig.restart()
        #expect(rig.begun == ["look p"])
    }

    @Test func absenceNeedsTwoLooksAfterTheDeadline() {
        var rig = Self.rig()
        rig.advance(by: .seconds(10))
        rig.fail("p", .inDoubt)
        rig.look("p", .absent)
        #expect(rig.fire() == .seconds(50), "the request may be under way until 60 seconds after it began")
        rig.look("p", .absent)
        #expect(rig.fire() == .seconds(5), "settle")
        #expect(rig.begun == ["p", "look p", "look p", "look p"])
        rig.look("p", .absent)
        #expect(rig.begun.last == "p 2")
        #expect(rig.scheduler.generation(of: 0) == 1, "the same key")
        #expect(rig.scheduler.keyFirstSent(of: 0) == Timestamp(seconds: 1_800_000_000))
    }

    @Test func whatAppearsAtALaterLookIsNotSentAgain() {
        var rig = Self.rig()
        rig.advance(by: .seconds(61))
        rig.fail("p", .inDoubt)
        rig.look("p", .absent)
        rig.fire()
        rig.look("p", .found([:]))
        #expect(rig.state("p") == .succeeded)
        #expect(!rig.begun.contains("p 2"))
    }

    @Test func aFailedLookProvesNothing() {
        var rig = Self.rig()
        rig.advance(by: .seconds(61))
        rig.fail("p", .inDoubt)
        rig.look("p", .absent)
        rig.fire()
        rig.failLook("p", .network)
        rig.fire()
        #expect(rig.looking == ["p"] && !rig.begun.contains("p 2"))
        rig.look("p", .absent)
        #expect(rig.begun.last == "p 2")
    }

    @Test(arguments: [ErrorClass.network, .server, .rateLimit]) func looksThatFailAreRepeatedThenAPersonIsAsked(
        errorClass: ErrorClass
    ) {
        var rig = Self.rig(retry: RetryPolicy(maxAttempts: 3, jitter: .none))
        rig.fail("p", .inDoubt)
        rig.failLook("p", errorClass)
        #expect(rig.fire() == .seconds(1))
        rig.failLook("p", errorClass)
        #expect(rig.fire() == .seconds(2))
        rig.failLook("p", errorClass)
        #expect(rig.scheduler.pause(of: 0)?.kind == .inDoubt)
        #expect(rig.running == ["next"], "a question about one post holds only that post")
    }

    @Test(arguments: [
        Sighting.several(["wall1_2", "wall1_3"]), .unreadable(reason: "the wall is closed"),
    ]) func whatCannotBeToldPauses(sighting: Sighting) {
        var rig = Self.rig()
        rig.fail("p", .inDoubt)
        rig.look("p", sighting)
        let pause = rig.scheduler.pause(of: 0)
        #expect(pause?.kind == .inDoubt && pause?.answer == .doubt)
        switch sighting {
        case .several: #expect(pause?.message.contains("wall1_2, wall1_3") == true)
        default: #expect(pause?.message.contains("the wall is closed") == true)
        }
    }

    @Test func aLookThatIsNotAllowedPausesAtOnce() {
        var rig = Self.rig()
        rig.fail("p", .inDoubt)
        rig.failLook("p", .permission)
        #expect(rig.state("p") == .paused)
    }

    @Test func attemptsRunOutAlsoByProofs() {
        var rig = Self.rig(retry: RetryPolicy(maxAttempts: 2, jitter: .none))
        for _ in 0..<2 {
            rig.advance(by: .seconds(61))
            rig.fail("p", .inDoubt)
            rig.look("p", .absent)
            rig.fire()
            rig.look("p", .absent)
        }
        #expect(rig.state("p") == .failed)
        #expect(rig.begun.filter { !$0.hasPrefix("look") } == ["p", "p 2", "next"])
    }

    @Test func deathInTheMiddleIsLookedForFirstAndKeepsTheAccountsTurn() throws {
        var rig = Self.rig()
        try rig.restart(after: .seconds(20))
        #expect(rig.begun == ["look p"])
        rig.look("p", .absent)
        #expect(rig.fire() == .seconds(40))
        rig.look("p", .absent)
        rig.fire()
        rig.look("p", .absent)
        #expect(rig.begun.last == "p 2")
        rig.succeed("p")
        #expect(rig.running == ["after", "next"])
    }

    @Test func deathWhileLookingLooksAgain() throws {
        var rig = Self.rig()
        rig.fail("p", .inDoubt)
        try rig.restart()
        #expect(rig.begun == ["look p"])
    }

    @Test func deathOfAWriteThatCannotBeLookedForAsks() throws {
        var rig = Self.rig(.ask)
        try rig.restart()
        #expect(rig.begun == ["next"])
        #expect(rig.scheduler.pause(of: 0)?.kind == .inDoubt)
    }

    // MARK: Answers

    static func pausedInDoubt() -> Rig {
        var rig = rig()
        rig.fail("p", .inDoubt)
        rig.look("p", .unreadable(reason: "closed"))
        rig.succeed("next")
        return rig
    }

    @Test func postedEndsTheDoubt() throws {
        var rig = Self.pausedInDoubt()
        #expect(rig.finish == .paused)
        try rig.restart(answers: ["p": .posted(["post_id": 3])])
        rig.succeed("after")
        #expect(rig.finish == .succeeded)
        #expect(rig.journal.last { $0.kind == .stepSucceeded && $0.address == "p" }?.data["outputs"]?["post_id"] == 3)
    }

    /// A person said what became of a part: what is left of the step goes on under its old key, after a death, too.
    @Test func settledPartGoesOnUnderTheOldKey() throws {
        var rig = Self.pausedInDoubt()
        try rig.restart(answers: ["p": .partSettled])
        #expect(rig.begun == ["p 2"])
        #expect(rig.scheduler.generation(of: 0) == 1)
        try rig.restart()
        #expect(rig.begun == ["look p"])
        #expect(rig.scheduler.generation(of: 0) == 1)
    }

    @Test func resendRaisesTheGeneration() throws {
        var rig = Self.pausedInDoubt()
        try rig.restart(answers: ["p": .answer(.resend)])
        #expect(rig.begun == ["p 2"])
        #expect(rig.scheduler.generation(of: 0) == 2)
        try rig.restart()
        #expect(rig.scheduler.generation(of: 0) == 2)
        #expect(rig.begun == ["look p"], "the second send may have happened")
    }

    /// Nothing but `--resend` or a proof may send a write in doubt again.
    @Test(arguments: [
        PauseAnswer?.none, .captcha("x"), .successToken(Secret("x")), .approved, .rejected,
    ]) func anyOtherAnswerOnlyLooks(answer: PauseAnswer?) throws {
        var rig = Self.pausedInDoubt()
        try rig.restart(answers: ["p": .answer(answer)])
        #expect(rig.begun == ["look p"])
        #expect(rig.scheduler.generation(of: 0) == 1)
    }

    @Test func anIdThatNothingIsMadeOfLeavesThePause() throws {
        var rig = Self.pausedInDoubt()
        try rig.restart(answers: ["p": .answer(.posted(id: "?"))])
        #expect(rig.begun == [] && rig.finish == .paused)
    }

    @Test func absenceIsProvedInTheNextProcessToo() throws {
        var rig = Self.pausedInDoubt()
        try rig.restart(after: .seconds(3600), answers: ["p": .answer(nil)])
        rig.look("p", .absent)
        #expect(rig.fire() == .seconds(5))
        rig.look("p", .absent)
        #expect(rig.begun.last == "p 2")
    }

    @Test func aPauseInDoubtThatIsTriedAtOnceStillAwaitsTheRequestsDeadline() throws {
        var rig = Self.pausedInDoubt()
        try rig.restart(after: .seconds(10), answers: ["p": .answer(nil)])
        rig.look("p", .absent)
        #expect(rig.fire() == .seconds(50), "the request may be under way until 60 seconds after it began")
        rig.look("p", .absent)
        rig.fire()
        rig.look("p", .absent)
        #expect(rig.begun.last == "p 2")
    }

    // MARK: Clocks

    @Test func aClockThatIsSetBackMeanwhileHidesNoPost() {
        var rig = Self.rig()
        rig.advance(by: .seconds(3))
        rig.wall = Timestamp(seconds: 1_799_996_400)
        rig.fail("p", .inDoubt)
        #expect(rig.lookedSince == [Timestamp(seconds: 1_799_996_397)])
        rig.look("p", .absent)
        rig.wall = Timestamp(seconds: 1_799_990_000)
        rig.fire()
        #expect(rig.lookedSince.last == Timestamp(seconds: 1_799_989_997), "57 seconds later, and set back once more")
    }

    @Test func aClockThatWasSetBackBetweenTwoProcessesProvesNothing() throws {
        var rig = Self.rig()
        rig.wall = Timestamp(seconds: 1_799_996_400)
        try rig.restart()
        #expect(rig.scheduler.pause(of: 0)?.kind == .inDoubt)
        #expect(rig.scheduler.pause(of: 0)?.message.contains("clock has been set back") == true)
        rig.succeed("next")
        try rig.restart(answers: ["p": .answer(nil)])
        #expect(!rig.begun.contains("p 2") && rig.state("p") == .paused)
    }
}
