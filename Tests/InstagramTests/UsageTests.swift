import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import Instagram

/// The headers that say how much of the limits is used (Graph API, "Rate limits").
@Suite struct UsageTests {
    private static func response(_ headers: [(name: String, value: String)]) -> HTTPResponse {
        HTTPResponse(status: 200, headers: headers)
    }

    @Test(
        arguments: [
            (#"{"call_count":12,"total_cputime":3,"total_time":4}"#, 12), (#"{"call_count":1,"total_cputime":93}"#, 93),
            (#"{"call_count":"7"}"#, 7), (#"{"call_count":81.9}"#, 81),
        ] as [(String, Int64)])
    func highestOfTheCountsIsTheUsage(header: String, percent: Int64) {
        #expect(Usage(Self.response([("x-app-usage", header)]))?.percent == percent)
    }

    @Test func usageOfTheAccountTellsWhenCallsAreFreeAgain() {
        let header =
            #"{"17841405309211844":[{"type":"instagram","call_count":100,"total_cputime":5,"total_time":5,"estimated_time_to_regain_access":12}]}"#
        let usage = Usage(Self.response([("x-business-use-case-usage", header)]))
        #expect(usage?.percent == 100)
        #expect(usage?.regain == .seconds(720))
    }

    @Test(arguments: ["", "{}", "[]", "no JSON", #"{"call_count":null}"#])
    func headerThatSaysNothingIsPassedOver(header: String) {
        #expect(Usage(Self.response([("x-app-usage", header)])) == nil)
        #expect(Usage(Self.response([])) == nil)
    }

    @Test(
        arguments: [
            (80, nil), (81, .milliseconds(1500)), (90, .seconds(15)), (99, .seconds(15)),
        ] as [(Int64, Duration?)])
    func pauseGrowsAboveEightyPercent(percent: Int64, pause: Duration?) {
        let usage = Usage(Self.response([("x-app-usage", #"{"call_count":\#(percent)}"#)]))
        #expect(usage?.pause(within: .seconds(60)) == pause)
    }

    private func list(_ percent: Int, _ calls: TestCalls) async throws -> (StepError?, ScriptedHTTPClient) {
        let http = ScriptedHTTPClient([
            PostPages.page(
                [PostPages.item("2", day: 20)], after: "c1",
                headers: [(name: "x-app-usage", value: #"{"call_count":\#(percent)}"#)]),
            PostPages.page([PostPages.item("1", day: 10)]),
        ])
        let kind = ListMedia(client: InstagramClient(http: http), now: { .now })
        let call = try calls.call(kind, ["limit": 30], account: testAccount)
        return (try await stepError { try await kind.run(call) }, http)
    }

    @Test func callsSlowDownBeforeTheWall() async throws {
        let calls = try TestCalls()
        let (error, http) = try await list(90, calls)
        #expect(error == nil)
        #expect(http.requests.count == 2)
        #expect(calls.waits == [.seconds(15)])
        #expect(calls.warnings == ["90 % of Instagram's limit of calls are used: the next call waits 15s"])
    }

    @Test func callsStopAtTheWall() async throws {
        let calls = try TestCalls()
        let (error, http) = try await list(100, calls)
        #expect(error?.errorClass == .rateLimit)
        #expect(error?.retryAfter == .seconds(300))
        #expect(http.requests.count == 1)
        #expect(calls.waits == [])
    }

    /// The refusal itself says when the next call may go: that call waits for nothing more.
    @Test func refusalForTheLimitsSakeIsWaitedForOnce() async throws {
        let http = ScriptedHTTPClient([
            .status(
                400, #"{"error":{"code":4,"message":"limit","type":"OAuthException"}}"#,
                headers: [(name: "x-app-usage", value: #"{"call_count":100}"#), (name: "retry-after", value: "60")]),
            PostPages.page([PostPages.item("1", day: 10)]),
        ])
        let calls = try TestCalls()
        let kind = ListMedia(client: InstagramClient(http: http), now: { .now })
        let call = try calls.call(kind, [:], account: testAccount)
        #expect(try await stepError { try await kind.run(call) }?.retryAfter == .seconds(60))
        #expect(try await stepError { try await kind.run(call) } == nil)
        #expect(http.requests.count == 2)
    }

    @Test func quietAccountIsNotSlowedDown() async throws {
        let calls = try TestCalls()
        #expect(try await list(80, calls).0 == nil)
        #expect(calls.waits == [])
    }
}
