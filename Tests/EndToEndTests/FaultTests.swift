import Sandbox
import TestSupport
import Testing
import Values

/// The network and the services at their worst.
@Suite(.programs) struct FaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let on: String
        let fault: Value
        var calls: Value = 1
        /// How often the method is called in the end.
        var count: Int64 = 2
        /// How many photos are saved on VK in the end; that of the post is the last.
        var photos = 1

        var testDescription: String { "\(on) \(fault.json()) \(calls.json())" }
    }

    private static func cut(_ moment: String, _ how: String) -> Value {
        ["type": "cut", "when": .string(moment), "how": .string(how)]
    }
    private static let badGateway: Value = ["type": "http", "status": 502, "body": "html"]
    private static let tooMany: Value = ["type": "vk-error", "code": 6]
    private static let reads = ["me/media", "cdn", "photos.getWallUploadServer", "upload"]
    private static let methods = ["photos.getWallUploadServer", "photos.saveWallPhoto", "wall.post"]

    /// Faults that come before anything has happened, and go away.
    static let passing: [Case] =
        methods.map { Case(on: $0, fault: tooMany, calls: [1, 2], count: 3) }
        + reads.map { Case(on: $0, fault: badGateway) }
        + reads.flatMap { on in ["reset", "close"].map { Case(on: on, fault: cut("before", $0)) } } + [
            Case(on: "upload", fault: ["type": "empty-upload"], calls: [1, 2], count: 3),
            Case(on: "upload", fault: ["type": "truncate", "bytes": 20]),
            Case(on: "me/media", fault: ["type": "truncate", "bytes": 100]),
            Case(on: "cdn", fault: ["type": "truncate", "bytes": 5000]),
            Case(on: "photos.getWallUploadServer", fault: ["type": "text", "body": "<html>hello</html>"]),
            Case(on: "me/media", fault: ["type": "instagram-error", "code": 2, "status": 500]),
        ]

    @Test(arguments: passing)
    func passingFaultEndsInOnePost(test: Case) async throws {
        try await expectOnePost(test, Story())
    }

    /// What happened to a `saveWallPhoto` cannot be seen: the upload is made anew, and its photo alone is posted.
    @Test(arguments: [
        Case(on: "photos.saveWallPhoto", fault: badGateway),
        Case(on: "photos.saveWallPhoto", fault: cut("before", "reset")),
        Case(on: "photos.saveWallPhoto", fault: cut("before", "close")),
        Case(on: "photos.saveWallPhoto", fault: cut("after", "reset"), photos: 2),
        Case(on: "photos.saveWallPhoto", fault: cut("after", "close"), photos: 2),
        Case(on: "photos.saveWallPhoto", fault: ["type": "truncate", "bytes": 10], photos: 2),
    ])
    func savingInDoubtUploadsAgain(test: Case) async throws {
        let story = try Story()
        try await expectOnePost(test, story)
        #expect(try await story.count("upload") == 2)
    }

    /// A post of which nobody knows whether it happened, and did not: it is sent again once the wall has shown that.
    @Test(arguments: [
        Case(on: "wall.post", fault: badGateway), Case(on: "wall.post", fault: cut("before", "reset")),
        Case(on: "wall.post", fault: cut("before", "close")),
        Case(on: "wall.post", fault: ["type": "vk-error", "code": 10]),
        Case(on: "wall.post", fault: ["type": "text", "body": "what?"]),
    ])
    func postThatDidNotHappenIsSentAgainAfterTwoLooks(test: Case) async throws {
        let story = try Story(timeout: "2s")
        try await expectOnePost(test, story)
        let calls = try await story.state()["calls"]?.array?.compactMap { $0["method"]?.string } ?? []
        let between = calls.split(separator: "wall.post", omittingEmptySubsequences: false)
        #expect(between.count == 3)
        #expect(between[1].count { $0 == "wall.get" } >= 2, "\(calls)")
    }

    /// A post that happened while its answer was lost: it is found on the wall, and never sent again.
    @Test(
        arguments: [
            Case(on: "wall.post", fault: cut("after", "reset"), count: 1),
            Case(on: "wall.post", fault: cut("after", "close"), count: 1),
            Case(on: "wall.post", fault: ["type": "http", "status": 504, "when": "after"], count: 1),
            Case(on: "wall.post", fault: ["type": "truncate", "bytes": 5], count: 1),
            Case(on: "wall.post", fault: ["type": "text", "body": "", "when": "after"], count: 1),
            Case(on: "wall.post", fault: ["type": "vk-error", "code": 1, "when": "after"], count: 1),
        ], [false, true])
    func postThatHappenedIsFoundOnTheWall(test: Case, ignoresGuid: Bool) async throws {
        let story = try Story { $0.ignoreGuid = ignoresGuid }
        let run = try await expectOnePost(test, story)
        #expect(run.errors.contains("post    in doubt: looking whether it happened"), "\(run.errors)")
    }

    /// VK stores texts otherwise than they were sent: the post is found all the same.
    @Test func postIsFoundWhenItsTextWasChanged() async throws {
        let story = try Story(caption: "  Кофе &amp; чай\r\nи пирог  ") { $0.normalizeText = true }
        try await story.fault("wall.post", ["type": "cut", "when": "after"])
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 0, "\(run.all)")
        #expect(try await story.posts().count == 1)
        #expect(try await story.count("wall.post") == 1)
    }

    /// The wall cannot be read either: nothing is proved, so nothing is sent, and a person is asked.
    @Test func doubtThatCannotBeSettledAsksAPerson() async throws {
        let story = try Story(timeout: "2s")
        try await story.setFaults([
            ["on": "wall.post", "call": 1, "fault": ["type": "cut", "when": "after"]],
            ["on": "wall.get", "call": "every", "fault": ["type": "vk-error", "code": 15]],
        ])
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 3, "\(run.all)")
        #expect(run.errors.contains("(in-doubt)"))
        #expect(run.errors.contains("--posted ID  or: pasteup resume "))
        #expect(try await story.count("wall.post") == 1)
        let nonsense = try await story.pasteup("resume", "--posted", "nonsense")
        #expect(nonsense.code == 2, "\(nonsense.all)")
        #expect(nonsense.errors.contains("'nonsense' cannot be what step 'post' has made"), "\(nonsense.all)")
        #expect(try await story.pasteup("paused").output.contains("--posted ID"), "it is as it was")
        let again = try await story.pasteup("resume")
        #expect(again.code == 3, "without an answer it only looks again: \(again.all)")
        #expect(try await story.count("wall.post") == 1)
        let resumed = try await story.pasteup("resume", "--posted", "wall743215608_1")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(resumed.output == "url: https://vk.com/wall743215608_1\n")
        #expect(try await story.posts().count == 1)
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().count == 1, "the key is known as posted")
    }

    @Test func faultsOfEveryCallAtOnceStillEndInOnePost() async throws {
        let story = try Story(timeout: "2s")
        let all: [Value] = [
            "me/media", "cdn", "photos.getWallUploadServer", "upload", "photos.saveWallPhoto", "wall.post",
        ]
        try await story.setFaults(
            .array(all.map { ["on": $0, "call": 1, "fault": ["type": "cut", "when": "after", "how": "close"]] }))
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 0, "\(run.all)")
        let post = try await story.posts()
        #expect(post.count == 1)
        #expect(post.first?["attachments"]?.array?.count == 1)
    }

    @Test func faultThatStaysFailsWithTheReasonAndTheNextCommand() async throws {
        let story = try Story()
        try await story.fault("photos.getWallUploadServer", ["type": "http", "status": 503], calls: "every")
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 1, "\(run.all)")
        #expect(try await story.count("photos.getWallUploadServer") == 5)
        #expect(
            run.errors.contains(
                "error: step 'server', after 5 attempts: VK's photos.getWallUploadServer was answered with HTTP 503."),
            "\(run.errors)")
        #expect(run.errors.lines.last?.contains("Run them again with: pasteup retry ") == true)
        // The key was released: the next hour's run posts.
        try await story.control("DELETE", "faults")
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().count == 1)
    }

    @Test(arguments: [
        (7, "wall.post"), (15, "photos.getWallUploadServer"), (27, "photos.saveWallPhoto"), (214, "wall.post"),
    ])
    func missingRightFailsAtOnce(code: Int64, method: String) async throws {
        let story = try Story()
        try await story.fault(method, ["type": "vk-error", "code": .integer(code)], calls: "every")
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 1, "\(run.all)")
        #expect(run.errors.contains("VK answered \(code) ("), "\(run.errors)")
        #expect(try await story.count(method) == 1)
        #expect(try await story.posts().isEmpty)
    }

    @discardableResult
    private func expectOnePost(_ test: Case, _ story: Story) async throws -> ProgramResult {
        try await story.fault(test.on, test.fault, calls: test.calls)
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output.hasPrefix("url: https://vk.com/wall743215608_"), "\(run.all)")
        let state = try await story.state()
        let posts = state["posts"]?.array ?? []
        #expect(posts.count == 1)
        #expect(posts.first?["text"]?.string == Story.caption)
        let photos = state["photos"]?.array ?? []
        #expect(photos.count == test.photos)
        #expect(posts.first?["attachments"]?.array?.count == 1)
        #expect(posts.first?["attachments"]?[0] == photos.last?["attachment"])
        #expect(state["counts"]?[test.on]?.integer == test.count)
        return run
    }
}
