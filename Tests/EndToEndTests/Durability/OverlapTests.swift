import Files
import Glibc
import Journal
import TestSupport
import Testing
import Values

/// What a run does while another of the same workflow is going, and how runs share what a service allows.
@Suite(.programs) struct OverlapTests {
    private let story: Story

    init() throws { story = try Story() }

    private func change(_ line: String, to other: String) throws {
        let text = String(decoding: try FileSystem.read(story.workflow), as: UTF8.self)
        try story.write(
            "photo.yaml",
            text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.hasPrefix(line) ? other : String($0)
            }
            .joined(separator: "\n"))
    }

    @Test func failEndsWithFiveAndNamesTheRun() async throws {
        try change("overlap:", to: "overlap: fail")
        let first = try await story.startStopping("run", story.workflow, at: "photos.saveWallPhoto before")
        let id = try #require(try await story.runs().first?.id)
        let second = try await story.pasteup("run", story.workflow)
        #expect(second.code == 5, "\(second.all)")
        #expect(
            second.errors == "error: run \(id) of 'instagram-to-vk' with the same inputs is going. "
                + "The workflow says 'overlap: fail'.\n", "\(second.all)")
        first.send(SIGCONT)
        let result = try await first.finish()
        #expect(result.code == 0, "\(result.all)")
        try await story.expectOnePost(result.all)
    }

    @Test func waitGoesOnWhenTheOtherHasEnded() async throws {
        try change("overlap:", to: "overlap: wait")
        let first = try await story.startStopping("run", story.workflow, at: "photos.saveWallPhoto before")
        let id = try #require(try await story.runs().first?.id)
        let second = try story.start("run", story.workflow)
        let said = await second.errors(until: "waiting for it")
        #expect(
            said == "run \(id) of 'instagram-to-vk' with the same inputs is going; waiting for it ('overlap: wait').\n")
        first.send(SIGCONT)
        #expect(try await first.finish().code == 0)
        let waited = try await second.finish()
        #expect(waited.code == 0, "\(waited.all)")
        #expect(waited.errors.contains("nothing to do"), "\(waited.all)")
        try await story.expectOnePost(waited.all)
    }

    @Test func waitEndsWithTheSignal() async throws {
        try change("overlap:", to: "overlap: wait")
        let first = try await story.startStopping("run", story.workflow, at: "photos.saveWallPhoto before")
        let second = try story.start("run", story.workflow)
        _ = await second.errors(until: "waiting for it")
        second.send(SIGINT)
        #expect(try await second.finish().code == 130)
        first.send(SIGCONT)
        #expect(try await first.finish().code == 0)
    }

    @Test(arguments: [false, true]) func keyDecidesWhatIsTheSameRun(hasKey: Bool) async throws {
        if hasKey { try change("overlap:", to: "overlap-key: one") }
        let first = try await story.startStopping("run", story.workflow, at: "photos.getWallUploadServer before")
        let second = try await story.pasteup("run", story.workflow, "-i", "wall=-226100401")
        #expect(second.code == 0, "\(second.all)")
        #expect(second.errors.contains("this one is skipped") == hasKey, "\(second.all)")
        #expect(try await story.posts().count == (hasKey ? 0 : 1))
        first.send(SIGCONT)
        #expect(try await first.finish().code == 0)
    }

    /// Four calls a second for the account, whoever makes them: ten of two processes take nine quarters of a second, where
    /// each process alone would be through after four. What is read off is when the sandbox was asked, not how long it took.
    @Test func processesShareTheRateOfAnAccount() async throws {
        let steps = (1...5).map { "  s\($0): { uses: vk.photos.getWallUploadServer }\n" }.joined()
        let file = try story.write(
            "calls.yaml",
            """
            name: calls
            accounts:
              vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}", rate: 4 }
            steps:
            \(steps)
            """)
        let programs = try (1...2).map { try story.start("run", file, "--state", story.folder.file("state-\($0)")) }
        for program in programs {
            let result = try await program.finish()
            #expect(result.code == 0, "\(result.all)")
        }
        let calls = try await story.state()["calls"]?.array ?? []
        let times = calls.compactMap { $0["at"]?.string.flatMap { Timestamp(iso8601: $0) } }.sorted { $0 < $1 }
        // One may be asked again on a busy machine; it keeps to the pace as well.
        #expect(times.count >= 10)
        // The first may have come late, and the last early after it had waited for the machine: two places of slack.
        #expect(times[times.count - 1] - times[0] >= .milliseconds(250 * (times.count - 1 - 2)))
    }
}
