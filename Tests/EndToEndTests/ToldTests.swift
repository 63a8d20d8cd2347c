import Files
import Glibc
import Journal
import TestSupport
import Testing
import Values

/// What is said, how often, and where it is left unsaid.
@Suite(.programs) struct ToldTests {
    @Test func quietRunWithNothingToDoSaysNothing() async throws {
        let story = try Story()
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        let again = try await story.pasteup("run", story.workflow, "--quiet")
        #expect(again.code == 0)
        #expect(again.output.isEmpty && again.errors.isEmpty, "\(again.all)")
        let due = try await story.pasteup("resume", "--due", "--quiet")
        #expect(due.code == 0)
        #expect(due.output.isEmpty && due.errors.isEmpty, "\(due.all)")
    }

    @Test func quietRunStillSaysWhatNeedsAPerson() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha", "form": "old"])
        let run = try await story.pasteup("run", story.workflow, "--quiet")
        #expect(run.code == 3)
        #expect(run.errors.contains("Answer with: pasteup resume "), "\(run.all)")
    }

    /// A folder above that is a file, and a link that leads to itself, hide what is in there from root as well.
    @Test(arguments: ["list", "paused", "show 1", "resume --all", "cancel 1", "retry 1", "ledger list"])
    func stateFolderThatCannotBeLookedIntoIsNoEmptyOne(command: String) async throws {
        let story = try Story()
        let file = try story.write("file", "")
        let loop = story.folder.file("loop")
        #expect(symlink(loop, loop) == 0)
        for (folder, reason) in [(file + "/state", "Not a directory"), (loop, "Too many levels of symbolic links")] {
            let words = command.split(separator: " ").map(String.init) + ["--state", folder]
            let result = try await story.runner().run(words)
            #expect(result.code == 1, "\(result.all)")
            #expect(
                result.errors
                    == "error: the state folder cannot be used: cannot read '\(folder)/journal.sqlite': \(reason). "
                    + "Mend that, or choose another folder with --state DIR.\n", "\(result.all)")
        }
    }

    @Test func uploadWhoseAddressIsGoneTwiceSaysWhatThatMeans() async throws {
        let story = try Story()
        try await story.fault("upload", ["type": "http", "status": 404], calls: "every")
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 1, "\(run.all)")
        #expect(
            run.errors.contains(
                "VK's upload was answered with HTTP 404. The upload's address is gone, or was never good: VK's addresses "
                    + "live for a short time. "), "\(run.all)")
        #expect(try await story.count("photos.getWallUploadServer") == 2)
    }

    @Test func callThatBreaksOffIsNamedOnce() async throws {
        let story = try Story()
        try await story.fault("photos.getWallUploadServer", ["type": "cut", "when": "before"], calls: "every")
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 1, "\(run.all)")
        let line = try #require(run.errors.lines.first { $0.hasPrefix("error:") })
        #expect(line.contains("VK's photos.getWallUploadServer broke off: "), "\(line)")
        #expect(!line.contains("failed: photos.getWallUploadServer"), "\(line)")
    }

    @Test func numberInPlaceOfASizeIsQuotedAsWritten() async throws {
        let story = try Story()
        let file = try story.write(
            "size.yaml", "name: size\nsteps:\n  card:\n    uses: card.compose\n    with: { size: 0x10 }\n")
        let result = try await story.pasteup("validate", file)
        #expect(result.code == 2)
        #expect(result.errors.contains("is 0x10, not a size as 1080x1920"), "\(result.all)")
    }

    @Test func showListsTheStepsInTheOrderOfTheFile() async throws {
        let story = try Story()
        try await story.fault("photos.getWallUploadServer", ["type": "vk-error", "code": 15])
        #expect(try await story.pasteup("run", story.workflow).code == 1)
        let id = try #require(try await story.runs().first?.id)
        let shown = try await story.pasteup("show", id, "--json")
        let steps = try Value(json: shown.output)["steps"]?.array?.map { $0["step"]?.string }
        #expect(steps == ["latest", "card", "server", "upload", "saved", "post"])
    }

    @Test func fetchedPlanLeavesNoFolderThatHoldsNothing() async throws {
        let story = try Story()
        let before = try FileSystem.list(story.folder.path).filter { $0.hasPrefix("pasteup-plan") }
        let text = try story.write(
            "text.yaml", "name: t\nsteps:\n  a:\n    uses: text.render\n    with: { text: x }\n")
        #expect(try await story.pasteup("plan", text, "--fetch").code == 0)
        #expect(try FileSystem.list(story.folder.path).filter { $0.hasPrefix("pasteup-plan") } == before)
    }

    /// The card stays to be looked at; with the next plan, a day later, it goes.
    @Test func fetchedPlanRemovesTheFolderOfAnOldOne() async throws {
        let story = try Story()
        #expect(try await story.pasteup("plan", story.workflow, "--fetch").code == 0)
        let first = try FileSystem.list(story.folder.path).filter { $0.hasPrefix("pasteup-plan") }
        #expect(first.count == 1)
        let soon = try await story.faulty(["plan", story.workflow, "--fetch"], clock: "20h").result
        #expect(soon.code == 0, "\(soon.all)")
        #expect(try FileSystem.list(story.folder.path).filter { $0.hasPrefix("pasteup-plan") }.count == 2)
        let later = try await story.faulty(["plan", story.workflow, "--fetch"], clock: "25h").result
        #expect(later.code == 0, "\(later.all)")
        let last = try FileSystem.list(story.folder.path).filter { $0.hasPrefix("pasteup-plan") }
        #expect(last.count == 1 && last != first)
    }

    @Test func changedFileIsToldAndTheCopyGoesOn() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha", "form": "old"])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let text = String(decoding: try FileSystem.read(story.workflow), as: UTF8.self)
        try story.write("photo.yaml", text + "\n# changed\n")
        let resumed = try await story.pasteup("resume")
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(resumed.errors.contains("has changed since run "), "\(resumed.all)")
        #expect(resumed.errors.contains("; the run goes on with its own copy."), "\(resumed.all)")
    }
}
