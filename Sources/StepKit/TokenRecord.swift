public import Values

/// What is known of a token that pasteup looks after: one that a person has signed in for, or one that took the place of
/// another.
public struct TokenRecord: Sendable, Hashable {
    /// How it was got.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// Pasted, or set by the user elsewhere.
        case pasted = "pasted"
        /// Instagram's sign-in, exchanged for one of 60 days.
        case code = "code"
        /// VK ID: an hour's, with a refresh token.
        case vkID = "vk-id"
        /// VK's classic sign-in.
        case implicit = "implicit"
    }

    /// The account's type: `instagram`, `vk`.
    public var type: String
    /// The account's name; empty for a token that stands in for one the user has set elsewhere.
    public var name: String
    /// Empty: the user's own, wherever that is.
    public var token: Secret
    public var source: Source
    /// Each refresh gives another; the former is void then.
    public var refreshToken: Secret?
    public var clientID: String?
    public var deviceID: String?
    /// What the token may do, by the service's names; nil when that is not known.
    public var rights: [String]?
    public var userID: String?
    /// The user's name there, or the community's.
    public var userName: String?
    /// When it was got, or first seen.
    public var obtained: Timestamp
    /// Nil when it is not known, or when it does not end.
    public var expires: Timestamp?
    /// When a refresh was last tried in vain.
    public var tried: Timestamp?
    /// When the service was asked for the next pair, of whose answer nothing is known: the refresh token may be void.
    public var asked: Timestamp?
    /// Where the service is, when not at its public addresses.
    public var baseURL: String?

    public init(type: String, name: String = "", token: Secret, source: Source = .pasted, obtained: Timestamp) {
        self.type = type
        self.name = name
        self.token = token
        self.source = source
        self.obtained = obtained
    }
}

/// Gets new tokens in place of those that end: a connector's part.
public protocol TokenRefresher: Sendable {
    /// The account type whose tokens these are.
    var accountType: String { get }

    /// When the token is to be refreshed; a time that has passed means now. Nil: it is never refreshed.
    func due(_ record: TokenRecord) -> Timestamp?

    /// Asks the service for a new token.
    ///
    /// - Parameters:
    ///   - record: with its token, never empty.
    ///   - baseURL: the account's address.
    /// - Returns: the record with what came back; to be kept before it is used.
    /// - Throws: `StepError`, `CancellationError`.
    func refresh(_ record: TokenRecord, baseURL: String) async throws -> TokenRecord
}
