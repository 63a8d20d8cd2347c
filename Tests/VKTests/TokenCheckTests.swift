import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// Which token calls what, and what is told of it before a run.
@Suite struct TokenCheckTests {
    /// The reference's table: VK's schema (`access_token_type`), and what was seen where that is wrong. "u", "c" and "s" can,
    /// "?" is not known: that is no error.
    private static let table: [(methods: String, kinds: String)] = [
        ("wall.post", "uc"), ("wall.edit wall.delete wall.pin wall.repost", "u?"),
        ("wall.createComment wall.openComments wall.closeComments", "uc"),
        ("wall.get wall.getById photos.getById", "us"),
        ("photos.getWallUploadServer photos.saveWallPhoto photos.getUploadServer photos.save", "u"),
        ("photos.getMessagesUploadServer photos.saveMessagesPhoto", "uc"),
        ("stories.getPhotoUploadServer stories.getVideoUploadServer stories.save stories.delete stories.get", "uc"),
        ("stories.getById docs.getWallUploadServer docs.save", "uc"), ("docs.getUploadServer video.save", "u"),
    ]

    private static let cases = table.flatMap { row in row.methods.split(separator: " ").map { ($0, row.kinds) } }

    @Test(arguments: cases) func tokensAreCheckedAsTheReferenceHasIt(method: Substring, kinds: String) async throws {
        for (letter, kind) in [("u", "user"), ("c", "community"), ("s", "service")] {
            let findings = try await report(kind, [StepUse(address: "a", kind: "vk.\(method)", parameters: [:])])
                .findings
            let mayWork = kinds.contains(letter) || (kinds.contains("?") && letter == "c")
            #expect(findings.contains { !$0.isWarning } == !mayWork, "\(kind)")
        }
    }

    @Test(arguments: ["execute", "utils.getServerTime", "utils.resolveScreenName", "groups.getById", "market.edit"])
    func methodOfWhichNobodySaysIsTried(method: String) async throws {
        for kind in ["user", "community"] {
            let use = StepUse(address: "a", kind: "vk.\(method)", parameters: [:])
            #expect(try await report(kind, [use]).findings.isEmpty)
        }
    }

    @Test(arguments: [
        ("user", "a user's token, id 7, with the rights docs, groups, photos, stories, video, wall"),
        ("community", "a community's token, id 12"), ("service", "a service token"),
    ]) func tokenIsSummedUp(kind: String, summary: String) async throws {
        #expect(try await report(kind, []).summary == summary)
    }

    @Test(
        arguments: [
            ("vk.wall-photo", 8192, "photos"), ("vk.wall-text", 4, "wall"), ("vk.story", 8196, "stories"),
            ("vk.document", 8196, "docs"), ("vk.album-photos", 8192, "photos"),
        ] as [(String, Int64, String)]) func missingRightIsNamed(kind: String, mask: Int64, right: String) async throws
    {
        let use = StepUse(address: "post", kind: kind, parameters: [:])
        let finding = try #require(try await report("user", [use, use], mask: mask).findings.first)
        #expect(finding.what == "the token of account 'club' lacks the right '\(right)'")
        #expect(!finding.isWarning)
        #expect(try await report("user", [use, use], mask: mask).findings.count == 1, "told once")
    }

    /// VK ID's tokens have no mask, and are refused for writing as a rule: a warning, since it is no more than a rule.
    @Test func tokenOfVKIDIsWarnedOf() async throws {
        let account = Account(
            name: "club", type: "vk", token: Secret("vk2.a.SECRET"), baseURL: "https://api.vk.com",
            settings: testAccount.settings)
        let uses = ["vk.wall.post", "vk.wall.get"].map { StepUse(address: $0, kind: $0, parameters: [:]) }
        let report = try await report("user", uses, mask: nil, account: account)
        #expect(report.summary == "a user's token, id 7, whose rights VK does not say")
        #expect(report.findings.map(\.address) == ["vk.wall.post"])
        #expect(report.findings[0].isWarning)
        #expect(!"\(report)".contains("SECRET"))
    }

    @Test(arguments: [5, 6, 10, 14, 29]) func silenceOfVKTellsNothing(code: Int64) async throws {
        let http = RoutedHTTPClient { _, _ in .json(#"{"error":{"error_code":\#(code),"error_msg":"no"}}"#) }
        let connector = VKConnector(client: http, limiter: CountingLimiter(), now: { Timestamp(seconds: 1) })
        #expect(try await connector.checkToken(of: testAccount, for: []) == nil)
        #expect(http.requests.count == 1)
    }

    private func report(
        _ kind: String, _ uses: [StepUse], mask: Int64? = 401_492, account: Account = testAccount
    ) async throws -> TokenReport {
        @Sendable func refused(_ code: Int) -> ScriptedHTTPClient.Answer {
            .json(#"{"error":{"error_code":\#(code),"error_msg":"no"}}"#)
        }
        let http = RoutedHTTPClient { request, _ in
            switch (request.label, kind) {
            case ("users.get", "user"): .json(#"{"response":[{"id":7}]}"#)
            case ("users.get", "community"): .json(#"{"response":[]}"#)
            case ("account.getAppPermissions", "user"):
                mask.map { .json(#"{"response":\#($0)}"#) } ?? refused(1051)
            case ("groups.getById", "community"): .json(#"{"response":{"groups":[{"id":12}],"profiles":[]}}"#)
            case ("users.get", _): refused(100)
            default: refused(3)
            }
        }
        let connector = VKConnector(client: http, limiter: CountingLimiter(), now: { Timestamp(seconds: 1) })
        return try #require(try await connector.checkToken(of: account, for: uses))
    }
}
