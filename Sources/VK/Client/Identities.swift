internal import StepKit
internal import Threading
internal import Values

/// Whose token is whose: learned once for each token.
final class Identities: Sendable {
    private let users = Locked<[Secret: Int64]>([:])

    /// The user's id; nil when it has not been learned, or is not a user's token.
    subscript(token: Secret) -> Int64? { users.withLock { $0[token] } }

    func learn(_ user: Int64, of token: Secret) { users.withLock { $0[token] = user } }
}

extension VKClient {
    /// The id of the token's user: known already, or by `users.get`. Nil when VK does not say it, for whatever reason:
    /// nothing important may hang on it.
    func ownID(for call: StepCall) async throws -> Int64? {
        guard let token = call.account?.token else { return nil }
        if let known = identities[token] { return known }
        let brief = StepCall(
            run: call.run, address: call.address, attempt: call.attempt, parameters: [:], account: call.account,
            idempotencyKey: call.idempotencyKey, timeout: min(call.timeout, .seconds(10)), artifacts: call.artifacts)
        do {
            let answer = try await self.call("users.get", [:], effect: .read, for: brief, asksPerson: false)
            guard let id = answer[0]?["id"]?.integer, id > 0 else { return nil }
            identities.learn(id, of: token)
            return id
        } catch is StepError {
            return nil
        }
    }
}
