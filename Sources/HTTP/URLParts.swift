internal import CCurl
internal import Values

/// An absolute address, taken apart by libcurl's parser.
public struct URLParts: Sendable, Hashable {
    /// In lower case.
    public let scheme: String
    /// In lower case, an IPv6 address in brackets; empty where the scheme has none.
    public let host: String
    /// The one written, else the scheme's own; nil for a scheme without one.
    public let port: Int?
    /// As written; "/" when there is none.
    public let path: String
    /// As written, without the question mark.
    public let query: String?
    /// True when the port is written and not the scheme's own.
    private let showsPort: Bool

    /// Nil when `text` is no absolute address.
    public init?(_ text: String) {
        guard let url = try? CurlURL(text) else { return nil }
        self.init(url)
    }

    init(_ url: CurlURL) {
        scheme = (url.part(CURLUPART_SCHEME) ?? "").lowercased()
        host = (url.part(CURLUPART_HOST) ?? "").lowercased()
        port = url.part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap { Int($0) }
        path = url.part(CURLUPART_PATH) ?? "/"
        query = url.part(CURLUPART_QUERY)
        showsPort = url.part(CURLUPART_PORT, CURLU_NO_DEFAULT_PORT) != nil
    }

    /// The host, and the port when it is not the scheme's own: "api.vk.com", "127.0.0.1:8080".
    public var authority: String {
        guard showsPort, let port else { return host }
        return "\(host):\(port)"
    }

    /// The first value of that name in the query, decoded.
    public func queryItem(_ name: String) -> String? {
        formDecoded(query ?? "").first { $0.name == name }?.value
    }

    /// True for an address that stays on this machine: `localhost` and what ends in `.localhost` (RFC 6761 §6.3),
    /// 127.0.0.0/8, `[::1]`.
    public var isLoopback: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }

    /// True when scheme, host and port are the same: credentials for one may then be sent to the other.
    public func isSameOrigin(as other: URLParts) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// True when `host[:port]` names this address's host; without a port it names all of them.
    func matches(_ allowed: String) -> Bool {
        guard let other = URLParts(scheme + "://" + allowed) else { return false }
        let namesPort = allowed.utf8.count > other.host.utf8.count
        return host == other.host && (!namesPort || port == other.port)
    }
}

/// An address fit for messages: scheme, host, port and path; a query as `?…`; no user, no password, no fragment.
public func redactedAddress(_ url: String) -> String {
    guard let parts = URLParts(url) else { return "an address that cannot be read" }
    return parts.scheme + "://" + parts.authority + parts.path + ((parts.query ?? "").isEmpty ? "" : "?…")
}

/// An address below a base: the path is added to the base's own with one slash between, the query to the base's own.
///
/// `makeURL("https://api.vk.com/", path: "method/wall.post", query: [("v", "5.199")])` is
/// `https://api.vk.com/method/wall.post?v=5.199`.
///
/// - Parameters:
///   - path: not encoded; each of its parts is percent-encoded, the slashes between them stay.
///   - query: names and values, not encoded.
/// - Throws: `HTTPError` of the kind `badAddress` when the base is no absolute address.
public func makeURL(
    _ base: String, path: String = "", query: [(name: String, value: String)] = []
) throws(HTTPError) -> String {
    let url = try CurlURL(base)
    var fullPath = url.part(CURLUPART_PATH) ?? "/"
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { percentEncoded(String(Substring($0))) }
    if !parts.isEmpty {
        if !fullPath.hasSuffix("/") { fullPath += "/" }
        fullPath += parts.joined(separator: "/") + (path.hasSuffix("/") ? "/" : "")
    }
    let queries =
        [url.part(CURLUPART_QUERY) ?? ""]
        + query.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }
    let fullQuery = queries.filter { !$0.isEmpty }.joined(separator: "&")
    // The parts are put together here: libcurl writes the digits of `%XX` small when it sets a part (7.88).
    for part in [CURLUPART_PATH, CURLUPART_QUERY, CURLUPART_FRAGMENT] { try url.set(part, nil) }
    var root = url.text
    if root.hasSuffix("/") { root.removeLast() }
    return root + fullPath + (fullQuery.isEmpty ? "" : "?" + fullQuery)
}
