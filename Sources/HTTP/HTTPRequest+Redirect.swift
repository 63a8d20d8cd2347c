extension HTTPRequest {
    /// The request that follows an answer with a `Location` (RFC 9110 §15.4): 303 makes it a GET, and so do 301 and 302
    /// for a POST, as browsers do it; 307 and 308 repeat it.
    ///
    /// A service's credentials may be in any header, so another origin gets only those that hold none.
    ///
    /// - Throws: `HTTPError` when another origin would get the body.
    func redirected(to address: String, status: Int) throws(HTTPError) -> HTTPRequest {
        var next = self
        next.url = address
        if status == 303 && method != .head || (status == 301 || status == 302) && method == .post {
            next.method = .get
            next.body = .none
            next.isWrite = false
            next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
        }
        guard let old = URLParts(url), let new = URLParts(address), old.isSameOrigin(as: new) else {
            guard case .none = next.body else {
                throw HTTPError(
                    kind: .badAnswer,
                    message: "\(label ?? redactedAddress(url)) redirects to \(redactedAddress(address)), "
                        + "and a body is never sent on to another host",
                    mayHaveBeenSent: true)
            }
            next.headers.removeAll { !Self.harmlessHeaders.contains($0.name.lowercased()) }
            return next
        }
        return next
    }

    private static let harmlessHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "if-modified-since", "if-none-match", "range",
        "user-agent",
    ]
}
