/// What a handler answers: a whole response, or one of the ways in which a server fails.
public struct HTTPServerResponse: Sendable {
    /// How a connection ends without an answer.
    public enum Cut: String, Sendable {
        /// In order: the client reads the end of the stream (FIN).
        case close
        /// At once: the client meets "connection reset by peer" (RST).
        case reset
    }

    enum Delivery: Sendable {
        case whole
        case truncated(claimedLength: Int)
        case cut(Cut)
    }

    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    let delivery: Delivery
    var whenSent: (@Sendable () -> Void)?

    /// A response that is sent whole, with its `Content-Length`. The connection stays open for the next request.
    public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.init(status: status, headers: headers, body: body, delivery: .whole)
    }

    /// A response of one type.
    public init(status: Int = 200, contentType: String, body: [UInt8]) {
        self.init(status: status, headers: [("Content-Type", contentType)], body: body)
    }

    private init(status: Int, headers: [(name: String, value: String)], body: [UInt8], delivery: Delivery) {
        self.status = status
        self.headers = headers
        self.body = body
        self.delivery = delivery
    }

    public static func text(_ text: String, status: Int = 200) -> HTTPServerResponse {
        HTTPServerResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    public static func html(_ text: String, status: Int = 200) -> HTTPServerResponse {
        HTTPServerResponse(status: status, contentType: "text/html; charset=utf-8", body: Array(text.utf8))
    }

    /// - Parameter text: JSON.
    public static func json(_ text: String, status: Int = 200) -> HTTPServerResponse {
        HTTPServerResponse(status: status, contentType: "application/json; charset=utf-8", body: Array(text.utf8))
    }

    /// No answer at all: the connection ends.
    public static func cut(how: Cut) -> HTTPServerResponse {
        HTTPServerResponse(status: 0, headers: [], body: [], delivery: .cut(how))
    }

    /// An answer that promises `claimedLength` bytes, sends `bytes`, and ends the connection.
    public static func truncated(
        _ bytes: [UInt8], claimedLength: Int, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> HTTPServerResponse {
        HTTPServerResponse(
            status: status, headers: headers, body: bytes, delivery: .truncated(claimedLength: claimedLength))
    }

    /// The same response, with an action that is called once: when the system has taken all of it, or its connection has
    /// ended before that. What is to end the server belongs there, so that the client gets its answer first.
    ///
    /// - Parameter action: runs on the server's thread, so it must be short.
    public func whenSent(_ action: @escaping @Sendable () -> Void) -> HTTPServerResponse {
        var response = self
        response.whenSent = action
        return response
    }

    /// The header of that name, in any case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
