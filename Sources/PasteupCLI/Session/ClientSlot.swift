internal import HTTP
internal import Threading

/// A client that is filled in when it is known which hosts may be asked: step kinds are made before that.
final class ClientSlot: HTTPClient {
    private struct Filling: Sendable {
        let client: CurlClient
        /// The client itself, or what a test put before it.
        let front: any HTTPClient
    }

    private let filling = Locked<Filling?>(nil)
    private let faults: ProgramFaults

    init(_ faults: ProgramFaults) { self.faults = faults }

    /// - Parameter allowedHosts: `host:port`; nil for all.
    func fill(allowedHosts: [String]?) {
        let made = CurlClient(
            configuration: CurlClient.Configuration(
                userAgent: "pasteup/\(Pasteup.version)", allowedHosts: allowedHosts))
        let filled = Filling(client: made, front: faults.client?(made) ?? made)
        filling.withLock { $0 = filled }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await filled().send(request) }

    func download(_ request: HTTPRequest, to path: String) async throws -> HTTPResponse {
        try await filled().download(request, to: path)
    }

    func shutdown() async {
        let filled = filling.withLock { $0 }
        await filled?.client.shutdown()
    }

    private func filled() throws -> any HTTPClient {
        guard let filled = filling.withLock({ $0 }) else {
            throw HTTPError(kind: .badAddress, message: "nothing may be sent here", mayHaveBeenSent: false)
        }
        return filled.front
    }
}
