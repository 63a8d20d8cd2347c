import Glibc
import Journal
import SQLiteJournal
import TestSupport
import Testing
import Values

/// What `run` does about runs that an earlier process left.
@Suite(.programs) struct RecoveryTests {
    /// Killed when its photo was uploaded, so that it holds the key.
    private func killed(_ story: Story, _ inputs: String...) async throws -> RunRecord {
        let (result, isStruck) = try await story.faulty(
            ["run", story.workflow] + inputs.flatMap { ["-i", $0] }, fault: "request 4 after kill")
        #expect(isStruck, "\(result.all)")
        return try #require(try await story.runs().first)
    }

    @Test func runFirstGoesOnWithWhatWasInterrupted() async throws {
        let story = try Story()
        let former = try await killed(story)
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 0, "\(run.all)")
        #expect(run.errors.contains("resuming run \(former.id)"), "\(run.all)")
        #expect(run.output == "url: https://vk.com/wall743215608_1\n")
        try await story.expectOnePost(run.all)
        #expect(try await story.count("me/media") == 2, "the read of the former run is kept")
    }

    @Test func runWithOtherInputsLeavesItAlone() async throws {
        let story = try Story()
        let former = try await killed(story)
        let run = try await story.pasteup("run", story.workflow, "-i", "wall=-226100401")
        #expect(run.code == 0, "\(run.all)")
        #expect(!run.errors.contains(former.id), "\(run.all)")
        #expect(try await story.posts().map { $0["owner_id"]?.integer } == [-226_100_401])
        #expect(try await story.pasteup("list").output.contains("  interrupted  "))
        #expect(try await story.pasteup("resume", former.id).code == 0)
        #expect(try await story.posts().count == 2)
    }

    @Test func noRecoverLeavesItAloneAndNamesIt() async throws {
        let story = try Story()
        let former = try await killed(story)
        let run = try await story.pasteup("run", story.workflow, "--no-recover")
        #expect(run.code == 0, "\(run.all)")
        #expect(run.errors.contains("is held by run \(former.id)"), "\(run.all)")
        #expect(try await story.posts().isEmpty)
    }

    @Test func longInterruptedRunIsAQuestion() async throws {
        let story = try Story(timeout: "500ms")
        let former = try await killed(story)
        let run = try await story.faulty(["run", story.workflow], clock: "25h").result
        #expect(run.code == 3, "\(run.all)")
        #expect(run.errors.contains("Go on with: pasteup resume \(former.id)"), "\(run.all)")
        #expect(try await story.posts().isEmpty)
        let paused = try await story.pasteup("paused")
        #expect(paused.output.contains(former.id), "\(paused.all)")
        #expect(paused.output.contains("pasteup resume \(former.id)"), "\(paused.all)")
        let resumed = try await story.pasteup("resume", former.id)
        #expect(resumed.code == 0, "\(resumed.all)")
        try await story.expectOnePost(resumed.all)
    }

    /// A run that took long was interrupted when its process died, not when it began.
    @Test func ageOfAnInterruptionCountsFromTheLastThingThatHappened() async throws {
        let story = try Story(timeout: "500ms")
        let former = try await killed(story)
        let late = JournalEntry(.looked, "post", at: former.startedAt + .seconds(20 * 3600))
        try await story.journal { try await $0.commit(JournalBatch(run: former.id, entries: [late])) }
        let run = try await story.faulty(["run", story.workflow], clock: "30h").result
        #expect(run.code == 0, "\(run.all)")
        try await story.expectOnePost(run.all)
    }

    @Test func runStoppedByCtrlCIsLeftToAPerson() async throws {
        let story = try Story()
        try await story.fault("upload", ["type": "hang"])
        let program = try story.start("run", story.workflow)
        await story.wait(for: "upload")
        program.send(SIGINT)
        #expect(try await program.finish().code == 130)
        let former = try #require(try await story.runs().first)
        #expect(former.state == .stopped)
        for words in [["run", story.workflow], ["resume", "--all"], ["resume", "--due"]] {
            let other = try await turns.use { try await story.runner().run(words) }
            #expect(other.code == 0, "\(other.all)")
            #expect(!other.errors.contains("resuming run"), "\(other.all)")
        }
        #expect(try await story.posts().isEmpty)
        let resumed = try await story.pasteup("resume", former.id)
        #expect(resumed.code == 0, "\(resumed.all)")
        try await story.expectOnePost(resumed.all)
    }
}
