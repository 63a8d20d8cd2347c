import Files
import Sandbox
import TestSupport
import Testing
import Values

/// VK asks for a captcha in the middle of the job.
@Suite(.programs) struct CaptchaTests {
    enum Form: String, CaseIterable, Sendable { case old, new }

    static let cases = ["photos.saveWallPhoto", "wall.post"].flatMap { method in
        Form.allCases.map { (method, $0) }
    }

    /// The right answer to the captcha that is open, as VK's own page or picture would give it.
    private func answer(_ story: Story, _ form: Form) async throws -> String {
        let captchas = try await story.state()["captchas"]?.array ?? []
        #expect(captchas.count == 1)
        return try #require(captchas.first?[form == .old ? "answer" : "success_token"]?.string)
    }

    private func asksFor(_ form: Form) -> Value { ["type": "captcha", "form": .string(form.rawValue)] }

    @Test(arguments: cases)
    func printedCommandWithTheAnswerFinishesTheRun(method: String, form: Form) async throws {
        let story = try Story()
        try await story.fault(method, asksFor(form))
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 3, "\(run.all)")
        #expect(run.output.isEmpty)

        let file = try #require(
            run.errors.rest(after: form == .old ? "  Picture: " : "  The page's address is in: "), "\(run.errors)")
        #expect(try FileSystem.mode(file) == 0o600)
        #expect(run.errors.lines.count { $0.contains(file) } == 1, "it is named once: \(run.all)")
        let bytes = try FileSystem.read(file)
        if form == .old {
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        } else {
            let address = String(decoding: bytes, as: UTF8.self)
            #expect(address.hasPrefix(story.sandbox.baseURL + "/not_robot_captcha?"))
            #expect(!run.errors.contains("session_token"), "the address is a key")
        }
        #expect(try await story.posts().isEmpty)

        let command = try #require(run.errors.rest(after: "Answer with: "))
        let answer = try await answer(story, form)
        let resumed = try await story.pasteup(line: command, by: answer, input: answer + "\n")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(resumed.output == "url: https://vk.com/wall743215608_1\n")
        #expect(!resumed.all.contains(answer))
        #expect(try await story.posts().count == 1)
        let counts = try await story.counts()
        #expect(counts["upload"] == 1)
        #expect(counts["photos.getWallUploadServer"] == 1)
        #expect(counts["me/media"] == 1)
        #expect(counts[method] == 2)
        #expect(try await story.state()["photos"]?.array?.count == 1)
        try story.expectNowhere(answer)
    }

    @Test(arguments: cases)
    func wrongAnswerBringsAFreshCaptcha(method: String, form: Form) async throws {
        let story = try Story()
        try await story.fault(method, asksFor(form))
        let run = try await story.pasteup("run", story.workflow)
        let first = try #require(run.errors.rest(after: form == .old ? "Picture: " : "address is in: "))
        let command = try #require(run.errors.rest(after: "Answer with: "))
        let wrong = try await story.pasteup(line: command, by: "wrong", input: "wrong\n")
        #expect(wrong.code == 3, "\(wrong.all)")
        #expect(!run.errors.contains("refused"), "\(run.all)")
        #expect(wrong.errors.contains("(captcha): The last answer was refused. VK asks account 'vk'"), "\(wrong.all)")
        let second = try #require(wrong.errors.rest(after: form == .old ? "Picture: " : "address is in: "))
        #expect(first != second)
        #expect(try FileSystem.read(first) != FileSystem.read(second))
        #expect(try await story.posts().isEmpty)

        let again = try #require(wrong.errors.rest(after: "Answer with: "))
        let answer = try await answer(story, form)
        let right = try await story.pasteup(line: again, by: answer, input: answer)
        #expect(right.code == 0, "\(right.all)")
        #expect(try await story.posts().count == 1)
        #expect(try await story.count("upload") == 1)
    }

    @Test(arguments: cases)
    func resumeWithoutAnswerPassesWhenTheCaptchaHasGone(method: String, form: Form) async throws {
        let story = try Story()
        try await story.fault(method, asksFor(form))
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let resumed = try await story.pasteup("resume")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.posts().count == 1)
        #expect(try await story.count("upload") == 1)
    }

    /// The id is found by its beginning, blanks around an answer are nobody's wish, and capitals are no other text.
    @Test func answerIsTakenAsAPersonTypesIt() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha", "form": "old", "answer": "zd5q2"])
        let run = try await story.pasteup("run", story.workflow)
        let words = try #require(run.errors.rest(after: "Answer with: ")).split(separator: " ").map(String.init)
        let resumed = try await story.pasteup("resume", String(words[2].prefix(5)).uppercased(), "--captcha", " ZD5Q2 ")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.posts().count == 1)
    }

    /// Both members come together: the picture is a dummy, only the page counts.
    @Test func pageComesBeforeThePicture() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha", "form": "both"])
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 3)
        #expect(!run.errors.contains("Picture:"))
        let answer = try await answer(story, .new)
        let resumed = try await story.pasteup("resume", "--success-token", "-", input: answer)
        #expect(resumed.code == 0, "\(resumed.all)")
    }

    /// Nobody says for sure where VK looks for the page's number: either way it is found.
    @Test(arguments: ["field", "cookie"]) func numberOfThePageGoesBothWays(demanded: String) async throws {
        let story = try Story()
        try await story.fault(
            "wall.post", ["type": "captcha", "form": "new", "remixstlid": .string(demanded)])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let answer = try await answer(story, .new)
        let resumed = try await story.pasteup("resume", "--success-token", "-", input: answer)
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.posts().count == 1)
    }

    @Test func everyCallMayAskForOne() async throws {
        let story = try Story()
        let methods = ["photos.getWallUploadServer", "photos.saveWallPhoto", "wall.post"]
        try await story.setFaults(
            .array(methods.map { ["on": .string($0), "call": 1, "fault": ["type": "captcha", "form": "old"]] }))
        var said = try await story.pasteup("run", story.workflow)
        for method in methods {
            #expect(said.code == 3, "\(method): \(said.all)")
            let command = try #require(said.errors.rest(after: "Answer with: "))
            said = try await story.pasteup(line: command, by: try await answer(story, .old))
        }
        #expect(said.code == 0, "\(said.all)")
        #expect(try await story.posts().count == 1)
        #expect(try await story.state()["photos"]?.array?.count == 1)
    }

    @Test func laterRunNamesTheOneThatIsPaused() async throws {
        let story = try Story()
        try await story.fault("wall.post", asksFor(.old))
        let first = try await story.pasteup("run", story.workflow)
        let id = try #require(first.errors.rest(after: "run ")?.split(separator: " ").first.map(String.init))
        let second = try await story.pasteup("run", story.workflow)
        #expect(second.code == 0, "\(second.all)")
        #expect(second.errors.contains("is held by run \(id), which is paused. See: pasteup paused"), "\(second.all)")
        #expect(try await story.count("wall.post") == 1)
        #expect(try await story.count("upload") == 1)
    }

    @Test(arguments: [
        (["--success-token", "x"], "no step of run"), (["--approve"], "no step of run"),
        (["--captcha", "x", "--approve"], "'--captcha' and '--approve' do not go together"),
        (["--captcha", "  "], "'--captcha' is empty"), (["--captcha", "x", "--step", "card"], "step 'card' of run"),
        (["--captcha"], "option '--captcha' needs a value"),
    ])
    func answerThatDoesNotFitChangesNothing(options: [String], message: String) async throws {
        let story = try Story()
        try await story.fault("wall.post", asksFor(.old))
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let refused = try await story.runner().run(["resume"] + options)
        #expect(refused.code == 2, "\(refused.all)")
        #expect(refused.errors.hasPrefix("error: " + message), "\(refused.errors)")
        #expect(try await story.count("wall.post") == 1)
        let paused = try await story.pasteup("paused")
        #expect(paused.output.contains("--captcha TEXT"), "\(paused.all)")
    }

    @Test func finishedRunIsNotResumed() async throws {
        let story = try Story()
        #expect(try await story.pasteup("resume").code == 2)
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        let none = try await story.pasteup("resume")
        #expect(none.code == 2)
        #expect(none.errors == "error: no run can go on. See: pasteup list\n")
        let unknown = try await story.pasteup("resume", "zzzz")
        #expect(unknown.code == 2)
        #expect(unknown.errors == "error: there is no run 'zzzz'. See: pasteup list\n")
    }

    /// The file is edited while the run waits; the run goes on with its own copy and says so.
    @Test func runGoesOnWithItsOwnCopyOfTheWorkflow() async throws {
        let story = try Story()
        try await story.fault("wall.post", asksFor(.old))
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        try story.write("photo.yaml", "steps: {}\n")
        let resumed = try await story.pasteup("resume")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(resumed.errors.contains("has changed since run"), "\(resumed.errors)")
        #expect(try await story.posts().first?["text"]?.string == Story.caption)
    }
}
