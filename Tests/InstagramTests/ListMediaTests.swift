import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import Instagram

@Suite struct ListMediaTests {
    private let calls: TestCalls
    /// 30 November 2026, noon.
    private static let now = Timestamp(iso8601: "2026-11-30T12:00:00Z")!

    init() throws { calls = try TestCalls() }

    private func list(
        _ answers: [ScriptedHTTPClient.Answer], _ parameters: ValueObject = [:], posted: [(String, String)] = []
    ) async throws -> (ids: [String], http: ScriptedHTTPClient) {
        let (outputs, http) = try await outputs(answers, parameters, posted: posted)
        return ((outputs["ids"]?.array ?? []).compactMap(\.string), http)
    }

    private func outputs(
        _ answers: [ScriptedHTTPClient.Answer], _ parameters: ValueObject = [:], posted: [(String, String)] = []
    ) async throws -> (ValueObject, ScriptedHTTPClient) {
        let http = ScriptedHTTPClient(answers)
        let kind = ListMedia(client: InstagramClient(http: http), now: { Self.now })
        let keys = posted.map { PostedKey(text: $0.0, begun: Timestamp(iso8601: $0.1)!) }
        let call = try calls.call(
            kind, parameters, account: testAccount,
            postedKeys: { prefix in keys.filter { $0.text.hasPrefix(prefix) } })
        guard case .succeeded(let outputs) = try await kind.run(call) else { return ([:], http) }
        return (outputs, http)
    }

    private func ids(of days: ClosedRange<Int>) -> [String] { days.map { "d\($0)" } }
    private func items(_ days: [Int]) -> [Value] { days.map { PostPages.item("d\($0)", day: $0) } }

    // MARK: The list

    @Test func newestComeFirstWhateverIsPinned() async throws {
        let (ids, http) = try await list([PostPages.page(items([1, 30, 20, 10]))])
        #expect(ids == ["d30", "d20", "d10", "d1"])
        #expect(http.requests[0].url.contains("/me/media?fields=") && http.requests[0].url.contains("&limit=25&"))
    }

