import Files
import Sandbox
import TestSupport
import Testing
import Values

/// A person sits at the terminal while the run goes on.
@Suite(.programs, .serialized) struct LiveCaptchaTests {
    private static let old: Value = ["type": "captcha", "form": "old", "answer": "zd5q2"]
    private static let prompt = "leaves it paused): "

    /// A run that paused while nobody was there, on a captcha that stays until it is answered.
    private func paused(_ fault: Value = LiveCaptchaTests.old) async throws -> Story {
        let story = try Story()
        try await story.fault("wall.post", fault, calls: "every")
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 3, "\(run.all)")
        return story
    }

    @Test func wrongTextBringsANewQuestionAndTheRightOneThePost() async throws {
        let story = try await paused()
        let terminal = try story.terminal("resume")
        let first = try await terminal.wait(for: Self.prompt)
        #expect(first.contains("question: VK asks account 'vk' for a captcha in step 'post'.\n"))
        let picture = try #require(first.rest(after: "Picture: "))
        #expect(FileSystem.exists(picture))
        terminal.type("wrong\n")
        let second = try await terminal.wait(for: Self.prompt)
        #expect(second.contains("; 1 of 5 answers was refused.\n"))
        terminal.type(" ZD5Q2 \n")
        #expect(try await terminal.finish() == 0, "\(terminal.transcript)")
        #expect(terminal.transcript.contains("url: https://vk.com/wall743215608_1\n"))
        #expect(try await story.posts().count == 1)
        let counts = try await story.counts()
        #expect(counts["upload"] == 1)
        // Without an answer: for the run, and first of all for the resume; then the two answers.
        #expect(counts["wall.post"] == 4)
    }

    @Test func fiveWrongTextsMakeItWait() async throws {
        let story = try await paused()
        let terminal = try story.terminal("resume")
        for _ in 0..<5 {
            try await terminal.wait(for: Self.prompt)
            terminal.type("wrong\n")
        }
        #expect(try await terminal.finish() == 4, "\(terminal.transcript)")
        #expect(terminal.transcript.contains(": 5 answers were refused\n"))
        #expect(try await story.posts().isEmpty)
        #expect(try await story.count("wall.post") == 7)
    }

    @Test func emptyLineBringsAnotherPictureAndTheEndLeavesItPaused() async throws {
        let story = try await paused()
        let terminal = try story.terminal("resume")
        let first = try await terminal.wait(for: Self.prompt).rest(after: "Picture: ")
        terminal.type("\n")
        let second = try await terminal.wait(for: Self.prompt)
        #expect(second.rest(after: "Picture: ") != first)
        #expect(!second.contains("refused"))
        terminal.type("\u{4}")
        #expect(try await terminal.finish() == 3, "\(terminal.transcript)")
        #expect(try await story.posts().isEmpty)
        let answered = try await story.pasteup("resume", "--captcha", "zd5q2")
        #expect(answered.code == 0, "\(answered.all)")
    }

    @Test func interruptInAQuestionLeavesTheRunResumable() async throws {
        let story = try await paused()
        let terminal = try story.terminal("resume")
        try await terminal.wait(for: Self.prompt)
        terminal.type("\u{3}")
        #expect(try await terminal.finish() == 130, "\(terminal.transcript)")
        try await story.setFaults([])
        let resumed = try await story.pasteup("resume")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.posts().count == 1)
    }

    @Test func firstRunAsksWhenToldTo() async throws {
        let story = try Story()
        try await story.fault("wall.post", Self.old, calls: "every")
        let terminal = try story.terminal("run", story.workflow, "--interactive")
        try await terminal.wait(for: Self.prompt)
        terminal.type("zd5q2\n")
        #expect(try await terminal.finish() == 0, "\(terminal.transcript)")
        #expect(try await story.count("wall.post") == 2)
    }

    @Test func firstRunDoesNotAskByItself() async throws {
        let story = try Story()
        try await story.fault("wall.post", Self.old, calls: "every")
        let terminal = try story.terminal("run", story.workflow)
        #expect(try await terminal.finish() == 3, "\(terminal.transcript)")
    }

    @Test func textComesFromThePage() async throws {
        let story = try await paused()
        let terminal = try story.terminal("resume")
        let page = try await terminal.page(before: Self.prompt)
        #expect(try await page.send("text=zd5q2") == 204)
        #expect(try await terminal.finish() == 0, "\(terminal.transcript)")
        #expect(try await story.posts().count == 1)
    }

    @Test func pageLeavesItForLater() async throws {
        let story = try await paused()
        let terminal = try story.terminal("resume")
        let page = try await terminal.page(before: Self.prompt)
        #expect(try await page.send("later=1") == 204)
        #expect(try await terminal.finish() == 3, "\(terminal.transcript)")
    }

    @Test func tokenIsPastedWhereThereIsNoBrowser() async throws {
        let story = try await paused(["type": "captcha", "form": "new"])
        let terminal = try story.terminal("resume")
        let shown = try await terminal.wait(for: "leave it paused): ")
        #expect(shown.contains("Open this address in a browser: http://127.0.0.1:"))
        #expect(!shown.contains("session_token"), "VK's own address is a key")
        let token = try #require(try await story.state()["captchas"]?.array?.last?["success_token"]?.string)
        terminal.type(token + "\n")
        #expect(try await terminal.finish() == 0, "\(terminal.transcript)")
        #expect(try await story.posts().count == 1)
        try story.expectNowhere(token)
    }

    @Test(.enabled(if: Browser.path != nil, "install chromium to run this"))
    func tokenComesFromVKsPageInTheBrowser() async throws {
        let story = try await paused(["type": "captcha", "form": "new", "auto": true])
        let terminal = try story.terminal("resume")
        let page = try await terminal.page(before: "leave it paused): ")
        let browser = try Browser(page.address)
        #expect(try await terminal.finish() == 0, "\(terminal.transcript)")
        #expect(try await browser.finish().contains("Done, you can close this page"))
        #expect(try await story.posts().count == 1)
    }

    @Test func approvalIsAskedAtTheTerminal() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "vk-error", "code": 24, "message": "Confirmation required"])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let terminal = try story.terminal("resume")
        try await terminal.wait(for: "Go on? y or n")
        #expect(try await story.count("wall.post") == 1, "nothing is sent before the answer")
        terminal.type("what\n")
        try await terminal.wait(for: "Go on? y or n")
        terminal.type("y\n")
        #expect(try await terminal.finish() == 0, "\(terminal.transcript)")
        #expect(try await story.posts().count == 1)
    }
}

