import BuiltinSteps
import ServiceTestSupport
import StepKit
import Testing
import Values

@Suite struct PauseApprovalTests {
    private let calls: TestCalls
    private let start = Timestamp(iso8601: "2026-11-30T08:00:00Z")!

    init() throws { calls = try TestCalls() }

    private func run(
        _ parameters: ValueObject, after: Duration = .zero, resumption: Resumption? = nil
    ) async throws -> StepResult {
        let kind = PauseApproval(now: { [start] in start + after })
        return try await kind.run(try calls.call(kind, parameters, account: nil, resumption: resumption))
    }

    private func pause(_ parameters: ValueObject, resumption: Resumption? = nil) async throws -> PauseRequest {
        guard case .paused(let pause) = try await run(parameters, resumption: resumption) else {
            throw StepError(.invalid, "it did not pause")
        }
        return pause
    }

    @Test func asksAndShows() async throws {
        let card = try calls.file("card.jpg", SampleBytes.jpeg)
        let pause = try await pause([
            "message": "Post it?", "show": ["card.jpg", "https://example.com/draft", "", .string(card)],
        ])
        #expect(pause.kind == .approval)
        #expect(pause.answer == .approval)
        #expect(pause.message == "Post it?")
        #expect(pause.show == [card, "https://example.com/draft", card])
        #expect(pause.expires == nil)
    }

    @Test func aMissingFileIsAnError() async throws {
        let error = try await stepError { try await run(["message": "?", "show": ["none.jpg"]]) }
        #expect(error?.errorClass == .invalid)
        #expect(error?.what == "there is no file '\(calls.folder)/none.jpg' to show")
    }

    @Test func succeedsWhenApproved() async throws {
        let asked = try await pause(["message": "?"])
        let result = try await run(
            ["message": "?"], after: .seconds(3600),
            resumption: Resumption(continuation: asked.continuation, answer: .approved))
        #expect(result == .succeeded(["approved": true, "answered-at": "2026-11-30T09:00:00Z"]))
    }

    @Test func failsWhenRejected() async throws {
        let error = try await stepError {
            try await run(["message": "?"], resumption: Resumption(continuation: .null, answer: .rejected))
        }
        #expect(error?.errorClass == .permission)
    }

    @Test func asksAgainWithoutAnAnswerAndKeepsItsTime() async throws {
        let first = try await pause(["message": "?", "timeout": "2h"])
        #expect(first.expires == start + .seconds(7200))
        let again = try await run(
            ["message": "?", "timeout": "2h"], after: .seconds(3600),
            resumption: Resumption(continuation: first.continuation, answer: nil))
        guard case .paused(let second) = again else {
            Issue.record("it did not pause")
            return
        }
        #expect(second.expires == first.expires)
    }

    @Test(arguments: [nil, PauseAnswer.approved]) func timeThatIsOverCountsAsNo(answer: PauseAnswer?) async throws {
        let first = try await pause(["message": "?", "timeout": "2h"])
        let error = try await stepError {
            try await run(
                ["message": "?", "timeout": "2h"], after: .seconds(7200),
                resumption: Resumption(continuation: first.continuation, answer: answer))
        }
        #expect(error?.errorClass == .permission)
        #expect(error?.what.hasPrefix("it was not approved by ") == true)
    }
}