    @Test func oldestComeFirstOnDemand() async throws {
        #expect(
            try await list([PostPages.page(items([30, 20, 10]))], ["order": "oldest"]).ids == ["d10", "d20", "d30"])
    }

    @Test func itemsSayWhatInstagramSays() async throws {
        let children: Value = [
            "data": [
                ["id": 17_895_695_668_004_551, "media_type": "VIDEO", "thumbnail_url": "https://cdn.example/t.jpg"],
                ["id": "c2", "media_type": "IMAGE", "media_url": "https://cdn.example/i.jpg"],
            ]
        ]
        let album: Value = [
            "id": 17_895_695_668_004_550, "media_type": "CAROUSEL_ALBUM", "children": children,
            "timestamp": "2026-11-30T08:00:00+0000", "alt_text": "Tea",
        ]
        let (outputs, _) = try await outputs([PostPages.page([album])])
        #expect(outputs["count"] == 1)
        #expect(
            outputs["items"]?[0] == [
                "id": "17895695668004550", "caption": "", "username": "", "permalink": "",
                "timestamp": "2026-11-30T08:00:00Z", "kind": "carousel", "product": "", "alt_text": "Tea",
                "children": [
                    ["id": "17895695668004551", "kind": "video", "thumbnail_url": "https://cdn.example/t.jpg"],
                    ["id": "c2", "kind": "image", "media_url": "https://cdn.example/i.jpg"],
                ],
            ])
    }

    @Test func accountWithoutPostsIsAnEmptyList() async throws {
        let (outputs, _) = try await outputs([.json(#"{"data":[]}"#)])
        #expect(outputs == ["items": [], "ids": [], "count": 0])
    }

    @Test func pagesAreReadToTheLimit() async throws {
        let pages = [
            PostPages.page(items(Array((6...30).reversed())), after: "c1"), PostPages.page(items([5, 4, 3, 2, 1])),
        ]
        #expect(try await list(pages).http.requests.count == 1)
        let (ids, http) = try await list(pages, ["limit": 28])
        #expect(ids == self.ids(of: 3...30).reversed())
        #expect(http.requests[1].url.contains("&limit=25&after=c1&access_token="))
        #expect(try await list(pages, ["limit": 100]).ids.count == 30)
    }

    @Test func pagingEndsWithoutANextPage() async throws {
        // The cursor is there on the last page, too; an empty page in the middle is not the end.
        let (ids, http) = try await list(
            [PostPages.page(items([30]), after: "c1"), PostPages.page([], after: "c2"), PostPages.page(items([20]))],
            ["limit": 50])
        #expect(ids == ["d30", "d20"])
        #expect(http.requests.count == 3)
    }

    @Test(arguments: [["limit": 50], ["since": "2026-11-01"], ["newer-than-ledger": "own/"]] as [ValueObject])
    func cursorsThatGoInACircleAreFollowedOnce(parameters: ValueObject) async throws {
        let circle = [PostPages.page(items([30]), after: "c1"), PostPages.page(items([20]), after: "c2")]
        let (ids, http) = try await list(
            circle + circle + circle, parameters, posted: [("own/gone", "2026-11-01T09:00:00Z")])
        #expect(Set(ids) == ["d30", "d20"])
        #expect(http.requests.count == 3)
    }

    /// The cursor may stand in the ready address alone.
    @Test func cursorIsTakenFromTheNextAddressWhereItStandsThereAlone() async throws {
        let next = "https://graph.instagram.com/v26.0/1/media?access_token=IGAASECRETTOKEN&limit=25&after=QVFI%3D%3D"
        let first: Value = ["data": [PostPages.item("d30", day: 30)], "paging": ["next": .string(next)]]
        let (ids, http) = try await list([.json(first.json()), PostPages.page(items([20]))], ["limit": 50])
        #expect(ids == ["d30", "d20"])
        #expect(http.requests[1].url.contains("&after=QVFI%3D%3D&access_token="))
    }

    @Test func emptyPagesWithoutEndAreGivenUp() async throws {
        let pages = (1...600).map { PostPages.page([], after: "c\($0)") }
        #expect(try await list(pages, ["limit": 50]).http.requests.count == 500)
    }

    @Test func cursorThatStandsStillIsNotFollowedForEver() async throws {
        let (ids, http) = try await list(
            [PostPages.page(items([30]), after: "c1"), PostPages.page(items([20]), after: "c1")], ["limit": 50])
        #expect(ids == ["d30", "d20"])
        #expect(http.requests.count == 2)
    }

    @Test func liveTokenOfTheNextAddressIsInNoOutput() async throws {
        let (outputs, http) = try await outputs(
            [PostPages.page(items([30]), after: "c1"), PostPages.page(items([20]))], ["limit": 50])
        #expect(!Value.object(outputs).json().contains("SECRETTOKEN"))
        #expect(http.requests.allSatisfy { $0.label == "Instagram's me/media" })
    }

    @Test func postsWithoutAPictureArePassedOverUnlessWanted() async throws {
        let page = PostPages.page([
            PostPages.item("reel", day: 30, "VIDEO"), PostPages.item("held", day: 29, "IMAGE", ["media_url": nil]),
            PostPages.item("d28", day: 28),
        ])
        #expect(try await list([page]).ids == ["d28"])
        #expect(calls.warnings == ["Instagram's post held was passed over: Instagram gives no address for it"])
        #expect(
            try await list([page], ["pictures": false, "kinds": ["image", "video"]]).ids == ["reel", "held", "d28"])
    }

    @Test(arguments: [("limit", 0), ("limit", 10_001), ("first", 0)])
    func countsHaveBounds(name: String, value: Int64) async throws {
        let error = try await stepError { try await list([], [name: .integer(value)]).ids }
        #expect(error?.sentence == "'\(name)' is \(value). It lies between 1 and 10000.")
    }

    // MARK: Since a time

    @Test(arguments: ["2026-11-20T08:00:00Z", "2026-11-20T10:00:00+02:00", "2026-11-21", "244h"])
    func postsSinceATimeComeOldestFirst(since: String) async throws {
        let (ids, http) = try await list(
            [PostPages.page(items([1, 30, 25, 20, 15]), after: "c1")], ["since": .string(since)])
        #expect(ids == ["d25", "d30"])
        // The page's end is older: nothing can follow.
        #expect(http.requests.count == 1)
        #expect(http.requests[0].url.contains("&limit=100&"))
    }

    @Test func timeThatIsNoneIsExplained() async throws {
        let error = try await stepError { try await list([], ["since": "yesterday"]).ids }
        #expect(error?.errorClass == .invalid)
        #expect(error?.what == "'since' is 'yesterday', no time")
    }

    // MARK: Newer than the ledger

    private static let key = ("own/d20", "2026-11-20T09:00:00Z")

    @Test func onlyPostsThatTheLedgerDoesNotKnowAreNew() async throws {
        let (ids, http) = try await list(
            [PostPages.page(items([1, 30, 25, 20, 15]), after: "c1")], ["newer-than-ledger": "own/"],
            posted: [Self.key, ("-12/d25", "2026-11-25T09:00:00Z")])
        #expect(ids == ["d25", "d30"], "oldest first; what was there before the first run is not new")
        #expect(http.requests.count == 1)
    }

    @Test func postThatFailedInBetweenIsFoundAgain() async throws {
        let (ids, _) = try await list(
            [PostPages.page(items([30, 25, 22, 20, 15]))], ["newer-than-ledger": "own/"],
            posted: [Self.key, ("own/d25", "2026-11-25T09:00:00Z")])
        #expect(ids == ["d22", "d30"])
    }

    @Test func manyNewPostsAreReadOverPages() async throws {
        let (ids, http) = try await list(
            [
                PostPages.page(items([30, 29, 28]), after: "c1"), PostPages.page(items([27, 26]), after: "c2"),
                PostPages.page(items([25, 20, 15]), after: "c3"),
            ], ["newer-than-ledger": "own/"], posted: [Self.key])
        #expect(ids == self.ids(of: 25...30))
        #expect(http.requests.count == 3)
    }

    @Test func overTheLimitTheOldestAreTaken() async throws {
        let (ids, _) = try await list(
            [PostPages.page(items([30, 29, 28, 20]))], ["newer-than-ledger": "own/", "limit": 2], posted: [Self.key])
        #expect(ids == ["d28", "d29"], "the others are left for the next run")
        #expect(calls.warnings == ["3 posts are new; the 2 oldest are taken, the others are left"])
    }

    @Test func firstRunTakesTheNewestAlone() async throws {
        let pages = [PostPages.page(items([1, 30, 25, 20]), after: "c1")]
        let (ids, http) = try await list(pages, ["newer-than-ledger": "own/"])
        #expect(ids == ["d30"], "not years of posts")
        #expect(http.requests.count == 1)
        #expect(try await list(pages, ["newer-than-ledger": "own/", "first": 2]).ids == ["d25", "d30"])
    }

    @Test func knownPostThatIsPinnedDoesNotMakeOldOnesNew() async throws {
        let (ids, _) = try await list(
            [PostPages.page(items([2, 30, 20, 15])), PostPages.page(items([1]))], ["newer-than-ledger": "own/"],
            posted: [Self.key, ("own/d2", "2026-11-20T09:00:00Z")])
        #expect(ids == ["d30"])
    }

    @Test func deletedKnownPostsDoNotMakeOldOnesNew() async throws {
        let (ids, http) = try await list(
            [PostPages.page(items([30, 15, 10]), after: "c1")], ["newer-than-ledger": "own/"], posted: [Self.key])
        #expect(ids == ["d30"])
        #expect(http.requests.count == 1)
        #expect(calls.warnings == [])
    }

    /// Posts that failed, or were left over the limit, and of which the remembered neighbours were deleted since.
    @Test(arguments: [[30, 25, 22, 15, 5], [30, 22, 15, 5]])
    func deletedKnownPostsHideNoNewOnes(days: [Int]) async throws {
        let (ids, _) = try await list(
            [PostPages.page(items(days))], ["newer-than-ledger": "own/"],
            posted: [("own/d10", "2026-11-10T09:00:00Z"), ("own/d25", "2026-11-25T09:00:00Z")])
        #expect(ids == ["d15", "d22", "d30"])
        #expect(calls.warnings == [])
    }

    @Test func deletedKnownPostsAreReadOnBehind() async throws {
        let (ids, http) = try await list(
            [
                PostPages.page(items([30, 25]), after: "c1"), PostPages.page(items([24, 15]), after: "c2"),
                PostPages.page(items([5]), after: "c3"),
            ], ["newer-than-ledger": "own/"],
            posted: [("own/d10", "2026-11-10T09:00:00Z"), ("own/d25", "2026-11-25T09:00:00Z")])
        #expect(ids == ["d15", "d24", "d30"])
        #expect(http.requests.count == 3)
    }

    /// Page after page of what is remembered, and one post between that has failed.
    @Test(arguments: [(29, 4), (26, 6), (25, 6), (24, 3)])
    func postThatFailedIsFoundAgainOnALaterPage(failed: Int, requests: Int) async throws {
        let days = (2...30).filter { $0 != failed }
        let (ids, http) = try await list(
            (0..<14).map { PostPages.page(items([30 - 2 * $0, 29 - 2 * $0]), after: "c\($0)") },
            ["newer-than-ledger": "own/"], posted: days.map { ("own/d\($0)", "2026-11-02T09:00:00Z") })
        // Three pages in a row without anything new are the end of the reading.
        #expect(ids == (failed > 24 ? ["d\(failed)"] : []))
        #expect(http.requests.count == requests)
    }

    @Test func keysOfSomethingElseTellNoTime() async throws {
        let (ids, _) = try await list(
            [PostPages.page([PostPages.item("1830", day: 30), PostPages.item("1815", day: 15)])],
            ["newer-than-ledger": true],
            posted: [("welcome", "2026-11-02T09:00:00Z"), ("1820", "2026-11-20T09:00:00Z")])
        #expect(ids == ["1830"])
    }

    @Test(arguments: [[30, 25], [30, 20, 15]])
    func nothingIsSaidWhereNoPostCanBeMissed(days: [Int]) async throws {
        _ = try await list([PostPages.page(items(days))], ["newer-than-ledger": "own/"], posted: [Self.key])
        #expect(calls.warnings == [])
    }

    @Test func keysMayBeTheIDsThemselves() async throws {
        let (ids, _) = try await list(
            [PostPages.page(items([30, 20]))], ["newer-than-ledger": true],
            posted: [("d20", "2026-11-20T09:00:00Z")])
        #expect(ids == ["d30"])
    }

    @Test func nothingNewIsAnEmptyList() async throws {
        let (ids, _) = try await list(
            [PostPages.page(items([20, 15]))], ["newer-than-ledger": "own/"], posted: [Self.key])
        #expect(ids == [])
    }
}
