public import HTTP
public import StepKit

extension StepError {
    /// The failure of an exchange, as the failure of the call that needed it.
    ///
    /// | kind | class |
    /// |---|---|
    /// | timeout, stall | `timeout` |
    /// | resolve, connect, tls, cut, other | `network` |
    /// | badAnswer, tooLarge, tooManyRedirects | `server` |
    /// | badAddress, file | `invalid` |
    ///
    /// A write that may have left is `in-doubt`, whatever the kind.
    ///
    /// - Parameters:
    ///   - call: who was asked for what, as a message names it: "VK's wall.post".
    ///   - label: the request's, with which the client's words begin; nil when it is the call's name.
    ///   - isWrite: whether a repeat would double something.
    public init(_ failure: HTTPError, of call: String, label: String? = nil, isWrite: Bool) {
        let what = StepError.sentence(failure.message, of: call, label: label ?? call)
        if isWrite, failure.mayHaveBeenSent {
            self = .inDoubt(what, code: failure.kind.rawValue)
            return
        }
        let errorClass: ErrorClass
        var fix: String?
        switch failure.kind {
        case .timeout, .stall: errorClass = .timeout
        case .resolve, .connect, .tls, .cut, .other: errorClass = .network
        case .badAnswer, .tooLarge, .tooManyRedirects: errorClass = .server
        case .badAddress:
            errorClass = .invalid
            fix = "Check the account's base-url, or where the address comes from."
        case .file:
            errorClass = .invalid
            fix = "See that the file can be read, and that there is room for it."
        }
        self.init(errorClass, what, fix: fix, code: failure.kind.rawValue)
    }

    /// The client begins its words with the request's label: "wall.post: cannot connect to …", "wall.post broke off".
    private static func sentence(_ words: String, of call: String, label: String) -> String {
        let rest = words.dropFirst(label.count)
        guard words.hasPrefix(label), let next = rest.first, next == ":" || next == " " else {
            return "\(call) failed: \(words)"
        }
        return next == ":" ? "\(call) failed\(rest)" : "\(call)\(rest)"
    }

    /// The answer's status as a failure, where its body explains nothing.
    ///
    /// | status | class |
    /// |---|---|
    /// | 408 | `timeout` |
    /// | 429 | `rate-limit`, not before `Retry-After` |
    /// | 5xx | `server`, not before `Retry-After` |
    /// | 401 | `permission` |
    /// | other 4xx, 3xx | `invalid` |
    ///
    /// A write answered by a 408 or a 5xx is `in-doubt`: whoever answered may have passed the request on; so is one
    /// answered by 302 or 303, which also say that it was carried out and where its result lies (RFC 9110 §15.4.4). The
    /// other 4xx say that it was not (RFC 9110 §15.5), and so does 429 (RFC 6585 §4).
    public init(status response: HTTPResponse, of call: String, isWrite: Bool) {
        let code = "HTTP \(response.status)"
        let what = "\(call) was answered with \(code)"
        switch response.status {
        case 302 where isWrite, 303 where isWrite: self = .inDoubt(what, code: code)
        case 408, 499, 500...:
            if isWrite {
                self = .inDoubt(what, code: code)
            } else {
                self.init(
                    response.status < 500 ? .timeout : .server, what, code: code,
                    retryAfter: response.retryAfter)
            }
        case 429: self.init(.rateLimit, what, code: code, retryAfter: response.retryAfter)
        case 401: self.init(.permission, what, fix: "Check the account's token and base-url.", code: code)
        default: self.init(.invalid, what, fix: "Check the account's base-url.", code: code)
        }
    }

    /// A write of which nobody knows whether it happened.
    public static func inDoubt(_ what: String, why: String? = nil, code: String? = nil) -> StepError {
        StepError(.inDoubt, what, why: why ?? "The request may have been carried out all the same.", code: code)
    }
}
