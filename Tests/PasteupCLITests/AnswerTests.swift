import Journal
import StepKit
import Testing
import Values

@testable import PasteupCLI

/// Which paused step an answer goes to.
@Suite struct AnswerTests {
    private let record = RunRecord(
        id: "r7k2", workflow: "w", file: "/w.yaml", lockKey: "", inputs: [:],
        startedAt: Timestamp(milliseconds: 1_790_000_000_000), state: .paused)

    private func paused(_ steps: [(String, PauseRequest.AnswerForm)]) -> [(address: String, pause: PauseRequest)] {
        steps.map { ($0.0, PauseRequest(.captcha, message: "Type the text.", answer: $0.1)) }
    }

    private let output = Output { _ in nil }

    private func spread(
        _ words: [String], _ steps: [(String, PauseRequest.AnswerForm)]
    ) throws -> [String: PauseAnswer?] {
        let arguments = try ResumeCommand.spec.parse(words)
        return try Answer.spread(
            Answer(arguments, output), over: paused(steps), step: arguments.value("--step"), record,
            options: " --sandbox")
    }

    @Test(
        arguments: [
            (["--captcha", "zx8mq"], .captcha("zx8mq")), (["--captcha", " zx8 mq\n"], .captcha("zx8mq")),
            (["--success-token", "eyJ.a.b"], .successToken(Secret("eyJ.a.b"))), (["--approve"], .approved),
            (["--reject"], .rejected),
            (["--posted", "wall-1_2"], .posted(id: "wall-1_2")), (["--resend"], .resend),
        ] as [([String], PauseAnswer)])
    func answerIsRead(words: [String], answer: PauseAnswer) throws {
        #expect(try Answer(ResumeCommand.spec.parse(words), output)?.answer == answer)
    }

    @Test func answerGoesToTheStepThatWaitsForItsKind() throws {
        let steps: [(String, PauseRequest.AnswerForm)] = [
            ("a", .approval), ("b", .captchaText), ("c", .doubt), ("d", .successToken), ("e", .none),
        ]
        #expect(try spread(["--captcha", "x"], steps) == ["b": .captcha("x")])
        #expect(try spread(["--success-token", "x"], steps) == ["d": .successToken(Secret("x"))])
        #expect(try spread(["--approve"], steps) == ["a": .approved])
        #expect(try spread(["--resend"], steps) == ["c": .resend])
    }

    @Test func withoutAnAnswerAllButApprovalsAreTriedAgain() throws {
        let answers = try spread([], [("a", .approval), ("b", .captchaText), ("c", .none)])
        #expect(Set(answers.keys) == ["b", "c"])
        #expect(answers.values.allSatisfy { $0 == nil })
        #expect(try spread([], []).isEmpty)
    }

    @Test func stepChoosesAmongSeveral() throws {
        let steps: [(String, PauseRequest.AnswerForm)] = [("a", .captchaText), ("b", .captchaText)]
        #expect(try spread(["--captcha", "x", "--step", "b"], steps) == ["b": .captcha("x")])
        #expect(Set(try spread(["--step", "a"], steps).keys) == ["a"])
    }

    @Test(
        arguments: [
            (
                ["--captcha", "x"], ["a", "b"], "several steps of run r7k2 wait for '--captcha'",
                "Add --step with one of a, b."
            ),
            (
                ["--approve"], ["a"], "no step of run r7k2 waits for '--approve'",
                "Write: pasteup resume r7k2 --sandbox --captcha TEXT"
            ),
            (["--step", "z"], ["a"], "step 'z' of run r7k2 is not paused", "Paused: a."),
            (["--resend"], [], "no step of run r7k2 waits for '--resend'", nil),
        ] as [([String], [String], String, String?)])
    func answerThatFitsNothingIsRefused(words: [String], steps: [String], message: String, fix: String?) {
        let error = #expect(throws: UsageError.self) { try spread(words, steps.map { ($0, .captchaText) }) }
        #expect(error?.message == message)
        #expect(error?.fix == fix)
    }

    @Test func approvalWaitsForAWord() {
        let error = #expect(throws: UsageError.self) { try spread([], [("a", .approval)]) }
        #expect(error?.message == "run r7k2 waits for an answer: Type the text.")
        #expect(
            error?.fix == "Write: pasteup resume r7k2 --sandbox --approve  or: pasteup resume r7k2 --sandbox --reject")
    }

    @Test(arguments: [
        (["--captcha", "x", "--resend"], "'--captcha' and '--resend' do not go together"),
        (["--approve", "--reject"], "'--approve' and '--reject' do not go together"),
        (["--captcha", " "], "'--captcha' is empty"), (["--success-token", ""], "the success token is empty"),
    ])
    func answersThatMakeNoSenseAreRefused(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Answer(ResumeCommand.spec.parse(words), output) }
        #expect(error?.message == message)
    }
}
