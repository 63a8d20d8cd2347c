import Journal
import StepKit
import Testing
import Values
import Workflows

@testable import Engine

/// The wall clock is set while a run is going or waits: by hand, by the network, after a boot without one.
@Suite struct SchedulerClockTests {
    static let jumps: [Duration] = [.seconds(-400 * 86_400), .seconds(-3600), .seconds(3600), .seconds(400 * 86_400)]

    @Test(arguments: jumps) func backoffAndMaxElapsedAreCountedOnTheClockThatNeverJumps(jump: Duration) {
        let retry = RetryPolicy(maxAttempts: 3, jitter: .none, maxElapsed: .seconds(60))
        var rig = Rig([Sketch("a", .read, retry: retry)])
        rig.begin()
        rig.fail("a", .network)
        rig.wall = rig.wall + jump
        #expect(rig.fire() == .seconds(1))
        #expect(rig.begun == ["a", "a 2"])
        rig.fail("a", .network)
        rig.wall = rig.wall + jump
        #expect(rig.fire() == .seconds(2))
        rig.succeed("a")
        #expect(rig.finish == .succeeded)
    }

    @Test(arguments: jumps) func deadlineOfARequestInDoubtIsCountedOnTheClockThatNeverJumps(jump: Duration) {
        var rig = Rig([Sketch("p", .write, rule: .look, account: "vk", retry: RetryPolicy(jitter: .none))])
        rig.begin()
        rig.advance(by: .seconds(20))
        rig.wall = rig.wall + jump
        rig.fail("p", .inDoubt)
        rig.look("p", .absent)
        rig.wall = rig.wall + jump
        #expect(rig.fire() == .seconds(40), "60 seconds after it began")
        rig.look("p", .absent)
        #expect(rig.fire() == .seconds(5))
        rig.look("p", .absent)
        #expect(rig.begun.last == "p 2")
    }

    /// The time that a service named is an instant: a clock that is behind waits longer, one that is ahead comes early, and
    /// the service says so again. Nothing is sent in between, and nothing is lost.
    @Test func waitFollowsTheClockOfTheDay() throws {
        var rig = Rig([Sketch("p", .write, rule: .look, account: "vk")])
        rig.begin()
        rig.fail("p", .quota, retryAfter: .seconds(3600))
        #expect(rig.finish == .waiting)
        try rig.restart(after: .seconds(-7200))
        #expect(rig.begun == [] && rig.finish == .waiting)
        #expect(rig.wakesAt == Timestamp(seconds: 1_800_003_600))
        try rig.restart(after: .seconds(7200 + 3600))
        #expect(rig.begun == ["p 2"])
        rig.fail("p", .quota, retryAfter: .seconds(3600))
        #expect(rig.wakesAt == Timestamp(seconds: 1_800_007_200))
        try rig.restart(after: .seconds(400 * 86_400))
        rig.succeed("p")
        #expect(rig.finish == .succeeded)
    }

    /// A post that two looks have proved absent may turn up all the same, when it is sent again already: it has the time of
    /// the first sending, and is looked for from there on.
    @Test(arguments: [false, true]) func whatWasSentAgainIsLookedForSinceItsFirstSending(isLaterProcess: Bool) throws {
        var rig = Rig([Sketch("p", .write, rule: .look, account: "vk", retry: RetryPolicy(jitter: .none))])
        rig.begin()
        rig.advance(by: .seconds(60))
        rig.fail("p", .inDoubt)
        rig.look("p", .absent)
        rig.fire()
        rig.look("p", .absent)
        #expect(rig.begun.last == "p 2")
        if isLaterProcess {
            try rig.restart(after: .seconds(5))
        } else {
            rig.advance(by: .seconds(5))
            rig.fail("p", .inDoubt)
        }
        #expect(rig.looking == ["p"])
        #expect(rig.lookedSince.last == Timestamp(seconds: 1_800_000_000))
        rig.look("p", .found([:]))
        #expect(rig.finish == .succeeded)
    }
}
