import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// What VK's answers mean: the cases are `Fixtures/errors/*.json`.
@Suite struct VKErrorTests {
    static let fixtures = Fixtures("errors")

    /// 21:00 in Moscow: 3 h 5 min before VK's next day.
    static let now = Timestamp(iso8601: "2026-11-30T18:00:00Z")!

    @Test(arguments: fixtures.names)
    func answerBecomesFailure(_ name: String) async throws {
        let scene = try FailureScene(name, of: Self.fixtures)
        let http = ScriptedHTTPClient([scene.answer(status: 200)])
        let client = VKClient(http: http, limiter: CountingLimiter(), now: { Self.now })
        let calls = try TestCalls()
        let call = try calls.call(WallPost(client: client), [:], account: testAccount)
        let method = try #require(scene.json["method"]?.string)
        let effect = try #require(scene.json["effect"]?.string.flatMap(Effect.init))
        let error = try #require(
            try await stepError { try await client.call(method, [:], effect: effect, for: call) })
        #expect(try scene.problems(with: error, folder: calls.folder, hiding: ["SECRETTOKEN", "KEY"]) == [])
        #expect(http.requests.count == 1)
    }

    @Test func everyKnownCodeHasItsCase() throws {
        let told = try Self.fixtures.names.compactMap {
            try Self.fixtures.json($0)["answer"]?["error"]?["error_code"]?.integer
        }
        #expect(Set(VKErrorRule.all.flatMap(\.codes)).subtracting(told).sorted() == [])
    }

    @Test func everyCodeOfTheTableHasOneRule() {
        let codes = VKErrorRule.all.flatMap(\.codes)
        #expect(Set(codes).count == codes.count)
    }

    @Test(arguments: [
        ("2026-11-30T18:00:00Z", "3h 5m"), ("2026-11-30T20:59:59Z", "5m 1s"), ("2026-11-30T21:00:00Z", "5m"),
        ("2026-11-30T21:04:00Z", "1m"), ("2026-11-30T21:05:00Z", "1d"),
    ])
    func quotaOfADayWaitsForMoscow(now: String, wait: String) throws {
        #expect(untilNextMoscowDay(from: try #require(Timestamp(iso8601: now))).text == wait)
    }

    static let transport: [(HTTPError.Kind, Bool, Effect, ErrorClass)] = [
        (.resolve, false, .write, .network), (.connect, false, .write, .network), (.tls, false, .write, .network),
        (.timeout, false, .write, .timeout), (.timeout, true, .write, .inDoubt), (.stall, true, .write, .inDoubt),
        (.cut, true, .write, .inDoubt), (.badAnswer, true, .write, .inDoubt), (.tooLarge, true, .write, .inDoubt),
        (.cut, true, .read, .network), (.timeout, true, .read, .timeout), (.stall, true, .idempotent, .timeout),
        (.badAnswer, true, .read, .server), (.tooLarge, true, .read, .server), (.badAddress, false, .read, .invalid),
    ]

    @Test(arguments: transport)
    func failedExchangeIsInDoubtOnlyWhenItMayHaveDoubled(
        kind: HTTPError.Kind, sent: Bool, effect: Effect, expected: ErrorClass
    ) async throws {
        let failure = HTTPError(kind: kind, message: "the connection broke", mayHaveBeenSent: sent)
        let client = VKClient(
            http: ScriptedHTTPClient([.failure(failure)]), limiter: CountingLimiter(), now: { Self.now })
        let call = try TestCalls().call(WallPost(client: client), [:], account: testAccount)
        let error = try #require(
            try await stepError { try await client.call("wall.post", [:], effect: effect, for: call) })
        #expect(error.errorClass == expected)
        #expect(error.what == "VK's wall.post failed: the connection broke")
    }

    @Test func cancellationIsNoFailure() async throws {
        let client = VKClient(http: ScriptedHTTPClient([.cancelled]), limiter: CountingLimiter(), now: { Self.now })
        let call = try TestCalls().call(WallPost(client: client), [:], account: testAccount)
        await #expect(throws: CancellationError.self) {
            try await client.call("wall.post", [:], effect: .write, for: call)
        }
    }
}

let testAccount = Account(
    name: "club", type: "vk", token: Secret("vk1.a.SECRETTOKEN"), baseURL: "https://api.vk.com",
    settings: ["settle": "5s", "api-version": "5.199"])
