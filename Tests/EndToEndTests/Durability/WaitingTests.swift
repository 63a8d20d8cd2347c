import Journal
import TestSupport
import Testing
import Values

/// VK says "not before": the process ends, and a later one goes on when the time has come.
@Suite(.programs) struct WaitingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let error: ValueObject
        /// How far the clock is on when it is still too early, and when it is time.
        var early = "50m"
        var due = "70m"

        var testDescription: String { Value.object(error).json() }

        var fault: Value {
            var fault = error
            fault["type"] = "vk-error"
            return .object(fault)
        }
    }

    static let cases = [
        Case(error: ["code": 9]),
        // Five past midnight in Moscow is at most a day away, and some jitter.
        Case(error: ["code": 29], early: "0s", due: "2d"),
        Case(
            error: ["code": 214, "message": "Access to adding post denied: you can only add 50 posts a day"],
            early: "0s", due: "2d"),
    ]

    @Test(arguments: cases, ["resume", "run"])
    func waitsAndGoesOnWhenItIsDue(test: Case, command: String) async throws {
        let story = try Story()
        try await story.fault("wall.post", test.fault)
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 4, "\(run.all)")
        let record = try #require(try await story.runs().first)
        #expect(record.state == .waiting)
        #expect(run.errors.contains("pasteup resume --due"), "\(run.all)")
        let wakesAt = try #require(record.wakesAt)
        #expect(wakesAt > record.startedAt)

        let early = try await story.faulty(["resume", "--due"], clock: test.early).result
        #expect(early.code == 0, "\(early.all)")
        #expect(early.errors == "No run is due.\n", "\(early.all)")
        #expect(try await story.runs().first?.state == .waiting)
        let tooEarly = try await story.faulty(["run", story.workflow], clock: test.early).result
        #expect(tooEarly.code == 0, "\(tooEarly.all)")
        #expect(tooEarly.errors.contains("run \(record.id)"), "it names the waiting run: \(tooEarly.all)")
        #expect(try await story.count("wall.post") == 1)

        let words = command == "run" ? ["run", story.workflow] : ["resume", "--due"]
        let due = try await story.faulty(words, clock: test.due).result
        #expect(due.code == 0, "\(due.all)")
        try await story.expectOnePost(due.all)
        #expect(try await story.count("upload") == 1, "the upload is kept")
    }

    /// The clock may be set back while the run waits: it waits longer, and is not lost.
    @Test func clockSetBackOnlyWaitsLonger() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "vk-error", "code": 9])
        #expect(try await story.pasteup("run", story.workflow).code == 4)
        let back = try await story.faulty(["resume", "--due"], clock: "-5h").result
        #expect(back.errors == "No run is due.\n", "\(back.all)")
        let due = try await story.faulty(["resume", "--due"], clock: "2h").result
        #expect(due.code == 0, "\(due.all)")
        try await story.expectOnePost(due.all)
    }

    @Test func pausedAndWaitingStepsOfOneRunGoOnEachInItsTime() async throws {
        let story = try Story(timeout: "500ms")
        let workflow = try story.write("two.yaml", independentPosts(2))
        try await story.setFaults([
            ["on": "wall.post", "call": 1, "fault": ["type": "vk-error", "code": 9]],
            ["on": "wall.post", "call": 2, "fault": ["type": "cut", "when": "after"]],
            ["on": "wall.get", "call": "every", "fault": ["type": "vk-error", "code": 15]],
        ])
        let run = try await story.pasteup("run", workflow)
        #expect(run.code == 3, "paused comes before waiting: \(run.all)")
        let record = try #require(try await story.runs().first)
        #expect(record.state == .paused)
        #expect(record.wakesAt != nil, "it has a time, too")
        #expect(try await story.posts().map { $0["text"]?.string } == ["post 2"])

        let early = try await story.pasteup("resume", "--due")
        #expect(early.errors == "No run is due.\n", "\(early.all)")
        let due = try await story.faulty(["resume", "--due"], clock: "2h").result
        #expect(due.code == 3, "the other step still waits for a person: \(due.all)")
        #expect(try await story.posts().map { $0["text"]?.string } == ["post 2", "post 1"])

        let answered = try await story.pasteup("resume", record.id, "--posted", "1")
        #expect(answered.code == 0, "\(answered.all)")
        #expect(try await story.posts().count == 2)
        #expect(try await story.runs().map(\.state) == [.succeeded])
    }
}

/// A workflow of posts that do not depend on each other, each with a key of its own.
func independentPosts(_ count: Int, timeout: String = "500ms") -> String {
    let steps = (1...count).map { number in
        """
          p\(number):
            uses: vk.wall.post
            once: post-\(number)
            with: { message: post \(number) }

        """
    }
    return postsHead(timeout) + steps.joined()
}

/// As many posts, in the rows of a table.
func tableOfPosts(_ count: Int, _ story: Story) throws -> String {
    try story.write("rows.csv", "text\n" + (1...count).map { "post \($0)\n" }.joined())
    return postsHead("500ms") + """
          post:
            uses: vk.wall.post
            for-each: ${{ inputs.rows }}
            once: ${{ item.text }}
            with: { message: "${{ item.text }}" }
        inputs:
          rows: { type: table, default: rows.csv }

        """
}

private func postsHead(_ timeout: String) -> String {
    """
    name: many
    accounts:
      vk: { type: vk, token: "${{ secrets.VK_TOKEN }}", base-url: "${{ env.SANDBOX }}", rate: 1000, settle: 20ms }
    defaults:
      timeout: \(timeout)
      retry: { max-attempts: 5, initial: 10ms, factor: 2, max: 50ms, jitter: full }
    steps:

    """
}
