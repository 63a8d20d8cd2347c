import Files
import TestSupport
import Testing
import Values

/// Workflows whose steps use other files.
@Suite(.programs) struct PartTests {
    private static let part = """
        name: wall-text
        inputs:
          text: { type: string, required: true }
          lines: { type: integer, default: 1 }
        accounts:
          vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}", rate: 1000, settle: 50ms }
        defaults: { retry: { max-attempts: 2, initial: 10ms } }
        steps:
          words:
            uses: file.read
            with: { path: words.txt }
          post:
            uses: vk.wall.post
            once: ${{ inputs.text }}
            with: { message: "${{ inputs.text }}: ${{ steps.words.outputs.text }}" }
        outputs:
          url: ${{ steps.post.outputs.url }}
        """

    private static func main(_ step: String, more: String, url: String) -> String {
        """
        name: main
        inputs: { texts: { type: list, default: [one, two] }, text: { type: string, default: hello } }
        steps:
          before:
            uses: text.render
            with: { text: "${{ inputs.text }}" }
          share:
            uses: ./parts/wall-text.yaml
        \(step.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
        \(more)
        outputs: { url: "${{ \(url) }}" }
        """
    }

    private func story(
        _ step: String, more: String = "", url: String = "steps.share.outputs.url"
    ) throws -> Story {
        let story = try Story()
        try FileSystem.makeFolder(story.folder.file("parts"))
        try story.write("parts/wall-text.yaml", Self.part)
        // Beside the part, not beside the file that uses it.
        try story.write("parts/words.txt", "from the part's folder")
        try story.write("main.yaml", Self.main(step, more: more, url: url))
        return story
    }

    private func messages(_ story: Story) async throws -> [String] {
        try await story.posts().compactMap { $0["message"]?.string ?? $0["text"]?.string }
    }

