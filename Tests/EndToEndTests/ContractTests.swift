import Files
import Glibc
import Sandbox
import TestSupport
import Testing
import Values

/// A client of VK's that others have written (vk_api, from PyPI), unmodified but for its host, against the stand-in: what it
/// sends is taken, what it is answered it understands. And what pasteup sends for the same job is the same, parameter by
/// parameter, but for the differences that are named here.
@Suite(
    .programs, .enabled("vk_api is not installed, and PyPI does not answer") { await ContractClient.shared.isReady() })
struct ContractTests {
    private func story() throws -> Story {
        let story = try WallPhotoKillTests.story()
        try story.write("menu.pdf", "%PDF-1.7 menu")
        return story
    }

    private func client(_ job: String, _ story: Story, _ variables: [String: String] = [:]) async throws -> Value {
        let result = try await ContractClient.shared.run(job, story, variables)
        try #require(result.code == 0, "\(result.all)")
        return try Value(json: Array(result.output.utf8))
    }

    /// The calls since the start, each with its parameters; the address of an upload is of no account.
    private func calls(_ story: Story) async throws -> [(method: String, parameters: ValueObject)] {
        try await story.state()["calls"]?.array?.map { call in
            (call["method"]?.string ?? "", call["parameters"]?.object ?? [:])
        } ?? []
    }

    @Test func wallPhotoIsSentAsTheOtherClientSendsIt() async throws {
        let story = try story()
        #expect(try await client("wall-photo", story) == ["post_id": 1])
        let theirs = try await calls(story)
        let theirPost = try #require(try await story.posts().first)
        try await story.startOver()

        try story.write(
            "wall-photo.yaml",
            VKStepTests.head + """
                  post:
                    uses: vk.wall-photo
                    with:
                      owner_id: -226100401
                      message: "Суп & хлеб = 100% ☕️\\nвторая строка"
                      photo: one.jpg
                      caption: Суп
                      link: https://example.org/menu
                      verify: false
                """)
        let run = try await story.pasteup("run", story.folder.file("wall-photo.yaml"))
        #expect(run.code == 0, "\(run.all)")
        let ours = try await calls(story)
        let ourPost = try #require(try await story.posts().first)

        #expect(ours.map(\.method) == theirs.map(\.method))
        for (one, other) in zip(ours, theirs) {
            var (one, other) = (one, other)
            switch one.method {
            // Each address has hashes of its own. The other client calls the file `file0`, as VK takes it, too.
            case "upload":
                one.parameters = ValueObject(one.parameters.map { ($0.key == "photo" ? "file" : $0.key, .null) })
                other.parameters = ValueObject(other.parameters.map { ($0.key == "file0" ? "file" : $0.key, .null) })
            // The other client gives the caption here as well, where VK has no such parameter.
            case "photos.getWallUploadServer": other.parameters["caption"] = nil
            // What the upload server has drawn at random.
            case "photos.saveWallPhoto":
                for name in ["server", "photo", "hash"] {
                    #expect(one.parameters[name]?.string?.isEmpty == false)
                    (one.parameters[name], other.parameters[name]) = (nil, nil)
                }
            // Only pasteup says which post it is, so that VK drops a repeat.
            case "wall.post":
                #expect(one.parameters["guid"] != nil)
                one.parameters["guid"] = nil
                for call in [one, other] {
                    let parts = call.parameters["attachments"]?.string?.split(separator: ",")
                    #expect(parts?.count == 2 && parts?[0].hasPrefix("photo743215608_") == true)
                }
                (one.parameters["attachments"], other.parameters["attachments"]) = (nil, nil)
            default: break
            }
            // The other client puts the token among the parameters, pasteup into a header.
            other.parameters["access_token"] = nil
            #expect(one.parameters == other.parameters, "\(one.method)")
        }
        for name in ["text", "owner_id", "from_id"] { #expect(ourPost[name] == theirPost[name], "\(name)") }
        #expect(ourPost["attachments"]?.array?.count == theirPost["attachments"]?.array?.count)
    }

    /// The calls of `wall.post`, each with its answer to a captcha.
    private func answers(_ story: Story) async throws -> [[String]] {
        let names = ["captcha_sid", "captcha_key", "captcha_ts", "captcha_attempt", "success_token", "remixstlid"]
        return try await calls(story).filter { $0.method == "wall.post" }.map { call in
            names.filter { call.parameters[$0] != nil }
        }
    }

    /// The classic form: the other client's handler loads the picture once and sends the call again with its text; after a
    /// wrong one it is asked anew. What pasteup sends has the same text and id, and VK's own two members beside them.
    @Test func pictureIsAnsweredAsTheOtherClientAnswersIt() async throws {
        let story = try story()
        try await story.fault("wall.post", ["type": "captcha", "form": "old", "answer": "zx8mq"])
        #expect(try await client("captcha", story, ["TEXTS": "wrong zx8mq"]) == ["post_id": 1])
        #expect(try await story.count("captcha") == 2, "each picture is loaded once")
        #expect(try await answers(story) == [[], ["captcha_sid", "captcha_key"], ["captcha_sid", "captcha_key"]])
        try await story.startOver()

        try story.write("hello.yaml", VKStepTests.head + "  post: { uses: vk.wall.post, with: { message: Hello } }\n")
        try await story.fault("wall.post", ["type": "captcha", "form": "old", "answer": "zx8mq"])
        let run = try await story.pasteup("run", story.folder.file("hello.yaml"))
        #expect(run.code == 3, "\(run.all)")
        let resumed = try await story.pasteup("resume", "--captcha", "zx8mq")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.count("captcha") == 1)
        #expect(
            try await answers(story) == [[], ["captcha_sid", "captcha_key", "captcha_ts", "captcha_attempt"]])
    }

    /// The present form, as VK sends it with the classic members beside it: the other client passes the page's token on, and
    /// nothing of `remixstlid`.
    @Test func pageIsAnsweredByItsToken() async throws {
        let story = try story()
        try await story.fault("wall.post", ["type": "captcha", "form": "both"])
        #expect(try await client("captcha", story) == ["post_id": 1])
        #expect(try await answers(story) == [[], ["success_token"]])
    }

    /// The present form alone stops the other client: it reads `captcha_sid`, which is not there. pasteup goes on.
    @Test func pageAloneIsBeyondTheOtherClient() async throws {
        let story = try story()
        try await story.fault("wall.post", ["type": "captcha", "form": "new"])
        #expect(try await client("captcha", story) == ["missing": "captcha_sid"])
        try await story.startOver()

        try story.write("hello.yaml", VKStepTests.head + "  post: { uses: vk.wall.post, with: { message: Hello } }\n")
        try await story.fault("wall.post", ["type": "captcha", "form": "new"])
        #expect(try await story.pasteup("run", story.folder.file("hello.yaml")).code == 3)
        let token = try #require(try await story.state()["captchas"]?[0]?["success_token"]?.string)
        let resumed = try await story.pasteup("resume", "--success-token", "-", input: token)
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await answers(story) == [[], ["success_token", "remixstlid"]])
        #expect(try await story.posts().count == 1)
    }

    @Test func documentHangsOnThePost() async throws {
        let story = try story()
        #expect(try await client("document", story) == ["post_id": 1])
        #expect(try await story.posts()[0]["attachments"]?[0]?.string?.hasPrefix("doc-226100401_") == true)
    }

    @Test func albumTakesTwoPhotosAtOnce() async throws {
        let story = try story()
        try story.write(
            "album.yaml",
            VKStepTests.head + "  album: { uses: vk.photos.createAlbum, with: { title: A, group_id: 226100401 } }\n"
                + "outputs: { id: \"${{ steps.album.outputs.id }}\" }\n")
        let made = try await story.pasteup("run", story.folder.file("album.yaml"))
        let album = try #require(made.output.rest(after: "id: "))
        let photos = try await client("album", story, ["ALBUM": album])
        #expect(photos.array?.count == 2)
        #expect(photos[0]?["album_id"]?.integer == Int64(album))
    }

    @Test func storyIsSaved() async throws {
        let story = try story()
        #expect(try await client("story", story)["items"]?[0]?["owner_id"] == -226_100_401)
    }

    @Test func errorsHaveTheirCodes() async throws {
        #expect(try await client("errors", try story()) == [3, 100, 104])
    }

    @Test func executeGivesEachCallItsAnswer() async throws {
        #expect(try await client("execute", try story()) == [true, 104])
    }
}

