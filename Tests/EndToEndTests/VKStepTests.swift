import Files
import Journal
import Sandbox
import TestSupport
import Testing
import Values

/// VK's other steps, from a workflow to what stands on VK.
@Suite(.programs) struct VKStepTests {
    static let head = """
        name: vk
        accounts:
          vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}", settle: 50ms, rate: 1000 }
        defaults:
          timeout: 30s
          retry: { initial: 10ms, max: 50ms }
        steps:

        """

    private func story(_ steps: String, _ change: (inout SandboxConfiguration) -> Void = { _ in }) throws -> Story {
        let story = try Story(change)
        for (name, source) in [("one.jpg", "baseline.jpg"), ("two.png", "alpha.png")] {
            let path = FileSystem.join(FileSystem.folder(of: #filePath), "../StoryCardTests/Fixtures/\(source)")
            try FileSystem.write(try FileSystem.read(path), to: story.folder.file(name))
        }
        try story.write("menu.pdf", "%PDF-1.7 menu")
        try story.write("vk.yaml", Self.head + steps)
        return story
    }

    private func run(_ story: Story, _ words: String..., changes: [String: String?] = [:]) async throws -> ProgramResult
    {
        try await story.runner(changes).run(["run", story.folder.file("vk.yaml")] + words)
    }

    @Test func everyStepOfVKDoesItsWork() async throws {
        let story = try story(
            """
              post:
                uses: vk.wall-photo
                with: { owner_id: -226100401, message: Soup, photos: [one.jpg, two.png], caption: Today }
              menu:
                uses: vk.document
                with: { file: menu.pdf, title: Menu, group_id: 226100401 }
              later:
                uses: vk.wall-text
                with: { owner_id: -226100401, message: Later, link: "https://example.org", publish_date: "\((Timestamp.now + .seconds(86_400)).iso8601)" }
              comment:
                uses: vk.wall.createComment
                with: { owner_id: -226100401, post_id: "${{ steps.post.outputs.post_id }}", message: Until 22, from_group: 226100401 }
              edit:
                uses: vk.wall.edit
                with:
                  owner_id: -226100401
                  post_id: ${{ steps.post.outputs.post_id }}
                  message: Soup and bread
                  attachments: ["${{ steps.post.outputs.attachment }}", "${{ steps.menu.outputs.attachment }}"]
              pin:
                uses: vk.wall.pin
                needs: [edit]
                with: { owner_id: -226100401, post_id: "${{ steps.post.outputs.post_id }}" }
              story:
                uses: vk.story
                with: { photo: one.jpg, group_id: 226100401, link_text: open, link_url: "https://vk.com/club226100401" }
              album:
                uses: vk.photos.createAlbum
                with: { title: Soups, group_id: 226100401 }
              photos:
                uses: vk.album-photos
                with: { album_id: "${{ steps.album.outputs.id }}", group_id: 226100401, photos: [one.jpg, two.png, one.jpg, two.png, one.jpg, two.png] }
              gone:
                uses: vk.wall.delete
                with: { owner_id: -226100401, post_id: "${{ steps.later.outputs.post_id }}" }
              time: { uses: vk.utils.getServerTime }
            outputs:
              post: ${{ steps.post.outputs.url }}
              comment: ${{ steps.comment.outputs.url }}
              story: ${{ steps.story.outputs.url }}
              photos: ${{ join(steps.photos.outputs.attachments) }}
            """)
        let result = try await run(story)
        #expect(result.code == 0, "\(result.all)")
        let state = try await story.state()
        let post = try #require(state["posts"]?[0])
        #expect(state["posts"]?.array?.count == 1, "the scheduled one was deleted")
        #expect(post["text"] == "Soup and bread")
        #expect(post["from_id"] == -226_100_401)
        #expect(post["attachments"]?.array?.count == 2)
        #expect(post["attachments"]?[1]?.string?.hasPrefix("doc-226100401_") == true)
        #expect(result.output.contains("post: https://vk.com/wall-226100401_1\n"))
        #expect(result.output.contains("comment: https://vk.com/wall-226100401_1?reply="))
        #expect(result.output.contains("story: https://vk.com/story-226100401_"))
        #expect(result.output.rest(after: "photos: ")?.split(separator: ",").count == 6)
        // Six photos are two uploads: VK takes five at once.
        #expect(try await story.count("photos.save") == 2)
        #expect(try await story.count("wall.getById") == 1)
    }

    @Test(arguments: ["cut", "hang"])
    func commentWhoseAnswerIsLostIsFound(how: String) async throws {
        let story = try story(
            """
              post: { uses: vk.wall-text, with: { message: Hello } }
              comment:
                uses: vk.wall.createComment
                timeout: 5s
                with: { post_id: "${{ steps.post.outputs.post_id }}", message: Until 22 & later }
            """
        ) { $0.ignoreGuid = true }
        try await story.fault("wall.createComment", ["type": .string(how), "when": "after"])
        let result = try await run(story)
        #expect(result.code == 0, "\(result.all)")
        #expect(try await story.count("wall.createComment") == 1)
    }

    /// Stories cannot be told apart: a person is asked, and says so.
    @Test func storyWhoseAnswerIsLostIsAskedAbout() async throws {
        let story = try story("  story: { uses: vk.story, timeout: 5s, with: { photo: one.jpg } }\n")
        try await story.fault("stories.save", ["type": "cut", "when": "after"])
        let result = try await run(story)
        #expect(result.code == 3, "\(result.all)")
        #expect(result.errors.contains("https://vk.com/story743215608_"), "\(result.errors)")
        let id = try #require(result.errors.rest(after: "https://vk.com/story743215608_")?.prefix { $0.isNumber })
        let run = try #require(try await story.runs().first?.id)
        let resumed = try await story.pasteup("resume", run, "--posted", String(id))
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.count("stories.save") == 1)
    }

    private static let album = """
          album: { uses: vk.photos.createAlbum, with: { title: Soups } }
          photos:
            uses: vk.album-photos
            timeout: 5s
            with: { album_id: "${{ steps.album.outputs.id }}", photos: [one.jpg, one.jpg, one.jpg, one.jpg, one.jpg, two.png] }
        outputs:
          photos: ${{ join(steps.photos.outputs.attachments) }}

        """

    /// The answers to the question are shown, and each does what it says: the other batch is neither lost nor doubled.
    @Test(arguments: [1, 2], ["--posted", "--resend"])
    func anyBatchOfAnAlbumInDoubtCanBeSettled(batch: Int, answer: String) async throws {
        let story = try story(Self.album)
        try await story.fault("photos.save", ["type": "cut", "when": "after"], calls: .integer(Int64(batch)))
        let result = try await run(story)
        #expect(result.code == 3, "\(result.all)")
        let run = try #require(try await story.runs().first?.id)
        let shown = try #require(result.errors.rest(after: "It may be one of these: ")?.dropLast(), "\(result.errors)")
        let words = answer == "--posted" ? [answer, String(shown)] : [answer]
        let resumed = try await story.runner().run(["resume", run] + words)
        #expect(resumed.code == 0, "\(resumed.all)")
        let photos = try #require(resumed.output.rest(after: "photos: "), "\(resumed.all)").split(separator: ",")
        #expect(Set(photos).count == 6, "\(resumed.all)")
        let sentAgain = answer == "--posted" ? 0 : batch == 1 ? 5 : 1
        #expect(try await story.state()["photos"]?.array?.count == 6 + sentAgain)
        #expect(try await story.count("photos.save") == 2 + (sentAgain == 0 ? 0 : 1))
    }

    /// Methods by their own name: what one in doubt has made can be given as VK shows it, and goes to what follows.
    @Test func anyMethodInDoubtCanBeSettled() async throws {
        let story = try story(Self.album)
        try await story.fault("photos.createAlbum", ["type": "cut", "when": "after"])
        let result = try await run(story)
        #expect(result.code == 3, "\(result.all)")
        let run = try #require(try await story.runs().first?.id)
        let wrong = try await story.pasteup("resume", run, "--posted", "Soups")
        #expect(wrong.code == 2, "\(wrong.all)")
        #expect(wrong.errors.contains("'Soups' cannot be what step 'album' has made."), "\(wrong.all)")
        let albums = try #require(try await story.state()["albums"]?.array)
        let id = try #require(albums.last?["id"]?.integer)
        let resumed = try await story.pasteup("resume", run, "--posted", "https://vk.com/album743215608_\(id)")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(try await story.count("photos.createAlbum") == 1)
        #expect(try await story.state()["photos"]?.array?.count == 6)
    }

    @Test func storyThatNeverArrivedIsSentAgain() async throws {
        let story = try story("  story: { uses: vk.story, timeout: 10s, with: { photo: one.jpg } }\n")
        try await story.fault("stories.save", ["type": "cut", "when": "before"])
        let result = try await run(story)
        #expect(result.code == 0, "\(result.all)")
        #expect(try await story.count("stories.save") == 2)
        #expect(try await story.count("upload") == 1, "the upload was kept")
    }

    @Test func captchaInTheMiddleKeepsTheUploads() async throws {
        let story = try WallPhotoKillTests.story()
        try await story.fault("wall.post", ["type": "captcha", "form": "old", "answer": "zx8mq"])
        let file = story.folder.file("wall-photo.yaml")
        let paused = try await story.pasteup("run", file)
        #expect(paused.code == 3, "\(paused.all)")
        let run = try #require(try await story.runs().first?.id)
        let resumed = try await story.pasteup("resume", run, "--captcha", "zx8mq")
        #expect(resumed.code == 0, "\(resumed.all)")
        try await WallPhotoKillTests.expectWholePost(story, saved: 2...2, resumed.all)
        #expect(try await story.count("upload") == 2)
    }

    @Test func partsAreNamedAndNotShown() async throws {
        let story = try WallPhotoKillTests.story()
        let run = try await story.pasteup("run", story.folder.file("wall-photo.yaml"), "--json")
        #expect(run.code == 0, "\(run.all)")
        let parts = try run.output.lines.map { try Value(json: Array($0.utf8)) }.filter { $0["event"] == "part-kept" }
        #expect(
            parts.compactMap { $0["part"]?.string }.sorted() == [
                "photo-1/saved", "photo-1/upload", "photo-2/saved", "photo-2/upload", "post", "posting",
            ])
        let id = try #require(try await story.runs().first?.id)
        let shown = run.output + (try await story.pasteup("show", id, "--json").output)
        for key in ["\"hash\"", "kid", "\"value\"", "access_key"] { #expect(!shown.contains(key), "\(key)") }
    }

    // MARK: Reading back

    @Test func droppedPhotoIsNoSuccess() async throws {
        let story = try WallPhotoKillTests.story()
        try await story.fault("wall.post", ["type": "drop-attachment"])
        let file = story.folder.file("wall-photo.yaml")
        let result = try await story.pasteup("run", file)
        #expect(result.code == 3, "\(result.all)")
        #expect(
            result.errors.contains("VK has posted https://vk.com/wall-226100401_1, but without photo"), "\(result.all)")
        // The next run leaves it alone: its key is held.
        #expect(try await story.pasteup("run", file).code == 0)
        #expect(try await story.posts().count == 1)
        let run = try #require(try await story.runs().first { !$0.state.isFinal }?.id)
        // Without an answer it is looked at once more.
        #expect(try await story.pasteup("resume", run).code == 3)
        let resumed = try await story.pasteup("resume", run, "--resend")
        #expect(resumed.code == 0, "\(resumed.all)")
        let posts = try await story.posts()
        try #require(posts.count == 2)
        #expect(posts[1]["attachments"]?.array?.count == 3)
    }

