internal import CCaptchaPage
internal import HTTPServer
internal import Threading
internal import Values

/// A question that is on the page, until it is answered.
final class OpenQuestion: Sendable {
    private let question: CaptchaQuestion
    private let base: String
    private let frame: FrameAddress?
    private let deadline: ContinuousClock.Instant
    /// Nil once the question is closed.
    private let replies: Locked<AsyncStream<CaptchaReply>.Continuation?>

    /// - Parameter base: the server's own address.
    init(
        _ question: CaptchaQuestion, base: String, _ replies: AsyncStream<CaptchaReply>.Continuation
    ) throws(CaptchaPageError) {
        self.question = question
        self.base = base
        self.replies = Locked(replies)
        deadline = .now + question.life
        frame =
            switch question.form {
            case .frame(let address): try FrameAddress(address, parent: base)
            case .picture: nil
            }
    }

    /// From here on the address says 410.
    func close() {
        let replies = replies.withLock { held in
            defer { held = nil }
            return held
        }
        replies?.finish()
    }

    private var isClosed: Bool { replies.withLock { $0 == nil } }

    /// - Parameter rest: the path behind the question's own.
    func answer(_ request: HTTPServerRequest, rest: Substring) -> HTTPServerResponse {
        guard !isClosed else { return .refusal(410) }
        switch (request.method, rest) {
        case ("GET", ""), ("HEAD", ""): return page()
        case ("GET", "/picture"): return picture()
        case ("POST", ""): return take(request)
        case (_, ""):
            var response = HTTPServerResponse.refusal(405)
            response.headers.append(("Allow", "GET, POST"))
            return response
        default: return .refusal(404)
        }
    }

    private func take(_ request: HTTPServerRequest) -> HTTPServerResponse {
        guard request.header("Origin").map({ $0 == base }) ?? true else { return .refusal(403) }
        guard let reply = reply(in: request) else { return .refusal(400) }
        // The first answer counts.
        let replies = replies.withLock { held in
            defer { held = nil }
            return held
        }
        guard let replies else { return .refusal(410) }
        return HTTPServerResponse(status: 204, headers: quietHeaders).whenSent {
            replies.yield(reply)
            replies.finish()
        }
    }

    private func reply(in request: HTTPServerRequest) -> CaptchaReply? {
        if request.field("later") != nil { return .declined }
        let name =
            switch question.form {
            case .frame: "token"
            case .picture: "text"
            }
        guard let text = request.field(name)?.text.filter({ !$0.isWhitespace }), !text.isEmpty, text.utf8.count <= 8192
        else { return nil }
        return frame == nil ? .text(text) : .token(Secret(text))
    }

    private func picture() -> HTTPServerResponse {
        guard case .picture(let bytes, let type) = question.form else { return .refusal(404) }
        var response = HTTPServerResponse(contentType: type, body: bytes)
        response.headers += quietHeaders
        return response
    }

    private func page() -> HTTPServerResponse {
        var generator = SystemRandomNumberGenerator()
        let nonce = String(generator.next() as UInt64, radix: 36) + String(generator.next() as UInt64, radix: 36)
        let left = (deadline - .now).components.seconds
        let html = filled([
            "nonce": nonce, "frame": frame?.address ?? "", "title": question.title, "detail": question.detail,
            "seconds": String(max(0, left)),
        ])
        var response = HTTPServerResponse(contentType: "text/html; charset=utf-8", body: html)
        let policy = [
            "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "img-src 'self' data:",
            "connect-src 'self'", "frame-src \(frame?.origin ?? "'none'")", "form-action 'none'", "base-uri 'none'",
            "frame-ancestors 'none'",
        ]
        response.headers += quietHeaders
        response.headers += [
            ("Content-Security-Policy", policy.joined(separator: "; ")), ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
        return response
    }
}

/// The page's text with the values, escaped for HTML, in their places.
private func filled(_ values: [String: String]) -> [UInt8] {
    let template = String(cString: pasteup_captcha_page())
    var parts = template.split(separator: "{{", omittingEmptySubsequences: false)[...]
    var text = String(parts.removeFirst())
    for part in parts {
        let name = part.prefix { $0 != "}" }
        text += escaped(values[String(name)] ?? "") + part.dropFirst(name.count + 2)
    }
    return Array(text.utf8)
}

private func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&#39;"
        default: escaped.unicodeScalars.append(character)
        }
    }
    return escaped
}
