internal import HTTP
internal import Threading

/// A client that is filled in when it is known which hosts may be asked: step kinds are made before that.
final class ClientSlot: HTTPClient {
    private let client = Locked<CurlClient?>(nil)

    /// - Parameter allowedHosts: `host:port`; nil for all.
    func fill(allowedHosts: [String]?) {
        let made = CurlClient(
            configuration: CurlClient.Configuration(
                userAgent: "pasteup/\(Pasteup.version)", allowedHosts: allowedHosts))
        client.withLock { $0 = made }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await filled().send(request) }

    func download(_ request: HTTPRequest, to path: String) async throws -> HTTPResponse {
        try await filled().download(request, to: path)
    }

    func shutdown() async {
        let filled = client.withLock { $0 }
        await filled?.shutdown()
    }

    private func filled() throws -> CurlClient {
        guard let client = client.withLock({ $0 }) else {
            throw HTTPError(kind: .badAddress, message: "nothing may be sent here", mayHaveBeenSent: false)
        }
        return client
    }
}
