import Journal
import StepKit
import Testing
import Values
import Workflows

@testable import Engine

@Suite struct SchedulerRetryTests {
    static func rig(_ retry: RetryPolicy = RetryPolicy(jitter: .none), effect: Effect = .read) -> Rig {
        var rig = Rig([Sketch("a", effect, account: "vk", retry: retry), Sketch("b", needs: ["a"])])
        rig.begin()
        return rig
    }

    /// What an attempt's failure without more to it leads to: the fourth row of the design's table of errors.
    @Test(arguments: [
        (ErrorClass.network, StepState.running), (.timeout, .running), (.rateLimit, .running), (.server, .running),
        (.auth, .failed), (.captcha, .failed), (.validation, .failed), (.permission, .failed), (.quota, .waiting),
        (.invalid, .failed), (.stale, .failed), (.inDoubt, .running),
    ])
    func classDecidesWhetherAReadIsTriedAgain(errorClass: ErrorClass, expected: StepState) {
        var rig = Self.rig()
        rig.fail("a", errorClass)
        #expect(rig.state("a") == expected)
        #expect(rig.timers.count == (expected == .running ? 1 : 0))
    }

    @Test func attemptsComeAfterGrowingPausesUpToTheLargestNumber() {
        var rig = Self.rig(RetryPolicy(maxAttempts: 4, jitter: .none))
        var pauses: [Duration] = []
        for _ in 0..<3 {
            rig.fail("a", .server)
            pauses.append(rig.fire() ?? .zero)
        }
        rig.fail("a", .server)
        #expect(pauses == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(rig.begun == ["a", "a 2", "a 3", "a 4"])
        #expect(rig.finish == .failed)
        #expect(rig.state("b") == .skipped)
    }

    @Test func onlyTheNamedClassesAreRetried() {
        var rig = Self.rig(RetryPolicy(jitter: .none, on: [.server]))
        rig.fail("a", .server)
        rig.fire()
        rig.fail("a", .network)
        #expect(rig.finish == .failed)
    }

    @Test func aClassThatIsNeverRetriedStaysSoWhenNamed() {
        var rig = Self.rig(RetryPolicy(jitter: .none, on: [.permission]))
        rig.fail("a", .permission)
        #expect(rig.finish == .failed)
    }

    @Test func noAttemptStartsAfterMaxElapsed() {
        var rig = Self.rig(RetryPolicy(jitter: .none, maxElapsed: .seconds(10)))
        rig.advance(by: .seconds(4))
        rig.fail("a", .network)
        rig.fire()
        rig.advance(by: .seconds(3))
        rig.fail("a", .network)
        #expect(rig.state("a") == .running, "4 + 1 + 3 + 2 seconds are just within")
        rig.fire()
        rig.fail("a", .network)
        #expect(rig.finish == .failed)
    }

    @Test func longRetryAfterEndsTheProcessAsWaiting() throws {
        var rig = Self.rig()
        rig.fail("a", .rateLimit, retryAfter: .seconds(121))
        #expect(rig.finish == .waiting)
        #expect(rig.wakesAt == Timestamp(seconds: 1_800_000_121))
        try rig.restart(after: .seconds(60))
        #expect(rig.begun == [] && rig.finish == .waiting, "it is not due yet")
        try rig.restart(after: .seconds(61))
        #expect(rig.begun == ["a 2"])
        rig.succeed("a")
        rig.succeed("b")
        #expect(rig.finish == .succeeded)
    }

    @Test func retryAfterOfTwoMinutesIsSatThrough() {
        var rig = Self.rig()
        rig.fail("a", .rateLimit, retryAfter: .seconds(120))
        #expect(rig.finish == nil)
        #expect(rig.fire() == .seconds(120))
        #expect(rig.begun == ["a", "a 2"])
    }

    @Test(arguments: [ErrorClass.quota, .rateLimit]) func afterThreeWaitsItFails(errorClass: ErrorClass) throws {
        var rig = Self.rig()
        for _ in 0..<3 {
            rig.fail("a", errorClass, retryAfter: .seconds(3600))
            #expect(rig.finish == .waiting)
            try rig.restart(after: .seconds(3600))
        }
        rig.fail("a", errorClass, retryAfter: .seconds(3600))
        #expect(rig.finish == .failed)
    }

    @Test func quotaWithoutATimeWaitsAnHour() {
        var rig = Self.rig()
        rig.fail("a", .quota)
        #expect(rig.wakesAt == Timestamp(seconds: 1_800_003_600))
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(400 * 86_400), .milliseconds(Int64.max)])
    func absurdRetryAfterIsTakenForAYear(retryAfter: Duration) throws {
        var rig = Self.rig()
        rig.fail("a", .rateLimit, retryAfter: retryAfter)
        #expect(rig.wakesAt == Timestamp(seconds: 1_800_000_000 + 366 * 86_400))
        try rig.restart()
        #expect(rig.finish == .waiting, "the time can be read from the journal")
    }

    @Test func negativeRetryAfterIsNoTimeAtAll() {
        var rig = Self.rig()
        rig.fail("a", .quota, retryAfter: .seconds(-5))
        #expect(rig.wakesAt == Timestamp(seconds: 1_800_000_000))
    }

    @Test func writeThatCertainlyWasNotSentIsTriedAgainAlsoByALaterProcess() throws {
        var rig = Self.rig(effect: .write)
        rig.fail("a", .network)
        try rig.restart()
        #expect(rig.begun == ["a 2"], "nothing is in doubt, so nothing is looked for")
    }

    @Test func pauseOfAnotherStepComesBeforeAWait() {
        var rig = Rig([Sketch("a", .read), Sketch("b", .read)])
        rig.begin()
        rig.fail("a", .quota)
        #expect(rig.finish == nil)
        rig.pause("b", .approval)
        #expect(rig.finish == .paused)
        #expect(rig.wakesAt == Timestamp(seconds: 1_800_003_600), "the other step may still be picked up when due")
    }

    @Test func failureComesLast() {
        var rig = Rig([Sketch("a", .read), Sketch("b", .read)])
        rig.begin()
        rig.fail("a", .invalid)
        rig.fail("b", .quota)
        #expect(rig.finish == .waiting)
    }
}
