internal import CCurl

/// Where a request goes, checked before anything is sent, and how messages name it.
struct Target: Sendable {
    /// As libcurl writes it.
    let url: String
    let parts: URLParts
    /// The request's label, or the address without its query.
    let place: String
    /// The label with a colon, for messages that name the host; empty without a label.
    let prefix: String

    /// - Throws: `HTTPError` of the kind `badAddress`: syntax, another scheme than http and https, a host outside
    ///   `allowedHosts`.
    init(_ request: HTTPRequest, allowedHosts: [String]?, isRedirect: Bool = false) throws(HTTPError) {
        let prefix = request.label.map { $0 + ": " } ?? ""
        func refusal(_ message: String) -> HTTPError {
            HTTPError(kind: .badAddress, message: prefix + message, mayHaveBeenSent: isRedirect)
        }
        let url: CurlURL
        do { url = try CurlURL(request.url) } catch { throw refusal(error.message) }
        let parts = URLParts(url)
        let verb = isRedirect ? "a redirect leads to" : "the address has"
        guard parts.scheme == "http" || parts.scheme == "https" else {
            throw refusal("\(verb) the scheme '\(parts.scheme)', and only http and https are used")
        }
        if let allowedHosts, !allowedHosts.contains(where: parts.matches) {
            throw refusal("\(verb) the host \(parts.authority), which is not allowed here")
        }
        self.url = url.text
        self.parts = parts
        self.prefix = prefix
        place = request.label ?? redactedAddress(request.url)
    }
}
