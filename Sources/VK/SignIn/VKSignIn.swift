public import HTTP
internal import ServiceKit
public import StepKit
public import Values

/// Signing in to VK: VK ID (OAuth 2.1 with PKCE), the classic link, or a token from elsewhere.
public struct VKSignIn: Sendable {
    /// Where the sign-in is: at its public addresses, or all at one.
    public struct Addresses: Sendable {
        let id: String
        let classic: String
        let api: String

        /// - Parameter base: nil for the public ones.
        public init(base: String?) {
            id = base ?? "https://id.vk.ru"
            classic = base ?? "https://oauth.vk.ru"
            api = base ?? VKAccount.type.baseURL
        }

        /// The page at which the classic sign-in ends.
        public var blank: String { classic + "/blank.html" }
    }

    /// What posting pictures takes.
    public static let rights = ["wall", "photos", "stories", "docs", "groups", "offline"]

    let http: any HTTPClient
    let addresses: Addresses
    let now: @Sendable () -> Timestamp

    public init(client: any HTTPClient, addresses: Addresses, now: @escaping @Sendable () -> Timestamp) {
        http = client
        self.addresses = addresses
        self.now = now
    }

    /// The secrets of one sign-in by VK ID.
    public struct Attempt: Sendable {
        public let state = randomSignInText()
        let verifier = randomSignInText()

        public init() {}
    }

    // MARK: VK ID

