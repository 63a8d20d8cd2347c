import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import Instagram

/// What Instagram's answers mean: the cases are `Fixtures/errors/*.json`.
@Suite struct InstagramErrorTests {
    static let fixtures = Fixtures("errors")

    @Test(arguments: fixtures.names)
    func answerBecomesFailure(_ name: String) async throws {
        let scene = try FailureScene(name, of: Self.fixtures)
        let http = ScriptedHTTPClient([scene.answer(status: 400)])
        let kind = testKind(http)
        let call = try TestCalls().call(kind, [:], account: testAccount)
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(try scene.problems(with: error, hiding: ["SECRETTOKEN"]) == [])
        #expect(http.requests.count == 1)
    }

    @Test(arguments: fixtures.names)
    func everyCaseNamesTheNextCommand(_ name: String) throws {
        #expect(try Self.fixtures.json(name)["next"]?.string?.hasPrefix("pasteup ") == true)
    }

    @Test func everyKnownCodeHasItsCase() throws {
        var told: Set<InstagramErrorRule.Key> = []
        for name in Self.fixtures.names {
            let error = try Self.fixtures.json(name)["answer"]?["error"]
            guard let code = error?["code"]?.integer else { continue }
            told.insert(InstagramErrorRule.Key(code, error?["error_subcode"]?.integer ?? 0))
        }
        let known = InstagramErrorRule.bySubcode.keys + InstagramErrorRule.byCode.keys.map { .init($0, 0) }
        #expect(known.filter { !told.contains($0) } == [])
    }

    /// What a lost or failed answer to `media_publish` means: only what says that nothing was done is no doubt.
    @Test(arguments: [
        ("1", ErrorClass.inDoubt), ("2", .inDoubt), ("-1/2207001", .inDoubt), ("-2", .inDoubt), ("4711", .inDoubt),
        ("4", .rateLimit), ("9/2207042", .quota), ("10", .permission), ("190", .auth), ("9007/2207027", .server),
        ("24/2207008", .server), ("36003/2207009", .invalid), ("368", .permission),
    ])
    func refusedWrite(code: String, expected: ErrorClass) throws {
        let parts = code.split(separator: "/").compactMap { Int64($0) }
        var error: ValueObject = ["message": "no", "type": "OAuthException", "code": .integer(parts[0])]
        if parts.count > 1 { error["error_subcode"] = .integer(parts[1]) }
        let refusal = try #require(InstagramRefusal(["error": .object(error)]))
        let failure = refusal.stepError(
            of: "1/media_publish", account: testAccount, response: HTTPResponse(status: 400), isWrite: true)
        #expect(failure.errorClass == expected)
        #expect(failure.code == code)
    }

    @Test(arguments: [
        (HTTPError.Kind.resolve, ErrorClass.network), (.timeout, .timeout), (.cut, .network), (.badAnswer, .server),
        (.badAddress, .invalid),
    ])
    func failedExchangeNamesNoQuery(kind failure: HTTPError.Kind, expected: ErrorClass) async throws {
        let http = ScriptedHTTPClient([.failure(HTTPError(kind: failure, message: "it broke", mayHaveBeenSent: true))])
        let kind = testKind(http)
        let call = try TestCalls().call(kind, [:], account: testAccount)
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(error.errorClass == expected)
        #expect(error.what == "Instagram's me/media failed: it broke")
        #expect(http.requests[0].label == "Instagram's me/media")
    }
}

let testAccount = Account(
    name: "insta", type: "instagram", token: Secret("IGAASECRETTOKEN"), baseURL: "https://graph.instagram.com")

func testKind(_ http: ScriptedHTTPClient) -> LatestMedia {
    LatestMedia(client: InstagramClient(http: http))
}
