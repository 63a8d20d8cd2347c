import Glibc
import Journal
import Sandbox
import TestSupport
import Testing
import Values

/// Deaths in the middle of what takes a run up again after a death, and around a captcha.
@Suite(.programs) struct RepeatedDeathTests {
    /// Killed again and again at places drawn at random, then left alone.
    @Test(arguments: 1...(isStress ? 40 : 3))
    func jobKilledAgainAndAgainPostsOnce(seed: Int) async throws {
        let story = try Story(timeout: "300ms") { $0.ignoreGuid = true }
        var random = Draws(seed: seed)
        var told: [String] = []
        for _ in 0..<6 {
            let place = random.next(2) == 0 ? "journal" : "request"
            let fault = "\(place) \(1 + random.next(8)) \(random.next(2) == 0 ? "before" : "after") kill"
            let unfinished = try await story.runs().first { !$0.state.isFinal }?.id
            let words = unfinished.map { random.next(2) == 0 ? ["resume", $0] : ["run", story.workflow] }
            let (result, isStruck) = try await story.faulty(words ?? ["run", story.workflow], fault: fault)
            told.append("\(words ?? ["run"]), \(fault): \(result.all)")
            #expect(isStruck || result.code == 0, "\(told)")
            #expect(try await story.posts().count <= 1, "\(told)")
        }
        let last = try await story.pasteup("run", story.workflow)
        #expect(last.code == 0, "\(told) \(last.all)")
        try await story.expectOnePost("\(told) \(last.all)")
    }

    /// What a dead process may have saved cannot be seen, so that each death uploads again; it is not the step's failure.
    @Test func deathsWhileAPhotoIsSavedDoNotFailTheRun() async throws {
        let story = try Story()
        try await story.fault("photos.saveWallPhoto", ["type": "hang", "when": "after"], calls: [1, 2, 3])
        var words = ["run", story.workflow]
        for death in 1...3 {
            let program = try story.runner().start(words)
            await story.wait(for: "photos.saveWallPhoto", calls: Int64(death))
            program.send(SIGKILL)
            #expect(try await program.finish().signal == SIGKILL)
            words = ["resume", try #require(try await story.runs().first?.id)]
        }
        let last = try await story.runner().run(words)
        #expect(last.code == 0, "\(last.all)")
        try await story.expectOnePost(last.all)
    }

    /// `resume --captcha` is killed at every commit and request. The person answers again, if there is a question again.
    @Test(arguments: ["journal # before kill", "journal # after kill", "request # before kill", "request # after kill"])
    func answerToACaptchaKilledAtAnyInstantPostsOnce(fault: String) async throws {
        let story = try Story(timeout: "500ms") { $0.ignoreGuid = true }
        for number in 1...100 {
            try await story.fault("wall.post", ["type": "captcha", "form": "old", "answer": "zd5q2"])
            #expect(try await story.pasteup("run", story.workflow).code == 3)
            let id = try #require(try await story.runs().first?.id)
            let (result, isStruck) = try await story.faulty(
                ["resume", id, "--captcha", "zd5q2"], fault: fault.replacing("#", with: "\(number)"))
            var told = ["\(number): \(result.all)"]
            #expect(isStruck ? result.signal == SIGKILL : result.code == 0, "\(told)")
            for _ in 0..<2 where try await story.runs().contains(where: { !$0.state.isFinal }) {
                let isPaused = try await story.runs().first?.state == .paused
                let answer = try await story.state()["captchas"]?.array?.last?["answer"]?.string
                let words = ["resume", id] + (isPaused ? answer.map { ["--captcha", $0] } ?? [] : [])
                let resumed = try await turns.use { try await story.runner().run(words) }
                told.append("\(words): \(resumed.all)")
                #expect([0, 3].contains(resumed.code), "\(told)")
            }
            try await story.expectOnePost("\(told)")
            #expect(try await story.count("upload") == 1, "\(told)")
            guard isStruck else { return }
            try await story.startOver()
        }
        Issue.record("no resume passed untouched")
    }
}
