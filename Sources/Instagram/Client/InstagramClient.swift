internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Values

/// Asks Instagram's nodes, at the pace that it allows.
struct InstagramClient: Sendable {
    let http: any HTTPClient
    private let meter = UsageMeter()

    init(http: any HTTPClient) { self.http = http }

    /// Reads a node or an edge: "me/media", "17895695668004550".
    ///
    /// The token goes into the query, the one place that Instagram documents for reading; the request's label keeps the
    /// query out of every message.
    ///
    /// - Throws: `StepError`, `CancellationError`.
    func get(_ node: String, _ query: [(name: String, value: String)], for call: StepCall) async throws -> Value {
        let account = try account(of: call, node)
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
        return try await answer(to: request, node: node, account: account, for: call)
    }

    /// Sends a form to an edge: "17841405309211844/media". The token goes into a header, as Meta's guide to publishing
    /// has it.
    ///
    /// - Parameter isWrite: whether a repeat would double something: then a lost answer is `in-doubt`.
    /// - Throws: `StepError`, `CancellationError`.
    func post(
        _ node: String, _ fields: [(name: String, value: String)], isWrite: Bool, for call: StepCall
    ) async throws -> Value {
        let account = try account(of: call, node)
        let request = HTTPRequest(
            .post, nodeAddress(node, baseURL: account.baseURL, settings: account.settings),
            headers: [(name: "Authorization", value: "Bearer " + account.token.reveal())], body: .form(fields),
            limits: HTTPLimits(total: call.timeout), isWrite: isWrite, label: "Instagram's \(node)")
        return try await answer(to: request, node: node, account: account, for: call)
    }

    private func account(of call: StepCall, _ node: String) throws -> Account {
        guard let account = call.account else {
            throw StepError(.invalid, "\(node) was asked for without an account", fix: "Name one under 'account'.")
        }
        if let version = account.settings["api-version"]?.string, !version.isEmpty, !isVersion(version) {
            throw StepError(
                .invalid, "'api-version' of \(account.phrase) is '\(version.prefix(40))', which is no version",
                fix: "Write it as v26.0, or leave it out.")
        }
        return account
    }

    private func answer(
        to request: HTTPRequest, node: String, account: Account, for call: StepCall
    ) async throws -> Value {
        try await slowDown(account, for: call)
        let name = "Instagram's \(node)"
        let response: HTTPResponse
        do {
            response = try await http.send(request)
        } catch let failure as HTTPError {
            throw StepError(failure, of: name, isWrite: request.isWrite)
        }
        let answer = try? Value(json: response.body)
        // Failures come with 200 at times, and the token endpoints' flat shape from elsewhere, too.
        if let refusal = answer.flatMap(InstagramRefusal.init) {
            let error = refusal.stepError(of: node, account: account, response: response, isWrite: request.isWrite)
            // A refusal for the limit's sake says itself when the next call may go: it is not to wait twice.
            if error.errorClass != .rateLimit { meter.note(response, of: account.token) }
            throw error
        }
        meter.note(response, of: account.token)
        guard (200..<300).contains(response.status) else {
            throw StepError(status: response, of: name, isWrite: request.isWrite)
        }
        guard let answer, answer.object != nil else {
            let what =
                "\(name) was answered with "
                + (answer == nil ? nameOfNoJSON(response) : "something that is no object")
            throw request.isWrite ? .inDoubt(what) : StepError(.server, what)
        }
        return answer
    }

    /// Waits when Instagram's headers said that the limit is near, and stops before it is passed.
    private func slowDown(_ account: Account, for call: StepCall) async throws {
        guard let usage = meter.take(account.token) else { return }
        guard usage.percent < 100 else {
            throw StepError(
                .rateLimit, "Instagram's limit of calls is used up (\(usage.percent) %)",
                why: "Further calls would be refused.", retryAfter: usage.regain ?? .seconds(300))
        }
        guard let pause = usage.pause(within: call.timeout) else { return }
        call.warn(
            "\(usage.percent) % of Instagram's limit of calls are used: the next call waits \(pause.text)")
        try await call.wait(pause)
    }
}
