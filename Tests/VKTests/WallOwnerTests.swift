import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// Owner ids with the wrong sign, as far as VK tells before anything is posted. The token's user is 7.
@Suite struct WallOwnerTests {
    private func report(
        _ uses: [StepUse], users: String, groups: String, me: String = #"[{"id":7}]"#
    ) async throws -> (findings: [TokenReport.Finding], asked: Int) {
        let http = RoutedHTTPClient { request, _ in
            switch request.label {
            case "users.get": .json(#"{"response":\#(request.field("user_ids") == nil ? me : users)}"#)
            case "groups.getById":
                .json(groups.hasPrefix("{\"error") ? groups : #"{"response":\#(groups)}"#)
            case "account.getAppPermissions": .json(#"{"response":8196}"#)
            default: .json(#"{"error":{"error_code":3,"error_msg":"Unknown method passed"}}"#)
            }
        }
        let connector = VKConnector(client: http, limiter: CountingLimiter(), now: { Timestamp(seconds: 1) })
        let report = try #require(try await connector.checkToken(of: testAccount, for: uses))
        return (report.findings, http.requests.count { $0.field("user_ids") != nil || $0.field("group_ids") != nil })
    }

    private func use(_ owner: Int64?, kind: String = "vk.wall.post", _ address: String = "post") -> StepUse {
        var parameters: ValueObject = ["message": "a"]
        parameters["owner_id"] = owner.map(Value.integer)
        return StepUse(address: address, kind: kind, parameters: parameters)
    }

    private static let soup = #"{"groups":[{"id":12,"name":"Soup","is_admin":0}],"profiles":[]}"#
    private static let ownSoup = #"{"groups":[{"id":"12","name":"Soup","is_admin":1}],"profiles":[]}"#
    private static let none =
        #"{"error":{"error_code":100,"error_msg":"One of the parameters specified was missing or invalid"}}"#

    @Test(arguments: ["vk.wall.post", "vk.wall-photo", "vk.wall-text"])
    func numberThatIsACommunitysAloneIsAnError(kind: String) async throws {
        let finding = try #require(
            try await report([use(12, kind: kind)], users: "[]", groups: Self.soup).findings.first {
                $0.what.contains("owner_id")
            } ?? nil)
        #expect(!finding.isWarning)
        #expect(finding.what == "'owner_id' is 12, and no user has that number")
        #expect(
            finding.why
                == "VK's owner ids are positive for users, negative for communities. It is that of the community 'Soup' (12)."
        )
        #expect(finding.fix == "Write owner_id: -12.")
    }

    /// A friend may have the number of a community that the account has nothing to do with.
    @Test(arguments: [soup, none, #"{"groups":[],"profiles":[]}"#, #"[{"id":12,"name":"Soup"}]"#])
    func friendsWallIsNoMistake(groups: String) async throws {
        #expect(try await report([use(12)], users: #"[{"id":12}]"#, groups: groups).findings.isEmpty)
        #expect(
            try await report([use(12)], users: #"[{"id":"12","deactivated":"banned"}]"#, groups: groups).findings
                .isEmpty)
    }

    @Test(arguments: [ownSoup, #"[{"id":12,"name":"Soup","is_admin":true}]"#])
    func friendWithTheNumberOfAnOwnCommunityIsAWarning(groups: String) async throws {
        let finding = try #require(
            try await report([use(12)], users: #"[{"id":12}]"#, groups: groups).findings.first)
        #expect(finding.isWarning)
        #expect(finding.fix == "Write owner_id: -12 if that one is meant.")
    }

    @Test(arguments: [none, #"{"groups":[{"id":12,"name":"","deactivated":"deleted"}]}"#])
    func numberOfNobodyIsAWarning(groups: String) async throws {
        let finding = try #require(try await report([use(12)], users: "[]", groups: groups).findings.first)
        #expect(finding.isWarning)
        #expect(finding.what == "'owner_id' is 12, and VK knows no user of that number")
    }

    /// Where VK does not answer, nothing is said.
    @Test(arguments: [
        #"{"error":{"error_code":29,"error_msg":"Rate limit reached"}}"#, #"{"error":{"error_code":10}}"#,
    ])
    func silenceIsNoFinding(groups: String) async throws {
        #expect(try await report([use(12)], users: "[]", groups: groups).findings.isEmpty)
    }

    @Test func ownWallAndCommunitiesAskNothing() async throws {
        let uses = [use(nil), use(7), use(-12), use(12, kind: "vk.wall.get")]
        let (findings, asked) = try await report(uses, users: "[]", groups: Self.soup)
        #expect(findings.isEmpty)
        #expect(asked == 0)
    }

    @Test func ownNumberWithAMinusIsAWarning() async throws {
        let finding = try #require(try await report([use(-7)], users: "[]", groups: Self.none).findings.first)
        #expect(finding.isWarning)
        #expect(finding.fix == "Leave it out if the own wall is meant.")
    }

    /// All walls are asked about together, and each mistake is told once.
    @Test func rowsAreAskedAboutTogether() async throws {
        let uses = [use(12, "post[0]"), use(7, "post[1]"), use(13, "post[2]"), use(12, "post[3]")]
        let (findings, asked) = try await report(uses, users: #"[{"id":13}]"#, groups: Self.soup)
        #expect(findings.map(\.address) == ["post[0]"])
        #expect(asked == 2)
    }
}
