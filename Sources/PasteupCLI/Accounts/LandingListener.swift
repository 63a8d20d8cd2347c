internal import HTTP
internal import HTTPServer
internal import Values

/// Listens on this machine for the browser that a sign-in page sends back.
///
/// It listens as long as this lives, and tells of the browser only when that has its last page.
struct LandingListener: Sendable {
    private let server: HTTPServer
    private let landings: AsyncStream<String>

    /// Nil for an address that is not on this machine, or not `http`.
    ///
    /// - Throws: `CommandFailure` when the port is taken.
    init?(_ redirect: String) throws {
        guard let parts = URLParts(redirect), parts.isLoopback, parts.scheme == "http", let number = parts.port,
            let port = UInt16(exactly: number)
        else { return nil }
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let path = parts.path
        landings = stream
        do {
            server = try HTTPServer(port: port) { request in
                guard request.path == path, request.method == "GET" else { return .text("Not Found\n", status: 404) }
                let query = request.query.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
                let page =
                    "<!doctype html><meta charset=\"utf-8\"><title>pasteup</title><p>Go back to the terminal.</p>\n"
                return .html(page).whenSent {
                    continuation.yield("\(redirect)?\(query.joined(separator: "&"))")
                }
            }
        } catch {
            throw CommandFailure(
                "the address '\(redirect)' cannot be listened at: another program has port \(port), or it is not allowed",
                why: "The sign-in page is to end there.",
                fix: "End the other program, or give another --redirect that is registered with the application.")
        }
    }

    /// The first address with an answer in it that the browser comes to.
    func wait() async throws -> String {
        for await landing in landings where landing.contains("code=") || landing.contains("error=") {
            return landing
        }
        throw CancellationError()
    }
}
