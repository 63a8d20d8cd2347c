import Files
import Hashing
import Sandbox
import StoryCard
import TestSupport
import Testing
import Values

/// The newest Instagram photo, as a card, on a VK wall.
@Suite(.programs) struct MainJobTests {
    @Test func postsTheCardOnceWithTheCaptionByteForByte() async throws {
        let story = try Story(caption: "an older one", size: "1080x1920")
        let media = try await story.control(
            "POST", "media", ["caption": .string(Story.caption), "scene": "mountains", "square": true])
        let id = try #require(try Value(json: media.body)["id"]?.string)
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output == "url: https://vk.com/wall743215608_1\n")
        #expect(run.errors.hasSuffix(" succeeded: 6 steps.\n"), "\(run.errors)")

        let state = try await story.state()
        let posts = try #require(state["posts"]?.array)
        #expect(posts.count == 1)
        let text = try #require(posts.first?["text"]?.string)
        #expect(Array(text.utf8) == Array(Story.caption.utf8))
        let attachments = try #require(posts.first?["attachments"]?.array)
        #expect(attachments.count == 1)
        #expect(attachments.first == state["photos"]?[0]?["attachment"])

        let photo = try await story.photo(try #require(attachments.first?.string))
        let header = try readImageHeader(photo)
        #expect(header.format == .jpeg)
        #expect(header.width == 1080)
        #expect(header.height == 1920)
        let card = try #require(try story.stateFiles().first { $0.contains("/artifacts/card-") })
        #expect(SHA256.hex(photo) == SHA256.hex(try FileSystem.read(card)))
        #expect(try story.stateFiles().contains { $0.hasSuffix("/\(id).jpg") }, "the newest one was taken")
    }

    @Test func secondRunOnlyReadsAndSaysSo() async throws {
        let story = try Story()
        let first = try await story.pasteup("run", story.workflow)
        #expect(first.code == 0, "\(first.all)")
        let before = try await story.counts()
        let second = try await story.pasteup("run", story.workflow)
        #expect(second.code == 0, "\(second.all)")
        #expect(second.output.isEmpty)
        #expect(
            second.errors.lines.last?.hasSuffix("nothing to do, 'own/\(Story.mediaID)' was posted already.") == true)
        var after = try await story.counts()
        for (name, number) in before { after[name] = .integer((after[name]?.integer ?? 0) - (number.integer ?? 0)) }
        #expect(Set(after.filter { $0.value != 0 }.map(\.key)).subtracting(["cdn"]) == ["me/media"])
        #expect(after["me/media"] == 1)
        #expect(try story.stateFiles().count { $0.contains("/artifacts/card-") } == 1, "one card was composed")
    }

    @Test func newPhotoIsPostedBesideTheFormer() async throws {
        let story = try Story()
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        try await story.control("POST", "media", ["caption": "the next", "scene": "mountains", "square": true])
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().map { $0["text"]?.string } == [Story.caption, "the next"])
    }

    @Test func postsOnTheCommunitysWall() async throws {
        let story = try Story()
        let run = try await story.pasteup(
            "run", story.workflow, "-i", "wall=-226100401", "--input=link=https://kafe.example/?a=1&b=2")
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output == "url: https://vk.com/wall-226100401_1\n")
        let post = try #require(try await story.posts().first)
        #expect(post["owner_id"]?.integer == -226_100_401)
        #expect(post["from_id"]?.integer == -226_100_401)
        #expect(post["attachments"]?[1]?.string == "https://kafe.example/?a=1&b=2")
        #expect(try await story.state()["photos"]?[0]?["group_id"]?.integer == 226_100_401)
    }

    @Test func photoWithoutCaptionIsPostedWithoutText() async throws {
        let story = try Story(caption: nil)
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 0, "\(run.all)")
        #expect(try await story.posts().first?["text"]?.string == "")
    }

    @Test func accountWithoutPhotosIsNothingToDo() async throws {
        let story = try Story { $0.media = [] }
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output.isEmpty)
        #expect(run.errors.lines.last?.hasSuffix(": nothing to do.") == true, "\(run.errors)")
        #expect(try await story.counts().map(\.key) == ["me/media"])
    }

    @Test func quietRunPrintsTheResultAlone() async throws {
        let story = try Story()
        let run = try await story.pasteup("run", "--quiet", story.workflow)
        #expect(run.code == 0)
        #expect(run.output == "url: https://vk.com/wall743215608_1\n")
        #expect(run.errors.isEmpty, "\(run.errors)")
    }

    /// The reader of the pipe takes one byte and leaves, as `head -c1` does.
    @Test func closedPipeDoesNotStopThePost() async throws {
        let story = try Story()
        var shell = story.runner()
        shell.path = "/bin/sh"
        let program = ProgramRunner.built("pasteup")
        let run = try await shell.run([
            "-c", "{ \(program) run photo.yaml --json 2>/dev/null; echo $? >code; } | head -c1; cat code",
        ])
        #expect(run.output == "{0\n", "\(run.all)")
        #expect(try await story.posts().count == 1)
    }

    @Test func fixtureIsTheWorkflowThatIsHandedOut() throws {
        func steps(_ text: String) -> Substring { text.split(separator: "\nsteps:\n").last ?? "" }
        let handedOut = String(decoding: try FileSystem.read(inSource("workflows/instagram-to-vk.yaml")), as: UTF8.self)
        #expect(steps(handedOut) == steps(try Story.fixture("instagram-to-vk.yaml")))
    }
}

/// The path of a file of the package.
func inSource(_ path: String) -> String {
    FileSystem.join(FileSystem.folder(of: FileSystem.folder(of: FileSystem.folder(of: #filePath))), path)
}
