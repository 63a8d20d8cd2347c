internal import HTTP
internal import ServiceKit
internal import Values

/// What VK's answer to a method says.
///
/// Decided in this order: a challenge, the status, JSON, an object, `error`, `response`. A method answers failures with
/// status 200, too.
enum VKAnswer: Sendable {
    /// The answer, and what calls inside `execute` failed with: each of them has left `false` at its place.
    case success(Value, executeErrors: [Value])
    /// The members of `error`.
    case refused(ValueObject)
    /// The site wants a person to pass a check first; where.
    case challenge(address: String?)
    /// The status says it all.
    case status
    /// Neither; what it was instead, with its article.
    case unreadable(String)

    init(_ response: HTTPResponse) {
        let answer = try? Value(json: response.body)
        if response.header("X-Challenge")?.lowercased() == "required" {
            self = .challenge(address: response.header("X-Challenge-Url"))
        } else if response.status >= 500 {
            self = .status
        } else if let error = answer?["error"], !error.isNull {
            // The envelope of OAuth has a text here, and its sentence beside it.
            self = .refused(error.object ?? ["error_msg": answer?["error_description"] ?? error])
        } else if !(200..<300).contains(response.status) {
            self = .status
        } else if let answer {
            guard answer.object != nil else {
                self = .unreadable("\(articled(answer.typeName)) in place of an object")
                return
            }
            guard let response = answer["response"] else {
                self = .unreadable("neither a response nor an error")
                return
            }
            self = .success(response, executeErrors: answer["execute_errors"]?.array ?? [])
        } else if response.body.isEmpty {
            self = .unreadable("an empty body")
        } else {
            // The body decides, not its declared type: stand-ins and proxies name it as they like.
            self = .unreadable(nameOfNoJSON(response))
        }
    }
}

extension VKAnswer {
    /// Whether a write may have been carried out though it was answered with such a status, without an error of VK's.
    ///
    /// | status | says of the request |
    /// |---|---|
    /// | 400, 401, 404, 405, 407, 411, 413–415, 417, 421, 426, 428, 429, 431 | its form, size, address or pace alone, which are judged before it is carried out (RFC 9110 §15.5, RFC 6585): it was not |
    /// | other 4xx | anything: a filter before VK that looks at answers says 403 as one that looks at requests does |
    ///
    /// Redirects and what is no status of a failure are told apart elsewhere.
    static func leavesDoubt(_ status: Int) -> Bool {
        switch status {
        case 400, 401, 404, 405, 407, 411, 413...415, 417, 421, 426, 428, 429, 431: false
        default: (400..<500).contains(status)
        }
    }
}

private func articled(_ type: String) -> String {
    type == "null" ? type : (type == "integer" ? "an " : "a ") + type
}
