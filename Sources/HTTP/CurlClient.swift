internal import Files
internal import Threading

/// The `HTTPClient` of the program: libcurl, one multi handle on a thread of its own.
///
/// Connections are kept and shared, HTTP/2 is used where a server offers it over TLS, certificates are verified, and
/// the proxy variables of the environment are honoured (`https_proxy`, `http_proxy`, `no_proxy`), though never for
/// loopback. Nothing is started before the first request.
///
/// A request with `isWrite` gets a connection of its own, because libcurl sends a request again by itself when a kept
/// connection turns out to be dead. What it still repeats is a request that an HTTP/2 server has refused unprocessed
/// (RFC 9113 §8.7).
public final class CurlClient: HTTPClient {
    public struct Configuration: Sendable {
        /// The `User-Agent` of every request that does not bring its own.
        public var userAgent: String
        /// When set, the only hosts that are asked, as `host` or `host:port`; a redirect to another is refused, too.
        public var allowedHosts: [String]?
        /// How many connections, and so requests under way, one host and port gets; the rest wait for their turn, inside
        /// their `total` limit.
        public var maxConnectionsPerHost: Int
        /// The path of a file of certificates (PEM) to trust in place of the system's.
        public var certificates: String?

        public init(
            userAgent: String = "pasteup", allowedHosts: [String]? = nil, maxConnectionsPerHost: Int = 8,
            certificates: String? = nil
        ) {
            self.userAgent = userAgent
            self.allowedHosts = allowedHosts
            self.maxConnectionsPerHost = max(1, maxConnectionsPerHost)
            self.certificates = certificates
        }
    }

    private enum State {
        case idle
        case running(CurlLoop)
        case shutDown
    }

    /// How much of the body of an answer outside 2xx comes back from `download`.
    static let maxRefusalBytes = 64 << 10

    private let configuration: Configuration
    private let state = Locked(State.idle)

    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    deinit {
        state.withLock { if case .running(let loop) = $0 { loop.stop() } }
    }

    /// Ends the thread and waits for its end. Requests under way, and later ones, fail. Safe to call again.
    public func shutdown() async {
        let loop: CurlLoop? = state.withLock { state in
            defer { state = .shutDown }
            if case .running(let loop) = state { return loop }
            return nil
        }
        await loop?.stopped()
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await follow(request, file: nil)
    }

    public func download(_ request: HTTPRequest, to path: String) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let file = try await onFiles(mayHaveBeenSent: false) { () throws(FileError) in try PendingFile(path) }
        defer { file.discard() }
        let response = try await follow(request, file: file)
        if 200..<300 ~= response.status {
            try Task.checkCancellation()
            try await onFiles(mayHaveBeenSent: true) { () throws(FileError) in try file.commit() }
        }
        return response
    }

    /// The exchange with its redirects, all of them within the limit `total`.
    private func follow(_ request: HTTPRequest, file: PendingFile?) async throws -> HTTPResponse {
        let deadline = ContinuousClock.now + request.limits.total
        var request = request
        var followed = 0
        while true {
            let target = try Target(request, allowedHosts: configuration.allowedHosts, isRedirect: followed > 0)
            let transfer = Transfer(
                request, target, deadline: deadline, userAgent: configuration.userAgent,
                certificates: configuration.certificates, file: file,
                dropsRedirectBody: request.maxRedirects > 0)
            let outcome: Transfer.Outcome
            do {
                outcome = try await run(transfer)
            } catch let error as HTTPError where followed > 0 && !error.mayHaveBeenSent {
                throw HTTPError(kind: error.kind, message: error.message, mayHaveBeenSent: true)
            }
            guard request.maxRedirects > 0, let address = outcome.redirect else { return outcome.response }
            guard followed < request.maxRedirects else {
                throw HTTPError(
                    kind: .tooManyRedirects,
                    message: "\(target.place) leads on after \(followed) redirects, the most that are followed",
                    mayHaveBeenSent: true)
            }
            followed += 1
            request = try request.redirected(to: address, status: outcome.response.status)
        }
    }

    private func run(_ transfer: Transfer) async throws -> Transfer.Outcome {
        try Task.checkCancellation()
        guard let loop = startedLoop() else { throw CurlLoop.isShutDown }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { loop.start(transfer, $0) }
        } onCancel: {
            loop.cancel(transfer)
        }
    }

    private func startedLoop() -> CurlLoop? {
        state.withLock {
            switch $0 {
            case .idle:
                let loop = CurlLoop(maxConnectionsPerHost: configuration.maxConnectionsPerHost)
                $0 = .running(loop)
                return loop
            case .running(let loop): return loop
            case .shutDown: return nil
            }
        }
    }

    private func onFiles<Result: Sendable>(
        mayHaveBeenSent: Bool, _ body: @escaping @Sendable () throws(FileError) -> Result
    ) async throws -> Result {
        do {
            return try await offPool { try body() }
        } catch let error as FileError {
            throw HTTPError(kind: .file, message: error.description, mayHaveBeenSent: mayHaveBeenSent)
        }
    }
}
