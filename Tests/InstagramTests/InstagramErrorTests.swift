import Files
import Glibc
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
        let scene = try Self.fixtures.json(name)
        let body = try scene["body"]?.string ?? #require(scene["answer"]).json()
        let headers = (scene["headers"]?.object ?? [:]).map { (name: $0.key, value: $0.value.string ?? "") }
        let http = ScriptedHTTPClient([.status(Int(scene["status"]?.integer ?? 400), body, headers: headers)])
        let kind = testKind(http)
        let call = try TestCalls().call(kind, [:], account: testAccount)
        let error = try #require(try await stepError { try await kind.run(call) })
        let sentence = ([error.sentence] + (error.pause.map { ["Pause: " + $0.message] } ?? [])).joined(separator: "\n")
        #expect(error.errorClass.rawValue == scene["class"]?.string)
        #expect(error.code == scene["code"]?.string)
        #expect(error.retryAfter?.wholeMilliseconds == scene["retry-after-ms"]?.integer)
        #expect(error.pause?.kind.rawValue == scene["pause"]?.string)
        #expect(!sentence.contains("SECRETTOKEN"))
        #expect(http.requests.count == 1)
        if getenv("RECORD_SNAPSHOTS") != nil { return try record(sentence, of: scene, name) }
        #expect(sentence == scene["sentence"]?.string)
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

    private func record(_ sentence: String, of scene: Value, _ name: String) throws {
        var object = try #require(scene.object)
        guard object["sentence"]?.string != sentence else { return }
        object["sentence"] = .string(sentence)
        let path = FileSystem.join(FileSystem.folder(of: #filePath), "Fixtures/errors/\(name).json")
        try FileSystem.write(Array((Value.object(object).json(.indented) + "\n").utf8), to: path, mode: 0o644)
        Issue.record("recorded anew")
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
