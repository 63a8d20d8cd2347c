internal import StepKit
internal import Threading
public import Values

/// What is known of a token.
struct TokenFacts: Sendable, Hashable {
    /// Whose it is: that decides which methods VK lets it call.
    enum Kind: String, Sendable, Hashable {
        case user, community, service

        /// With its article.
        var phrase: String {
            switch self {
            case .user: "a user's token"
            case .community: "a community's token"
            case .service: "a service token"
            }
        }
    }

    var kind: Kind
    /// The user's or the community's id, positive.
    var id: Int64?
    /// VK's bit mask of a user token's rights; nil when VK does not say them.
    var rights: Int64?

    init(_ kind: Kind, id: Int64? = nil, rights: Int64? = nil) {
        self.kind = kind
        self.id = id
        self.rights = rights
    }

    var value: Value {
        var object: ValueObject = ["kind": .string(kind.rawValue)]
        object["id"] = id.map(Value.integer)
        object["rights"] = rights.map(Value.integer)
        return .object(object)
    }

    /// Nil when a member is missing.
    init?(_ value: Value) {
        guard let kind = value["kind"]?.string.flatMap(Kind.init) else { return nil }
        self.init(kind, id: value["id"]?.integer, rights: value["rights"]?.integer)
    }
}

/// Remembers what was learned of tokens from one process to the next.
public protocol TokenMemory: Sendable {
    /// What was kept for the token; nil when there is nothing, or it is too old.
    func value(of token: Secret) -> Value?

    func keep(_ value: Value, of token: Secret)
}

/// What is known of the tokens of this process.
final class TokenBook: Sendable {
    private let facts = Locked<[Secret: TokenFacts]>([:])
    private let users = Locked<[Secret: Int64]>([:])
    private let memory: (any TokenMemory)?

    init(memory: (any TokenMemory)? = nil) { self.memory = memory }

    /// The user's id; nil when it has not been learned, or is not a user's token.
    subscript(token: Secret) -> Int64? {
        if let user = users.withLock({ $0[token] }) { return user }
        guard let facts = known(of: token), facts.kind == .user else { return nil }
        return facts.id
    }

    func learn(_ user: Int64, of token: Secret) { users.withLock { $0[token] = user } }

    /// What has been found out in this process or an earlier one.
    func known(of token: Secret) -> TokenFacts? {
        if let known = facts.withLock({ $0[token] }) { return known }
        guard let kept = memory?.value(of: token).flatMap(TokenFacts.init) else { return nil }
        facts.withLock { $0[token] = kept }
        return kept
    }

    func learn(_ facts: TokenFacts, of token: Secret) {
        self.facts.withLock { $0[token] = facts }
        memory?.keep(facts.value, of: token)
    }
}