/// vk_api: that of the Python which `PASTEUP_VK_API` names, else in a virtual environment below `.build`, made when it is
/// first wanted.
actor ContractClient {
    static let shared = ContractClient()

    private static let package = "vk_api==11.10.1"
    private let folder = FileSystem.join(FileSystem.folder(of: #filePath), "../../.build/contract-client")
    private var isMade: Bool?

    private nonisolated var python: String {
        getenv("PASTEUP_VK_API").map { String(cString: $0) } ?? FileSystem.join(folder, "bin/python")
    }

    /// Whether it can be used. A Python that was named is used whatever it has: then the tests tell.
    func isReady() async -> Bool {
        if getenv("PASTEUP_VK_API") != nil { return true }
        if isMade == nil { isMade = await make() }
        return isMade == true
    }

    private func make() async -> Bool {
        if await imports() { return true }
        guard let made = try? await program("/usr/bin/python3").run(["-m", "venv", "--clear", folder]), made.code == 0
        else { return false }
        let pip = program(folder + "/bin/pip")
        let words = [
            "install", "--quiet", "--disable-pip-version-check", "--timeout", "20", "--retries", "1", Self.package,
        ]
        guard let installed = try? await pip.run(words), installed.code == 0 else { return false }
        return await imports()
    }

    private func imports() async -> Bool {
        guard FileSystem.exists(python) else { return false }
        return (try? await program(python).run(["-c", "import vk_api"]))?.code == 0
    }

    /// With what pip may need to reach its index.
    private nonisolated func program(_ path: String) -> ProgramRunner {
        var variables: [String: String] = [:]
        let names = [
            "HOME", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy", "PIP_INDEX_URL",
            "PIP_EXTRA_INDEX_URL", "PIP_CERT", "PIP_TRUSTED_HOST", "PIP_CONFIG_FILE", "SSL_CERT_FILE",
            "REQUESTS_CA_BUNDLE",
        ]
        for name in names { if let value = getenv(name) { variables[name] = String(cString: value) } }
        return ProgramRunner(path, environment: variables)
    }

    /// Does a job of `Contract/vk_client.py` at the story's stand-in.
    nonisolated func run(_ job: String, _ story: Story, _ variables: [String: String]) async throws -> ProgramResult {
        var runner = ProgramRunner(python)
        runner.environment = ["VK_TOKEN": story.sandbox.vkToken, "NO_PROXY": "127.0.0.1"].merging(variables) { $1 }
        let script = FileSystem.join(FileSystem.folder(of: #filePath), "Contract/vk_client.py")
        return try await runner.run([script, story.sandbox.baseURL, job, story.folder.path])
    }
}
