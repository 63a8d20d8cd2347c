import Files
import Sandbox
import TestSupport
import Testing
import Values

/// Tokens that are missing, wrong or dead, and where no token may ever appear.
@Suite(.programs) struct TokenTests {
    private struct Known: Sendable {
        let variable: String
        let account: String
        let token: SandboxToken
    }

    private static let all = [
        Known(variable: "INSTAGRAM_TOKEN", account: "insta", token: .instagram),
        Known(variable: "VK_TOKEN", account: "vk", token: .vk),
    ]

    @Test(arguments: [0, 1], [nil, ""])
    func absentTokenIsNamedBeforeAnythingIsSent(index: Int, value: String?) async throws {
        let story = try Story()
        let known = Self.all[index]
        let run = try await story.pasteup("run", story.workflow, changes: [known.variable: value])
        #expect(run.code == 1, "\(run.all)")
        #expect(run.errors.hasPrefix("error: secret '\(known.variable)' is not set. The account '\(known.account)' ("))
        #expect(run.errors.contains("Set the environment variable \(known.variable)"))
        #expect(try await story.counts().isEmpty)
        #expect(try await story.pasteup("list", "--json").output.isEmpty, "no run was made")
    }

    @Test func allAbsentTokensAreNamedAtOnce() async throws {
        let story = try Story()
        let run = try await story.pasteup(
            "run", story.workflow, changes: ["INSTAGRAM_TOKEN": nil, "VK_TOKEN": nil])
        #expect(run.code == 1)
        #expect(run.errors.contains("'INSTAGRAM_TOKEN' and 'VK_TOKEN' are not set"))
    }

