import Glibc
import Journal
import Sandbox
import TestSupport
import Testing
import Values

/// The main job, struck at its first, second, third … commit or request until a run passes untouched. After each the job is
/// taken up again, and ends with one post.
@Suite(.programs) struct KillMatrixTests {
    /// How a person or cron goes on after a strike.
    enum Recovery: String, CaseIterable, Sendable {
        /// `pasteup resume RUN`.
        case resume
        /// The same command once more.
        case run
    }

    struct Series: Sendable, CustomTestStringConvertible {
        /// With `#` for the number.
        let fault: String
        /// In turn, from one number to the next.
        var recoveries: [Recovery] = Recovery.allCases
        var ignoresGuid = false

        var testDescription: String {
            "\(fault), then \(recoveries.map(\.rawValue).joined(separator: "/"))\(ignoresGuid ? ", guid ignored" : "")"
        }

        /// Each number with each recovery and each kind of service, where that is asked for.
        static func all(_ faults: [String]) -> [Series] {
            guard isStress else {
                return faults.enumerated().map { index, fault in Series(fault: fault, ignoresGuid: index % 2 == 1) }
            }
            return faults.flatMap { fault in
                Recovery.allCases.flatMap { recovery in
                    [false, true].map { Series(fault: fault, recoveries: [recovery], ignoresGuid: $0) }
                }
            }
        }
    }

    @Test(
        arguments: Series.all([
            "journal # before kill", "journal # after kill", "request # before kill", "request # after kill",
        ]))
    func killedAtAnyInstantItPostsOnce(series: Series) async throws {
        try await strike(series) { result, _, comment in #expect(result.signal == SIGKILL, "\(comment)") }
    }

    /// The disk stays full from the n-th commit on, or the answer to a commit is lost; or another process holds the journal.
    @Test(
        arguments: Series.all([
            "journal #+ before full", "journal # after full", "journal # before busy", "journal # after busy",
        ]))
    func failedCommitEndsTheRunAndItPostsOnce(series: Series) async throws {
        try await strike(series) { result, story, comment in
            #expect(result.code == 1, "\(comment)")
            #expect(result.errors.contains("journal '\(story.stateFolder)/journal.sqlite'"), "\(comment)")
            #expect(
                result.errors.contains(series.fault.hasSuffix("full") ? "no space left" : "held by another process"))
            #expect(result.output.isEmpty, "\(comment)")
        }
    }

    private func strike(
        _ series: Series, _ expect: (ProgramResult, Story, _ comment: String) async throws -> Void
    ) async throws {
        let story = try Story(timeout: "500ms") { $0.ignoreGuid = series.ignoresGuid }
        for number in 1...200 {
            let fault = series.fault.replacing("#", with: "\(number)")
            let (struck, isStruck) = try await story.faulty(["run", story.workflow], fault: fault)
            guard isStruck else {
                #expect(struck.code == 0, "\(struck.all)")
                try await story.expectOnePost("untouched")
                #expect(number > 6, "the job has at least as many commits and requests as steps")
                return
            }
            try await expect(struck, story, "\(fault): \(struck.all)")
            let before = try await story.posts().count
            let recovery = series.recoveries[number % series.recoveries.count]
            let last = try await recover(story, recovery)
            #expect(last.code == 0, "\(fault): \(struck.all)\n\(recovery): \(last.all)")
            try await story.expectOnePost(
                "\(fault), \(before) posts: \(struck.all)\n\(recovery): \(last.all)")
            try await story.startOver()
        }
        Issue.record("no run passed untouched")
    }

    private func recover(_ story: Story, _ recovery: Recovery) async throws -> ProgramResult {
        // A run that was not yet in the journal, or was over in it already, leaves nothing to resume.
        if recovery == .resume, let run = try await story.runs().first, !run.state.isFinal {
            return try await story.pasteup("resume", run.id)
        }
        return try await story.pasteup("run", story.workflow)
    }
}
