import StepKit
import Testing
import Values

/// What goes into the journal comes back the same, through JSON.
@Suite struct JournalTests {
    private func throughJSON(_ value: Value) throws -> Value { try Value(json: value.json()) }

    static let errors: [StepError] = [
        StepError(.network, "the connection broke"),
        StepError(
            .rateLimit, "VK answered 6 (too many requests per second)", why: "Because.", fix: "Wait.", code: "15/1133",
            retryAfter: .milliseconds(500)),
        StepError(.inDoubt, "nobody knows"),
    ]

    @Test(arguments: errors)
    func errorComesBack(_ error: StepError) throws {
        #expect(StepError(journalValue: try throughJSON(error.journalValue)) == error)
    }

    @Test func errorIsWrittenInTheJournalsWords() {
        #expect(
            Self.errors[1].journalValue.json()
                == #"{"class":"rate-limit","what":"VK answered 6 (too many requests per second)","why":"Because.","fix":"Wait.","code":"15/1133","retry-after-ms":500}"#
        )
    }

    @Test(arguments: [nil, "x", [:], ["class": "network"], ["class": "odd", "what": "x"]] as [Value])
    func otherValueIsNoError(_ value: Value) {
        #expect(StepError(journalValue: value) == nil)
    }

    static let pauses: [PauseRequest] = [
        PauseRequest(.auth, message: "The token is dead.", answer: .none),
        PauseRequest(
            .captcha, message: "Type it.", picture: "/runs/a.jpg", linkFile: "/runs/a.url",
            expires: Timestamp(milliseconds: 1_796_000_000_123), answer: .successToken,
            continuation: ["remixstlid": 9_071_234_567_890_123_456, "ts": 1793347200.123]),
        PauseRequest(.inDoubt, message: "Was it posted?", answer: .doubt),
    ]

    @Test(arguments: pauses)
    func pauseComesBack(_ pause: PauseRequest) throws {
        #expect(PauseRequest(journalValue: try throughJSON(pause.journalValue)) == pause)
    }

    @Test(
        arguments: [nil, [:], ["kind": "captcha", "message": "x"], ["kind": "odd", "message": "x", "answer": "none"]]
            as [Value])
    func otherValueIsNoPause(_ value: Value) {
        #expect(PauseRequest(journalValue: value) == nil)
    }

    /// The words of the design, which stored files are written in.
    @Test func wordsAreThoseOfTheDesign() {
        #expect(
            ErrorClass.allCases.map(\.rawValue) == [
                "network", "timeout", "rate-limit", "server", "auth", "captcha", "validation", "permission", "quota",
                "invalid", "stale", "in-doubt",
            ])
        #expect(ErrorClass.allCases.filter(\.isRetried) == [.network, .timeout, .rateLimit, .server])
        #expect(Effect.allCases.map(\.rawValue) == ["pure", "read", "idempotent", "write"])
        #expect(Effect.allCases.filter(\.runsInPlan) == [.pure, .read])
        #expect(
            PauseKind.allCases.map(\.rawValue) == ["captcha", "validation", "auth", "approval", "in-doubt"])
        #expect(PauseKind.allCases.filter(\.holdsAccount) == [.captcha, .validation, .auth])
    }

    @Test(arguments: [
        ("post", "post"), ("wall/post", "wall-post"), ("post[3]", "post-3-"), ("a_b-c", "a_b-c"), ("пост", "----"),
    ])
    func fileStemIsPlain(address: String, stem: String) {
        let call = StepCall(run: "r", address: address, parameters: [:], idempotencyKey: "k", artifacts: "/")
        #expect(call.fileStem == stem)
    }

    @Test func nullParameterCountsAsNotGiven() {
        let call = StepCall(
            run: "r", address: "a", parameters: ["a": nil, "b": 1], idempotencyKey: "k", artifacts: "/")
        #expect(call["a"] == nil)
        #expect(call["b"] == 1)
        #expect(call["c"] == nil)
    }

    @Test func sentenceHoldsWhatWhyAndHow() {
        #expect(StepError(.invalid, "it broke").sentence == "it broke.")
        #expect(StepError(.invalid, "it broke", why: "Glass.", fix: "Glue it.").sentence == "it broke. Glass. Glue it.")
    }
}