    @Test func stepsOfAPartRunWithItsInputsAndFromItsFolder() async throws {
        let story = try story("with: { text: \"${{ steps.before.outputs.text }}\" }")
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output.hasPrefix("url: https://vk.com/wall"))
        #expect(run.errors.contains("share/words  succeeded"))
        #expect(try await messages(story) == ["hello: from the part's folder"])
        // The key of the part's step is the workflow's: a second run posts nothing, and the part counts as skipped.
        let again = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(again.code == 0, "\(again.all)")
        #expect(try await story.posts().count == 1)
    }

    @Test func aPartRunsOnceForEachItemAndAFailedRowStopsNoOther() async throws {
        let story = try story(
            "for-each: ${{ inputs.texts }}\nwith: { text: \"${{ item }}\" }", url: "join(steps.share.outputs.*.url)")
        try await story.fault("wall.post", ["type": "vk-error", "code": 100], calls: 1)
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 1, "\(run.all)")
        #expect(try await messages(story) == ["two: from the part's folder"])
        let id = try #require(run.errors.rest(after: "Run them again with: pasteup retry "))
        let retried = try await story.pasteup("retry", id)
        #expect(retried.code == 0, "\(retried.all)")
        #expect(Set(try await messages(story)) == ["one: from the part's folder", "two: from the part's folder"])
    }

    @Test func aConditionOfThePartSkipsAllOfIt() async throws {
        let story = try story("if: inputs.text == 'other'\nwith: { text: x }")
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 0, "\(run.all)")
        #expect(try await story.posts().isEmpty)
        #expect(run.errors.contains("share/post   skipped: its condition is false"), "\(run.all)")
        #expect(run.errors.contains("share        skipped: its condition is false"), "\(run.all)")
        #expect(!run.errors.contains(".begin"), "\(run.all)")
    }

    @Test func aPartThatMayFailFailsNoRun() async throws {
        let after = """
              after:
                uses: text.render
                with: { text: "it ${{ steps.share.outcome }}" }
            """
        let story = try story("continue-on-error: true\nwith: { text: x }", more: after)
        try FileSystem.remove(story.folder.file("parts/words.txt"))
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 0, "\(run.all)")
        #expect(run.errors.contains("share        failed, as it may ('continue-on-error')"), "\(run.all)")
        #expect(run.errors.contains("share/words  failed, as it may ('continue-on-error')"), "\(run.all)")
        #expect(run.errors.contains("warning: step 'share/words': "), "\(run.all)")
        #expect(!run.errors.contains("error: "), "\(run.all)")
        #expect(run.errors.contains("after        succeeded"), "\(run.all)")
    }

    @Test func resumeUsesTheCopyOfThePart() async throws {
        let story = try story("with: { text: x }")
        try await story.fault("wall.post", ["type": "captcha"])
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 3, "\(run.all)")
        try story.write(
            "parts/wall-text.yaml", Self.part.replacing("inputs.text }}: ", with: "inputs.text }} CHANGED "))
        let resumed = try await story.pasteup("resume")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(resumed.errors.contains("parts/wall-text.yaml' has changed since run"), "\(resumed.all)")
        #expect(try await messages(story) == ["x: from the part's folder"])
    }

    /// What a step before may have made is taken as it is then; all else as it was when the run began.
    @Test(arguments: [(made: false, text: "as it was"), (made: true, text: "as it is now")])
    func aFileGivenToAPartByItsPathIsTheOneThatTheRunBeganWith(made: Bool, text: String) async throws {
        let story = try Story()
        try story.write(
            "part.yaml",
            """
            name: part
            inputs: { text: { type: file, required: true } }
            steps: { read: { uses: file.read, with: { path: "${{ inputs.text }}" } } }
            outputs: { text: "${{ steps.read.outputs.text }}" }
            """)
        let before = made ? "  write: { uses: file.write, with: { path: ./words.txt, text: as it is now } }\n" : ""
        let file = try story.write(
            "main.yaml",
            """
            name: main
            steps:
            \(before)  ask: { uses: pause.approval, with: { message: Go on? } \(made ? ", needs: [write]" : "") }
              part: { uses: ./part.yaml, needs: [ask], with: { text: words.txt } }
            outputs: { text: "${{ steps.part.outputs.text }}" }
            """)
        try story.write("words.txt", "as it was")
        let run = try await story.pasteup("run", file)
        #expect(run.code == 3, "\(run.all)")
        try story.write("words.txt", "as it is now")
        let resumed = try await story.pasteup("resume", "--approve")
        #expect(resumed.output == "text: \(text)\n", "\(resumed.all)")
    }

    @Test func anInputThatDoesNotFitIsToldWithBothPlaces() async throws {
        let story = try story("with: { text: x, lines: \"${{ steps.before.outputs.text }}\" }")
        try story.write(
            "parts/wall-text.yaml", Self.part.replacing("inputs.text }}: ", with: "inputs.text }} ${{ inputs.lines }} ")
        )
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 1, "\(run.all)")
        #expect(run.errors.contains("input 'lines' of "), "\(run.all)")
        #expect(run.errors.contains("is 'hello', not an integer"), "\(run.all)")
        #expect(run.errors.contains("main.yaml:9:29:"), "\(run.all)")
        #expect(try await story.posts().isEmpty)
    }

    @Test func mistakesInAPartAreToldBeforeAnythingRuns() async throws {
        let story = try story("with: { txt: x }")
        let checked = try await story.pasteup("validate", story.folder.file("main.yaml"))
        #expect(checked.code == 2)
        #expect(checked.errors.contains("has no parameter 'txt'"), "\(checked.all)")
        #expect(checked.errors.contains("Did you mean 'text'?"), "\(checked.all)")
    }

    // MARK: What went wrong

    /// A step that ran in any case after the post is over: nothing that is left waits for the post.
    @Test func aFailedPostIsSentAgainByRetryAlsoWhenWhatFollowedItIsOver() async throws {
        let after = """
              tell:
                uses: text.render
                if: failure()
                needs: [share]
                with: { text: it failed }
            """
        let story = try story("with: { text: x }", more: after)
        try await story.fault("wall.post", ["type": "vk-error", "code": 100], calls: 1)
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 1, "\(run.all)")
        let id = try #require(run.errors.rest(after: "Run them again with: pasteup retry "))
        let retried = try await story.pasteup("retry", id)
        #expect(retried.code == 0, "\(retried.all)")
        #expect(try await messages(story) == ["x: from the part's folder"])
    }

    @Test func theFirstFailedItemOfAPartKeepsTheOthersFromBeingPosted() async throws {
        let story = try story(
            "for-each: ${{ inputs.texts }}\nfail-fast: true\nmax-parallel: 1\nwith: { text: \"${{ item }}\" }",
            url: "join(steps.share.outputs.*.url)")
        try await story.fault("wall.post", ["type": "vk-error", "code": 100], calls: 1)
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 1, "\(run.all)")
        #expect(try await story.count("wall.post") == 1)
        #expect(try await story.posts().isEmpty)
    }

    @Test func aRetriedPartHasTheOutputsOfTheStepThatRanAgainThoughItsLastStepIsOver() async throws {
        let story = try Story()
        try story.write(
            "part.yaml",
            """
            name: part
            steps:
              read: { uses: file.read, with: { path: words.txt } }
              last: { uses: text.render, if: always(), needs: [read], with: { text: over } }
            outputs: { text: "${{ steps.read.outputs.text }}" }
            """)
        let file = try story.write(
            "main.yaml",
            "name: main\nsteps: { part: { uses: ./part.yaml } }\noutputs: { text: \"${{ steps.part.outputs.text }}\" }\n"
        )
        let run = try await story.pasteup("run", file)
        #expect(run.code == 1, "\(run.all)")
        try story.write("words.txt", "there now")
        let id = try #require(
            try Value(json: Array(try await story.pasteup("list", "--json").output.utf8))["run"]?.string)
        let retry = try await story.pasteup("retry", id)
        #expect(retry.code == 0, "\(retry.all)")
        #expect(retry.output == "text: there now\n", "\(retry.all)")
    }

    @Test func aPartInAPartThatMayFailFailsNoRun() async throws {
        let story = try story("continue-on-error: true\nwith: { text: x }")
        try story.write(
            "main.yaml",
            Self.main("continue-on-error: true", more: "", url: "steps.share.outcome")
                .replacing("./parts/wall-text.yaml", with: "./parts/outer.yaml"))
        try story.write(
            "parts/outer.yaml", "name: outer\nsteps:\n  inner: { uses: ./wall-text.yaml, with: { text: x } }\n")
        try await story.fault("wall.post", ["type": "vk-error", "code": 100], calls: 1)
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output == "url: failed\n")
    }

    @Test func aKeyOfAStepThatMayFailAndHasIsEmptyAndNotPassedOver() async throws {
        let after = """
              tell:
                uses: text.render
                once: ${{ steps.share.outputs.url }}
                with: { text: it is there }
            """
        let story = try story("continue-on-error: true\nwith: { text: x }", more: after)
        try await story.fault("wall.post", ["type": "vk-error", "code": 100], calls: 1)
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 1, "\(run.all)")
        #expect(run.errors.contains("a part of its 'once' key is empty"), "\(run.all)")
    }

    /// Each of the two parts declares the account for itself.
    @Test func aCaptchaHoldsTheAccountInEveryPart() async throws {
        let second = """
              again:
                uses: ./parts/wall-text.yaml
                needs: [share]
                if: always()
                with: { text: second }
              beside:
                uses: ./parts/wall-text.yaml
                with: { text: third }
            """
        let story = try story("with: { text: first }", more: second)
        try await story.fault("wall.post", ["type": "captcha"], calls: 1)
        let run = try await story.pasteup("run", story.folder.file("main.yaml"))
        #expect(run.code == 3, "\(run.all)")
        #expect(try await story.count("wall.post") == 1)
    }

    @Test func aPlanLeavesOutAPartWhoseConditionIsFalse() async throws {
        let story = try story("if: inputs.text == 'other'\nwith: { text: \"\" }")
        let plan = try await story.pasteup("plan", story.folder.file("main.yaml"))
        #expect(plan.code == 0, "\(plan.all)")
        #expect(!plan.output.contains("once"), "\(plan.output)")
        #expect(plan.output.contains("skipped: its condition is false"), "\(plan.output)")
        #expect(plan.output.hasSuffix("Plan: 1 computed here. Nothing was sent.\n"), "\(plan.output)")
    }

    @Test func aPlanShowsAListThatEachRowGivesToAPartOnce() async throws {
        let story = try Story()
        try story.write(
            "part.yaml",
            """
            name: part
            inputs: { rows: { type: list, required: true }, row: { type: integer, required: true } }
            steps:
              tell: { uses: exec.run, with: { command: [cat, "${{ inputs.row }}"], stdin: "${{ inputs.rows }}" } }
            """)
        try story.write("rows.csv", "n\n" + (0..<1000).map { "\($0)\n" }.joined())
        let workflow = try story.write(
            "rows.yaml",
            """
            name: rows
            inputs: { rows: { type: table, columns: { n: integer } } }
            steps:
              each:
                uses: ./part.yaml
                for-each: ${{ inputs.rows }}
                with: { rows: "${{ inputs.rows }}", row: "${{ item.n }}" }
            """)
        let plan = try await story.pasteup(
            "plan", workflow, "--json", "--input-file", "rows=" + story.folder.file("rows.csv"))
        #expect(plan.code == 0, "\(plan.all)")
        let steps = try Value(json: Array(plan.output.utf8))["steps"]?.array
        let tell = steps?.first { $0["step"] == "each/tell" }?["for-each"]?["items"]?.array ?? []
        #expect(tell.count == 1000)
        #expect(tell.count { $0["with"]?["stdin"]?["same-as"] != nil } == 1000)
        #expect(tell.allSatisfy { $0["with"]?["command"]?[0] == "cat" })
    }

    @Test func aPlanShowsWhatThePartWouldSend() async throws {
        let story = try story("with: { text: \"${{ inputs.text }}\" }")
        let plan = try await story.pasteup("plan", story.folder.file("main.yaml"))
        #expect(plan.code == 0, "\(plan.all)")
        #expect(plan.output.contains("message       hello: (known after share/words)"), "\(plan.all)")
    }
}
