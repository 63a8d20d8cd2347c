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
