import Sandbox
import TestSupport
import Testing
import Values

/// How people and programs sign in: each answer as the services' documentation has it, and each refusal.
@Suite struct SignInTests {
    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let state = "0123456789abcdef0123456789abcdef"
    private static let redirect = "https://example.org/back"
    private static let scopes = "instagram_business_basic,instagram_business_content_publish"

    // MARK: Instagram

    private static let instagramConsent = [
        ("client_id", SandboxApp.instagramID), ("redirect_uri", redirect), ("response_type", "code"),
        ("scope", scopes), ("state", "s 1"),
    ]

    private func code(_ client: Client) async throws -> String {
        try #require(try await client.landing("/oauth/authorize", Self.instagramConsent)["code"])
    }

    private static func exchange(_ code: String) -> [(String, String)] {
        [
            ("client_id", SandboxApp.instagramID), ("client_secret", SandboxApp.instagramSecret),
            ("grant_type", "authorization_code"), ("redirect_uri", redirect), ("code", code),
        ]
    }

    /// The whole way: consent, an hour's token, one of 60 days, its owner.
    @Test func instagramsWayEndsWithATokenOfSixtyDays() async throws {
        let client = try Client()
        let answer = try await client.get("/oauth/authorize" + query(Self.instagramConsent))
        #expect(answer.status == 302)
        let address = try #require(answer.header("Location"))
        #expect(address.hasPrefix(Self.redirect + "?code="))
        #expect(address.hasSuffix("#_"))
        let landing = try await client.landing("/oauth/authorize", Self.instagramConsent)
        #expect(landing["state"] == "s 1")

        let short = try await client.form("/oauth/access_token", Self.exchange(try #require(landing["code"])))
        let node = try #require(short["data"]?[0])
        #expect(node["user_id"]?.string == "17841405309211844")
        #expect(node["permissions"]?.string == Self.scopes)
        let long = try await client.json(
            "/access_token"
                + query([
                    ("grant_type", "ig_exchange_token"), ("client_secret", SandboxApp.instagramSecret),
                    ("access_token", node["access_token"]?.string ?? ""),
                ]))
        #expect(long["token_type"] == "bearer")
        #expect(long["expires_in"] == 5_183_944)
        let token = try #require(long["access_token"]?.string)
        #expect(token.hasPrefix("IGAA"))
        let me = "/me" + query([("fields", "username"), ("access_token", token)])
        #expect(try await client.json(me)["username"]?.string == "kafe.miro")
        client.pass(.seconds(5_183_944))
        #expect(try await client.json(me)["error"]?["error_subcode"] == 463)
        let shown = try await client.get("/_sandbox/state").text
        #expect(!shown.contains(token))
        #expect(!shown.contains(node["access_token"]?.string ?? ""))
    }

    /// Meta's page shows one shape, clients have seen the others.
    @Test(arguments: ["data", "flat", "numbers"]) func instagramsTokenComesInEachShapeThatWasSeen(
        shape: String
    ) async throws {
        let client = try Client()
        try await client.control("POST", "sign-in", ["shape": .string(shape)])
        let answer = try await client.form("/oauth/access_token", Self.exchange(try await code(client)))
        let node = try #require(shape == "data" ? answer["data"]?[0] : answer)
        #expect(node["access_token"]?.string?.hasPrefix("IGAA") == true)
        #expect(node["user_id"] == (shape == "numbers" ? 17_841_405_309_211_844 : "17841405309211844"))
        #expect((node["permissions"]?.array != nil) == (shape == "numbers"))
    }

    @Test func userOfInstagramSaysNo() async throws {
        let client = try Client()
        try await client.control("POST", "sign-in", ["deny": true])
        let landing = try await client.landing("/oauth/authorize", Self.instagramConsent)
        #expect(landing["error"] == "access_denied")
        #expect(landing["error_reason"] == "user_denied")
        #expect(landing["state"] == "s 1")
        #expect(landing["code"] == nil)
        #expect(try await client.landing("/oauth/authorize", Self.instagramConsent)["code"] != nil, "the next says yes")
    }

    @Test(arguments: [
        ("client_id", "1", "Invalid platform app"), ("response_type", "token", "Invalid redirect_uri"),
        ("redirect_uri", "", "Invalid redirect_uri"), ("scope", "", "Invalid Scopes"),
        ("scope", "user_profile,user_media", "Invalid Scopes"),
        ("scope", "instagram_business_basic,business_basic", "Invalid Scopes"),
    ]) func instagramsPageRefuses(name: String, value: String, words: String) async throws {
        let client = try Client()
        let answer = try await client.get("/oauth/authorize" + query(changed(Self.instagramConsent, name, value)))
        #expect(answer.status == 400)
        #expect(answer.text.contains(words))
    }

    @Test(arguments: [
        ("client_id", "1"), ("client_secret", "x"), ("grant_type", "password"),
        ("redirect_uri", "https://example.org/"),
        ("code", "AQx"), ("code", ""),
    ]) func instagramsExchangeOfACodeRefuses(name: String, value: String) async throws {
        let client = try Client()
        let form = changed(Self.exchange(try await code(client)), name, value)
        let answer = try await client.form("/oauth/access_token", form)
        #expect(answer.object?.keys == ["error_type", "code", "error_message"])
        #expect(answer["error_type"] == "OAuthException")
        #expect(answer["code"] == 400)
    }

    @Test(arguments: ["twice", "late", "by GET"]) func codeOfInstagramHoldsOnceAndAnHour(what: String) async throws {
        let client = try Client()
        let form = Self.exchange(try await code(client))
        let answer: Value
        switch what {
        case "twice":
            #expect(try await client.form("/oauth/access_token", form)["data"] != nil)
            answer = try await client.form("/oauth/access_token", form)
        case "late":
            client.pass(.seconds(3601))
            answer = try await client.form("/oauth/access_token", form)
        default: answer = try await client.json("/oauth/access_token" + query(form))
        }
        #expect(answer["error_type"] == "OAuthException")
    }

    @Test(
        arguments: [
            ("grant_type", "x", 100), ("client_secret", "x", 100), ("access_token", "IGAAx", 190),
            ("access_token", "", 190),
        ] as [(String, String, Int64)]) func exchangeForSixtyDaysRefuses(
            name: String, value: String, code wanted: Int64
        ) async throws
    {
        let client = try Client()
        let short = try await client.form("/oauth/access_token", Self.exchange(try await code(client)))
        let all = [
            ("grant_type", "ig_exchange_token"), ("client_secret", SandboxApp.instagramSecret),
            ("access_token", short["data"]?[0]?["access_token"]?.string ?? ""),
        ]
        let answer = try await client.json("/access_token" + query(changed(all, name, value)))
        #expect(answer["error"]?["code"]?.integer == wanted)
        #expect(try await client.json("/access_token" + query(all))["access_token"] != nil)
        client.pass(.seconds(3600))
        #expect(
            try await client.json("/access_token" + query(all))["error"]?["error_subcode"] == 463, "an hour's token")
    }

    /// A day old, alive, and with the basic scope; the answer may hold another token, and both are good.
    @Test func issuedTokenIsRefreshedFromADayOnUntilItsEnd() async throws {
        let client = try Client()
        let token = try await client.instagramSignIn(Self.exchange(try await code(client)))
        let refresh =
            "/refresh_access_token" + query([("grant_type", "ig_refresh_token"), ("access_token", token)])
        #expect(try await client.json(refresh)["error"]?["code"] == 100, "too young")
        client.pass(.seconds(86_400))
        let answer = try await client.json(refresh)
        let next = try #require(answer["access_token"]?.string)
        #expect(next != token)
        #expect(answer["expires_in"] == 5_183_944)
        for text in [token, next] {
            #expect(try await client.json("/me" + query([("access_token", text)]))["id"] != nil)
        }
        client.pass(.seconds(5_183_944))
        let late =
            "/refresh_access_token" + query([("grant_type", "ig_refresh_token"), ("access_token", next)])
        #expect(try await client.json(late)["error"]?["error_subcode"] == 463)
        let wrong =
            "/refresh_access_token" + query([("grant_type", "x"), ("access_token", client.sandbox.instagramToken)])
        #expect(try await client.json(wrong)["error"]?["code"] == 100)
    }

    @Test func droppedScopeIsMissed() async throws {
        let client = try Client()
        try await client.control("POST", "sign-in", ["drop": ["instagram_business_content_publish"]])
        let token = try await client.instagramSignIn(Self.exchange(try await code(client)))
        let error = try await client.json("/me/content_publishing_limit" + query([("access_token", token)]))["error"]
        #expect(error?["code"] == 10)
    }

    // MARK: VK ID

    private static let vkConsent = [
        ("response_type", "code"), ("client_id", SandboxApp.vkID), ("redirect_uri", redirect), ("scope", "wall photos"),
        ("state", state), ("code_challenge", challenge), ("code_challenge_method", "S256"),
    ]

    private func vkExchange(_ client: Client) async throws -> [(String, String)] {
        let landing = try await client.landing("/authorize", Self.vkConsent)
        return [
            ("grant_type", "authorization_code"), ("code", landing["code"] ?? ""), ("code_verifier", Self.verifier),
            ("client_id", SandboxApp.vkID), ("device_id", landing["device_id"] ?? ""), ("redirect_uri", Self.redirect),
            ("state", Self.state),
        ]
    }

    @Test func vkIDsWayEndsWithAPairOfTokens() async throws {
        let client = try Client()
        let landing = try await client.landing("/authorize", Self.vkConsent)
        #expect(landing["type"] == "code_v2")
        #expect(landing["state"] == Self.state)
        #expect(landing["expires_in"] == "600")
        #expect(landing["device_id"]?.isEmpty == false)
        let answer = try await client.form("/oauth2/auth", try await vkExchange(client))
        for name in ["access_token", "refresh_token"] { #expect(answer[name]?.string?.hasPrefix("vk2.a.") == true) }
        #expect(answer["token_type"] == "Bearer")
        #expect(answer["expires_in"] == 3600)
        #expect(answer["user_id"] == 743_215_608)
        #expect(answer["scope"] == "wall photos")
        #expect(answer["state"]?.string == Self.state)
        let token = answer["access_token"]?.string ?? ""
        let user = try await client.form(
            "/oauth2/user_info", [("access_token", token), ("client_id", SandboxApp.vkID)])
        #expect(user["user"]?["user_id"] == "743215608")
        #expect(try await client.vkAs(token, "users.get")["response"]?[0]?["id"] == 743_215_608)
        #expect(try await client.vkAs(token, "account.getAppPermissions")["error"]?["error_code"] == 1051)
        client.pass(.seconds(3600))
        #expect(try await client.vkAs(token, "users.get")["error"]?["error_code"] == 5)
    }

    /// VK ID drops rights without a word: the answer's scope says so, and the calls miss them.
    @Test func vkIDDropsRightsSilently() async throws {
        let client = try Client()
        try await client.control("POST", "sign-in", ["drop": ["wall", "photos"]])
        let answer = try await client.form("/oauth2/auth", try await vkExchange(client))
        #expect(answer["scope"] == "")
        let error = try await client.vkAs(answer["access_token"]?.string ?? "", "wall.post", [("message", "a")])[
            "error"]
        #expect(error?["error_code"] == 15)
        #expect(error?["error_subcode"] == 1133)
    }

    @Test(arguments: [
        ("client_id", "1", "invalid_client"), ("redirect_uri", "", "invalid_client"),
        ("code_challenge", "", "invalid_request"), ("code_challenge_method", "plain", "invalid_request"),
        ("state", "short", "invalid_request"), ("response_type", "id_token", "invalid_request"),
    ]) func vkIDsPageRefuses(name: String, value: String, error: String) async throws {
        let client = try Client()
        let answer = try await client.get("/authorize" + query(changed(Self.vkConsent, name, value)))
        #expect(answer.status == 400)
        #expect(try Value(json: answer.body)["error"]?.string == error)
    }

    @Test func userOfVKSaysNo() async throws {
        let client = try Client()
        try await client.control("POST", "sign-in", ["deny": true])
        let landing = try await client.landing("/authorize", Self.vkConsent)
        #expect(landing["error"] == "access_denied")
        #expect(landing["state"] == Self.state)
    }

    @Test(arguments: [
        ("grant_type", "password", "invalid_request"), ("code", "vk2.a.x", "invalid_request"),
        ("code_verifier", "0123456789012345678901234567890123456789abc", "invalid_request"),
        ("code_verifier", "short", "invalid_request"), ("client_id", "1", "invalid_client"),
        ("device_id", "x", "invalid_request"), ("redirect_uri", "https://example.org", "invalid_request"),
    ]) func vkIDsExchangeRefuses(name: String, value: String, error: String) async throws {
        let client = try Client()
        let answer = try await client.form("/oauth2/auth", changed(try await vkExchange(client), name, value))
        #expect(answer["error"]?.string == error)
        #expect(answer["error_description"]?.string?.isEmpty == false)
        #expect(answer["state"]?.string == Self.state)
        #expect(answer["access_token"] == nil)
    }

    @Test(arguments: [0, 1]) func codeOfVKIDHoldsOnceAndTenMinutes(index: Int) async throws {
        let client = try Client()
        let form = try await vkExchange(client)
        if index == 0 { _ = try await client.form("/oauth2/auth", form) } else { client.pass(.seconds(601)) }
        #expect(try await client.form("/oauth2/auth", form)["error"] == "invalid_request")
    }

    /// A refresh token is good once; used again it ends the session, as does one of another device not.
    @Test func refreshTokenRotates() async throws {
        let client = try Client()
        let exchange = try await vkExchange(client)
        let first = try await client.form("/oauth2/auth", exchange)
        func refresh(_ token: Value?, device: String? = nil) async throws -> Value {
            try await client.form(
                "/oauth2/auth",
                [
                    ("grant_type", "refresh_token"), ("refresh_token", token?.string ?? ""),
                    ("client_id", SandboxApp.vkID), ("device_id", device ?? exchange[4].1), ("state", Self.state),
                ])
        }
        #expect(try await refresh(first["refresh_token"], device: "other")["error"] == "invalid_token")
        let second = try await refresh(first["refresh_token"])
        let token = try #require(second["access_token"]?.string)
        #expect(second["refresh_token"] != first["refresh_token"])
        #expect(second["scope"] == "wall photos")
        #expect(try await client.vkAs(token, "users.get")["response"] != nil)
        #expect(try await refresh(first["refresh_token"])["error"] == "invalid_token")
        #expect(try await client.vkAs(token, "users.get")["error"]?["error_code"] == 5, "the session has ended")
        #expect(try await refresh(second["refresh_token"])["error"] == "invalid_token")
    }

    @Test(arguments: ["/oauth2/revoke", "/oauth2/logout"]) func sessionIsEnded(path: String) async throws {
        let client = try Client()
        let token = try await client.form("/oauth2/auth", try await vkExchange(client))["access_token"]?.string ?? ""
        let form = [("access_token", token), ("client_id", SandboxApp.vkID)]
        #expect(try await client.form(path, form) == ["response": 1])
        #expect(try await client.vkAs(token, "users.get")["error"]?["error_code"] == 5)
        #expect(try await client.form(path, form)["error"] == "invalid_token")
        #expect(try await client.form("/oauth2/user_info", form)["error"] == "invalid_token")
    }

    // MARK: VK's classic link

    @Test(arguments: [("wall,offline", "0"), ("8196", "86400"), ("73732", "0")])
    func classicLinkEndsAtTheBlankPageWithTheTokenBehindIt(scope: String, lifetime: String) async throws {
        let client = try Client()
        let consent = [
            ("client_id", SandboxApp.vkID), ("redirect_uri", client.sandbox.baseURL + "/blank.html"),
            ("scope", scope), ("response_type", "token"), ("state", "s"),
        ]
        let answer = try await client.get("/authorize" + query(consent))
        let address = try #require(answer.header("Location"))
        #expect(address.hasPrefix(client.sandbox.baseURL + "/blank.html#access_token=vk1.a."))
        let landing = try await client.landing("/authorize", consent)
        #expect(landing["expires_in"] == lifetime)
        #expect(landing["user_id"] == "743215608")
        #expect(landing["state"] == "s")
        let token = landing["access_token"] ?? ""
        #expect(try await client.vkAs(token, "wall.post", [("message", "a")])["response"] != nil)
        #expect(try await client.get("/blank.html").header("Content-Type")?.hasPrefix("text/html") == true)
        try await client.control("POST", "sign-in", ["deny": true])
        #expect(try await client.landing("/authorize", consent)["error_reason"] == "user_denied")
    }

    @Test(
        arguments: [
            (["shape": "round"], "'shape' is one of data, flat, numbers."), (["refuse": true], "Unknown key 'refuse'."),
            ([], "The body is no JSON object."),
        ] as [(Value, String)]) func planThatIsNoneIsRefused(plan: Value, words: String) async throws
    {
        let answer = try await Client().control("POST", "sign-in", plan)
        #expect(answer.status == 400)
        #expect(answer.text.hasPrefix(words))
    }

    /// The same parameters, one of them otherwise; empty ones are left out.
    private func changed(_ all: [(String, String)], _ name: String, _ value: String) -> [(String, String)] {
        all.map { $0.0 == name ? ($0.0, value) : $0 }.filter { !$0.1.isEmpty }
    }
}

private func query(_ parameters: [(String, String)]) -> String {
    "?" + parameters.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
}

extension Client {
    /// The parameters, in the query or behind `#`, of the address that a page sends the browser to.
    fileprivate func landing(_ path: String, _ parameters: [(String, String)]) async throws -> [String: String] {
        let answer = try await get(path + query(parameters))
        let address = answer.header("Location") ?? ""
        let start = address.firstIndex { $0 == "?" || $0 == "#" } ?? address.endIndex
        let pairs = address[start...].dropFirst().split { $0 == "&" || $0 == "#" }
        return Dictionary(
            pairs.compactMap { pair in
                let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
                return parts.count == 2 ? (parts[0], percentDecoded(parts[1])) : nil
            }, uniquingKeysWith: { first, _ in first })
    }

    fileprivate func form(_ path: String, _ parameters: [(String, String)]) async throws -> Value {
        let answer = try await rawHTTP(
            port: port, "POST", path, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(query(parameters).dropFirst().utf8))
        return try Value(json: answer.body)
    }

    /// The token of 60 days for a code.
    fileprivate func instagramSignIn(_ exchange: [(String, String)]) async throws -> String {
        let short = try await form("/oauth/access_token", exchange)
        let long = try await json(
            "/access_token"
                + query([
                    ("grant_type", "ig_exchange_token"), ("client_secret", SandboxApp.instagramSecret),
                    ("access_token", short["data"]?[0]?["access_token"]?.string ?? ""),
                ]))
        return long["access_token"]?.string ?? ""
    }

    fileprivate func vkAs(
        _ token: String, _ method: String, _ parameters: [(String, String)] = []
    ) async throws -> Value {
        try await form("/method/" + method, parameters + [("access_token", token), ("v", "5.199")])
    }
}

/// `%20` and `+` as the blanks that they mean.
private func percentDecoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count >= 2,
            let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
            bytes.append(value)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
