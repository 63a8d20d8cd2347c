internal import HTTPServer
internal import Hashing
internal import Values

/// One call of a VK method: its parameters, and who calls.
struct VKCall: Sendable {
    enum Caller: Sendable, Hashable { case user, community, service }

    let method: String
    /// From the address and the form, in this order; the first of a name counts. The token is not among them.
    let parameters: [(name: String, value: String)]
    let token: String?
    /// "header", "parameter" or "none".
    let credentials: String
    let remixstlidCookie: String?
    /// "http://127.0.0.1:8080", as the client knows this server.
    let base: String
    let now: Timestamp

    init(method: String, request: HTTPServerRequest, base: String, now: Timestamp) {
        self.method = method
        self.base = base
        self.now = now
        let all = request.query + request.form.map { ($0.name, $0.text) }
        parameters = all.filter { $0.name != "access_token" }
        let bearer = bearerToken(of: request)
        token = bearer ?? all.first { $0.name == "access_token" }?.value
        credentials = bearer != nil ? "header" : token != nil ? "parameter" : "none"
        remixstlidCookie = request.cookie("remixstlid")
    }

    /// The parameter; nil when it is absent or empty.
    func text(_ name: String) -> String? {
        guard let value = parameters.first(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return value
    }

    func integer(_ name: String) throws -> Int64? {
        guard let text = text(name) else { return nil }
        guard let number = Int64(text) else { throw VKError.parameter("\(name) not integer") }
        return number
    }

    /// An integer that VK wants to be positive: ids of communities, counts.
    func positive(_ name: String) throws -> Int64? {
        guard let number = try integer(name) else { return nil }
        guard number > 0 else { throw VKError.parameter("\(name) should be positive") }
        return number
    }

    /// 1 is true, 0 and absence are false.
    func flag(_ name: String) throws -> Bool {
        switch text(name) {
        case nil, "0": false
        case "1": true
        default: throw VKError.parameter("\(name) should be 0 or 1")
        }
    }

    /// The elements of a list joined by commas; empty ones are left out.
    func list(_ name: String) -> [String] {
        (text(name) ?? "").split(separator: ",").map { element in
            String(element.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    /// SHA-256 of all parameters but the answer to a captcha: equal for the repeat of a call.
    var fingerprint: String {
        let lines = parameters.filter { !Self.answerNames.contains($0.name) }.map { "\($0.name)=\($0.value)" }
        return SHA256.hex(([method] + lines.sorted()).joined(separator: "\n"))
    }

    private static let answerNames: Set<String> = [
        "captcha_sid", "captcha_key", "captcha_ts", "captcha_attempt", "success_token", "remixstlid",
    ]
}

/// The token of `Authorization: Bearer …`.
func bearerToken(of request: HTTPServerRequest) -> String? {
    guard let header = request.header("Authorization"), header.lowercased().hasPrefix("bearer ") else { return nil }
    return String(header.dropFirst("bearer ".count))
}