/// VK's check of a person (error 17) ends at an address with a new token.
@Suite(.programs) struct ValidationTests {
    private func paused() async throws -> Story {
        let story = try Story()
        try await story.fault("wall.post", ["type": "vk-error", "code": 17, "message": "Validation required"])
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 3, "\(run.all)")
        #expect(run.errors.contains(" --validated\n"), "\(run.errors)")
        return story
    }

    private func address(_ token: String) -> String {
        "https://oauth.vk.com/blank.html#success=1&access_token=\(token)&user_id=743215608\n"
    }

    private func replaceToken(_ story: Story) async throws -> String {
        let answer = try await story.control("POST", "tokens", ["token": "vk", "action": "replace"])
        return try #require(try Value(json: answer.body)["token"]?.string)
    }

    @Test func newTokenTakesTheOldOnesPlaceAndStays() async throws {
        let story = try await paused()
        let old = story.environment["VK_TOKEN"]
        let new = try await replaceToken(story)
        let resumed = try await story.pasteup(
            "resume", "--validated", input: address(new), changes: ["VK_TOKEN": old])
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.posts().count == 1)
        #expect(!resumed.all.contains(new))
        try story.expectNowhere(new)

        let later = try await story.pasteup("run", story.workflow, "--ignore-once", changes: ["VK_TOKEN": old])
        #expect(later.code == 0, "\(later.all)")
        let other = try await story.pasteup(
            "run", story.workflow, "--ignore-once",
            changes: ["VK_TOKEN": "vk1.a.anotherTokenThatTheUserHasSet_0123456789"])
        #expect(other.code == 3, "a token that the user sets counts")
    }

    @Test func failedCheckLeavesItPaused() async throws {
        let story = try await paused()
        let resumed = try await story.pasteup(
            "resume", "--validated", input: "https://oauth.vk.com/blank.html#fail=1\n")
        #expect(resumed.code == 3, "\(resumed.all)")
        #expect(resumed.errors.hasPrefix("error: VK's check was not passed."))
        #expect(try await story.count("wall.post") == 1)
        #expect(try await story.pasteup("paused").output.contains("(validation)"))
    }

    @Test func anotherAddressIsRefused() async throws {
        let story = try await paused()
        let resumed = try await story.pasteup("resume", "--validated", input: "https://vk.com/feed\n")
        #expect(resumed.code == 2, "\(resumed.all)")
        #expect(resumed.errors.contains("this is not the address at which VK's check ends"))
    }

    @Test func addressIsNotShownWhenItIsTyped() async throws {
        let story = try await paused()
        let token = story.sandbox.vkToken
        let terminal = try story.terminal("resume", "--validated")
        try await terminal.wait(for: "The address at which VK's page ended: ")
        terminal.type(address(token))
        #expect(try await terminal.finish() == 0, "\(terminal.transcript)")
        #expect(!terminal.transcript.contains("blank.html"))
        #expect(!terminal.transcript.contains(token))
        #expect(try await story.posts().count == 1)
    }
}

/// A captcha's page that the program serves.
private struct Page {
    let address: String

    /// - Returns: the status.
    func send(_ form: String) async throws -> Int {
        let parts = address.dropFirst("http://127.0.0.1:".count).split(separator: "/")
        return try await rawHTTP(
            port: UInt16(parts[0]) ?? 0, "POST", "/" + parts[1],
            headers: [("Content-Type", "application/x-www-form-urlencoded")], body: Array(form.utf8)
        ).status
    }
}

extension TerminalProgram {
    fileprivate func page(before prompt: String) async throws -> Page {
        let shown = try await wait(for: prompt)
        let start = try #require(shown.firstRange(of: "http://127.0.0.1:")?.lowerBound)
        return Page(address: String(shown[start...].prefix { !$0.isWhitespace }))
    }
}

extension Story {
    /// Runs `pasteup` with these words at a terminal.
    fileprivate func terminal(_ words: String...) throws -> TerminalProgram {
        try TerminalProgram(ProgramRunner.built("pasteup"), words, environment: environment, cap: .seconds(120))
    }
}
