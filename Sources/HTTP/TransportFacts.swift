internal import CCurl

/// What the libcurl on this machine can do, for `doctor`.
public struct TransportFacts: Sendable, Hashable {
    /// "7.88.1".
    public let version: String
    /// The library that does TLS, with its version; nil when there is none, and https is impossible.
    public let tls: String?
    /// Where certificates to trust are looked for: a file, a folder, or both.
    public let certificatePlaces: [String]

    /// Those of this process.
    public static var current: TransportFacts {
        let data = pasteup_curl_version().pointee
        func text(_ pointer: UnsafePointer<CChar>?) -> String? {
            pointer.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let canTLS = data.features & CURL_VERSION_SSL != 0
        return TransportFacts(
            version: text(data.version) ?? "?", tls: canTLS ? text(data.ssl_version) : nil,
            certificatePlaces: [text(data.cainfo), text(data.capath)].compactMap { $0 })
    }
}
