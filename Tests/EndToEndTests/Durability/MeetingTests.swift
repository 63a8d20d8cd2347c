import Files
import Glibc
import Journal
import TestSupport
import Testing
import Values

/// Processes that meet at the same run, workflow or account.
@Suite(.programs) struct MeetingTests {
    @Test func twoRunsStartedTogetherPostOnce() async throws {
        let story = try Story()
        for round in 1...(isStress ? 50 : 6) {
            let first = try story.start("run", story.workflow)
            let second = try story.start("run", story.workflow)
            let runs = try await [first.finish(), second.finish()]
            for run in runs { #expect(run.code == 0, "round \(round): \(run.all)") }
            try await story.expectOnePost("round \(round): \(runs.map(\.all))")
            try await story.startOver()
        }
    }

    /// Where the journals differ the ledgers do: both post. But never at the same moment with one account.
    @Test func writesOfOneAccountAreSerialOverStateFolders() async throws {
        let story = try Story()
        try await story.setFaults([
            ["on": "wall.post", "call": "every", "fault": ["type": "delay", "duration": "300ms"]]
        ])
        let programs = try (1...3).map { number in
            try story.start("run", story.workflow, "--state", story.folder.file("state-\(number)"))
        }
        for program in programs {
            let run = try await program.finish()
            #expect(run.code == 0, "\(run.all)")
        }
        let calls = try await story.state()["calls"]?.array ?? []
        let times = calls.filter { $0["method"] == "wall.post" }
            .compactMap { $0["at"]?.string.flatMap { Timestamp(iso8601: $0) } }.sorted { $0 < $1 }
        #expect(times.count == 3)
        for (earlier, later) in zip(times, times.dropFirst()) {
            #expect(later - earlier >= .milliseconds(300), "the second began while the first was under way")
        }
    }

    /// Stopped by the kernel, a process is as alive as any: nobody takes its run over.
    @Test(arguments: [("photos.saveWallPhoto before", 0), ("wall.post before", 0), ("wall.post after", 1)])
    func stoppedProcessKeepsItsRun(place: String, posts: Int64) async throws {
        let story = try Story()
        let program = try await story.startStopping("run", story.workflow, at: place)
        let id = try #require(try await story.runs().first?.id)
        let list = try await story.pasteup("list")
        #expect(list.output.contains("  running  "), "\(list.all)")
        for words in [["run", story.workflow], ["run", story.workflow, "--no-recover"]] {
            let second = try await story.runner().run(words)
            #expect(second.code == 0, "\(second.all)")
            #expect(second.output.isEmpty)
            #expect(second.errors.contains(id), "it names the run that is going: \(second.all)")
        }
        let resumed = try await story.pasteup("resume", id)
        #expect(resumed.code == 5, "\(resumed.all)")
        #expect(resumed.errors.contains("run \(id) is being worked on by another process"), "\(resumed.all)")
        let any = try await story.pasteup("resume", "--all")
        #expect(any.code == 0, "\(any.all)")
        #expect(try await story.count("wall.post") == posts)
        program.send(SIGCONT)
        let first = try await program.finish()
        #expect(first.code == 0, "\(first.all)")
        try await story.expectOnePost(first.all)
        #expect(try await story.count("wall.post") == 1)
    }

    @Test func twoResumesOfOneRunLetOneThrough() async throws {
        let story = try Story()
        #expect(try await story.faulty(["run", story.workflow], fault: "request 1 before kill").isStruck)
        let id = try #require(try await story.runs().first?.id)
        // The first is held in the middle, so that the second comes at the same time for certain.
        let first = try await story.startStopping("resume", id, at: "photos.saveWallPhoto before")
        let second = try await story.pasteup("resume", id)
        #expect(second.code == 5, "\(second.all)")
        #expect(
            second.errors == "error: run \(id) is being worked on by another process. Wait until that one has ended.\n")
        first.send(SIGCONT)
        let result = try await first.finish()
        #expect(result.code == 0, "\(result.all)")
        try await story.expectOnePost(result.all)
    }

    @Test func twoResumesStartedTogetherPostOnce() async throws {
        let story = try Story(timeout: "500ms")
        for round in 1...(isStress ? 50 : 4) {
            #expect(
                try await story.faulty(["run", story.workflow], fault: "request \(1 + round % 6) after kill").isStruck)
            let id = try #require(try await story.runs().first?.id)
            let first = try story.start("resume", id)
            let second = try story.start("resume", id)
            let results = try await [first.finish(), second.finish()]
            let codes = results.map(\.code).sorted()
            // The later one finds the run being worked on, or over.
            #expect(codes == [0, 5] || codes == [0, 2], "round \(round): \(results.map(\.all))")
            try await story.expectOnePost("round \(round): \(results.map(\.all))")
            try await story.startOver()
        }
    }
}
