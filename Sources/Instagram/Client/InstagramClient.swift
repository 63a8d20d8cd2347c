internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Values

/// Reads Instagram's nodes, and loads media from where they lie.
struct InstagramClient: Sendable {
    let http: any HTTPClient

    /// Reads a node or an edge: "me/media", "17895695668004550".
    ///
    /// The token goes into the query, the one place that Instagram documents for reading; the request's label keeps the
    /// query out of every message.
    ///
    /// - Throws: `StepError`, `CancellationError`.
    func get(_ node: String, _ query: [(name: String, value: String)], for call: StepCall) async throws -> Value {
        guard let account = call.account else {
            throw StepError(.invalid, "\(node) was asked for without an account", fix: "Name one under 'account'.")
        }
        let name = "Instagram's \(node)"
        let address: String
        do {
            address = try makeURL(
                nodeAddress(node, baseURL: account.baseURL, settings: account.settings),
                query: query + [(name: "access_token", value: account.token.reveal())])
        } catch {
            throw StepError(error, of: name, isWrite: false)
        }
        let request = HTTPRequest(.get, address, limits: HTTPLimits(total: call.timeout), label: name)
        let response = try await send(request, name: name)
        let answer = try? Value(json: response.body)
        // Failures come with 200 at times, and the token endpoints' flat shape from elsewhere, too.
        if let refusal = answer.flatMap(InstagramRefusal.init) {
            throw refusal.stepError(of: node, account: account, response: response)
        }
        guard (200..<300).contains(response.status) else {
            throw StepError(status: response, of: name, isWrite: false)
        }
        guard let answer else { throw StepError(.server, "\(name) was answered with \(nameOfNoJSON(response))") }
        guard answer.object != nil else {
            throw StepError(.server, "\(name) was answered with something that is no object")
        }
        return answer
    }

    /// Loads a picture. Neither token nor header of ours goes with it: it lies on another company's machines.
    ///
    /// - Throws: `StepError` of class `stale` when the address has expired, of class `server` when what comes is no
    ///   picture; `CancellationError`.
    func picture(at address: String, for call: StepCall) async throws -> (bytes: [UInt8], format: PictureFormat) {
        let name = "the download of Instagram's picture"
        let request = HTTPRequest(
            .get, address, limits: HTTPLimits(total: call.timeout, maxBytes: 64 << 20), maxRedirects: 5, label: name)
        let response = try await send(request, name: name)
        switch response.status {
        case 200..<300: break
        case 403, 404, 410:
            throw StepError(
                .stale, "\(name) was answered with HTTP \(response.status)",
                why: "The addresses of media expire after some days.", code: "HTTP \(response.status)")
        default: throw StepError(status: response, of: name, isWrite: false)
        }
        guard let format = PictureFormat(head: response.body), format != .gif else {
            throw StepError(
                .server, "\(name) brought \(description(of: response))", why: "JPEG, PNG and WebP are taken.")
        }
        return (response.body, format)
    }

    private func send(_ request: HTTPRequest, name: String) async throws -> HTTPResponse {
        do {
            return try await http.send(request)
        } catch let failure as HTTPError {
            throw StepError(failure, of: name, isWrite: false)
        }
    }

    private func description(of response: HTTPResponse) -> String {
        if response.body.isEmpty { return "an empty body" }
        let type = response.header("Content-Type").map { " (\($0.prefix { $0 != ";" }))" } ?? ""
        return "no picture" + type
    }
}
