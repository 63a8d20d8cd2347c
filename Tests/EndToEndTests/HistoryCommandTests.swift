import Files
import Glibc
import Sandbox
import TestSupport
import Testing
import Values

/// `ledger`, `cancel`, `retry`, `prune` and `doctor` as a user meets them.
@Suite(.programs) struct HistoryCommandTests {
    /// The id of the newest run.
    private func newest(_ story: Story) async throws -> String {
        let list = try await story.pasteup("list", "--json", "--limit", "1")
        return try #require(try Value(json: Array(list.output.utf8))["run"]?.string, "\(list.all)")
    }

    private let key = "own/\(Story.mediaID)"

    // MARK: show

    @Test func showTellsHowLongEachStepTook() async throws {
        let story = try Story()
        try await story.fault("photos.saveWallPhoto", ["type": "vk-error", "code": 100])
        _ = try await story.pasteup("run", story.workflow)
        let shown = try await story.pasteup("show", try await newest(story))
        let rows = shown.output.lines.drop { !$0.hasPrefix("STEP") }
        #expect(rows.first?.split(separator: " ") == ["STEP", "STATE", "ATTEMPTS", "TOOK"], "\(shown.all)")
        for row in rows.dropFirst().prefix(6) {
            let cells = row.split(separator: " ")
            guard cells[1] != "skipped" else { continue }
            #expect(cells[2] == "1" && cells[3].wholeMatch(of: /[0-9]+(\.[0-9])?(ms|s)/) != nil, "\(row)")
        }
    }

    // MARK: retry

