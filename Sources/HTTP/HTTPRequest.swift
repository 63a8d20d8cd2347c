/// One request over `http` or `https`.
public struct HTTPRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET", head = "HEAD", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    public var method: Method
    /// An absolute address.
    public var url: String
    public var headers: [(name: String, value: String)]
    public var body: HTTPBody
    public var limits: HTTPLimits
    /// True when a repeat would do harm. Such a request gets a fresh connection, so that it is never sent again silently
    /// on a dead one.
    public var isWrite: Bool
    /// How many redirects to follow; 0 for calls of an API, whose credentials must not travel. Another origin gets no
    /// body, and no header that may hold credentials.
    public var maxRedirects: Int
    /// Stands for the address in every message: the method's name, or the address without its query.
    public var label: String?

    public init(
        _ method: Method = .get, _ url: String, headers: [(name: String, value: String)] = [], body: HTTPBody = .none,
        limits: HTTPLimits = HTTPLimits(), isWrite: Bool = false, maxRedirects: Int = 0, label: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
        self.isWrite = isWrite
        self.maxRedirects = maxRedirects
        self.label = label
    }
}

public enum HTTPBody: Sendable {
    case none
    case bytes([UInt8], contentType: String)
    /// `application/x-www-form-urlencoded`.
    case form([(name: String, value: String)])
    /// `multipart/form-data`, files streamed from disk, sent with `Content-Length`.
    case multipart([HTTPPart])
}

/// A field of a multipart form.
public struct HTTPPart: Sendable {
    public enum Content: Sendable {
        case text(String)
        /// A file that is read while it is sent.
        case file(path: String, name: String, contentType: String)
    }

    public var name: String
    public var content: Content

    public init(name: String, content: Content) {
        self.name = name
        self.content = content
    }
}

/// Bounds on one request.
public struct HTTPLimits: Sendable {
    /// For the whole exchange, redirects and the wait for a free connection included.
    public var total: Duration
    /// For name resolution, connection and TLS.
    public var connect: Duration
    /// The exchange is given up when fewer than 1 byte a second moved for this long; whole seconds, rounded up.
    public var stall: Duration
    /// The largest body that is accepted, in bytes after decompression.
    public var maxBytes: Int

    public init(
        total: Duration = .seconds(60), connect: Duration = .seconds(15), stall: Duration = .seconds(30),
        maxBytes: Int = 16 << 20
    ) {
        self.total = total
        self.connect = connect
        self.stall = stall
        self.maxBytes = maxBytes
    }
}

public struct HTTPResponse: Sendable {
    public var status: Int
    /// Names in lower case.
    public var headers: [(name: String, value: String)]
    /// Empty after a download to a file.
    public var body: [UInt8]

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of that name, in any case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// The body as UTF-8, wrong bytes replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// Why an exchange failed.
public struct HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        /// The address cannot be used at all: scheme, syntax.
        case badAddress = "bad-address"
        case resolve, connect, tls
        case timeout, stall
        /// The connection broke after it stood.
        case cut
        /// The answer broke HTTP's rules, or its length.
        case badAnswer = "bad-answer"
        case tooLarge = "too-large"
        case tooManyRedirects = "too-many-redirects"
        /// A file of ours could not be read or written.
        case file
        case other
    }

    public let kind: Kind
    /// What happened, in one clause; no secret in it.
    public let message: String
    /// False only when it is certain that no byte of the request has left: then a repeat cannot double anything.
    public let mayHaveBeenSent: Bool

    public init(kind: Kind, message: String, mayHaveBeenSent: Bool) {
        self.kind = kind
        self.message = message
        self.mayHaveBeenSent = mayHaveBeenSent
    }

    public var description: String { message }
}

/// Sends requests. Cancelling the task ends the exchange and throws `CancellationError`.
public protocol HTTPClient: Sendable {
    /// - Throws: `HTTPError`, or `CancellationError`. Any status is an answer, not an error.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse

    /// Sends the request and writes the body of an answer with a 2xx status to a file, which appears under its name only
    /// when it is complete. Another status comes back with its body (up to 64 KiB of it), and no file.
    ///
    /// - Throws: as `send`.
    func download(_ request: HTTPRequest, to path: String) async throws -> HTTPResponse
}
