import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import Instagram

@Suite struct SignInTests {
    private static let now = Timestamp(iso8601: "2026-11-30T08:00:00Z")!

    private func signIn(_ http: ScriptedHTTPClient) -> InstagramSignIn {
        InstagramSignIn(client: http, addresses: .init(base: nil), now: { Self.now })
    }

    @Test func linkIsTheDocumentedOne() throws {
        let link = try signIn(ScriptedHTTPClient()).link(
            clientID: "990", redirect: "https://cafe.example/auth/", scopes: InstagramSignIn.scopes, state: "s")
        #expect(
            link
                == "https://www.instagram.com/oauth/authorize?client_id=990&redirect_uri=https%3A%2F%2Fcafe.example%2Fauth%2F&response_type=code&scope=instagram_business_basic%2Cinstagram_business_content_publish&state=s"
        )
    }

    /// The documented answer, and those that were seen.
    @Test(arguments: [
        #"{"data":[{"access_token":"SHORT","user_id":"17841405309211844","permissions":"a,b"}]}"#,
        #"{"access_token":"SHORT","user_id":17841405309211844,"permissions":["a","b"]}"#,
        #"{"data":{"access_token":"SHORT","user_id":17841405309211844,"permissions":"a,b"}}"#,
        #"{"access_token":"SHORT","user_id":"17841405309211844","permissions":"a b"}"#,
    ]) func everyShapeOfTheAnswerIsRead(answer: String) async throws {
        let http = ScriptedHTTPClient([
            .json(answer), .json(#"{"access_token":"LONG","token_type":"bearer","expires_in":5183944}"#),
        ])
        let record = try await signIn(http).token(
            landing: "https://cafe.example/auth/?code=AQx-1&state=s#_", state: "s", clientID: "990",
            clientSecret: Secret("hush"), redirect: "https://cafe.example/auth/")
        #expect(record.token == Secret("LONG"))
        #expect(record.userID == "17841405309211844")
        #expect(record.rights == ["a", "b"])
        #expect(record.expires == Self.now + .seconds(5_183_944))
        #expect(http.requests[0].url == "https://api.instagram.com/oauth/access_token")
        #expect(
            http.requests[0].form.map { "\($0.name)=\($0.value)" } == [
                "client_id=990", "client_secret=hush", "grant_type=authorization_code",
                "redirect_uri=https://cafe.example/auth/", "code=AQx-1",
            ])
        #expect(
            http.requests[1].url
                == "https://graph.instagram.com/access_token?grant_type=ig_exchange_token&client_secret=hush&access_token=SHORT"
        )
    }

    @Test(arguments: [
        (
            #"{"error_type":"OAuthException","code":400,"error_message":"Matching code was not found"}"#, 400,
            ErrorClass.permission
        ),
        (#"{"error":{"message":"Invalid hush","type":"OAuthException","code":190}}"#, 400, .permission),
        ("<html>", 502, .server), ("{}", 200, .server), ("", 200, .server),
    ]) func refusedCodeIsExplained(body: String, status: Int, expected: ErrorClass) async throws {
        let http = ScriptedHTTPClient([.status(status, body)])
        let error = try await stepError {
            try await signIn(http).token(
                landing: "https://cafe.example/?code=AQx", state: "s", clientID: "990", clientSecret: Secret("hush"),
                redirect: "https://cafe.example/")
        }
        // The state is missing in the address: it is the answer to another link.
        #expect(error?.what == "this address is the answer to another link")
        let refused = try await stepError {
            try await signIn(http).token(
                landing: "https://cafe.example/?code=AQx&state=s", state: "s", clientID: "990",
                clientSecret: Secret("hush"), redirect: "https://cafe.example/")
        }
        #expect(refused?.errorClass == expected)
        #expect(refused?.sentence.contains("hush") == false)
    }

    @Test(arguments: ["", "AQx", "https://cafe.example/auth/", "https://cafe.example/#_"])
    func whatIsNoAnswerIsRefused(text: String) async throws {
        let error = try await stepError {
            try await signIn(ScriptedHTTPClient()).token(
                landing: text, state: "s", clientID: "990", clientSecret: Secret("hush"),
                redirect: "https://cafe.example/")
        }
        #expect(error?.errorClass == .invalid)
    }

    // MARK: Refreshing

    /// A token must be a day old, and is refreshed when less than 30 days are left ("Access Tokens").
    @Test(
        arguments: [
            (0, nil, nil, "2026-12-01T09:00:00Z"), (0, 60, nil, "2026-12-30T08:00:00Z"),
            (-40, 20, nil, "2026-11-20T08:00:00Z"), (-40, 20, 0, "2026-12-01T08:00:00Z"),
        ] as [(Int64, Int64?, Int64?, String)])
    func tokenIsDue(obtained: Int64, expires: Int64?, tried: Int64?, due: String) {
        func day(_ days: Int64) -> Timestamp { Timestamp(milliseconds: Self.now.milliseconds + days * 86_400_000) }
        var record = TokenRecord(type: "instagram", token: Secret("t"), obtained: day(obtained))
        record.expires = expires.map(day)
        record.tried = tried.map(day)
        let tokens = InstagramTokens(client: ScriptedHTTPClient(), now: { Self.now })
        #expect(tokens.due(record) == Timestamp(iso8601: due))
    }

    /// The token endpoints have no version ("Refresh Access Token"), an account's base-url may have one.
    @Test(arguments: [
        ("https://graph.instagram.com/v26.0", "https://graph.instagram.com/refresh_access_token?"),
        ("https://proxy.example/v", "https://proxy.example/v/refresh_access_token?"),
        ("https://proxy.example/ig", "https://proxy.example/ig/refresh_access_token?"),
    ])
    func refreshHasNoVersion(base: String, address: String) async throws {
        let http = ScriptedHTTPClient([.json(#"{"access_token":"NEW","expires_in":5183944}"#)])
        let record = TokenRecord(type: "instagram", token: Secret("OLD"), obtained: Self.now)
        _ = try await InstagramTokens(client: http, now: { Self.now }).refresh(record, baseURL: base)
        #expect(http.requests[0].url.hasPrefix(address))
    }

    @Test func refreshTakesWhatComesBack() async throws {
        let http = ScriptedHTTPClient([.json(#"{"access_token":"NEW","token_type":"bearer","expires_in":5183944}"#)])
        var record = TokenRecord(type: "instagram", name: "cafe", token: Secret("OLD"), obtained: Self.now)
        record.tried = Self.now
        let fresh = try await InstagramTokens(client: http, now: { Self.now }).refresh(
            record, baseURL: "https://graph.instagram.com")
        #expect(fresh.token == Secret("NEW"))
        #expect(fresh.expires == Self.now + .seconds(5_183_944))
        #expect(fresh.name == "cafe" && fresh.tried == nil)
        #expect(
            http.requests[0].url
                == "https://graph.instagram.com/refresh_access_token?grant_type=ig_refresh_token&access_token=OLD")
    }

    /// An error that comes with 200 is one, too: else the next run would work with nothing.
    @Test(arguments: [#"{"error":{"code":190,"message":"no"}}"#, #"{"token_type":"bearer"}"#, "[]", "no JSON"])
    func answerWithoutATokenIsNoRefresh(body: String) async throws {
        let http = ScriptedHTTPClient([.json(body)])
        let record = TokenRecord(type: "instagram", token: Secret("OLD"), obtained: Self.now)
        let error = try await stepError {
            try await InstagramTokens(client: http, now: { Self.now }).refresh(
                record, baseURL: "https://graph.instagram.com")
        }
        #expect(error != nil)
    }
}
