internal import CCurl

/// An address in libcurl's own parser, so that what is checked is what libcurl will use.
final class CurlURL {
    private let handle: OpaquePointer

    /// - Throws: `HTTPError` of the kind `badAddress`, with libcurl's words and no part of the address.
    init(_ text: String) throws(HTTPError) {
        handle = curl_url()!
        try set(CURLUPART_URL, text, CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
    }

    deinit { curl_url_cleanup(handle) }

    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// Replaces a part, or the whole address: a relative one is resolved against the present one (RFC 3986 §5).
    func set(_ part: CURLUPart, _ text: String?, _ flags: Int32 = 0) throws(HTTPError) {
        guard text?.utf8.contains(0) != true else {
            throw HTTPError(kind: .badAddress, message: "the address holds a NUL byte", mayHaveBeenSent: false)
        }
        let code = curl_url_set(handle, part, text, UInt32(flags))
        guard code == CURLUE_OK else {
            let reason = String(cString: curl_url_strerror(code))
            throw HTTPError(
                kind: .badAddress, message: "the address cannot be read: \(reason)", mayHaveBeenSent: false)
        }
    }

    /// The whole address as libcurl writes it, what must be encoded encoded.
    var text: String { part(CURLUPART_URL) ?? "" }
}