    @Test func retryGoesOnWhereTheRunFailedAndPostsOnce() async throws {
        let story = try Story()
        try await story.fault("photos.saveWallPhoto", ["type": "vk-error", "code": 100])
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 1, "\(run.all)")
        let id = try await newest(story)
        #expect(run.errors.lines.contains("1 step skipped because 'saved' failed: post"), "\(run.all)")
        #expect(
            run.errors.lines.last
                == "run \(id) failed: 1 step failed, 1 skipped. Run them again with: pasteup retry \(id)")
        let resumed = try await story.pasteup("resume", id)
        #expect(resumed.code == 2)
        #expect(
            resumed.errors
                == "error: run \(id) is over: failed. Run its failed steps again with: pasteup retry \(id)\n")
        #expect(try await story.pasteup("ledger", "list").output.isEmpty, "the key is free after a definite failure")

        let retry = try await story.pasteup("retry", id)
        #expect(retry.code == 0, "\(retry.all)")
        #expect(retry.output == "url: https://vk.com/wall743215608_1\n")
        #expect(try await story.posts().count == 1)
        #expect(try await story.count("photos.getWallUploadServer") == 1, "the finished steps are kept")
        #expect(try await newest(story) == id)

        let again = try await story.pasteup("retry", id)
        #expect(again.code == 2)
        #expect(again.errors == "error: run \(id) succeeded. Nothing is left to do again.\n")
        let over = try await story.pasteup("resume", id)
        #expect(over.errors == "error: run \(id) is over: succeeded. Nothing is left to do.\n")
        #expect(try await story.pasteup("run", story.workflow).errors.contains("nothing to do"))
    }

    @Test func jsonNamesWhatWasSkippedBecauseOfWhat() async throws {
        let story = try Story()
        try await story.fault("photos.saveWallPhoto", ["type": "vk-error", "code": 100])
        let run = try await story.pasteup("run", story.workflow, "--json")
        let end = try Value(json: Array(try #require(run.output.lines.last).utf8))
        #expect(end["skipped"] == [["because": "saved", "steps": ["post"]]])
    }

    /// While the run was failed, another has posted under the key.
    @Test func retryDoesNotPostWhatAnotherRunHasPosted() async throws {
        let story = try Story()
        try await story.fault("photos.saveWallPhoto", ["type": "vk-error", "code": 100])
        #expect(try await story.pasteup("run", story.workflow).code == 1)
        let failed = try await newest(story)
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        let retry = try await story.pasteup("retry", failed)
        #expect(retry.code == 0, "\(retry.all)")
        #expect(try await story.posts().count == 1)
    }

    @Test func retryOfAPausedRunNamesTheCommandThatFits() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha"])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let id = try await newest(story)
        let retry = try await story.pasteup("retry", id)
        #expect(retry.code == 2)
        #expect(
            retry.errors
                == "error: run \(id) is paused, not failed. Only a failed run is retried. See: pasteup paused\n")
    }

    // MARK: cancel

    @Test func cancelFreesTheKeySoThatAnotherRunPosts() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha"])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let id = try await newest(story)
        #expect(try await cancelWhileAnotherWorks(story, id).code == 5)
        let held = try await story.pasteup("ledger", "list")
        #expect(held.output.contains("reserved"), "\(held.all)")

        let cancel = try await story.pasteup("cancel", id)
        #expect(cancel.code == 0, "\(cancel.all)")
        #expect(
            cancel.output
                == "run \(id) is canceled; 1 step was not finished: post.\nFree again for another run: '\(key)'.\n")
        #expect(try await story.pasteup("paused").errors == "Nothing is paused.\n")
        let again = try await story.pasteup("cancel", id)
        #expect(again.code == 2)
        #expect(again.errors == "error: run \(id) is over: canceled. There is nothing left to cancel.\n")
        #expect(try await story.pasteup("resume", id).code == 2)

        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().count == 1)
    }

    private func cancelWhileAnotherWorks(_ story: Story, _ id: String) async throws -> ProgramResult {
        let lock = try #require(try FileLock.take(story.folder.file("state/runs/\(id)/lock")))
        defer { withExtendedLifetime(lock) {} }
        return try await story.pasteup("cancel", id)
    }

    /// The wall cannot be read, so that nobody knows whether the post is there.
    @Test func cancelKeepsTheKeyOfAPostInDoubt() async throws {
        let story = try Story(timeout: "300ms")
        try await story.setFaults([
            ["on": "wall.post", "call": 1, "fault": ["type": "cut", "when": "after", "how": "reset"]],
            ["on": "wall.get", "call": "every", "fault": ["type": "vk-error", "code": 15]],
        ])
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 3, "\(run.all)")
        let id = try await newest(story)
        let cancel = try await story.pasteup("cancel", id)
        #expect(cancel.code == 0, "\(cancel.all)")
        let command = "pasteup ledger forget --scope instagram-to-vk \(key)"
        #expect(
            cancel.errors
                == "warning: step 'post' may have happened: its answer never came. Its key '\(key)' stays reserved, so that "
                + "no run does it twice. If it did not happen, free the key with: \(command)\n")
        #expect(cancel.output == "run \(id) is canceled; 1 step was not finished: post.\n")

        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().count == 1, "the reserved key keeps the next run from it")
        let forgotten = try await story.pasteup(line: command)
        #expect(forgotten.code == 0, "\(forgotten.all)")
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().count == 2)
    }

    @Test func cancelTellsProgramsWhatItFreed() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha"])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let id = try await newest(story)
        let cancel = try await story.pasteup("cancel", id, "--json")
        #expect(cancel.code == 0, "\(cancel.all)")
        #expect(cancel.errors.isEmpty)
        let expected: Value = [
            "run": .string(id), "state": "canceled", "unfinished": ["post"],
            "freed": [["key": .string(key), "workflow": "instagram-to-vk"]], "in-doubt": [],
        ]
        #expect(try Value(json: Array(cancel.output.utf8)) == expected)
    }

    @Test func runThatWasKilledShowsAsInterruptedAndIsCanceledInDoubt() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "hang", "when": "after"])
        let program = try story.start("run", story.workflow)
        await story.wait(for: "wall.post")
        let id = try await newest(story)
        #expect(try await story.pasteup("list").output.contains("running"))
        #expect(try await story.pasteup("cancel", id).code == 5)
        #expect(try await story.pasteup("retry", id).code == 5)
        program.send(SIGKILL)
        // The runner throws for a program that was killed.
        _ = try? await program.finish()
        #expect(try await story.pasteup("list").output.contains("interrupted"))
        #expect(try await story.pasteup("show", id).output.contains("state     interrupted"))
        let retry = try await story.pasteup("retry", id)
        #expect(retry.code == 2)
        #expect(retry.errors.contains("is interrupted, not failed"), "\(retry.all)")
        let cancel = try await story.pasteup("cancel", id)
        #expect(cancel.code == 0, "\(cancel.all)")
        #expect(cancel.errors.contains("step 'post' may have happened"), "\(cancel.all)")
        #expect(try await story.pasteup("ledger", "list").output.contains("reserved"))
    }

    @Test func cancelWorksWithoutTheRunsFolder() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha"])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let id = try await newest(story)
        try FileSystem.removeTree(story.folder.file("state/runs/\(id)"))
        #expect(try await story.pasteup("cancel", id).code == 0)
        #expect(try await story.pasteup("ledger", "list").output.isEmpty)
    }

    // MARK: ledger

    @Test func ledgerListsAndForgets() async throws {
        let story = try Story()
        let empty = try await story.pasteup("ledger", "list")
        #expect(empty.code == 0)
        #expect(empty.errors == "The ledger is empty.\n")
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        let id = try await newest(story)
        let list = try await story.pasteup("ledger", "list", "own/", "--json")
        let entry = try Value(json: Array(list.output.utf8))
        #expect(entry["key"] == .string(key))
        #expect(entry["workflow"] == "instagram-to-vk")
        #expect(entry["state"] == "done")
        #expect(entry["run"] == .string(id))
        #expect(entry["url"] == "https://vk.com/wall743215608_1")
        let none = try await story.pasteup("ledger", "list", "-1")
        #expect(none.errors == "No key begins with '-1'.\n")

        let wrong = try await story.pasteup("ledger", "forget", key, "--scope", "another")
        #expect(wrong.code == 2)
        let forget = try await story.pasteup("ledger", "forget", key)
        #expect(forget.code == 0, "\(forget.all)")
        #expect(forget.output.hasPrefix("forgot '\(key)' of workflow 'instagram-to-vk', done since "))
        #expect(forget.output.hasSuffix(" by run \(id). The next run posts it again.\n"))
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().count == 2)
    }

    @Test func keyOfSeveralWorkflowsNeedsItsScope() async throws {
        let story = try Story()
        let other = try Story.fixture("instagram-to-vk.yaml").replacingFirstLine(with: "name: second")
        try story.write("second.yaml", other)
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.pasteup("run", "second.yaml").code == 0)
        let forget = try await story.pasteup("ledger", "forget", key)
        #expect(forget.code == 2)
        #expect(
            forget.errors
                == "error: '\(key)' is a key of workflow 'instagram-to-vk' and of workflow 'second'. Name one: "
                + "pasteup ledger forget --scope instagram-to-vk \(key); "
                + "pasteup ledger forget --scope second \(key)\n")
        let second = try await story.pasteup("ledger", "forget", key, "--scope", "second", "--json")
        #expect(second.code == 0, "\(second.all)")
        let gone = try Value(json: Array(second.output.utf8))
        #expect(gone["key"] == .string(key) && gone["workflow"] == "second" && gone["state"] == "done")
        #expect(try await story.pasteup("ledger", "list").output.lines.count == 2)
    }

    @Test func forgettingWhatAPausedRunHoldsWarns() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha"])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let id = try await newest(story)
        let forget = try await story.pasteup("ledger", "forget", key)
        #expect(forget.code == 0)
        #expect(forget.errors.hasPrefix("warning: run \(id), which is paused, had reserved '\(key)'"), "\(forget.all)")
    }

    // MARK: The next command

    @Test func shownRunThatFailedNamesTheCommandThatRunsItAgain() async throws {
        let story = try Story()
        try story.write(
            "bad.yaml",
            "name: bad\nsteps: { a: { uses: exec.run, effect: pure, with: { command: [\"false\"] } } }\n")
        #expect(try await story.pasteup("run", "bad.yaml").code == 1)
        let id = try await newest(story)
        let show = try await story.pasteup("show", id)
        #expect(show.output.hasSuffix("\n\nRun the failed steps again with: pasteup retry \(id)\n"), "\(show.all)")
    }

    @Test(arguments: [["resume"], ["show", "RUN"], ["cancel", "RUN"]])
    func whoForgetsTheSandboxIsReminded(words: [String]) async throws {
        let story = try Story()
        try story.write("good.yaml", "name: good\nsteps: { a: { uses: text.render, with: { text: x } } }\n")
        #expect(try await story.pasteup("run", "good.yaml", "--sandbox").code == 0)
        let list = try await story.pasteup("list", "--sandbox")
        let id = try #require(list.output.lines.dropFirst().first).prefix { $0 != " " }
        let result = try await story.runner().run(words.map { $0 == "RUN" ? String(id) : $0 })
        #expect(result.code == 2)
        #expect(result.errors.hasSuffix(": add --sandbox.\n"), "\(result.errors)")
    }

    // MARK: prune, doctor

    @Test func pruneRemovesTheRunAndKeepsTheKey() async throws {
        let story = try Story()
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        let id = try await newest(story)
        #expect(
            try await story.pasteup("prune", "--older-than", "30d").output == "Nothing is old enough to be removed.\n")
        let dry = try await story.pasteup("prune", "--older-than", "0s", "--dry-run")
        #expect(dry.output.contains(id), "\(dry.all)")
        #expect(FileSystem.exists(story.folder.file("state/runs/\(id)")))
        let prune = try await story.pasteup("prune", "--older-than", "0s")
        #expect(prune.output.hasPrefix("Removed 1 run, "), "\(prune.all)")
        #expect(!FileSystem.exists(story.folder.file("state/runs/\(id)")))
        #expect(try await story.pasteup("list").output.isEmpty)
        #expect(try await story.pasteup("run", story.workflow).errors.contains("nothing to do"))
        #expect(try await story.posts().count == 1)
    }

    @Test(arguments: [
        (["prune"], "error: 'pasteup prune' needs --older-than. For example: pasteup prune --older-than 30d\n"),
        (
            ["prune", "--older-than", "3"],
            "error: '--older-than 3' is no length of time. Write a whole number and its unit: 12h, 30d.\n"
        ),
        (["cancel", "zzz"], "error: there are no runs in 'STATE'. Start one: pasteup run FILE\n"),
        (
            ["ledger", "forget", "x"],
            "error: the ledger has no key 'x'. Keys are compared as a whole, byte for byte. See: pasteup ledger list\n"
        ),
    ])
    func wrongCommandLinesEndWithTwo(words: [String], message: String) async throws {
        let story = try Story()
        let result = try await story.runner().run(words)
        #expect(result.code == 2)
        #expect(result.errors == message.replacing("STATE", with: story.stateFolder))
    }

    /// As `TZ=Europe/Moscow date +%Z` prints it.
    @Test func timesForPeopleCarryTheirZone() async throws {
        let story = try Story()
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        let list = try await story.pasteup("list", changes: ["TZ": "Europe/Moscow"])
        #expect(list.output.lines.last?.contains(#/20\d\d-\d\d-\d\d \d\d:\d\d MSK  /#) == true, "\(list.all)")
    }

    @Test func doctorNamesTheMissingSecretAndNeverShowsOne() async throws {
        let story = try Story()
        let fine = try await story.pasteup("doctor", story.workflow)
        #expect(fine.code == 0, "\(fine.all)")
        #expect(!fine.all.contains(story.sandbox.vkToken))
        let lacking = try await story.pasteup("doctor", story.workflow, "--json", changes: ["VK_TOKEN": nil])
        #expect(lacking.code == 1)
        let account = try #require(lacking.output.lines.first { $0.contains(#""check":"account vk""#) })
        #expect(try Value(json: Array(account.utf8))["level"] == "error")
        #expect(!FileSystem.exists(story.stateFolder), "looking makes nothing")
    }
}

extension String {
    fileprivate func replacingFirstLine(with line: String) -> String {
        line + "\n" + split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
    }
}
