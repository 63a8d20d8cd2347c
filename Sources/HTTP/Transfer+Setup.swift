internal import CCurl
internal import Files
internal import Glibc
internal import Values

extension Transfer {
    /// Makes libcurl's handle for the request.
    ///
    /// - Throws: `HTTPError` when a header, the body or a file cannot be sent; nothing has left then.
    func begin(share: UnsafeMutableRawPointer) throws(HTTPError) -> UnsafeMutableRawPointer {
        guard let easy = curl_easy_init() else { throw unsendable(.other, "libcurl has no memory left") }
        self.easy = easy
        do throws(HTTPError) {
            try setBasics(easy, share: share)
            try setLimits(easy)
            try setMethodAndBody(easy)
            try setHeaders(easy)
            try setCallbacks(easy)
        } catch {
            end()
            throw error
        }
        return easy
    }

    private func setBasics(_ easy: UnsafeMutableRawPointer, share: UnsafeMutableRawPointer) throws(HTTPError) {
        try check(pasteup_curl_set_text(easy, CURLOPT_URL, target.url))
        try check(pasteup_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        try check(pasteup_curl_set_text(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https"))
        // Redirects are followed by `CurlClient`, which checks each address first.
        try set(easy, CURLOPT_FOLLOWLOCATION, 0)
        try set(easy, CURLOPT_NOSIGNAL, 1)
        // Without this, ending a transfer whose name is being resolved waits for the resolver, and all others with it.
        try set(easy, CURLOPT_QUICK_EXIT, 1)
        try set(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try set(easy, CURLOPT_SSL_VERIFYPEER, 1)
        try set(easy, CURLOPT_SSL_VERIFYHOST, 2)
        try set(easy, CURLOPT_FRESH_CONNECT, request.isWrite ? 1 : 0)
        try check(pasteup_curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, ""))
        try check(pasteup_curl_set_text(easy, CURLOPT_USERAGENT, userAgent))
        try check(pasteup_curl_set_pointer(easy, CURLOPT_SHARE, share))
        try check(pasteup_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText))
        if let certificates { try check(pasteup_curl_set_text(easy, CURLOPT_CAINFO, certificates)) }
        if target.parts.isLoopback { try check(pasteup_curl_set_text(easy, CURLOPT_PROXY, "")) }
    }

    private func setLimits(_ easy: UnsafeMutableRawPointer) throws(HTTPError) {
        let budget = deadline - ContinuousClock.now
        guard budget > .zero else { throw expired }
        let stall = (request.limits.stall.wholeMilliseconds + 999) / 1000
        // Zero would mean "no limit" for each of them, and libcurl cuts off the upper bits of what is too large.
        try set(easy, CURLOPT_TIMEOUT_MS, Int(budget.wholeMilliseconds.clamped(to: 1...Int64(Int32.max))))
        let connect = request.limits.connect.wholeMilliseconds.clamped(to: 1...Int64(Int32.max))
        try set(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(connect))
        try set(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        try set(easy, CURLOPT_LOW_SPEED_TIME, Int(stall.clamped(to: 1...Int64(UInt16.max))))
    }

    private func setMethodAndBody(_ easy: UnsafeMutableRawPointer) throws(HTTPError) {
        switch request.body {
        case .none:
            switch request.method {
            case .get: try set(easy, CURLOPT_HTTPGET, 1)
            case .head: try set(easy, CURLOPT_NOBODY, 1)
            case .post, .put, .patch: try setBody(easy, [])
            case .delete: break
            }
        case .bytes(let bytes, _): try setBody(easy, bytes)
        case .form(let fields): try setBody(easy, Array(formEncoded(fields).utf8))
        case .multipart(let parts): try setForm(easy, parts)
        }
        if request.method == .head, case .none = request.body { return }
        guard request.method != .head else { throw unsendable(.other, "a HEAD request cannot have a body") }
        try check(pasteup_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue))
    }

    private func setBody(_ easy: UnsafeMutableRawPointer, _ bytes: [UInt8]) throws(HTTPError) {
        try set(easy, CURLOPT_POST, 1)
        try check(pasteup_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
        // The added zero gives an empty body an address, without which libcurl would read from standard input.
        let code = (bytes + [0]).withUnsafeBytes {
            pasteup_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
        }
        try check(code)
    }

    private func setForm(_ easy: UnsafeMutableRawPointer, _ parts: [HTTPPart]) throws(HTTPError) {
        guard let form = curl_mime_init(easy) else { throw unsendable(.other, "libcurl has no memory left") }
        self.form = form
        for part in parts {
            guard let field = curl_mime_addpart(form) else { throw unsendable(.other, "libcurl has no memory left") }
            guard !part.name.utf8.contains(0) else { throw unsendable(.other, "a form's field name holds a NUL byte") }
            try check(curl_mime_name(field, part.name))
            switch part.content {
            case .text(let text):
                let bytes = Array(text.utf8)
                try check(
                    (bytes + [0]).withUnsafeBytes {
                        curl_mime_data(field, $0.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
                    })
            case .file(let path, let name, let contentType):
                try checkContentType(contentType)
                try checkFile(path)
                try check(curl_mime_filedata(field, path))
                try check(curl_mime_filename(field, name))
                try check(curl_mime_type(field, contentType))
            }
        }
        try check(pasteup_curl_set_pointer(easy, CURLOPT_MIMEPOST, UnsafeRawPointer(form)))
    }

    /// Only a regular file has the size that `Content-Length` needs.
    private func checkFile(_ path: String) throws(HTTPError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw unsendable(.file, FileError(operation: "open", path: path, code: errno).description)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unsendable(.file, "cannot send '\(path)': it is not a regular file")
        }
    }

    private func setHeaders(_ easy: UnsafeMutableRawPointer) throws(HTTPError) {
        var names: Set<String> = []
        for (name, value) in request.headers {
            guard !name.isEmpty else { throw unsendable(.other, "a header has no name") }
            // Only what comes before the fault is shown: a whole line given as the name would show its value.
            let word = name.utf8.prefix(while: isTokenByte)
            guard word.endIndex == name.endIndex else {
                throw unsendable(.other, "the header name that begins with '\(Substring(word))' cannot be sent")
            }
            guard isFieldContent(value) else {
                throw unsendable(.other, "the header '\(name)' holds a line break or another control character")
            }
            let key = name.lowercased()
            guard key != "content-length", key != "transfer-encoding" else {
                throw unsendable(.other, "the header '\(name)' follows from the body and cannot be set")
            }
            names.insert(key)
            try addHeader(value.isEmpty ? name + ";" : name + ": " + value)
        }
        // A server that ignores "Expect: 100-continue" would cost a second for each upload.
        try addHeader("Expect:")
        if !names.contains("content-type") {
            switch request.body {
            case .bytes(_, let contentType):
                try checkContentType(contentType)
                try addHeader("Content-Type: " + contentType)
            case .form: try addHeader("Content-Type: application/x-www-form-urlencoded")
            case .none: try addHeader("Content-Type:")
            case .multipart: break
            }
        }
        try check(pasteup_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList))
    }

    private func checkContentType(_ text: String) throws(HTTPError) {
        guard isFieldContent(text) else {
            throw unsendable(.other, "a content type holds a line break or another control character")
        }
    }

    private func addHeader(_ line: String) throws(HTTPError) {
        guard let list = curl_slist_append(headerList, line) else {
            throw unsendable(.other, "libcurl has no memory left")
        }
        headerList = list
    }

    private func setCallbacks(_ easy: UnsafeMutableRawPointer) throws(HTTPError) {
        let this = Unmanaged.passUnretained(self).toOpaque()
        try check(pasteup_curl_set_pointer(easy, CURLOPT_WRITEDATA, this))
        try check(pasteup_curl_set_pointer(easy, CURLOPT_HEADERDATA, this))
        try check(
            pasteup_curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
                let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Unmanaged<Transfer>.fromOpaque(transfer!).takeUnretainedValue().receive(body: piece)
                    ? piece.count : 0
            })
        try check(
            pasteup_curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
                let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Unmanaged<Transfer>.fromOpaque(transfer!).takeUnretainedValue().receive(headerLine: piece)
                    ? piece.count : 0
            })
    }

    private func set(_ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ value: Int) throws(HTTPError) {
        try check(pasteup_curl_set_long(easy, option, value))
    }

    private func check(_ code: CURLcode) throws(HTTPError) {
        guard code == CURLE_OK else {
            throw unsendable(.other, "the request cannot be made: \(String(cString: curl_easy_strerror(code)))")
        }
    }

    private func unsendable(_ kind: HTTPError.Kind, _ message: String) -> HTTPError {
        HTTPError(kind: kind, message: target.prefix + message, mayHaveBeenSent: false)
    }
}

extension Int64 {
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

/// True when the text has no control character but the tab, so that it cannot end a line of the head.
private func isFieldContent(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
}

/// A byte of a header's name (`token`, RFC 9110 §5.6.2).
private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
