public import StepKit

/// What a person is asked about a paused step.
public struct StepQuestion: Sendable {
    public let address: String
    /// The name of the step's account in the workflow.
    public let account: String?
    /// With absolute paths.
    public let pause: PauseRequest
    /// How many answers to this call were refused in this process.
    public let refusals: Int
}

/// Asks a person who is there while the run goes on.
public struct Interviewer: Sendable {
    /// The forms of answers that the person can give; other pauses stay as they are.
    public let forms: Set<PauseRequest.AnswerForm>
    /// Is called for one question at a time, after the pause has been journalled. When it is cancelled, because the run
    /// stops, what it returns is of no account.
    public let ask: @Sendable (StepQuestion) async -> QuestionReply

    public init(
        forms: Set<PauseRequest.AnswerForm>, ask: @escaping @Sendable (StepQuestion) async -> QuestionReply
    ) {
        self.forms = forms
        self.ask = ask
    }
}
