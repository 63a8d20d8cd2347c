import CaptchaPage
import HTTP
import TestSupport
import Threading
import Values

/// A question that is being asked, and where.
struct OpenPage: Sendable {
    let page: CaptchaPage
    let address: String
    let path: String
    let port: UInt16
    private let asking: Task<CaptchaReply, any Error>

    init(_ question: CaptchaQuestion, on page: CaptchaPage? = nil) async throws {
        let page = try page ?? CaptchaPage()
        let (addresses, continuation) = AsyncStream<String>.makeStream()
        asking = Task {
            defer { continuation.finish() }
            return try await page.ask(question) { continuation.yield($0) }
        }
        var iterator = addresses.makeAsyncIterator()
        guard let address = await iterator.next(), let parts = URLParts(address) else {
            _ = try await asking.value
            throw CancellationError()
        }
        self.page = page
        self.address = address
        path = parts.path
        port = UInt16(parts.port ?? 0)
    }

    var reply: CaptchaReply { get async throws { try await asking.value } }

    func cancel() { asking.cancel() }

    func send(
        _ method: String, _ suffix: String = "", headers: [(String, String)] = [], form: String? = nil
    ) async throws -> RawAnswer {
        let type = form == nil ? [] : [("Content-Type", "application/x-www-form-urlencoded")]
        return try await rawHTTP(
            port: port, method, path + suffix, headers: headers + type,
            body: Array((form ?? "").utf8))
    }
}

extension CaptchaQuestion {
    static let old = CaptchaQuestion(
        .picture([0x89, 0x50, 0x4E, 0x47], contentType: "image/png"), title: "VK asks for a captcha",
        detail: "Run 1v9k2f7q, step 'post'")

    static func framed(_ address: String = "https://id.vk.ru/not_robot_captcha?session_token=a.b") -> CaptchaQuestion {
        CaptchaQuestion(.frame(Secret(address)), title: "VK asks for a captcha", detail: "Run 1v9k2f7q, step 'post'")
    }
}
