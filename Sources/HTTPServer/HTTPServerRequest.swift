/// One request, read to its end.
public struct HTTPServerRequest: Sendable {
    /// In upper case, as it came: "GET", "POST".
    public var method: String
    /// The address's path, percent-decoded, from its "/" on.
    public var path: String
    /// The address's arguments in their order, decoded.
    public var query: [(name: String, value: String)]
    /// The headers in their order, names as they came.
    public var headers: [(name: String, value: String)]
    public var cookies: [(name: String, value: String)]
    /// The fields of an urlencoded or multipart body in their order; empty for any other body.
    public var form: [Field]
    /// The body as it came; empty for a multipart form.
    public var body: [UInt8]
    /// The port at the client's end: two requests with the same one came over one connection.
    public var clientPort: UInt16

    public init(
        method: String, path: String, query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], cookies: [(name: String, value: String)] = [],
        form: [Field] = [], body: [UInt8] = [], clientPort: UInt16 = 0
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.cookies = cookies
        self.form = form
        self.body = body
        self.clientPort = clientPort
    }

    /// A field of a form.
    public struct Field: Sendable, Hashable {
        public var name: String
        /// The file's name as the client gave it; nil for a field without one. Not to be trusted as a path.
        public var fileName: String?
        /// The part's own `Content-Type`.
        public var contentType: String?
        public var bytes: [UInt8]

        public init(name: String, fileName: String? = nil, contentType: String? = nil, bytes: [UInt8] = []) {
            self.name = name
            self.fileName = fileName
            self.contentType = contentType
            self.bytes = bytes
        }

        /// The content as UTF-8, wrong bytes replaced.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The first header of that name, in any case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// The first argument of that name in the address.
    public func argument(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The first field of that name in the form.
    public func field(_ name: String) -> Field? { form.first { $0.name == name } }

    public func cookie(_ name: String) -> String? { cookies.first { $0.name == name }?.value }
}
