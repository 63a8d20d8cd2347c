internal import CCurl
internal import Files
internal import Values

extension Transfer {
    /// The answer, or what went wrong, once libcurl is done with the handle.
    func outcome(_ code: CURLcode) -> Result<Outcome, any Error> {
        switch stop {
        case .failed(let kind, let message)?: return .failure(failure(kind, message))
        case .enough?: return .success(answer)
        case nil: return code == CURLE_OK ? .success(answer) : .failure(failure(code))
        }
    }

    /// The error of that kind, with what is known of whether the request has left.
    func failure(_ kind: HTTPError.Kind, _ message: String) -> HTTPError {
        HTTPError(kind: kind, message: message, mayHaveBeenSent: mayHaveBeenSent)
    }

    /// The error of a transfer whose time ran out before it began.
    var expired: HTTPError {
        HTTPError(
            kind: .timeout, message: "\(target.place) could not be asked within \(request.limits.total.text)",
            mayHaveBeenSent: false)
    }

    private var answer: Outcome {
        var redirect: String?
        if isRedirect, let location = headers.first(where: { $0.name == "location" })?.value,
            let url = try? CurlURL(target.url)
        {
            // One that cannot be resolved stays as it is: following it is then refused by name.
            do { try url.set(CURLUPART_URL, location, CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME) } catch {
                return Outcome(
                    response: HTTPResponse(status: status, headers: headers, body: body), redirect: location)
            }
            redirect = url.text
        }
        return Outcome(response: HTTPResponse(status: status, headers: headers, body: body), redirect: redirect)
    }

    /// False when no connection ever stood ready for the request, or when the one connection it had took no byte.
    ///
    /// libcurl sets the "pretransfer" time when name, connection, proxy tunnel and TLS are done, just before it writes
    /// the request, and counts what it wrote. The count is trusted only on a fresh connection, where there is no repeat.
    private var mayHaveBeenSent: Bool {
        guard let easy else { return false }
        var ready: curl_off_t = 0
        var written = 0
        guard pasteup_curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &ready) == CURLE_OK,
            pasteup_curl_get_long(easy, CURLINFO_REQUEST_SIZE, &written) == CURLE_OK
        else { return true }
        return ready > 0 && !(request.isWrite && written == 0)
    }

    private func failure(_ code: CURLcode) -> HTTPError {
        let host = target.parts.authority
        let words = words(code)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return failure(.resolve, "\(target.prefix)cannot find the address of \(host): \(words)")
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED:
            // libcurl's sentence names whom it tried, which matters when that was a proxy.
            let reason = words.contains(target.parts.host) ? systemWords ?? words : words
            return failure(.connect, "\(target.prefix)cannot connect to \(host): \(reason)")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE,
            CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
            return failure(.tls, "\(target.prefix)cannot connect securely to \(host): \(words)")
        case CURLE_OPERATION_TIMEDOUT:
            return timeout
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM:
            guard mayHaveBeenSent || isConnected else {
                return failure(.connect, "\(target.prefix)cannot connect to \(host): \(words)")
            }
            // libcurl reports a malformed chunk as a failure to receive.
            if words.contains("chunk") { fallthrough }
            return failure(.cut, "\(target.place) broke off: \(words)")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2:
            return failure(.badAnswer, "\(target.place) gave an answer that breaks HTTP's rules: \(words)")
        case CURLE_READ_ERROR, CURLE_ABORTED_BY_CALLBACK, CURLE_FILE_COULDNT_READ_FILE:
            return failure(.file, "\(target.prefix)cannot read a file that is being sent: \(words)")
        case CURLE_URL_MALFORMAT:
            return failure(.badAddress, "\(target.prefix)the address cannot be used: \(words)")
        default:
            return failure(.other, "\(target.prefix)the exchange with \(host) failed: \(words)")
        }
    }

    /// libcurl has one code for the three limits.
    private var timeout: HTTPError {
        let limits = request.limits
        guard isConnected else {
            let limit = min(limits.connect, limits.total)
            return failure(
                .timeout, "\(target.prefix)cannot connect to \(target.parts.authority) within \(limit.text)")
        }
        // libcurl counts in whole milliseconds, and may be two of them early.
        if ContinuousClock.now + .milliseconds(10) >= deadline {
            return failure(.timeout, "\(target.place) gave no complete answer within \(limits.total.text)")
        }
        return failure(.stall, "\(target.place) moved no data for \(limits.stall.text)")
    }

    /// True when name, connection and TLS were done.
    private var isConnected: Bool {
        var ready: curl_off_t = 0
        guard let easy, pasteup_curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &ready) == CURLE_OK else {
            return false
        }
        return ready > 0
    }

    /// What libcurl said, its general sentence for the code where it said nothing in particular.
    private func words(_ code: CURLcode) -> String {
        let text = String(cString: errorText).prefix { $0 != "\n" && $0 != "\r\n" }
        return text.isEmpty ? String(cString: curl_easy_strerror(code)) : String(text)
    }

    /// The system's sentence for the error of the connection.
    private var systemWords: String? {
        var code = 0
        guard let easy, pasteup_curl_get_long(easy, CURLINFO_OS_ERRNO, &code) == CURLE_OK, code != 0 else { return nil }
        return systemReason(Int32(code))
    }
}
