import Files
import Sandbox
import StoryCard
import TestSupport
import Testing
import Values

/// A table of posts, row by row.
@Suite(.programs) struct ForEachTests {
    private func write(_ rows: String, _ story: Story) throws -> String {
        try story.write("rows.csv", rows)
        return try story.write(
            "plan.yaml",
            """
            name: plan
            accounts:
              vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}", rate: 1000, settle: 20ms }
            inputs:
              rows: { type: table, default: rows.csv }
            steps:
              text:
                uses: text.render
                for-each: ${{ inputs.rows }}
                with: { text: "${{ index }}: ${{ item.text }}" }
              post:
                uses: vk.wall.post
                for-each: { of: text }
                once: ${{ item.text }}
                with: { owner_id: "${{ item.wall }}", message: "${{ steps.text.outputs.text }}" }
            outputs:
              urls: ${{ join(steps.post.outputs.*.url, ' ') }}

            """)
    }

    private let five = "wall,text\n" + ["a", "b", "c", "d", "e"].map { "743215608,\($0)\n" }.joined()

    @Test func captchaInOneRowHoldsTheLaterOnesAndAnAnswerPostsThemAllOnce() async throws {
        let story = try Story()
        let workflow = try write(five, story)
        try await story.fault("wall.post", ["type": "captcha", "form": "old", "answer": "zd5q2"], calls: 2)
        let run = try await story.pasteup("run", workflow)
        #expect(run.code == 3, "\(run.all)")
        #expect(run.errors.contains("paused: step 'post[1]' (captcha)"), "\(run.errors)")
        #expect(try await story.posts().compactMap { $0["text"]?.string } == ["0: a"])

        let command = try #require(run.errors.rest(after: "Answer with: "))
        let resumed = try await story.pasteup(line: command, by: "zd5q2")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(
            try await story.posts().compactMap { $0["text"]?.string }.sorted()
                == ["0: a", "1: b", "2: c", "3: d", "4: e"])
        // Ids of posts tell the order in which they came: that of the rows.
        let ids = (1...5).map { "https://vk.com/wall743215608_\($0)" }
        #expect(resumed.output == "urls: \(ids.joined(separator: " "))\n")

        let again = try await story.pasteup("run", workflow)
        #expect(again.code == 0 && again.errors.contains("nothing to do"), "\(again.all)")
        #expect(try await story.posts().count == 5)
    }

