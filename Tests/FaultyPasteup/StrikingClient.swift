internal import HTTP

/// Sends requests, and lets strikes fall before and after each.
struct StrikingClient: HTTPClient {
    let client: any HTTPClient
    let strikes: Strikes

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await strike(request.label) { try await client.send(request) }
    }

    func download(_ request: HTTPRequest, to path: String) async throws -> HTTPResponse {
        try await strike(request.label) { try await client.download(request, to: path) }
    }

    private func strike(_ label: String?, _ exchange: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        let number = strikes.nextRequest()
        strikes.request(number, label: label, .before)
        let response = try await exchange()
        strikes.request(number, label: label, .after)
        return response
    }
}
