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
        } else if let error = answer?["error"] {
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

private func articled(_ type: String) -> String {
    type == "null" ? type : (type == "integer" ? "an " : "a ") + type
}