    @Test(arguments: [0, 1], ["wrong", "expired"])
    func refusedTokenPausesUntilThereIsAnother(index: Int, how: String) async throws {
        let story = try Story()
        let known = Self.all[index]
        let right = story.sandbox.token(known.token)
        let wrong = "vk1.a.thisTokenWasNeverGivenOut_0123456789"
        if how == "expired" {
            try await story.control("POST", "tokens", ["token": .string(known.token.rawValue), "action": "expire"])
        }
        let given = how == "expired" ? right : wrong
        let run = try await story.pasteup("run", story.workflow, changes: [known.variable: given])
        #expect(run.code == 3, "\(run.all)")
        #expect(run.errors.contains("(auth)"), "\(run.errors)")
        #expect(run.errors.contains("account '\(known.account)'"), "\(run.errors)")
        #expect(run.errors.contains("  Its token is the secret '\(known.variable)'.\n"), "\(run.errors)")
        #expect(!run.all.contains(given))
        try story.expectNowhere(given)
        #expect(try await story.posts().isEmpty)

        var replacement = right
        if how == "expired" {
            let answer = try await story.control(
                "POST", "tokens", ["token": .string(known.token.rawValue), "action": "replace"])
            replacement = try #require(try Value(json: answer.body)["token"]?.string)
        }
        let command = try #require(run.errors.rest(after: "Answer with: "))
        let words = command.split(separator: " ").dropFirst().map(String.init)
        let resumed = try await story.runner([known.variable: replacement]).run(words)
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.posts().count == 1)
        try story.expectNowhere(replacement)
    }

    /// The whole job with a captcha, a failure and doubt on the way; VK repeats the token in an error, as it once did.
    @Test func tokensAppearNowhere() async throws {
        let story = try Story()
        try await story.setFaults([
            ["on": "me/media", "call": 1, "fault": ["type": "cut"]],
            ["on": "cdn", "call": 1, "fault": ["type": "http", "status": 502, "body": "html"]],
            [
                "on": "photos.getWallUploadServer", "call": 1,
                "fault": ["type": "vk-error", "code": 6, "echo-token": true],
            ],
            [
                "on": "photos.getWallUploadServer", "call": 2,
                "fault": ["type": "vk-error", "code": 10, "echo-token": true],
            ],
            ["on": "photos.saveWallPhoto", "call": 1, "fault": ["type": "vk-error", "code": 121, "echo-token": true]],
            ["on": "wall.post", "call": 1, "fault": ["type": "captcha", "form": "new"]],
            ["on": "wall.post", "call": 2, "fault": ["type": "cut", "when": "after"]],
            [
                "on": "wall.post", "call": 3,
                "fault": ["type": "vk-error", "code": 15, "message": "no", "echo-token": true],
            ],
        ])
        var said = try await story.pasteup("run", story.workflow, "--json").all
        let id = try #require(said.rest(after: #""run":""#)?.split(separator: "\"").first.map(String.init))
        for words in [
            ["resume"], ["show", id], ["show", id, "--json"], ["list", "--json"], ["paused", "--json"],
            ["plan", "--fetch", story.workflow], ["plan", "--fetch", "--json", story.workflow],
            ["run", "--ignore-once", story.workflow],
        ] {
            said += try await story.runner().run(words).all
        }
        #expect(try await story.posts().count == 1)
        for token in [story.sandbox.instagramToken, story.sandbox.vkToken] {
            #expect(!said.contains(token))
            // Nor a part that would still be of use.
            #expect(!said.contains(token.dropFirst(8).prefix(40)))
            try story.expectNowhere(token)
        }
        // What works like a key is in no output either.
        for key in ["session_token=", "upload_url", "\"hash\":\"", "remixstlid", "signature=", "oh="] {
            #expect(!said.contains(key), "\(key)")
        }
    }

    @Test func tokenWithALineBreakIsRefusedWithoutShowingIt() async throws {
        let story = try Story()
        let token = "vk1.a.abcdefghijklmnop\nqrstuvwxyz0123456789"
        let run = try await story.pasteup("run", story.workflow, changes: ["VK_TOKEN": token])
        #expect(run.code == 1, "\(run.all)")
        #expect(run.errors.contains("the token of account 'vk' has blanks"))
        #expect(!run.all.contains("abcdefghijklmnop"))
    }

    @Test func secretsFileIsReadOnlyWhenNobodyElseCan() async throws {
        let story = try Story()
        let folder = story.folder.file("config/pasteup")
        try FileSystem.makeFolder(folder)
        let text = "INSTAGRAM_TOKEN: \(story.sandbox.instagramToken)\nVK_TOKEN: \(story.sandbox.vkToken)\n"
        let path = FileSystem.join(folder, "secrets.yaml")
        try FileSystem.write(Array(text.utf8), to: path, mode: 0o644)
        let changes: [String: String?] = [
            "INSTAGRAM_TOKEN": nil, "VK_TOKEN": nil, "XDG_CONFIG_HOME": story.folder.file("config"),
        ]
        let open = try await story.pasteup("run", story.workflow, changes: changes)
        #expect(open.code == 1, "\(open.all)")
        #expect(open.errors.contains("secrets.yaml"), "\(open.errors)")
        try FileSystem.write(Array(text.utf8), to: path, mode: 0o600)
        let closed = try await story.pasteup("run", story.workflow, changes: changes)
        #expect(closed.code == 0, "\(closed.all)")
        try story.expectNowhere(story.sandbox.vkToken)
    }

    @Test func tokensAreNotSentInAddresses() async throws {
        let story = try Story()
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        for call in try await story.state()["calls"]?.array ?? [] {
            let method = call["method"]?.string ?? ""
            if method == "upload" || method == "cdn" {
                #expect(call["credentials"]?.string == "none", "\(method)")
            } else if method.contains(".") {
                #expect(call["http_method"]?.string == "POST", "\(method)")
            }
        }
    }
}

extension Story {
    /// Records a failure when the text is in a name or in the bytes of any file that the program has made.
    func expectNowhere(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let bytes = Array(text.utf8)
        for path in try stateFiles() + files(in: folder.file("runtime")) {
            #expect(!path.contains(text), sourceLocation: sourceLocation)
            #expect(!contains(try FileSystem.read(path), bytes), "in \(path)", sourceLocation: sourceLocation)
        }
    }
}