    public func link(clientID: String, redirect: String, rights: [String], _ attempt: Attempt) throws -> String {
        try makeURL(
            addresses.id, path: "authorize",
            query: [
                ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirect),
                ("scope", rights.joined(separator: " ")), ("state", attempt.state),
                ("code_challenge", signInChallenge(for: attempt.verifier)), ("code_challenge_method", "S256"),
            ])
    }

    /// Makes tokens from the address at which the page ended.
    ///
    /// - Throws: `StepError`, `CancellationError`.
    public func token(
        landing text: String, _ attempt: Attempt, clientID: String, redirect: String
    ) async throws -> TokenRecord {
        let landing = try SignInLanding(
            pasted: text, of: "VK", state: attempt.state, looks: "It begins with '\(redirect)' and has '?code=' in it")
        let parts = try landing.values("code", "device_id")
        let (code, device) = (parts[0], parts[1])
        let request = tokenRequest(
            [
                ("grant_type", "authorization_code"), ("code", code), ("code_verifier", attempt.verifier),
                ("client_id", clientID), ("device_id", device), ("redirect_uri", redirect), ("state", attempt.state),
            ], label: "VK ID's exchange of the code")
        let answer = try await signInAnswer(
            to: request, by: http, hiding: [Secret(code), Secret(attempt.verifier)], isWrite: true)
        return try record(answer, clientID: clientID, deviceID: device)
    }

    private func tokenRequest(_ fields: [(name: String, value: String)], label: String) -> HTTPRequest {
        HTTPRequest(.post, addresses.id + "/oauth2/auth", body: .form(fields), isWrite: true, label: label)
    }

    private func record(_ answer: Value, clientID: String, deviceID: String) throws -> TokenRecord {
        guard let token = answer["access_token"]?.string, !token.isEmpty else {
            throw StepError.inDoubt("VK ID brought no token")
        }
        var record = TokenRecord(type: VKAccount.type.name, token: Secret(token), source: .vkID, obtained: now())
        record.refreshToken = answer["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
        record.clientID = clientID
        record.deviceID = deviceID
        let seconds = (answer["expires_in"]?.looseInteger).flatMap { $0 > 0 ? $0 : nil } ?? 3600
        record.expires = now() + tokenLife(seconds: seconds)
        record.rights = answer["scope"]?.string.map { $0.split { $0 == " " || $0 == "," }.map(String.init) }
        record.userID = answer["user_id"].flatMap { $0.string ?? $0.integer.map(String.init) }
        return record
    }

    /// The next pair of tokens. The old refresh token is void from here on, and using it again would end the session.
    func refreshed(_ record: TokenRecord) async throws -> TokenRecord {
        guard let refresh = record.refreshToken, let client = record.clientID, let device = record.deviceID else {
            throw StepError(.permission, "the token has no refresh token", fix: "Sign in anew: pasteup login vk")
        }
        let request = tokenRequest(
            [
                ("grant_type", "refresh_token"), ("refresh_token", refresh.reveal()), ("client_id", client),
                ("device_id", device), ("state", randomSignInText()),
            ], label: "VK ID's refresh of the token")
        let answer = try await signInAnswer(to: request, by: http, hiding: [refresh, record.token], isWrite: true)
        var next = try self.record(answer, clientID: client, deviceID: device)
        next.name = record.name
        next.baseURL = record.baseURL
        next.refreshToken = next.refreshToken ?? refresh
        next.rights = next.rights ?? record.rights
        next.userID = next.userID ?? record.userID
        next.userName = record.userName
        return next
    }

    /// Ends the session of a token that VK ID gave.
    ///
    /// - Throws: `StepError`, `CancellationError`.
    public func revoke(_ record: TokenRecord) async throws {
        guard let client = record.clientID else { return }
        let request = HTTPRequest(
            .post, addresses.id + "/oauth2/revoke",
            body: .form([("access_token", record.token.reveal()), ("client_id", client)]), isWrite: true,
            label: "VK ID's revoking of the token")
        _ = try await signInAnswer(to: request, by: http, hiding: [record.token])
    }

    // MARK: The classic link

    public func classicLink(clientID: String, rights: [String], state: String) throws -> String {
        try makeURL(
            addresses.classic, path: "authorize",
            query: [
                ("client_id", clientID), ("redirect_uri", addresses.blank), ("display", "page"),
                ("scope", rights.joined(separator: ",")), ("response_type", "token"), ("v", VKAccount.apiVersion),
                ("state", state), ("revoke", "1"),
            ])
    }

    /// The token in the address at which the classic page ended.
    ///
    /// - Parameter state: nil for an address that another program's link has led to.
    /// - Throws: `StepError`.
    public func token(classicLanding text: String, state: String?) throws -> TokenRecord {
        let landing = try SignInLanding(
            pasted: text, of: "VK", state: state, looks: "It has 'blank.html#access_token=' in it")
        var record = TokenRecord(
            type: VKAccount.type.name, token: Secret(try landing.values("access_token")[0]), source: .implicit,
            obtained: now())
        record.userID = landing["user_id"]
        if let seconds = landing["expires_in"].flatMap({ Int64($0) }), seconds > 0 {
            record.expires = now() + tokenLife(seconds: seconds)
        }
        return record
    }
}

/// VK ID's tokens live for an hour, their refresh tokens for 180 days (VK ID, "Access token", "Refresh token"). Others are
/// not refreshed.
public struct VKTokens: TokenRefresher {
    private let http: any HTTPClient
    private let now: @Sendable () -> Timestamp

    public init(client: any HTTPClient, now: @escaping @Sendable () -> Timestamp) {
        http = client
        self.now = now
    }

    public var accountType: String { VKAccount.type.name }

    /// Ten minutes before its end; after a refresh in vain, a minute later. A refresh token that may be void is not shown
    /// again before there is nothing left to lose: VK ends the whole sign-in over one that comes twice.
    public func due(_ record: TokenRecord) -> Timestamp? {
        guard record.refreshToken != nil, let expires = record.expires else { return nil }
        let early = record.asked == nil ? expires - .seconds(600) : expires
        return [early, record.tried.map { $0 + .seconds(60) }].compactMap { $0 }.max()
    }

    public func refresh(_ record: TokenRecord, baseURL: String) async throws -> TokenRecord {
        try await VKSignIn(client: http, addresses: VKSignIn.Addresses(base: record.baseURL), now: now)
            .refreshed(record)
    }
}
