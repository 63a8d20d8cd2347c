public import StepKit
public import Values

/// A step that uses an account, as far as it is known before a run.
public struct StepUse: Sendable, Hashable {
    public let address: String
    /// "vk.wall.post".
    public let kind: String
    /// Those that are known.
    public let parameters: ValueObject

    public init(address: String, kind: String, parameters: ValueObject) {
        self.address = address
        self.kind = kind
        self.parameters = parameters
    }
}

/// What an account's token says of itself, and which steps cannot do with it.
public struct TokenReport: Sendable, Hashable {
    public struct Finding: Sendable, Hashable {
        /// The step that cannot work.
        public let address: String
        /// What is wrong, as a clause.
        public let what: String
        /// A sentence.
        public let why: String?
        /// A sentence.
        public let fix: String?
        /// Whether it may work all the same.
        public let isWarning: Bool
    }

    /// Whose token it is and its rights, as a clause: "a user's token, id 12, with the rights photos and wall".
    public let summary: String
    public let findings: [Finding]
}

extension VKConnector {
    /// Whether anything can be told about these steps before a run.
    public static func checksTokens(for uses: [StepUse]) -> Bool {
        uses.contains { use in
            TokenNeeds.methods(of: use.kind).map(TokenNeeds.init).contains {
                $0.right != 0 || $0.kinds.map { $0.count < 3 } ?? false
            }
        }
    }

    /// Asks VK what kind of token the account has and what it may do, unless that is known, and looks which steps that
    /// does not do for.
    ///
    /// - Returns: nil when VK gave no answer that tells: then the steps will meet the same.
    /// - Throws: `CancellationError`.
    public func checkToken(of account: Account, for uses: [StepUse]) async throws -> TokenReport? {
        let call = StepCall(
            run: "", address: "check", parameters: [:], account: account, idempotencyKey: "", timeout: .seconds(30),
            artifacts: "")
        guard let facts = try await client.tokenFacts(for: call) else { return nil }
        let strangers = facts.kind == .user ? Set(uses.compactMap(\.wall).filter { $0 > 0 && $0 != facts.id }) : []
        let owners = strangers.isEmpty ? nil : try await client.owners(strangers.sorted(), for: call)
        // One mistake in the token makes several steps fail: it is told once.
        var told: Set<String> = []
        let findings = uses.compactMap { use in
            finding(use, facts, account) ?? owners.flatMap { wrongOwner(use, $0) } ?? wrongSign(use, facts)
        }
        return TokenReport(
            summary: summary(facts), findings: findings.filter { told.insert($0.what).inserted })
    }

    private func summary(_ facts: TokenFacts) -> String {
        let id = facts.id.map { ", id \($0)" } ?? ""
        guard facts.kind == .user else { return facts.kind.phrase + id }
        guard let mask = facts.rights else { return facts.kind.phrase + id + ", whose rights VK does not say" }
        let names = TokenNeeds.rightNames.filter { mask & $0.key != 0 }.map(\.value).sorted()
        return facts.kind.phrase + id
            + (names.isEmpty ? ", without rights for posting" : ", with the rights \(names.joined(separator: ", "))")
    }

    private func finding(_ use: StepUse, _ facts: TokenFacts, _ account: Account) -> TokenReport.Finding? {
        for method in TokenNeeds.methods(of: use.kind) {
            let needs = TokenNeeds(method)
            if let kinds = needs.kinds, !kinds.contains(facts.kind) {
                return refusal(use, method, facts, kinds, account)
            }
            if facts.kind == .user, needs.right != 0 {
                if let mask = facts.rights, mask & needs.right == 0 {
                    let right = TokenNeeds.rightNames[needs.right] ?? "\(needs.right)"
                    return TokenReport.Finding(
                        address: use.address, what: "the token of \(account.phrase) lacks the right '\(right)'",
                        why: "VK's \(method) wants it.",
                        fix: "Get a token with the right '\(right)'. VK ID drops such rights silently.",
                        isWarning: false)
                }
                if facts.rights == nil, account.token.reveal().hasPrefix("vk2.a."), VKMethod.effect(of: method) != .read
                {
                    return TokenReport.Finding(
                        address: use.address,
                        what: "the token of \(account.phrase) is one of VK ID's (vk2.a.)",
                        why: "VK refuses these for \(method) as a rule (error 1051).",
                        fix: "If it does, use a user's token of a standalone application.", isWarning: true)
                }
            }
        }
        guard facts.kind == .community, let group = facts.id else { return nil }
        return wrongWall(use, group, account)
    }

    private func refusal(
        _ use: StepUse, _ method: String, _ facts: TokenFacts, _ kinds: Set<TokenFacts.Kind>, _ account: Account
    ) -> TokenReport.Finding {
        let isPhoto = method.hasPrefix("photos.") && facts.kind == .community
        let wanted = [TokenFacts.Kind.user, .community, .service].filter(kinds.contains).map(\.phrase)
        return TokenReport.Finding(
            address: use.address,
            what: "\(account.phrase) has \(facts.kind.phrase), which VK refuses for \(method)",
            why: isPhoto ? "VK takes photos for a wall from a user's token only (error 27)." : nil,
            fix: "Give it \(wanted.joined(separator: " or "))"
                + (isPhoto ? ", or post texts, links and documents only." : "."), isWarning: false)
    }
}
