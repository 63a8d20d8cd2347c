public import HTTP
internal import ServiceKit
public import StepKit
public import Values

/// Signing in to Instagram ("Instagram API with Instagram Login": Business Login, Access Tokens).
public struct InstagramSignIn: Sendable {
    /// Where the sign-in is: at its public addresses, or all at one.
    public struct Addresses: Sendable {
        let authorize: String
        let token: String
        let graph: String

        /// - Parameter base: nil for the public ones.
        public init(base: String?) {
            authorize = base ?? "https://www.instagram.com"
            token = base ?? "https://api.instagram.com"
            graph = base ?? InstagramAccount.type.baseURL
        }
    }

    /// Enough to read and to publish.
    public static let scopes = ["instagram_business_basic", "instagram_business_content_publish"]

    private let http: any HTTPClient
    private let addresses: Addresses
    private let now: @Sendable () -> Timestamp

    public init(client: any HTTPClient, addresses: Addresses, now: @escaping @Sendable () -> Timestamp) {
        http = client
        self.addresses = addresses
        self.now = now
    }

    /// A text that ties an answer to its link.
    public static func newState() -> String { randomSignInText() }

    /// The page at which the account's owner agrees.
    public func link(clientID: String, redirect: String, scopes: [String], state: String) throws -> String {
        try makeURL(
            addresses.authorize, path: "oauth/authorize",
            query: [
                ("client_id", clientID), ("redirect_uri", redirect), ("response_type", "code"),
                ("scope", scopes.joined(separator: ",")), ("state", state),
            ])
    }

    /// Makes a token of 60 days from the address at which the page ended.
    ///
    /// - Throws: `StepError`, `CancellationError`.
    public func token(
        landing text: String, state: String, clientID: String, clientSecret: Secret, redirect: String
    ) async throws -> TokenRecord {
        let landing = try SignInLanding(
            pasted: text, of: "Instagram", state: state, looks: "It begins with '\(redirect)' and has '?code=' in it")
        let short = try await shortToken(
            code: landing.values("code")[0], clientID: clientID, clientSecret: clientSecret, redirect: redirect)
        return try await exchange(short, clientSecret: clientSecret)
    }

    private func shortToken(
        code: String, clientID: String, clientSecret: Secret, redirect: String
    ) async throws -> TokenRecord {
        let request = HTTPRequest(
            .post, addresses.token + "/oauth/access_token",
            body: .form([
                ("client_id", clientID), ("client_secret", clientSecret.reveal()),
                ("grant_type", "authorization_code"), ("redirect_uri", redirect), ("code", code),
            ]), isWrite: true, label: "Instagram's exchange of the code")
        let answer = try await signInAnswer(to: request, by: http, hiding: [clientSecret, Secret(code)])
        return try record(answer, of: request)
    }

    private func exchange(_ short: TokenRecord, clientSecret: Secret) async throws -> TokenRecord {
        let request = HTTPRequest(
            .get,
            try makeURL(
                addresses.graph, path: "access_token",
                query: [
                    ("grant_type", "ig_exchange_token"), ("client_secret", clientSecret.reveal()),
                    ("access_token", short.token.reveal()),
                ]), label: "Instagram's exchange for a token of 60 days")
        let answer = try await signInAnswer(to: request, by: http, hiding: [clientSecret, short.token])
        var long = try record(answer, of: request)
        long.rights = long.rights ?? short.rights
        long.userID = short.userID
        long.source = .code
        return long
    }

    /// Reads the shapes that are documented and those that were seen: flat or in `data`, ids as text or number, rights as
    /// text or list.
    private func record(_ answer: Value, of request: HTTPRequest) throws -> TokenRecord {
        let node = answer["data"]?[0] ?? answer["data"] ?? answer
        guard let token = node["access_token"]?.string, !token.isEmpty else {
            throw StepError(.server, "\(request.label ?? "Instagram") brought no token")
        }
        var record = TokenRecord(type: InstagramAccount.type.name, token: Secret(token), obtained: now())
        record.userID = node["user_id"].flatMap(idText)
        record.rights =
            node["permissions"]?.array?.compactMap(\.string)
            ?? node["permissions"]?.string?.split { $0 == "," || $0 == " " }.map(String.init)
        if let seconds = node["expires_in"]?.looseInteger, seconds > 0 {
            record.expires = now() + tokenLife(seconds: seconds)
        }
        return record
    }

    /// Says whose token it is, and whether it is of any use.
    ///
    /// - Throws: `StepError`, `CancellationError`.
    public func identify(_ record: TokenRecord) async throws -> TokenRecord {
        let request = HTTPRequest(
            .get,
            try makeURL(
                addresses.graph, path: "me",
                query: [
                    ("fields", "user_id,username,account_type"), ("access_token", record.token.reveal()),
                ]), label: "Instagram's me")
        let answer = try await signInAnswer(to: request, by: http, hiding: [record.token])
        let node = answer["data"]?[0] ?? answer
        var record = record
        record.userID = (node["user_id"] ?? node["id"]).flatMap(idText) ?? record.userID
        record.userName = node["username"]?.string
        return record
    }
}

/// Instagram's tokens live for 60 days from their last refresh, which they must be a day old for ("Access Tokens").
public struct InstagramTokens: TokenRefresher {
    private let http: any HTTPClient
    private let now: @Sendable () -> Timestamp
    private static let day = Duration.seconds(86_400)

    public init(client: any HTTPClient, now: @escaping @Sendable () -> Timestamp) {
        http = client
        self.now = now
    }

    public var accountType: String { InstagramAccount.type.name }

    /// A day and an hour after it was got or first seen, and not before 30 days are left, where its end is known. After a
    /// refresh in vain, a day later.
    public func due(_ record: TokenRecord) -> Timestamp? {
        let young = record.obtained + Self.day + .seconds(3600)
        let late = record.expires.map { $0 - .seconds(30 * 86_400) }
        let again = record.tried.map { $0 + Self.day }
        return [young, late, again].compactMap { $0 }.max()
    }

    public func refresh(_ record: TokenRecord, baseURL: String) async throws -> TokenRecord {
        let request = HTTPRequest(
            .get,
            try makeURL(
                unversioned(baseURL), path: "refresh_access_token",
                query: [("grant_type", "ig_refresh_token"), ("access_token", record.token.reveal())]),
            label: "Instagram's refresh of the token")
        let answer = try await signInAnswer(to: request, by: http, hiding: [record.token])
        guard let token = answer["access_token"]?.string, !token.isEmpty else {
            throw StepError(.server, "Instagram's refresh of the token brought none")
        }
        var next = record
        next.token = Secret(token)
        next.obtained = now()
        let seconds = (answer["expires_in"]?.looseInteger).flatMap { $0 > 0 ? $0 : nil } ?? 5_184_000
        next.expires = now() + tokenLife(seconds: seconds)
        next.tried = nil
        return next
    }
}

/// The address without a version of the API at its end: the token endpoints have none ("Refresh Access Token").
private func unversioned(_ baseURL: String) -> String {
    guard let slash = baseURL.lastIndex(of: "/") else { return baseURL }
    let last = baseURL[slash...].dropFirst()
    return last.hasPrefix("v") && isVersion(last) ? String(baseURL[..<slash]) : baseURL
}
