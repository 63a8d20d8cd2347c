internal import ServiceKit
internal import StepKit
internal import Values

extension VKClient {
    /// The id of the token's user: known already, or by `users.get`. Nil when VK does not say it, for whatever reason:
    /// nothing important may hang on it.
    func ownID(for call: StepCall) async throws -> Int64? {
        guard let token = call.account?.token else { return nil }
        if let known = identities[token] { return known }
        do {
            let answer = try await self.call("users.get", [:], effect: .read, for: call.brief, asksPerson: false)
            guard let id = answer[0]?["id"]?.looseInteger, id > 0 else { return nil }
            identities.learn(id, of: token)
            return id
        } catch is StepError {
            return nil
        }
    }

    /// Finds out what kind of token it is and what it may do: two calls, and none when it is known already.
    ///
    /// - Returns: nil when VK gave no answer that tells.
    /// - Throws: `CancellationError`.
    func tokenFacts(for call: StepCall) async throws -> TokenFacts? {
        guard let token = call.account?.token else { return nil }
        if let known = identities.known(of: token) { return known }
        guard let facts = try await probe(call.brief) else { return nil }
        identities.learn(facts, of: token)
        return facts
    }

    private func probe(_ call: StepCall) async throws -> TokenFacts? {
        do {
            let users = try await self.call("users.get", [:], effect: .read, for: call, asksPerson: false)
            if let id = users[0]?["id"]?.looseInteger, id > 0 {
                return TokenFacts(.user, id: id, rights: try await userRights(call))
            }
            return try await community(call)
        } catch let error as StepError {
            switch error.code {
            // It cannot speak of itself.
            case "100", "28": return TokenFacts(.service)
            case "27": return try await community(call)
            default: return nil
            }
        }
    }

    /// A community's token knows its community; it has no user.
    private func community(_ call: StepCall) async throws -> TokenFacts? {
        do {
            let answer = try await self.call("groups.getById", [:], effect: .read, for: call, asksPerson: false)
            // Older versions of the API answer with the list itself.
            guard let group = (answer["groups"]?.array ?? answer.array)?.first?["id"]?.looseInteger else { return nil }
            return TokenFacts(.community, id: group)
        } catch let error as StepError {
            return ["100", "28"].contains(error.code) ? TokenFacts(.service) : nil
        }
    }

    /// Nil where VK does not say them, as for VK ID's tokens.
    private func userRights(_ call: StepCall) async throws -> Int64? {
        do {
            return try await self.call(
                "account.getAppPermissions", [:], effect: .read, for: call, asksPerson: false
            ).looseInteger
        } catch is StepError {
            return nil
        }
    }
}

extension StepCall {
    /// A call that is not waited for long.
    fileprivate var brief: StepCall {
        StepCall(
            run: run, address: address, attempt: attempt, parameters: [:], account: account,
            idempotencyKey: idempotencyKey, timeout: min(timeout, .seconds(30)), artifacts: artifacts)
    }
}
