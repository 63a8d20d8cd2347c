import Journal
import StepKit
import Testing
import Values

@testable import Engine

/// Uploads that have died, or whose saving is in doubt, are made again with what leads to them.
@Suite struct SchedulerRedoTests {
    /// The main job up to the attempt at `saved`.
    static func saving() -> Rig {
        var rig = Rig(.mainJob(once: false))
        rig.begin()
        for step in ["latest", "server", "card", "upload"] { rig.succeed(step) }
        return rig
    }

    @Test(arguments: [ErrorClass.stale, .inDoubt]) func uploadAndItsServerRunAgainAndTheCardDoesNot(
        errorClass: ErrorClass
    ) {
        var rig = Self.saving()
        rig.fail("saved", errorClass)
        #expect(rig.running == ["server"])
        rig.succeed("server")
        rig.succeed("upload")
        #expect(rig.running == ["saved"])
        rig.succeed("saved")
        rig.succeed("post")
        #expect(rig.finish == .succeeded)
        #expect(
            rig.begun == ["latest", "server", "card", "upload", "saved", "server 2", "upload 2", "saved 2", "post"])
    }

    @Test func onlyOnce() {
        var rig = Self.saving()
        rig.fail("saved", .stale)
        rig.succeed("server")
        rig.succeed("upload")
        rig.fail("saved", .stale)
        #expect(rig.finish == .failed)
        #expect(rig.state("post") == .skipped)
    }

    @Test func onlyOnceOverProcesses() throws {
        var rig = Self.saving()
        rig.fail("saved", .stale)
        try rig.restart()
        #expect(rig.running == ["server"])
        rig.succeed("server")
        rig.succeed("upload")
        rig.fail("saved", .stale)
        #expect(rig.finish == .failed)
    }

    @Test func deathDuringTheSaveMakesTheUploadAgainInTheNextProcess() throws {
        var rig = Self.saving()
        try rig.restart()
        #expect(rig.running == ["server"])
        rig.succeed("server")
        rig.succeed("upload")
        rig.succeed("saved")
        rig.succeed("post")
        #expect(rig.finish == .succeeded)
    }

    @Test func failureOfTheSecondUploadSkipsTheSave() {
        var rig = Self.saving()
        rig.fail("saved", .stale)
        rig.succeed("server")
        rig.fail("upload", .permission)
        #expect(rig.finish == .failed)
        #expect(rig.state("saved") == .skipped && rig.state("post") == .skipped)
    }

    @Test func stepWithoutAnUploadBehindItFails() {
        var rig = Rig([Sketch("read", .read, account: "vk"), Sketch("w", .write, needs: ["read"], account: "vk")])
        rig.begin()
        rig.succeed("read")
        rig.fail("w", .stale)
        #expect(rig.finish == .failed)
    }

    /// One upload, saved for two albums, the second write being an account of its own so that both run at once.
    static func twoSaves() -> Rig {
        var rig = Rig([
            Sketch("upload", .idempotent), Sketch("s1", .write, needs: ["upload"], rule: .redoInputs, account: "a"),
            Sketch("s2", .write, needs: ["upload"], rule: .redoInputs, account: "b"),
            Sketch("end", needs: ["s1", "s2"]),
        ])
        rig.begin()
        rig.succeed("upload")
        return rig
    }

    @Test func twoStepsShareOneReRun() {
        var rig = Self.twoSaves()
        rig.fail("s1", .stale)
        rig.fail("s2", .stale)
        #expect(rig.running == ["upload"])
        rig.succeed("upload")
        #expect(rig.running == ["s1", "s2"])
        rig.succeed("s1")
        rig.succeed("s2")
        rig.succeed("end")
        #expect(rig.finish == .succeeded)
        #expect(rig.begun.filter { $0.hasPrefix("upload") } == ["upload", "upload 2"])
    }

    @Test func stepThatIsUnderWayMeanwhileIsLeftAlone() {
        var rig = Self.twoSaves()
        rig.fail("s1", .stale)
        rig.succeed("s2")
        rig.succeed("upload")
        rig.succeed("s1")
        #expect(rig.running == ["end"])
        rig.succeed("end")
        #expect(rig.finish == .succeeded)
    }

    @Test func retryOfAnotherDependentWaitsForTheNewUpload() {
        var rig = Self.twoSaves()
        rig.fail("s2", .network)
        rig.fail("s1", .stale)
        rig.fire()
        #expect(rig.running == ["upload"])
        rig.succeed("upload")
        #expect(rig.running == ["s1", "s2"])
    }

    @Test func dependentThatWaitedForItsTurnWaitsForTheNewUploadAndBlocksNobody() {
        var rig = Rig([
            Sketch("upload", .idempotent), Sketch("s1", .write, needs: ["upload"], rule: .redoInputs, account: "vk"),
            Sketch("s2", .write, needs: ["upload"], rule: .redoInputs, account: "vk"),
            Sketch("apart", .write, account: "vk"),
        ])
        rig.begin()
        #expect(rig.running == ["upload", "apart"])
        rig.succeed("upload")
        rig.succeed("apart")
        #expect(rig.running == ["s1"])
        rig.fail("s1", .stale)
        #expect(rig.running == ["upload"])
        rig.succeed("upload")
        #expect(rig.running == ["s1"])
        rig.succeed("s1")
        #expect(rig.running == ["s2"])
        rig.succeed("s2")
        #expect(rig.finish == .succeeded)
    }

    @Test func pausedDependentThatIsAnsweredMeanwhileWaitsForTheNewUpload() throws {
        var rig = Self.twoSaves()
        rig.pause("s2", .captcha, continuation: ["sid": "1"])
        rig.fail("s1", .stale)
        rig.stop()
        rig.cancelAll()
        try rig.restart(answers: ["s2": .answer(nil)])
        #expect(rig.running == ["upload"])
        rig.succeed("upload")
        #expect(rig.running == ["s1", "s2"])
        #expect(rig.resumptions["s2"] == Resumption(continuation: ["sid": "1"], answer: nil))
    }
}
