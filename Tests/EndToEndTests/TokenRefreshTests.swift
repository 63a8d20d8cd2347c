import Files
import Journal
import Sandbox
import TestSupport
import Testing
import Values

/// Tokens that are replaced while runs go on, and refreshes whose answer is lost.
@Suite(.programs) struct TokenRefreshTests {
    private static let head = """
        name: refresh
        accounts:
          vk: { type: vk, base-url: "${{ env.SANDBOX }}", settle: 50ms, rate: 1000 }
        defaults:
          timeout: 30s
          retry: { initial: 10ms, max: 50ms }
        steps:

        """

    private func story(_ steps: String) async throws -> Story {
        let story = try Story()
        try story.write("refresh.yaml", Self.head + steps)
        try await story.signInToVKID()
        return story
    }

    private func run(_ story: Story) async throws -> ProgramResult {
        try await story.pasteup("run", story.folder.file("refresh.yaml"), changes: story.signedOut)
    }

    private func record(_ story: Story) throws -> Value { try Value(json: FileSystem.read(story.accountFile("vk"))) }

    /// Another process has refreshed the account in the middle of the run, and VK no longer takes the token before.
    @Test func tokenThatAnotherProcessHasReplacedIsTakenUp() async throws {
        let story = try await story(
            """
              first: { uses: vk.wall-text, with: { message: One } }
              other:
                uses: exec.run
                needs: [first]
                with:
                  command: ["\(ProgramRunner.built("pasteup"))", accounts, refresh, vk]
                  env: { SANDBOX: "${{ env.SANDBOX }}" }
              second: { uses: vk.wall-text, needs: [other], with: { message: Two } }
            """)
        try await story.control("POST", "sign-in", ["ends-old": true])
        let before = try record(story)
        let result = try await run(story)
        #expect(result.code == 0, "\(result.all)")
        #expect(try record(story)["token"] != before["token"])
        #expect(try await story.posts().count == 2)
        #expect(try await story.count("vk-token") == 2, "the code, and one refresh")
        for record in [before, try record(story)] {
            for name in ["token", "refresh-token"] {
                let secret = try #require(record[name]?.string)
                #expect(!result.all.contains(secret))
                try story.expectNowhere(secret)
            }
        }
    }

    /// The token died before its time, or was replaced between the look at it and the call.
    @Test func refusedTokenIsReplacedWithoutAQuestion() async throws {
        let story = try await story("  post: { uses: vk.wall-text, with: { message: One } }\n")
        try await story.fault("wall.post", ["type": "vk-error", "code": 5])
        let result = try await run(story)
        #expect(result.code == 0, "\(result.all)")
        #expect(try await story.posts().count == 1)
        #expect(try await story.count("wall.post") == 2)
        #expect(try await story.count("vk-token") == 2)
    }

    /// One refresh, and no more: then a person is asked.
    @Test func tokenThatIsRefusedForGoodIsAskedAbout() async throws {
        let story = try await story("  post: { uses: vk.wall-text, with: { message: One } }\n")
        try await story.fault("wall.post", ["type": "vk-error", "code": 5], calls: "every")
        let result = try await run(story)
        #expect(result.code == 3, "\(result.all)")
        #expect(result.errors.contains("(auth)"), "\(result.errors)")
        #expect(result.errors.contains("It is the one of a sign-in: get another with 'pasteup login vk'."))
        let paused = try await story.pasteup("paused", changes: story.signedOut)
        #expect(paused.output.contains("get another with 'pasteup login vk'."), "\(paused.output)")
        #expect(try await story.count("wall.post") == 2)
        #expect(try await story.count("vk-token") == 2)
    }

