import HTTP
import ServiceKit
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

@Suite struct SignInTests {
    private static let now = Timestamp(iso8601: "2026-11-30T08:00:00Z")!

    private func signIn(_ http: ScriptedHTTPClient) -> VKSignIn {
        VKSignIn(client: http, addresses: .init(base: nil), now: { Self.now })
    }

    /// RFC 7636, appendix B.
    @Test func challengeIsThatOfTheStandard() {
        #expect(
            signInChallenge(for: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func verifierAndStateAreLongAndOfTheirAlphabet() {
        let attempt = VKSignIn.Attempt()
        for text in [attempt.state, attempt.verifier] {
            // VK ID: a state of 32 characters at least, a verifier of 43 to 128.
            #expect(text.utf8.count == 43)
            #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        }
        #expect(attempt.state != attempt.verifier)
        #expect(VKSignIn.Attempt().state != attempt.state)
    }

    @Test func codeIsExchangedAsVKIDWantsIt() async throws {
        let http = ScriptedHTTPClient([
            .json(
                #"{"access_token":"vk2.a.one","refresh_token":"vk2.a.two","id_token":"i","token_type":"Bearer","expires_in":"3600","user_id":7,"state":"s","scope":"wall photos"}"#
            )
        ])
        let attempt = VKSignIn.Attempt()
        let record = try await signIn(http).token(
            landing:
                "https://cafe.example/vk?code=vk2.a.code&expires_in=600&device_id=dev-1&state=\(attempt.state)&type=code_v2",
            attempt, clientID: "53", redirect: "https://cafe.example/vk")
        #expect(http.requests[0].url == "https://id.vk.ru/oauth2/auth")
        #expect(
            http.requests[0].form.map { "\($0.name)=\($0.value)" } == [
                "grant_type=authorization_code", "code=vk2.a.code", "code_verifier=\(attempt.verifier)",
                "client_id=53", "device_id=dev-1", "redirect_uri=https://cafe.example/vk", "state=\(attempt.state)",
            ])
        #expect(record.token == Secret("vk2.a.one"))
        #expect(record.refreshToken == Secret("vk2.a.two"))
        #expect(record.deviceID == "dev-1" && record.clientID == "53" && record.userID == "7")
        #expect(record.rights == ["wall", "photos"])
        #expect(record.expires == Self.now + .seconds(3600))
    }

    @Test func refreshKeepsTheDeviceAndTheName() async throws {
        let http = ScriptedHTTPClient([
            .json(#"{"access_token":"vk2.a.three","refresh_token":"vk2.a.four","expires_in":3600,"user_id":7}"#)
        ])
        var record = TokenRecord(type: "vk", name: "cafe", token: Secret("old"), source: .vkID, obtained: Self.now)
        record.refreshToken = Secret("vk2.a.two")
        record.clientID = "53"
        record.deviceID = "dev-1"
        record.rights = ["wall"]
        record.userName = "Miro"
        let fresh = try await VKTokens(client: http, now: { Self.now }).refresh(record, baseURL: "https://api.vk.com")
        #expect(
            http.requests[0].form.dropLast().map { "\($0.name)=\($0.value)" } == [
                "grant_type=refresh_token", "refresh_token=vk2.a.two", "client_id=53", "device_id=dev-1",
            ])
        #expect(fresh.token == Secret("vk2.a.three") && fresh.refreshToken == Secret("vk2.a.four"))
        #expect(fresh.name == "cafe" && fresh.deviceID == "dev-1" && fresh.rights == ["wall"])
        #expect(fresh.userName == "Miro")
    }

    @Test func onlyPairsAreRefreshedTenMinutesBeforeTheirEnd() {
        let tokens = VKTokens(client: ScriptedHTTPClient(), now: { Self.now })
        var record = TokenRecord(type: "vk", token: Secret("t"), obtained: Self.now)
        record.expires = Self.now + .seconds(3600)
        #expect(tokens.due(record) == nil)
        record.refreshToken = Secret("r")
        #expect(tokens.due(record) == Self.now + .seconds(3000))
        record.tried = Self.now + .seconds(3590)
        #expect(tokens.due(record) == Self.now + .seconds(3650))
    }

    @Test(
        arguments: [
            (
                "https://oauth.vk.ru/blank.html#access_token=vk1.a.x&expires_in=86400&user_id=7&state=s", "s",
                "vk1.a.x", 86_400
            ),
            (
                "https://oauth.vk.ru/blank.html#access_token=vk1.a.x&expires_in=9223372036854775807&user_id=7&state=s",
                "s",
                "vk1.a.x", 3_155_760_000
            ),
            ("https://oauth.vk.com/blank.html#access_token=vk1.a.x&expires_in=0&user_id=7\n", nil, "vk1.a.x", nil),
        ] as [(String, String?, String, Int64?)])
    func blankPagesAddressHoldsTheToken(text: String, state: String?, token: String, seconds: Int64?) throws {
        let record = try signIn(ScriptedHTTPClient()).token(classicLanding: text, state: state)
        #expect(record.token == Secret(token))
        #expect(record.userID == "7")
        #expect(record.expires == seconds.map { Self.now + .seconds($0) })
    }

    @Test(arguments: [
        (
            "https://oauth.vk.ru/blank.html#error=access_denied&error_reason=user_denied&error_description=User%20denied",
            "VK did not sign you in (access_denied)"
        ),
        ("https://oauth.vk.ru/blank.html#access_token=x&state=other", "this address is the answer to another link"),
        ("https://oauth.vk.ru/blank.html", "this is not the address at which VK's page ends"),
    ]) func blankPageWithoutATokenIsExplained(text: String, what: String) async throws {
        let error = try await stepError { try signIn(ScriptedHTTPClient()).token(classicLanding: text, state: "s") }
        #expect(error?.what == what)
    }

    @Test(arguments: [
        #"{"error":"invalid_request","error_description":"device_id is invalid","state":"s"}"#,
        #"{"error":"slow_down"}"#, #"{"access_token":""}"#, "<html>",
    ]) func refusalOfVKIDHoldsNoSecret(body: String) async throws {
        let http = ScriptedHTTPClient([.json(body)])
        let attempt = VKSignIn.Attempt()
        let error = try await stepError {
            try await signIn(http).token(
                landing: "https://cafe.example/?code=SECRETCODE&device_id=d&state=\(attempt.state)", attempt,
                clientID: "53", redirect: "https://cafe.example/")
        }
        #expect(error?.sentence.contains("SECRETCODE") == false)
    }

    // MARK: Whose token it is

    private func identity(_ answers: [String]) async throws -> (record: TokenRecord?, error: StepError?) {
        let http = ScriptedHTTPClient(answers.map { .json($0) })
        let token = TokenRecord(type: "vk", token: Secret("t"), obtained: Self.now)
        do {
            return (try await signIn(http).identify(token), nil)
        } catch let error as StepError {
            return (nil, error)
        }
    }

    @Test(
        arguments: [
            ["null", "null"], ["[]", "[]"], ["[null]", #"{"groups":[]}"#], [#"[{"first_name":"Miro"}]"#, "[{}]"],
            ["0", #"{"groups":[{"name":"Cafe"}]}"#],
        ])
    func tokenOfNobodyIsRefused(answers: [String]) async throws {
        let error = try await identity(answers.map { #"{"response":\#($0)}"# }).error
        #expect(
            error?.sentence
                == "VK does not say whose token this is. Its users.get named no person, its groups.getById no "
                + "community. Try again in a while. If it stays so, make a new token.")
    }

    private static let refusal = #"{"error":{"error_code":100,"error_msg":"One of the parameters is missing"}}"#

    @Test(arguments: [[refusal], [#"{"response":[]}"#, refusal]])
    func serviceTokenIsNobodys(answers: [String]) async throws {
        let (record, error) = try await identity(answers)
        #expect(error == nil)
        #expect(record != nil && record?.userID == nil)
    }

    /// VK's refusals of `users.get` that say nothing of the token.
    @Test(
        arguments: [
            (1, .server, nil), (6, .server, nil), (9, .server, nil), (10, .server, nil), (29, .server, nil),
            (14, .permission, "Use VK in a browser"), (17, .permission, "Use VK in a browser"), (5, .permission, nil),
        ] as [(Int, ErrorClass, String?)])
    func refusalThatPassesIsNotTheTokens(code: Int, errorClass: ErrorClass, fix: String?) async throws {
        let error = try await identity([#"{"error":{"error_code":\#(code),"error_msg":"no"}}"#]).error
        #expect(error?.errorClass == errorClass)
        #expect(
            fix == nil ? error?.fix == nil : error?.fix?.contains(fix!) == true, "\(String(describing: error?.fix))")
    }

    @Test func tokenOfAnotherAddressIsExplained() async throws {
        let words = "User authorization failed: access_token was given to another ip address"
        let error = try await identity([#"{"error":{"error_code":5,"error_msg":"\#(words)"}}"#]).error
        #expect(error?.fix?.contains("make it from this machine's network") == true)
    }

    /// Some of VK's methods are refused for a community's token, and `users.get` may be one of them.
    @Test func communitysTokenIsTheCommunitysWhenUsersAreRefused() async throws {
        let (record, error) = try await identity([
            #"{"error":{"error_code":27,"error_msg":"Group authorization failed"}}"#,
            #"{"response":{"groups":[{"id":12,"name":"Cafe"}]}}"#, #"{"response":{"mask":8192}}"#,
        ])
        #expect(error == nil)
        #expect(record?.userID == "-12")
    }

    @Test func communitysTokenIsTheCommunitys() async throws {
        let (record, _) = try await identity([
            #"{"response":[]}"#, #"{"response":{"groups":[{"id":12,"name":"Cafe"}]}}"#,
            #"{"response":{"mask":8192,"permissions":[{"name":"wall","setting":8192}]}}"#,
        ])
        #expect(record?.userID == "-12" && record?.userName == "Cafe" && record?.rights == ["wall"])
    }
}