    @Test func droppedPhotoCanBeAccepted() async throws {
        let story = try WallPhotoKillTests.story()
        try await story.fault("wall.post", ["type": "drop-attachment"])
        _ = try await story.pasteup("run", story.folder.file("wall-photo.yaml"))
        let run = try #require(try await story.runs().first?.id)
        let resumed = try await story.pasteup("resume", run, "--posted", "1")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(resumed.output.contains("url: https://vk.com/wall-226100401_1\n"))
        #expect(try await story.posts().count == 1)
    }

    /// Names of methods and parameters of the sections whose schema is known; others are the author's affair.
    @Test func slipsAreToldByVKsSchema() async throws {
        let story = try story(
            """
              a: { uses: vk.wall.post, with: { mesage: Hi } }
              b: { uses: vk.photos.getAlbums, with: { onwer_id: 1 } }
              c: { uses: vk.stories.getPhotoUploadServer, with: { link_txt: more } }
              d: { uses: vk.wall.pots, with: { message: a } }
              e: { uses: vk.wall.edit, with: { post_id: 1, publish_date: tomorow } }
              f: { uses: vk.friends.ad, with: { anything: [1, true, { x: 1 }] } }

            """)
        let result = try await story.pasteup("validate", story.folder.file("vk.yaml"))
        #expect(result.code == 2)
        let told = (result.errors.lines + result.output.lines).compactMap { $0.rest(after: "error: ") }
        #expect(
            told.dropLast() == [
                "'vk.wall.post' has no parameter 'mesage'. Did you mean 'message'?",
                "'vk.photos.getAlbums' has no parameter 'onwer_id'. Did you mean 'owner_id'?",
                "'vk.stories.getPhotoUploadServer' has no parameter 'link_txt'. Did you mean 'link_text'?",
                "unknown step kind 'vk.wall.pots'. Did you mean 'vk.wall.post'?",
                "'publish_date' of step 'e' is 'tomorow', not a time as 2026-12-24T18:00:00+03:00, or seconds since 1970.",
            ])
    }

    // MARK: Tokens

    @Test func communityTokenIsToldThatItTakesNoPhotos() async throws {
        let story = try story(
            "  post: { uses: vk.wall-photo, with: { owner_id: -226100401, photo: one.jpg } }\n")
        let token = story.sandbox.token(.vkCommunity)
        for _ in 0..<2 {
            let result = try await run(story, changes: ["VK_TOKEN": token])
            #expect(result.code == 1, "\(result.all)")
            #expect(
                result.errors
                    == "error: step 'post': account 'vk' has a community's token, which VK refuses for "
                    + "photos.getWallUploadServer. VK takes photos for a wall from a user's token only (error 27). Give it a "
                    + "user's token, or post texts, links and documents only.\n"
                    + "error: the workflow cannot succeed with the tokens at hand; nothing was run.\n")
        }
        #expect(try await story.runs().isEmpty, "no run was made")
        // What was learned of the token is remembered.
        #expect(try await story.counts() == ["users.get": 1, "groups.getById": 1])
        try story.expectNowhere(token)
    }

    @Test func communityTokenPostsTextOnItsOwnWall() async throws {
        let story = try story("  post: { uses: vk.wall-text, with: { owner_id: -226100401, message: Hello } }\n")
        let token = story.sandbox.token(.vkCommunity)
        let result = try await run(story, changes: ["VK_TOKEN": token])
        #expect(result.code == 0, "\(result.all)")
        #expect(try await story.posts()[0]["from_id"] == -226_100_401)
        for owner in ["226100401", "-226100402"] {
            try story.write(
                "vk.yaml", Self.head + "  post: { uses: vk.wall-text, with: { owner_id: \(owner), message: Hello } }\n")
            let wrong = try await run(story, changes: ["VK_TOKEN": token])
            #expect(wrong.code == 1, "\(wrong.all)")
            #expect(wrong.errors.contains("Write owner_id: -226100401."), "\(wrong.errors)")
        }
        #expect(try await story.posts().count == 1)
    }

    @Test func missingRightIsNamedBeforeAnythingIsSent() async throws {
        let story = try story("  post: { uses: vk.wall-photo, with: { photo: one.jpg } }\n") {
            $0.userRights = VKRight.wall
        }
        try story.forgetToken()
        let result = try await run(story)
        #expect(result.code == 1, "\(result.all)")
        #expect(result.errors.contains("the token of account 'vk' lacks the right 'photos'"), "\(result.errors)")
        let plan = try await story.pasteup("plan", "--fetch", story.folder.file("vk.yaml"))
        #expect(plan.code == 1, "\(plan.all)")
        let doctor = try await story.pasteup("doctor", story.folder.file("vk.yaml"))
        #expect(doctor.code == 1)
        #expect(
            doctor.output.contains("token vk") && doctor.output.contains("a user's token, id 743215608, with the right")
        )
        #expect(try await story.count("photos.getWallUploadServer") == 0)
    }

    /// A community's number without its sign, in the file, among the inputs and in a table: told before anything is sent.
    @Test(arguments: [
        ("owner_id: 226100402", "", "", "post"),
        ("owner_id: \"${{ inputs.wall }}\"", "", "  wall: { type: integer }\n", "post"),
        (
            "owner_id: \"${{ item.wall }}\"", "    for-each: ${{ inputs.rows }}\n", "  rows: { type: table }\n",
            "post[1]"
        ),
    ]) func communitysNumberWithoutItsSignIsTold(
        owner: String, list: String, inputs: String, address: String
    ) async throws {
        let story = try story(
            "  post:\n    uses: vk.wall-text\n\(list)    with: { \(owner), message: Hello }\n"
                + (inputs.isEmpty ? "" : "inputs:\n" + inputs))
        let rows = try story.write("rows.csv", "wall\n-226100401\n226100402\n226100402\n743215608\n743215609\n")
        var words = ["run", story.folder.file("vk.yaml")]
        if inputs.contains("wall") { words += ["-i", "wall=226100402"] }
        if inputs.contains("rows") { words += ["--input-file", "rows=\(rows)"] }
        let result = try await story.runner().run(words)
        #expect(result.code == 1, "\(result.all)")
        #expect(
            result.errors
                == "error: step '\(address)': 'owner_id' is 226100402, and no user has that number. VK's owner ids are "
                + "positive for users, negative for communities. It is that of the community 'Miro Roastery' "
                + "(226100402). Write owner_id: -226100402.\n"
                + "error: the workflow cannot succeed with the tokens at hand; nothing was run.\n")
        #expect(try await story.counts() == ["users.get": 1, "groups.getById": 1])
        guard inputs.isEmpty else { return }
        let doctor = try await story.pasteup("doctor", story.folder.file("vk.yaml"))
        #expect(doctor.code == 1)
        #expect(doctor.output.contains("no user has that number"), "\(doctor.output)")
    }

    /// A friend's wall is not taken for anything else: the step tries, and VK says whether it may.
    @Test func friendsWallIsTried() async throws {
        let story = try story("  post: { uses: vk.wall-text, with: { owner_id: 743215609, message: Hello } }\n")
        let result = try await run(story)
        #expect(!result.errors.contains("number"), "\(result.all)")
        #expect(try await story.count("wall.post") == 1)
    }
}
