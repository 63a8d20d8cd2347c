public import HTTPServer
internal import Threading

/// A page on loopback that shows captchas to a person and brings the answers back.
///
/// Each question has an address of its own, with 128 random bits in it, which is good for one answer and for the
/// captcha's life; after that it says 410. Whoever does not know it meets 404. The page loads nothing from elsewhere but
/// the service's own page in a frame, sends no referrer and is kept by no cache.
public final class CaptchaPage: Sendable {
    private let server: HTTPServer
    private let questions: Locked<[String: OpenQuestion]>

    /// Begins to listen on a free port, until `stop()`.
    public init() throws(HTTPServerError) {
        let questions = Locked<[String: OpenQuestion]>([:])
        self.questions = questions
        server = try HTTPServer(maxBodyBytes: 64 << 10) { request in
            let (name, rest) = split(request.path)
            guard let question = questions.withLock({ $0[name] }) else { return .refusal(404) }
            return question.answer(request, rest: rest)
        }
    }

    /// Asks, and waits for the answer, for the end of the captcha's life, or for the page to be given up.
    ///
    /// The page stays until `stop()`, so that the browser gets the last word as well.
    ///
    /// - Parameter opened: is told the address to open.
    /// - Throws: `CaptchaPageError`; `CancellationError`, after which the address says 410.
    public func ask(
        _ question: CaptchaQuestion, opened: @Sendable (_ address: String) async -> Void
    ) async throws -> CaptchaReply {
        let (replies, continuation) = AsyncStream<CaptchaReply>.makeStream()
        let open = try OpenQuestion(question, base: server.baseURL, continuation)
        let name = randomName()
        questions.withLock { $0[name] = open }
        defer { open.close() }
        await opened(server.baseURL + "/" + name)
        return try await withThrowingTaskGroup(of: CaptchaReply?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for await reply in replies { return reply }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: question.life)
                return .expired
            }
            guard let reply = try await group.next() ?? nil else { throw CancellationError() }
            return reply
        }
    }

    /// Ends the page. Waits for the server's thread.
    public func stop() { server.stop() }
}

/// "a1b2" and "/picture" of "/a1b2/picture".
private func split(_ path: String) -> (name: String, rest: Substring) {
    let name = path.dropFirst().prefix { $0 != "/" }
    return (String(name), path[name.endIndex...])
}

/// 32 hexadecimal digits of the system's random numbers.
private func randomName() -> String {
    var name = ""
    for _ in 0..<4 {
        let digits = String(UInt32.random(in: 0 ... .max), radix: 16)
        name += String(repeating: "0", count: 8 - digits.count) + digits
    }
    return name
}

extension HTTPServerResponse {
    static func refusal(_ status: Int) -> HTTPServerResponse {
        let text =
            switch status {
            case 410: "This page was good for one answer, and its time is over."
            case 404: "There is no such page."
            default: "This is not what the page sends."
            }
        var response = HTTPServerResponse.text(text + "\n", status: status)
        response.headers += quietHeaders
        return response
    }
}

let quietHeaders: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
]
