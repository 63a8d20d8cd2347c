internal import CCurl
internal import Files
internal import Synchronization

/// One request and its answer, without redirects: what goes out is set by `begin`, what comes in is gathered by
/// libcurl's callbacks, and `outcome` makes of it an answer or an error.
///
/// Safe to share: after it was given to the loop, only the loop's thread touches it, but for `isCancelled` (atomic).
final class Transfer: @unchecked Sendable {
    struct Outcome: Sendable {
        var response: HTTPResponse
        /// Where the answer's `Location` leads, resolved; nil when the answer is no redirect.
        var redirect: String?
    }

    /// Why a callback of ours ended the transfer.
    enum Stop {
        case failed(HTTPError.Kind, String)
        /// As much of the body has come as is wanted.
        case enough
    }

    /// What becomes of the body; settled by the status.
    private enum Sink {
        case memory(maxBytes: Int, truncates: Bool)
        case file(PendingFile, maxBytes: Int)
    }

    static let maxHeaderBytes = 128 << 10

    let request: HTTPRequest
    let target: Target
    let deadline: ContinuousClock.Instant
    let userAgent: String
    /// A file of trusted certificates in place of the system's.
    let certificates: String?
    let isCancelled = Atomic(false)
    private let file: PendingFile?
    private let dropsRedirectBody: Bool

    /// Set between `begin` and `end`.
    var easy: UnsafeMutableRawPointer?
    var headerList: UnsafeMutablePointer<curl_slist>?
    var form: OpaquePointer?
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    private(set) var stop: Stop?
    private(set) var status = 0
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    private var headerBytes = 0
    private var isPastHeaders = false
    private var bodyBytes = 0
    private var sink = Sink.memory(maxBytes: 0, truncates: true)

    init(
        _ request: HTTPRequest, _ target: Target, deadline: ContinuousClock.Instant, userAgent: String,
        certificates: String?, file: PendingFile?, dropsRedirectBody: Bool
    ) {
        self.request = request
        self.target = target
        self.deadline = deadline
        self.userAgent = userAgent
        self.certificates = certificates
        self.file = file
        self.dropsRedirectBody = dropsRedirectBody
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        end()
        errorText.deallocate()
    }

    /// What shares the limit on connections.
    var host: String { "\(target.parts.host):\(target.parts.port ?? 0)" }

    /// Frees libcurl's handles.
    func end() {
        if let easy { curl_easy_cleanup(easy) }
        if let form { curl_mime_free(form) }
        curl_slist_free_all(headerList)
        easy = nil
        form = nil
        headerList = nil
    }

    /// Takes one line of the answer's head, or of the trailer. False ends the transfer.
    func receive(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= Self.maxHeaderBytes else {
            return halt(
                .failed(.tooLarge, "\(target.place) answered with more than \(Self.maxHeaderBytes) bytes of headers"))
        }
        let line = String(decoding: bytes, as: UTF8.self)
        let content = line.trimmed
        if line.hasPrefix("HTTP/") {
            status = Int(content.split(separator: " ").dropFirst().first ?? "") ?? 0
            headers = []
            isPastHeaders = false
        } else if content.isEmpty {
            isPastHeaders = true
            return status < 200 || settleSink()
        } else if isPastHeaders {
            // A trailer: nothing in it is used.
        } else if line.hasPrefix(" ") || line.hasPrefix("\t"), let last = headers.indices.last {
            headers[last].value += " " + content
        } else if let colon = content.firstIndex(of: ":") {
            headers.append((content[..<colon].lowercased(), String(content[content.index(after: colon)...]).trimmed))
        }
        return true
    }

    /// Takes a piece of the body, decompressed. False ends the transfer.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        bodyBytes += bytes.count
        switch sink {
        case .memory(let maxBytes, let truncates):
            if bodyBytes <= maxBytes {
                body.append(contentsOf: bytes)
                return true
            }
            guard truncates else { return halt(tooLarge(maxBytes)) }
            body.append(contentsOf: bytes.prefix(maxBytes - body.count))
            return halt(.enough)
        case .file(let file, let maxBytes):
            guard bodyBytes <= maxBytes else { return halt(tooLarge(maxBytes)) }
            do throws(FileError) {
                try file.write(bytes)
                return true
            } catch {
                return halt(.failed(.file, error.description))
            }
        }
    }

    /// Where the answer's body goes, now that its head is complete; false when its `Content-Length` is too large.
    private func settleSink() -> Bool {
        let maxBytes = request.limits.maxBytes
        if isRedirect && dropsRedirectBody {
            sink = .memory(maxBytes: CurlClient.maxRefusalBytes, truncates: true)
            return true
        }
        if let file {
            guard 200..<300 ~= status else {
                sink = .memory(maxBytes: CurlClient.maxRefusalBytes, truncates: true)
                return true
            }
            sink = .file(file, maxBytes: maxBytes)
        } else {
            sink = .memory(maxBytes: maxBytes, truncates: false)
        }
        let hasBody = request.method != .head && status != 204 && status != 304
        if hasBody, let length = headers.first(where: { $0.name == "content-length" }).flatMap({ Int($0.value) }),
            length > maxBytes
        {
            return halt(tooLarge(maxBytes))
        }
        return true
    }

    var isRedirect: Bool {
        [301, 302, 303, 307, 308].contains(status) && headers.contains { $0.name == "location" }
    }

    private func tooLarge(_ maxBytes: Int) -> Stop {
        .failed(.tooLarge, "\(target.place) answered with more than \(maxBytes) bytes, the most that is accepted")
    }

    private func halt(_ reason: Stop) -> Bool {
        stop = reason
        return false
    }
}

extension String {
    /// Without white space at both ends.
    fileprivate var trimmed: String {
        let isBlank = { (byte: UInt8) in byte == 32 || 9...13 ~= byte }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[first...last])
    }
}