    /// The question is about the account, whichever of its tokens a later run begins with.
    @Test func questionAboutAnAccountHoldsItsNextTokenToo() async throws {
        let story = try await story("  post: { uses: vk.wall-text, with: { message: One } }\n")
        let other = try story.write(
            "other.yaml",
            Self.head.replacing("name: refresh", with: "name: other")
                + "  post: { uses: vk.wall-text, with: { message: Two } }\n")
        try await story.fault("wall.post", ["type": "captcha", "form": "old", "answer": "zd5q2"])
        #expect(try await run(story).code == 3)
        let first = try #require(try await story.runs().first?.id)
        #expect(try await story.pasteup("accounts", "refresh", changes: story.signedOut).code == 0)
        let held = try await story.pasteup("run", other, changes: story.signedOut)
        #expect(held.code == 3, "\(held.all)")
        #expect(held.errors.contains("waits: run \(first) asks about its account (captcha)."), "\(held.all)")
        #expect(try await story.count("wall.post") == 1, "no second question comes up")
        let resumed = try await story.pasteup("resume", first, "--captcha", "zd5q2", changes: story.signedOut)
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.posts().count == 2)
    }

    // MARK: A lost answer

    /// VK has given new tokens, and nobody has them: the old refresh token is void, and showing it again ends the sign-in.
    /// So the token at hand is used to its end, and only then is anything tried.
    @Test func lostAnswerToARefreshCostsNothingBeforeTheEnd() async throws {
        let story = try await story("  post: { uses: vk.wall-text, with: { message: \"${{ run.id }}\" } }\n")
        try story.endToken("vk")
        try await story.fault("vk-token", ["type": "cut", "when": "after"])
        let first = try await run(story)
        #expect(first.code == 0, "\(first.all)")
        #expect(
            first.errors.contains(
                "New tokens may have been given that did not arrive: the refresh token at hand is void"),
            "\(first.errors)")
        #expect(
            first.errors.contains("and is refreshed once more then; if that is refused, sign in anew: pasteup login vk")
        )
        let second = try await run(story)
        #expect(second.code == 0, "\(second.all)")
        let asked = try await story.pasteup("accounts", "refresh", changes: story.signedOut)
        #expect(asked.code == 1, "\(asked.all)")
        #expect(asked.errors.contains("was lost. Its refresh token may be void"), "\(asked.errors)")
        #expect(try await story.posts().count == 2)
        #expect(try await story.count("vk-token") == 2, "the code, and the refresh that was lost")

        try story.endToken("vk", in: .seconds(-60))
        let third = try await run(story)
        #expect(third.code == 3, "\(third.all)")
        #expect(
            third.errors.contains(
                "The answer to an earlier refresh was lost, and a sign-in ends when its refresh token"),
            "\(third.errors)")
        #expect(third.errors.contains("Sign in anew: pasteup login vk"), "\(third.errors)")
        try await story.signInToVKID()
        let run = try #require(try await story.runs().first?.id)
        let resumed = try await story.pasteup("resume", run, changes: story.signedOut)
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.posts().count == 3)
    }

    /// It was only the way there that broke: at the end of the token its refresh token is still good.
    @Test func lostRequestForARefreshIsMadeAgainAtTheEnd() async throws {
        let story = try await story("  post: { uses: vk.wall-text, with: { message: Hello } }\n")
        try story.endToken("vk")
        try await story.fault("vk-token", ["type": "cut", "when": "before"])
        #expect(try await run(story).code == 0)
        try story.endToken("vk", in: .seconds(-60))
        let second = try await run(story)
        #expect(second.code == 0, "\(second.all)")
        #expect(try await story.posts().count == 2)
        #expect(try record(story)["asked"] == nil)
    }

    /// The process dies when the answer is there and nothing is kept of it.
    @Test func deathBeforeTheNewTokensAreKeptIsKnownAfterwards() async throws {
        let story = try await story("  post: { uses: vk.wall-text, with: { message: Hello } }\n")
        let before = try record(story)
        var program = story.runner(story.signedOut)
        program.path = ProgramRunner.built("pasteup-faulty")
        program.environment["FAULT"] = "request 1 after kill"
        program.environment["FAULT_MARK"] = story.folder.file("struck")
        let killed = try await program.run(["accounts", "refresh", "vk"])
        #expect(killed.signal != nil, "\(killed.all)")
        let after = try record(story)
        #expect(after["token"] == before["token"] && after["asked"] != nil)
        let again = try await story.pasteup("accounts", "refresh", changes: story.signedOut)
        #expect(again.code == 1, "\(again.all)")
        #expect(again.errors.contains("or sign in anew: pasteup login vk"), "\(again.errors)")
        #expect(try await run(story).code == 0, "the token at hand is still good")
        #expect(try await story.count("vk-token") == 2)
    }

    /// Refused before anything was done, or never sent: the refresh token is as good as before.
    @Test(arguments: [
        Value.object(["type": "text", "body": #"{"error":"temporarily_unavailable","error_description":"later"}"#])
    ])
    func refreshThatWasNotCarriedOutIsNoDoubt(fault: Value) async throws {
        let story = try await story("  post: { uses: vk.wall-text, with: { message: Hello } }\n")
        try await story.fault("vk-token", fault)
        let refused = try await story.pasteup("accounts", "refresh", changes: story.signedOut)
        #expect(refused.code == 1, "\(refused.all)")
        #expect(!refused.errors.contains("void"), "\(refused.errors)")
        let again = try await story.pasteup("accounts", "refresh", changes: story.signedOut)
        #expect(again.code == 0, "\(again.all)")
    }
}