    @Test func wrongCellIsNamedAndStopsNoOtherRow() async throws {
        let story = try Story()
        let workflow = try write("wall,text\n743215608,a\nclub12,b\n743215608,c\n", story)
        let run = try await story.pasteup("run", workflow)
        #expect(run.code == 1, "\(run.all)")
        #expect(
            run.errors.contains("rows.csv:3: error: step 'post[1]': 'owner_id' is 'club12', not an integer."),
            "\(run.errors)")
        #expect(run.errors.contains("It is column 'wall' at rows.csv:3:1."), "\(run.errors)")
        #expect(try await story.posts().compactMap { $0["text"]?.string }.sorted() == ["0: a", "2: c"])
    }

    @Test func tableWithoutRowsPostsNothingAndSucceeds() async throws {
        let story = try Story()
        let run = try await story.pasteup("run", try write("wall,text\n", story))
        #expect(run.code == 0, "\(run.all)")
        #expect(run.errors.contains("text  ") && run.errors.contains("skipped: its list is empty"), "\(run.errors)")
        #expect(run.errors.contains("nothing to do"))
    }

    @Test func planAsksTheConditionOfARowBeforeItsKey() async throws {
        let story = try Story()
        let workflow = try story.write(
            "rows.yaml",
            """
            name: rows
            inputs:
              rows: { type: table, columns: { tag: string, text: string } }
            accounts: { vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}" } }
            steps:
              post:
                uses: vk.wall.post
                for-each: ${{ inputs.rows }}
                if: item.text != ''
                once: ${{ item.tag }}/${{ item.text }}
                with: { message: "${{ item.text }}" }
              told:
                uses: text.render
                for-each: { of: post }
                with: { text: "posted ${{ steps.post.outputs.post_id }}" }
            """)
        try story.write("rows.csv", "tag,text\na,Hello\nb,\n")
        let plan = try await story.pasteup("plan", workflow, "--input-file", story.folder.file("rows.csv"))
        #expect(plan.code == 0, "\(plan.all)")
        #expect(plan.output.contains("post[0]\n     once a/Hello"), "\(plan.output)")
        #expect(plan.output.contains("post[1]\n     skipped: its condition is false\n"), "\(plan.output)")
        #expect(plan.output.contains("told[1]\n     skipped: 'post[1]' was skipped\n"), "\(plan.output)")
        #expect(plan.output.hasSuffix("Plan: 1 computed here, 1 write. Nothing was sent.\n"), "\(plan.output)")
        let run = try await story.pasteup("run", workflow, "--input-file", story.folder.file("rows.csv"))
        #expect(run.code == 0, "an empty key of a row that does not run is no error: \(run.all)")
    }

    /// What becomes of a list is known when the run is there, not to the plan, which has carried out only some of its steps.
    @Test func planDoesNotTakeAPostForSkippedThatAsksWhatBecameOfAList() async throws {
        let story = try Story()
        let workflow = try story.write(
            "list.yaml",
            """
            name: list
            accounts: { vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}" } }
            steps:
              texts:
                uses: text.render
                for-each: [1, 2]
                with: { text: "text ${{ item }}" }
              post:
                uses: vk.wall.post
                if: steps.texts.outcome == 'succeeded'
                with: { message: "after all" }
            """)
        let plan = try await story.pasteup("plan", workflow, "--fetch")
        #expect(plan.code == 0, "\(plan.all)")
        #expect(plan.output.contains("/method/wall.post\n"), "\(plan.output)")
        #expect(!plan.output.contains("skipped"), "\(plan.output)")
        let run = try await story.pasteup("run", workflow)
        #expect(run.code == 0, "\(run.all)")
        #expect(try await story.posts().count == 1)
    }

    @Test func planShowsTheFirstRowsAndCountsThemAll() async throws {
        let story = try Story()
        let workflow = try write("wall,text\n" + (1...200).map { "-\($0 % 3 + 1),post \($0)\n" }.joined(), story)
        let plan = try await story.pasteup("plan", workflow)
        #expect(plan.code == 0, "\(plan.all)")
        #expect(plan.output.contains("for each of the items of text: 200 items to 3 walls"), "\(plan.output)")
        #expect(plan.output.contains("and 197 more"))
        #expect(plan.output.hasSuffix("Plan: 200 computed here, 200 writes. Nothing was sent.\n"), "\(plan.output)")
        let json = try await story.pasteup("plan", workflow, "--json")
        let items = try Value(json: Array(json.output.utf8))["steps"]?[1]?["for-each"]?["items"]?.array
        #expect(items?.count == 200)
        #expect(items?.last?["step"] == "post[199]")
    }

    /// Two posts of Instagram's, a card and a post for each.
    private func cards(_ story: Story) throws -> String {
        try story.write(
            "cards.yaml",
            """
            name: cards
            accounts:
              insta: { type: instagram, token: "${{ secrets.INSTAGRAM_TOKEN }}", base-url: "${{ env.SANDBOX }}" }
              vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}", rate: 1000 }
            steps:
              media: { uses: instagram.media, with: { limit: 2 } }
              photo:
                uses: instagram.download
                for-each: ${{ steps.media.outputs.items }}
                max-parallel: 1
                with: { id: "${{ item.id }}" }
              card:
                uses: card.compose
                for-each: { of: photo }
                with: { size: 270x480, background: { color: navy }, sticker: { image: "${{ steps.photo.outputs.file }}" } }
              post:
                uses: vk.wall.post
                for-each: { of: photo }
                once: ${{ item.id }}
                with: { message: "${{ item.caption }} (${{ steps.card.outputs.width }})" }

            """)
    }

    private func storyOfTwo() throws -> Story {
        try Story { configuration in
            configuration.media = [
                SandboxMedia(
                    id: "11", caption: "One", scene: "mountains", isSquare: true, timestamp: 1_790_000_000_000),
                SandboxMedia(id: "12", caption: "Two", scene: "leaves", isSquare: true, timestamp: 1_780_000_000_000),
            ]
        }
    }

    private func items(_ plan: ProgramResult, _ step: String) throws -> [Value] {
        let steps = try Value(json: Array(plan.output.utf8))["steps"]?.array
        return steps?.first { $0["step"]?.string == step }?["for-each"]?["items"]?.array ?? []
    }

    @Test func fetchedPlanGoesOverWhatWasReadAndComposesEveryCard() async throws {
        let story = try storyOfTwo()
        let plan = try await story.pasteup("plan", try cards(story), "--fetch", "--json")
        #expect(plan.code == 0, "\(plan.all)")
        let composed = try items(plan, "card").compactMap { $0["outputs"]?["file"]?.string }
        #expect(composed.count == 2)
        for file in composed {
            let header = try readImageHeader(try FileSystem.read(file))
            #expect(header.width == 270 && header.height == 480)
        }
        #expect(Set(try composed.map { try FileSystem.read($0) }).count == 2)
        let posts = try items(plan, "post")
        #expect(posts.map { $0["once"]?.string } == ["11", "12"])
        #expect(
            posts.map { $0["requests"]?[0]?["fields"]?["message"]?.string } == ["One (270)", "Two (270)"])
        #expect(try await story.posts().isEmpty)

        let text = try await story.pasteup("plan", try cards(story), "--fetch")
        #expect(text.output.contains("   for each of steps.media.outputs.items: 2 items\n"), "\(text.output)")
        #expect(
            text.output.hasSuffix("Plan: 3 reads, 2 computed here, 2 writes. Nothing was written anywhere.\n"),
            "\(text.output)")
    }

    @Test func fetchedPlanShowsTheOtherItemsWhenOneCannotBeRead() async throws {
        let story = try storyOfTwo()
        try await story.fault("media", ["type": "instagram-error", "code": 100, "status": 400], calls: 1)
        let plan = try await story.pasteup("plan", try cards(story), "--fetch", "--json")
        #expect(plan.code == 1, "\(plan.all)")
        #expect(plan.errors.contains("step 'photo[0]': Instagram answered 100"), "\(plan.errors)")
        #expect(try items(plan, "photo").map { $0["state"]?.string } == ["failed", "succeeded"])
        #expect(try items(plan, "card").map { $0["state"]?.string } == ["skipped", "succeeded"])
        let messages = try items(plan, "post").map { $0["requests"]?[0]?["fields"]?["message"] }
        #expect(messages.first??.json() == #"{"text":["One (",{"known-after":["card"]},")"]}"#)
        #expect(messages.last??.string == "Two (270)")
    }

    @Test func contentPlanPostsTwelveTimesAndNeverAgain() async throws {
        let folder = try TemporaryFolder()
        let runner = ProgramRunner(
            ProgramRunner.built("pasteup"),
            environment: ["HOME": folder.path, "PASTEUP_STATE": folder.file("state"), "XDG_RUNTIME_DIR": folder.path])
        let file = inSource("examples/content-plan/content-plan.yaml")
        let plan = try await runner.run(["plan", file])
        // TZ=Europe/Berlin date -d '2036-12-01 09:00' +%s
        #expect(plan.output.contains("publish_date  2111731200"), "\(plan.all)")
        let run = try await runner.run(["run", file, "--sandbox"])
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output.split(separator: " ").count == 13, "\(run.output)")
        let again = try await runner.run(["run", file, "--sandbox"])
        #expect(again.code == 0 && again.errors.contains("nothing to do"), "\(again.all)")
    }
}
