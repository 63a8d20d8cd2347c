internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Values

/// An error of Instagram's, in the Graph API's shape or in the flat one of its token endpoints.
struct InstagramRefusal: Sendable {
    let code: Int64?
    let subcode: Int64?
    private let message: String?
    private let trace: String?
    private let isTransient: Bool

    /// Nil when the answer is no error.
    init?(_ answer: Value) {
        if let error = answer["error"], !error.isNull {
            code = error["code"]?.looseInteger
            subcode = error["error_subcode"]?.looseInteger
            // The envelope of OAuth has a code word here, and its sentence beside it.
            message = error["message"]?.string ?? answer["error_description"]?.string ?? error.string
            trace = error["fbtrace_id"]?.string
            isTransient = error["is_transient"] == true
        } else if ["error_type", "error_message"].contains(where: { answer[$0].map { !$0.isNull } ?? false }) {
            code = answer["code"]?.looseInteger
            subcode = nil
            message = answer["error_message"]?.string
            trace = nil
            isTransient = false
        } else {
            return nil
        }
    }

    /// Decided by the numbers alone: the words come in the account's language.
    ///
    /// - Parameter isWrite: whether a repeat would double something: then an answer that does not say that nothing was done
    ///   is `in-doubt`.
    func stepError(of node: String, account: Account, response: HTTPResponse, isWrite: Bool = false) -> StepError {
        let rule = InstagramErrorRule.rule(for: code, subcode: subcode)
        let number = code.map(String.init) ?? "HTTP \(response.status)"
        let meaning = rule.map { " (\($0.meaning))" } ?? ""
        var error = StepError(
            rule?.errorClass ?? fallback(response.status), "Instagram answered \(number)\(meaning) to \(node)",
            why: why(hiding: account.token), fix: rule?.fix,
            code: subcode.map { "\(number)/\($0)" } ?? number, retryAfter: rule?.wait)
        if isTransient, !error.errorClass.isRetried, error.errorClass != .auth { error.errorClass = .server }
        if isWrite, error.errorClass != .auth, rule?.leavesDoubt ?? true || isTransient {
            error.errorClass = .inDoubt
            error.retryAfter = nil
        }
        switch error.errorClass {
        case .auth:
            let fix =
                (rule?.fix.map { $0 + " " } ?? "")
                + "Get a new token for \(account.phrase), with 'pasteup login instagram' or in place of the old "
                + "one, then go on."
            error.fix = fix
            error.pause = PauseRequest(
                .auth,
                message: "Instagram no longer accepts the token of \(account.phrase)\(meaning). \(fix)",
                answer: .none)
        case .rateLimit: error.retryAfter = Self.regainTime(response) ?? rule?.wait
        default: break
        }
        return error
    }

    /// An error without a code that we know.
    private func fallback(_ status: Int) -> ErrorClass {
        switch status {
        case 401: .auth
        case 429: .rateLimit
        case 500...: .server
        default: code == nil ? .server : .invalid
        }
    }

    private func why(hiding token: Secret) -> String? {
        guard let sentence = Self.words(message, hiding: token) else { return nil }
        return trace.flatMap { serviceWords($0, hiding: [token]) }.map { "\(sentence) (trace \($0))" } ?? sentence
    }

    /// What Instagram said, as a sentence; nil when it said nothing.
    static func words(_ message: String?, hiding token: Secret?) -> String? {
        guard let words = serviceWords(message, hiding: token.map { [$0] } ?? []) else { return nil }
        return "Instagram says: \(words)" + (".!?…".contains(words.last ?? " ") ? "" : ".")
    }

    /// When calls are free again: `Retry-After`, else the longest that `X-Business-Use-Case-Usage` names. Nil when neither
    /// says so.
    static func regainTime(_ response: HTTPResponse) -> Duration? {
        if let wait = response.retryAfter, wait > .zero { return wait }
        return Usage(response)?.regain
    }
}
