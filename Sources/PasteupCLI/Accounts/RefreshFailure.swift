internal import StepKit
internal import Values

/// A refresh in vain, for people.
struct RefreshFailure {
    private let error: StepError
    private let record: TokenRecord
    private let phrase: String
    private let now: Timestamp

    /// - Parameters:
    ///   - record: as it was kept after the failure.
    ///   - phrase: the account, as messages name it.
    init(_ error: StepError, of record: TokenRecord, _ phrase: String, now: Timestamp) {
        self.error = error
        self.record = record
        self.phrase = phrase
        self.now = now
    }

    /// Of a run, which goes on.
    var warning: String {
        "the token of \(phrase) could not be refreshed: \(error.sentence) "
            + [why, fix].compactMap { $0 }
            .joined(separator: " ").withoutFullStop
    }

    /// What it means for the tokens that are kept; nil when the service's words say it.
    var why: String? {
        if error.errorClass == .inDoubt {
            return "New tokens may have been given that did not arrive: the refresh token at hand is void then."
        }
        guard record.asked != nil, error.errorClass == .permission else { return end }
        return "The answer to an earlier refresh was lost, and a sign-in ends when its refresh token comes twice."
    }

    /// The next step.
    var fix: String {
        let signIn =
            "pasteup login \(record.type)"
            + (record.name.isEmpty || record.name == record.type ? "" : " --name \(record.name)")
        if error.errorClass == .permission { return "Sign in anew: \(signIn)" }
        guard error.errorClass == .inDoubt, let expires = record.expires, expires > now else {
            return "It is tried again; if that is refused, sign in anew: \(signIn)"
        }
        return
            "The token goes on until \(expires.localText), and is refreshed once more then; if that is refused, sign "
            + "in anew: \(signIn)"
    }

    private var end: String? {
        record.expires.map { $0 > now ? "The token goes on until \($0.localText)." : "The token has ended." }
    }
}
