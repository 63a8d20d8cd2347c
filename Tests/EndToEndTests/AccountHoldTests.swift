import Journal
import TestSupport
import Testing
import Values

/// A question about an account holds what every run writes with it.
@Suite(.programs) struct AccountHoldTests {
    private func posts(_ name: String, _ key: String?, token: String = "VK_TOKEN") -> String {
        """
        name: \(name)
        accounts:
          page: { type: vk, token: "${{ secrets.\(token) }}", base-url: "${{ env.SANDBOX }}", rate: 1000, settle: 20ms }
        steps:
          send:
            uses: vk.wall.post
        \(key.map { "    once: \($0)\n" } ?? "")    with: { message: \(name) }

        """
    }

    private func texts(_ story: Story) async throws -> [String] {
        try await story.posts().compactMap { $0["text"]?.string }
    }

    private func asked(_ story: Story) async throws -> String {
        try await story.fault("wall.post", ["type": "captcha", "form": "old", "answer": "zd5q2"])
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 3, "\(run.all)")
        return try #require(try await story.runs().first?.id)
    }

    @Test func otherWorkflowOfTheAccountWaitsForTheAnswerAndGoesOnWithIt() async throws {
        let story = try Story()
        let other = try story.write("other.yaml", posts("other", "today"))
        let first = try await asked(story)
        let held = try await story.pasteup("run", other)
        #expect(held.code == 3, "\(held.all)")
        #expect(try await story.count("wall.post") == 1, "nothing is sent, and no second question comes up")
        let second = try #require(try await story.runs().first?.id)
        #expect(held.output.isEmpty)
        #expect(
            held.errors.hasSuffix(
                """
                paused: step 'send' waits: run \(first) asks about its account (captcha).
                  Answer that with: pasteup resume \(first) --captcha TEXT
                run \(second) is paused; it goes on by itself when run \(first) has been answered.

                """), "\(held.all)")

        let paused = try await story.pasteup("paused")
        #expect(paused.output.lines.count { $0.contains("Answer with") } == 1, "\(paused.all)")
        #expect(paused.output.contains("  Another run waits for the answer: \(second)\n"), "\(paused.all)")
        let shown = try await story.pasteup("show", second)
        #expect(shown.output.contains("waits for run \(first)"), "\(shown.all)")
        let nothing = try await story.pasteup("resume", "--all")
        #expect(nothing.code == 0, "\(nothing.all)")
        #expect(nothing.errors == "No run is due or interrupted.\n")

        // The one with the question is meant, though two runs are paused.
        let answered = try await story.pasteup("resume", "--captcha", "zd5q2")
        #expect(answered.code == 0, "\(answered.all)")
        #expect(answered.errors.contains("resuming run \(second)"), "\(answered.all)")
        #expect(try await texts(story).count == 2)
        #expect(try await texts(story).last == "other")
        #expect(try await story.runs().map(\.state) == [.succeeded, .succeeded])
    }

    @Test func refusedAnswerLetsNobodyGo() async throws {
        let story = try Story()
        let other = try story.write("other.yaml", posts("other", nil))
        let first = try await asked(story)
        #expect(try await story.pasteup("run", other).code == 3)
        let wrong = try await story.pasteup("resume", first, "--captcha", "nonsense")
        #expect(wrong.code == 3, "\(wrong.all)")
        #expect(!wrong.errors.contains("of other"), "\(wrong.all)")
        #expect(try await story.posts().isEmpty)
    }

    enum GoingOn: String, CaseIterable, Sendable { case all = "resume --all", due = "resume --due", run = "run", named }

    /// The answer came where nobody could go on with the held run: what comes next does.
    @Test(arguments: GoingOn.allCases)
    func heldRunGoesOnWhenTheQuestionIsGone(how: GoingOn) async throws {
        let story = try Story()
        let other = try story.write("other.yaml", posts("other", "today"))
        let first = try await asked(story)
        #expect(try await story.pasteup("run", other).code == 3)
        let second = try #require(try await story.runs().first?.id)
        #expect(try await story.pasteup("cancel", first).code == 0)
        let paused = try await story.pasteup("paused")
        #expect(paused.output.contains("  Go on with: pasteup resume \(second)\n"), "\(paused.all)")
        let words =
            how == .named
            ? ["resume", second] : how == .run ? ["run", other] : how.rawValue.split(separator: " ").map(String.init)
        let next = try await turns.use { try await story.runner().run(words) }
        #expect(next.code == 0, "\(next.all)")
        #expect(try await texts(story) == ["other"])
    }

    /// A later run of the held workflow is told who holds its key, and sends nothing.
    @Test func laterRunOfTheHeldWorkflowPilesUpNothing() async throws {
        let story = try Story()
        let other = try story.write("other.yaml", posts("other", "today"))
        _ = try await asked(story)
        #expect(try await story.pasteup("run", other).code == 3)
        let second = try #require(try await story.runs().first?.id)
        let third = try await story.pasteup("run", other)
        #expect(third.code == 0, "\(third.all)")
        #expect(third.errors.contains("'today' is held by run \(second), which is paused. See: pasteup paused"))
        #expect(try await story.count("wall.post") == 1)
    }

    @Test func otherAccountsAndOtherReadsGoOn() async throws {
        let story = try Story()
        let other = try story.write(
            "read.yaml",
            """
            name: read
            accounts:
              vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}", rate: 1000 }
            steps:
              server: { uses: vk.photos.getWallUploadServer }

            """)
        _ = try await asked(story)
        let run = try await story.pasteup("run", other)
        #expect(run.code == 0, "\(run.all)")
    }

    @Test func jsonNamesTheRunAndTheCommand() async throws {
        let story = try Story()
        let other = try story.write("other.yaml", posts("other", nil))
        let first = try await asked(story)
        let held = try await story.pasteup("run", other, "--json")
        #expect(held.code == 3)
        let events = try held.output.lines.map { try Value(json: $0) }
        let event = try #require(events.first { $0["event"] == "step-held" })
        #expect(event["by-run"] == .string(first))
        #expect(event["by-step"] == "post")
        let expected: Value = [
            ["step": "send", "run": .string(first), "command": .string("pasteup resume \(first) --captcha TEXT")]
        ]
        #expect(events.last?["held"] == expected)
        let second = try #require(try await story.runs().first?.id)
        let paused = try await story.pasteup("paused", "--json")
        #expect(try Value(json: paused.output)["waiting-runs"] == .array([.string(second)]))
        let shown = try Value(json: try await story.pasteup("show", second, "--json").output)
        #expect(shown["steps"]?[0]?["held-by"] == ["run": .string(first), "step": "post"])
    }

    /// A dead token is one question, however many workflows use it.
    @Test func deadTokenIsAskedAboutOnce() async throws {
        let story = try Story()
        let other = try story.write("other.yaml", posts("other", nil))
        try await story.setFaults([["on": "wall.post", "call": "every", "fault": ["type": "vk-error", "code": 5]]])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let first = try #require(try await story.runs().first?.id)
        let held = try await story.pasteup("run", other)
        #expect(held.code == 3)
        #expect(held.errors.contains("run \(first) asks about its account (auth)"), "\(held.all)")
        let paused = try await story.pasteup("paused")
        #expect(paused.output.lines.count { $0.contains("Answer with") } == 1, "\(paused.all)")
    }
}
