internal import CMicroHTTPD
internal import Glibc
internal import Threading

/// Why a server could not be started.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The port that was asked for; 0 for any.
    public let port: UInt16
    /// The system's error number.
    public let code: Int32

    public var description: String {
        switch code {
        case EADDRINUSE:
            "cannot listen on 127.0.0.1:\(port): another program uses this port. Choose another port, or 0 for a free one"
        case EACCES:
            "cannot listen on 127.0.0.1:\(port): ports below 1024 are the system's. Choose a port from 1024 on"
        default:
            "cannot listen on 127.0.0.1:\(port): \(String(cString: strerror(code)))"
        }
    }
}

/// An HTTP/1.1 server on the loopback interface, by libmicrohttpd.
///
/// It listens from its birth until `stop()`. Requests are read by one thread and answered by an asynchronous handler, any
/// number at once. A request whose `Host` is not a loopback name is refused with 403, so that a page from elsewhere
/// cannot reach the server through a name of its own (DNS rebinding). A body above `maxBodyBytes` is refused with 413.
public final class HTTPServer: Sendable {
    public typealias Handler = @Sendable (HTTPServerRequest) async -> HTTPServerResponse

    /// The port that the server listens on.
    public let port: UInt16
    private let core: ServerCore

    /// - Parameters:
    ///   - port: 0 takes any free one.
    ///   - maxBodyBytes: the largest body, its form's wrapping included.
    ///   - handler: answers one request. It is cancelled when the server stops.
    public init(port: UInt16 = 0, maxBodyBytes: Int = 64 << 20, handler: @escaping Handler) throws(HTTPServerError) {
        core = ServerCore(maxBodyBytes: maxBodyBytes, handler: handler)
        self.port = try core.start(port: port)
    }

    deinit { core.stop() }

    /// "http://127.0.0.1:8080", without a slash at its end.
    public var baseURL: String { "http://127.0.0.1:\(port)" }

    /// Ends the server: open requests are cut, their handlers cancelled, and the port is free when it returns. Calling it
    /// again does nothing. It waits for the server's thread, so a handler must not call it.
    public func stop() { core.stop() }
}
