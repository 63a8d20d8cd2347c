import HTTP
import TestSupport
import Testing

/// The error that an exchange ends with; a recorded issue when it ends otherwise.
func failure(
    of exchange: () async throws -> HTTPResponse, sourceLocation: SourceLocation = #_sourceLocation
) async -> HTTPError? {
    do {
        let response = try await exchange()
        Issue.record("answered \(response.status)", sourceLocation: sourceLocation)
    } catch let error as HTTPError {
        return error
    } catch {
        Issue.record("threw \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

/// Says once that something has come to pass, for a task that waits for it.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send() { continuation.yield() }

    func wait() async {
        for await _ in stream { return }
    }
}

extension HTTPLimits {
    /// Everything generous but the whole exchange.
    static func total(_ total: Duration) -> HTTPLimits { HTTPLimits(total: total) }
}
