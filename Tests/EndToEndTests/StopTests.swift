import Files
import TestSupport
import Testing
import Values

/// Runs that are stopped, killed, or meet each other.
@Suite(.programs) struct StopTests {
    private static let interrupt: Int32 = 2
    private static let kill: Int32 = 9
    private static let terminate: Int32 = 15

    static let methods = [
        "me/media", "cdn", "photos.getWallUploadServer", "upload", "photos.saveWallPhoto", "wall.post",
    ]

    /// Starts the job, and stops it while a call of that method hangs.
    private func stop(_ story: Story, in method: String, _ moment: String, by signal: Int32) async throws
        -> ProgramResult
    {
        try await story.fault(method, ["type": "hang", "when": .string(moment)])
        let program = try story.start("run", story.workflow)
        await story.wait(for: method)
        program.send(signal)
        return try await program.finish()
    }

    @Test(arguments: methods, ["before", "after"])
    func ctrlCLeavesARunThatFinishesWithOnePost(method: String, moment: String) async throws {
        let story = try Story(timeout: "1s")
        let run = try await stop(story, in: method, moment, by: Self.interrupt)
        #expect(run.code == 130, "\(run.all)")
        #expect(run.signal == nil)
        #expect(run.output.isEmpty)
        let command = try #require(run.errors.lines.last?.rest(after: "was stopped. Go on with: "), "\(run.all)")
        let resumed = try await story.pasteup(line: command)
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(resumed.output == "url: https://vk.com/wall743215608_1\n")
        #expect(try await story.posts().count == 1)
        #expect(try await story.posts().first?["attachments"]?.array?.count == 1)
    }

    @Test func terminationLeavesARunThatFinishes() async throws {
        let story = try Story()
        let run = try await stop(story, in: "upload", "before", by: Self.terminate)
        #expect(run.code == 143, "\(run.all)")
        #expect(run.signal == nil)
        let command = try #require(run.errors.lines.last?.rest(after: "was interrupted. Go on with: "), "\(run.all)")
        #expect(try await story.pasteup(line: command).code == 0)
        #expect(try await story.posts().count == 1)
    }

    @Test(arguments: methods, ["before", "after"])
    func killedRunFinishesWithOnePost(method: String, moment: String) async throws {
        let story = try Story(timeout: "1s")
        #expect(try await stop(story, in: method, moment, by: Self.kill).signal == Self.kill)
        let list = try await story.pasteup("list")
        #expect(list.output.contains("  interrupted  "), "\(list.all)")
        let resumed = try await story.pasteup("resume")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.posts().count == 1)
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().count == 1)
    }

    @Test func laterRunGoesOnWithAKilledOneByItself() async throws {
        let story = try Story()
        #expect(try await stop(story, in: "upload", "before", by: Self.kill).signal == Self.kill)
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output == "url: https://vk.com/wall743215608_1\n")
        #expect(try await story.posts().count == 1)
        #expect(try await story.pasteup("list").output.contains("interrupted") == false)
    }

    @Test func secondCtrlCEndsAtOnce() async throws {
        let story = try Story()
        try await story.fault("upload", ["type": "hang"])
        let program = try story.start("run", story.workflow)
        await story.wait(for: "upload")
        program.send(Self.interrupt)
        program.send(Self.interrupt)
        #expect(try await program.finish().code == 130)
        #expect(try await story.pasteup("resume").code == 0)
        #expect(try await story.posts().count == 1)
    }

    @Test func twoRunsAtTheSameTimePostOnce() async throws {
        let story = try Story()
        async let first = story.pasteup("run", story.workflow)
        async let second = story.pasteup("run", story.workflow)
        let runs = try await [first, second]
        for run in runs { #expect(run.code == 0, "\(run.all)") }
        #expect(try await story.posts().count == 1)
        #expect(try await story.count("upload") == 1)
        #expect(Set(runs.map(\.output)) == ["", "url: https://vk.com/wall743215608_1\n"])
    }

    @Test func runThatIsWorkedOnIsNotResumedByAnother() async throws {
        let story = try Story()
        try await story.fault("upload", ["type": "hang"])
        let program = try story.start("run", story.workflow)
        await story.wait(for: "upload")
        let list = try await story.runner().run(["list", "--json"])
        let id = try #require(list.output.rest(after: #""run":""#)?.split(separator: "\"").first.map(String.init))
        #expect(list.output.contains(#""state":"running""#))
        let resumed = try await story.runner().run(["resume", id])
        #expect(resumed.code == 5, "\(resumed.all)")
        #expect(resumed.errors.contains("is being worked on by another process"))
        let second = try await story.runner().run(["run", story.workflow])
        #expect(second.code == 0, "\(second.all)")
        #expect(second.errors.hasSuffix("; this one is skipped ('overlap: skip').\n"), "\(second.all)")
        let other = try await story.runner().run(["run", story.workflow, "-i", "link=https://kafe.example/"])
        #expect(other.code == 0, "\(other.all)")
        #expect(other.errors.contains("is held by run \(id), which is running"), "\(other.all)")
        program.send(Self.interrupt)
        #expect(try await program.finish().code == 130)
        #expect(try await story.pasteup("resume", id).code == 0)
        #expect(try await story.posts().count == 1)
    }

    @Test func twoPeopleAnswerTheSameCaptchaOnce() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha", "form": "old", "answer": "zd5q2"])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        async let first = story.pasteup("resume", "--captcha", "zd5q2")
        async let second = story.pasteup("resume", "--captcha", "zd5q2")
        let codes = try await [first.code, second.code]
        #expect(codes.contains(0))
        #expect(codes.allSatisfy { [0, 1, 2, 5].contains($0) }, "\(codes)")
        #expect(try await story.posts().count == 1)
    }

    @Test func noProcessStaysBehind() async throws {
        let story = try Story()
        try await story.fault("upload", ["type": "hang"])
        var program: RunningProgram? = try story.start("run", story.workflow)
        await story.wait(for: "upload")
        program = nil
        _ = program
        // The lock of a run is freed by the death of its process.
        let lock = try #require(try story.stateFiles().first { $0.hasSuffix("/lock") })
        while FileLock.isHeld(lock) { await Task.yield() }
    }
}
