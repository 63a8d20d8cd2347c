internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Values

/// Calls VK's methods: one POST a call, no retries.
struct VKClient: Sendable {
    let http: any HTTPClient
    let limiter: any CallLimiter
    let now: @Sendable () -> Timestamp
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    var identities = TokenBook()

    /// Calls a method and gives what its answer holds under `response`.
    ///
    /// - Parameters:
    ///   - effect: `write` makes every failure of unknown outcome `in-doubt`.
    ///   - resumption: the person's answer to the pause in which this very call ended before.
    ///   - asksPerson: false when nobody would be asked: then a captcha is not fetched, and no error carries a pause.
    /// - Throws: `StepError`, `CancellationError`.
    func call(
        _ method: String, _ parameters: ValueObject, effect: Effect, for call: StepCall, resumption: Resumption? = nil,
        asksPerson: Bool = true
    ) async throws -> Value {
        try await exchange(
            method, parameters, effect: effect, for: call, resumption: resumption, asksPerson: asksPerson
        ).value
    }

    /// As `call`, with the server's own time of the answer where it says it.
    func exchange(
        _ method: String, _ parameters: ValueObject, effect: Effect, for call: StepCall, resumption: Resumption? = nil,
        asksPerson: Bool = true
    ) async throws -> (value: Value, date: Timestamp?) {
        guard let account = call.account else {
            throw StepError(.invalid, "\(method) was called without an account", fix: "Name one under 'account'.")
        }
        let context = VKCallContext(method: method, account: account, isWrite: effect == .write)
        let answer = try PauseReply(resumption, context: context, warn: call.warn)
        var headers = [(name: "Authorization", value: "Bearer " + account.token.reveal())]
        if let cookie = answer.cookie { headers.append((name: "Cookie", value: cookie)) }
        let request = HTTPRequest(
            .post, account.address(of: method), headers: headers,
            body: .form(formFields(parameters) + answer.fields + [(name: "v", value: account.apiVersion)]),
            limits: HTTPLimits(total: call.timeout), isWrite: context.isWrite, label: method)
        try await limiter.waitForTurn(of: account.token, perSecond: callsPerSecond(of: account))
        let response: HTTPResponse
        do {
            response = try await http.send(request)
        } catch let failure as HTTPError {
            throw StepError(failure, of: context.name, label: method, isWrite: context.isWrite)
        }
        switch VKAnswer(response) {
        case .success(let value, let errors):
            guard errors.isEmpty else { throw executeError(errors, context: context) }
            return (value, response.date)
        case .refused(let error):
            throw try await stepError(for: error, context: context, call: call, asksPerson: asksPerson)
        case .challenge(let address):
            throw try await challenge(address, context: context, call: call, asksPerson: asksPerson)
        case .status where context.isWrite && VKAnswer.leavesDoubt(response.status):
            throw StepError.inDoubt(
                "\(context.name) was answered with HTTP \(response.status)",
                why: "VK's own words are missing: whoever answered may have passed the request on.",
                code: "HTTP \(response.status)")
        case .status: throw StepError(status: response, of: context.name, isWrite: context.isWrite)
        case .unreadable(let what):
            let sentence = "\(context.name) was answered with \(what)"
            throw context.isWrite ? .inDoubt(sentence) : StepError(.server, sentence)
        }
    }
}

extension VKClient {
    /// What the account says, else what VK allows that kind of token (dev.vk.com, "API requests").
    private func callsPerSecond(of account: Account) -> Double {
        account.callsPerSecond ?? (identities.known(of: account.token)?.kind == .community ? 20 : 3)
    }
}

/// What every failure of a call needs to know of it.
struct VKCallContext: Sendable {
    let method: String
    let account: Account
    let isWrite: Bool

    /// The call as messages name it.
    var name: String { "VK's \(method)" }

    /// VK's own words, fit to be shown.
    func words(_ text: String?) -> String? { serviceWords(text, hiding: [account.token]) }
}
