public import Values

/// An account of a workflow, ready for use.
public struct Account: Sendable, Hashable {
    /// The name in the workflow's `accounts`.
    public let name: String
    /// `vk`, `instagram`.
    public let type: String
    public let token: Secret
    /// What stays the same while tokens replace one another: of a sign-in, or of a token that the user has set and that
    /// another stands in for. Nil where the token itself stays.
    public let session: Secret?
    /// The service's address, without a slash at the end.
    public let baseURL: String
    /// The account's other keys, fitted to its type's settings.
    public let settings: ValueObject

    public init(
        name: String, type: String, token: Secret, session: Secret? = nil, baseURL: String, settings: ValueObject = [:]
    ) {
        self.name = name
        self.type = type
        self.token = token
        self.session = session
        self.baseURL = baseURL
        self.settings = settings
    }
}

extension Account {
    /// The account as messages name it.
    public var phrase: String { Account.phrase(name) }

    /// "account 'vk'"; "account 'vk' of step 'shop'" for one of a part's own, whose name is "shop/vk".
    public static func phrase(_ name: String) -> String {
        guard let slash = name.lastIndex(of: "/") else { return "account '\(name)'" }
        return "account '\(name[name.index(after: slash)...])' of step '\(name[..<slash])'"
    }
}

/// A type of account that a connector offers.
public struct AccountType: Sendable, Hashable {
    public let name: String
    /// The service's name for people: "VK", "Instagram".
    public let service: String
    /// The public endpoint, without a slash at the end.
    public let baseURL: String
    /// Keys besides `type`, `token` and `base-url`.
    public let settings: [Parameter]

    public init(_ name: String, service: String, baseURL: String, settings: [Parameter] = []) {
        self.name = name
        self.service = service
        self.baseURL = baseURL
        self.settings = settings
    }
}

/// Spaces out the calls of one token.
public protocol CallLimiter: Sendable {
    /// Waits until the token may make its next call.
    ///
    /// - Parameter perSecond: the calls a second that the service allows.
    /// - Throws: `CancellationError`.
    func waitForTurn(of token: Secret, perSecond: Double) async throws
}
