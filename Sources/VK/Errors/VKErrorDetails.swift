internal import ServiceKit
internal import StepKit
internal import Values

/// An error of VK's, with the call that it answers.
struct VKErrorDetails: Sendable {
    /// The members of `error`.
    let error: ValueObject
    let context: VKCallContext
    /// Nil when there is none, or no number.
    let code: Int64?
    let subcode: Int64?

    init(_ error: ValueObject, context: VKCallContext) {
        self.error = error
        self.context = context
        code = error["error_code"]?.looseInteger
        subcode = error["error_subcode"]?.looseInteger
    }

    /// The member, when it is text and not empty.
    func text(_ member: String) -> String? {
        guard let text = error[member]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// Whether VK's sentence holds these words, in any case.
    func says(_ words: String) -> Bool {
        [error["error_msg"], error["error_text"]].contains { $0?.string?.lowercased().contains(words) ?? false }
    }

    /// VK's own words, where there are any that say more than ours.
    ///
    /// - Parameter meaning: ours.
    func why(besides meaning: String = "") -> String? {
        guard let words = context.words(text("error_msg") ?? text("error_text")),
            words.lowercased() != meaning.lowercased()
        else { return nil }
        return "VK says: \(words)" + (".!?…".contains(words.last ?? " ") ? "" : ".")
    }

    /// What a person is told who must act.
    func message(_ rule: VKErrorRule) -> String {
        ["VK stopped \(context.method) for \(context.account.phrase): \(rule.meaning).", rule.fix]
            .compactMap { $0 }.joined(separator: " ")
    }

    func failure(
        _ errorClass: ErrorClass, _ rule: VKErrorRule, fix: String? = nil, retryAfter: Duration? = nil,
        pause: PauseRequest? = nil
    ) -> StepError {
        failure(errorClass, meaning: rule.meaning, fix: fix ?? rule.fix, retryAfter: retryAfter, pause: pause)
    }

    func failure(
        _ errorClass: ErrorClass, meaning: String, fix: String? = nil, retryAfter: Duration? = nil,
        pause: PauseRequest? = nil
    ) -> StepError {
        let number = code.map(String.init) ?? "?"
        return StepError(
            errorClass, "VK answered \(number) (\(meaning)) to \(context.method)", why: why(besides: meaning), fix: fix,
            code: subcode.map { "\(number)/\($0)" } ?? number, retryAfter: retryAfter, pause: pause)
    }
}
