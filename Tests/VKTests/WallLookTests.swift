import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// Whether a post in doubt is on the wall.
@Suite struct WallLookTests {
    /// When the post was to be sent.
    static let intent = Timestamp(iso8601: "2026-11-30T17:50:00Z")!
    static let parameters: ValueObject = [
        "owner_id": -12, "from_group": true, "message": "Tom & Jerry\r\nat five", "attachments": ["photo7_1_key"],
    ]
    static let empty = ScriptedHTTPClient.Answer.json(#"{"response":{"count":0,"items":[]}}"#)

    private let calls: TestCalls

    init() throws { calls = try TestCalls() }

    /// A post that was made `seconds` after the intent.
    private static func post(
        _ id: Int, after seconds: Int64, text: String = "", photo: Int? = nil, from: Int = -12, pinned: Bool = false
    ) -> Value {
        var post: ValueObject = [
            "id": .integer(Int64(id)), "owner_id": -12, "from_id": .integer(Int64(from)),
            "date": .integer(intent.seconds + seconds), "text": .string(text),
        ]
        if let photo {
            post["attachments"] = [["type": "photo", "photo": ["id": .integer(Int64(photo)), "owner_id": 7]]]
        }
        if pinned { post["is_pinned"] = 1 }
        return .object(post)
    }

    /// VK's clock shows the same as ours.
    private static func page(_ posts: [Value], count: Int? = nil) -> ScriptedHTTPClient.Answer {
        .json(
            Value.object(["response": ["count": .integer(Int64(count ?? posts.count)), "items": .array(posts)]]).json(),
            headers: [(name: "date", value: "Mon, 30 Nov 2026 18:00:00 GMT")])
    }

    private func look(
        _ answers: [ScriptedHTTPClient.Answer], _ parameters: ValueObject = WallLookTests.parameters,
        others: [ValueObject] = []
    ) async throws -> (Sighting, [HTTPRequest]) {
        let http = ScriptedHTTPClient(answers)
        let kind = WallPost(client: VKClient(http: http, limiter: CountingLimiter(), now: { VKErrorTests.now }))
        let call = try calls.call(kind, parameters, account: testAccount, others: others)
        return (try await kind.look(for: call, since: Self.intent), http.requests)
    }

    private static func found(_ id: Int64) -> Sighting {
        .found([
            "post_id": .integer(id), "url": .string("https://vk.com/wall-12_\(id)"),
            "response": ["post_id": .integer(id)],
        ])
    }

    @Test func looksAtAllThreeListsOfACommunity() async throws {
        let (sighting, requests) = try await look([Self.empty, Self.empty, Self.empty])
        #expect(sighting == .absent)
        #expect(requests.map { $0.field("filter") } == ["all", "postponed", "suggests"])
        #expect(requests.allSatisfy { $0.field("owner_id") == "-12" && $0.field("count") == "100" && !$0.isWrite })
    }

    @Test func findsByAttachmentThoughTheTextWasChanged() async throws {
        let (sighting, _) = try await look([
            Self.page([Self.post(42, after: 3, text: "edited since", photo: 1)]), Self.empty, Self.empty,
        ])
        #expect(sighting == Self.found(42))
    }

    @Test func findsByTextWhenThePhotoWasDropped() async throws {
        let (sighting, _) = try await look([
            Self.page([
                Self.post(43, after: 9, text: "something else"),
                Self.post(42, after: 3, text: "Tom &amp; Jerry<br>at five"),
            ]), Self.empty, Self.empty,
        ])
        #expect(sighting == Self.found(42))
    }

    /// One text goes with many photos of a batch.
    @Test func sameTextWithAnotherPhotoIsAskedAbout() async throws {
        let (sighting, _) = try await look([
            Self.page([Self.post(42, after: 3, text: "Tom & Jerry at five", photo: 8)]), Self.empty, Self.empty,
        ])
        #expect(sighting == .several(["https://vk.com/wall-12_42"]))
    }

    @Test func photoWithOurTextIsNotOurTextForCertain() async throws {
        var parameters = Self.parameters
        parameters["attachments"] = nil
        let (sighting, _) = try await look(
            [Self.page([Self.post(42, after: 3, text: "Tom & Jerry at five", photo: 8)]), Self.empty, Self.empty],
            parameters)
        #expect(sighting == .several(["https://vk.com/wall-12_42"]))
    }

    /// What another step of the run has posted a moment before is that step's, be it the same to the letter.
    @Test func postOfAnotherStepIsNotOurs() async throws {
        let wall = [
            Self.page([
                Self.post(43, after: 0, text: "Tom & Jerry at five", photo: 8),
                Self.post(42, after: 0, text: "Tom & Jerry at five"),
            ]), Self.empty, Self.empty,
        ]
        let others: [ValueObject] = [
            ["post_id": 42, "url": "https://vk.com/wall-12_42"], ["url": "https://vk.com/wall-12_43"],
        ]
        #expect(try await look(wall, others: others).0 == .absent)
        #expect(try await look(wall, others: [others[1]]).0 == Self.found(42))
    }

    @Test func sameTextOfAnotherAuthorIsNotOurs() async throws {
        let (sighting, _) = try await look([
            Self.page([Self.post(42, after: 3, text: "Tom & Jerry at five", from: 99)]), Self.empty, Self.empty,
        ])
        #expect(sighting == .absent)
    }

    @Test func sameTextFromBeforeTheIntentIsNotOurs() async throws {
        let (sighting, _) = try await look([
            Self.page([Self.post(42, after: -60, text: "Tom & Jerry at five")]), Self.empty, Self.empty,
        ])
        #expect(sighting == .absent)
    }

    @Test func severalCandidatesAreNamed() async throws {
        let (sighting, _) = try await look([
            Self.page([
                Self.post(43, after: 9, text: "Tom & Jerry at five"),
                Self.post(42, after: 3, text: "Tom & Jerry at five"),
            ]), Self.empty, Self.empty,
        ])
        #expect(sighting == .several(["https://vk.com/wall-12_43", "https://vk.com/wall-12_42"]))
    }

    @Test func findsAScheduledPostByItsDate() async throws {
        var parameters = Self.parameters
        parameters["publish_date"] = .integer(Self.intent.seconds + 86_400)
        let (sighting, _) = try await look(
            [
                Self.empty,
                Self.page([
                    Self.post(50, after: 7 * 86_400, text: "Tom & Jerry at five"),
                    Self.post(51, after: 86_400, text: "Tom & Jerry at five"),
                ]), Self.empty,
            ], parameters)
        #expect(sighting == Self.found(51))
    }

    @Test func findsASuggestedPost() async throws {
        var parameters = Self.parameters
        parameters["from_group"] = nil
        let (sighting, _) = try await look(
            [
                .json(#"{"response":[{"id":99}]}"#), Self.empty, Self.empty,
                Self.page([Self.post(42, after: 3, text: "Tom & Jerry at five", from: 99)]),
            ], parameters)
        #expect(sighting == Self.found(42))
    }

    @Test func pagesBackPastTheIntent() async throws {
        let first = (0..<100).map { Self.post(500 - $0, after: Int64(1000 - $0), text: "busy wall") }
        let (sighting, requests) = try await look([
            Self.page(first, count: 5000),
            Self.page(
                [
                    Self.post(42, after: 3, photo: 1), Self.post(41, after: -3600),
                    Self.post(40, after: -7200, photo: 1),
                ], count: 5000),
            Self.empty, Self.empty,
        ])
        #expect(sighting == Self.found(42))
        #expect(requests.map { $0.field("offset") } == ["0", "100", "0", "0"])
    }

    @Test func oldPinnedPostDoesNotEndTheSearch() async throws {
        let first =
            [Self.post(1, after: -1_000_000, pinned: true)]
            + (0..<99).map { Self.post(500 - $0, after: Int64(1000 - $0), text: "busy wall") }
        let (sighting, requests) = try await look([
            Self.page(first, count: 5000), Self.page([Self.post(42, after: 3, photo: 1)], count: 101), Self.empty,
            Self.empty,
        ])
        #expect(sighting == Self.found(42))
        #expect(requests.count == 4)
    }

    @Test func clockThatIsAheadLosesNoPost() async throws {
        // Our clock, and so the intent, is an hour ahead of VK's.
        let answer = Value.object([
            "response": ["count": 1, "items": [Self.post(42, after: -3597, text: "Tom & Jerry at five")]]
        ]).json()
        let (sighting, _) = try await look([
            .json(answer, headers: [(name: "date", value: "Mon, 30 Nov 2026 17:00:00 GMT")]), Self.empty, Self.empty,
        ])
        #expect(sighting == Self.found(42))
    }

    @Test func clockThatFellBehindSinceLosesNoPost() async throws {
        // It was right at the intent; since a restart it is an hour behind, until it is set again.
        let answer = Value.object([
            "response": ["count": 1, "items": [Self.post(42, after: 3, text: "Tom & Jerry at five")]]
        ]).json()
        let (sighting, _) = try await look([
            .json(answer, headers: [(name: "date", value: "Mon, 30 Nov 2026 19:00:10 GMT")]), Self.empty, Self.empty,
        ])
        #expect(sighting == Self.found(42))
    }

    @Test(arguments: [7, 15, 27, 30])
    func unreadableWallSaysWhy(code: Int) async throws {
        let (sighting, _) = try await look([.json(#"{"error":{"error_code":\#(code),"error_msg":"no"}}"#)])
        guard case .unreadable(let reason) = sighting else {
            Issue.record("\(sighting)")
            return
        }
        #expect(reason.hasPrefix("VK answered \(code) ("))
    }

    @Test func closedListMattersOnlyWhenThePostCanBeInIt() async throws {
        let closed = ScriptedHTTPClient.Answer.json(#"{"error":{"error_code":15,"error_msg":"Access denied"}}"#)
        #expect(try await look([Self.empty, closed, closed]).0 == .absent)
        var scheduled = Self.parameters
        scheduled["publish_date"] = .integer(Self.intent.seconds + 86_400)
        #expect(
            try await look([Self.empty, closed, Self.empty], scheduled).0
                == .unreadable(reason: "VK answered 15 (access denied) to wall.get"))
    }

    @Test(arguments: [
        ScriptedHTTPClient.Answer.status(502), .json("7"), .json(#"{"response":{}}"#),
        .failure(HTTPError(kind: .cut, message: "cut", mayHaveBeenSent: true)),
        .json(#"{"error":{"error_code":6,"error_msg":"Too many requests per second"}}"#),
    ])
    func failedLookProvesNothing(answer: ScriptedHTTPClient.Answer) async throws {
        let error = try await stepError { try await look([answer]).0 }
        #expect(error?.errorClass.isRetried == true)
    }

    @Test func captchaOfALookIsNotAnsweredToThePost() async throws {
        let (sighting, requests) = try await look([.json(CaptchaTests.picture)])
        #expect(sighting == .unreadable(reason: "VK answered 14 (captcha needed) to wall.get"))
        #expect(requests.count == 1)
    }

    @Test func ownWallIsReadWithoutAnOwner() async throws {
        let (sighting, requests) = try await look(
            [.json(#"{"response":[{"id":100200300}]}"#), Self.empty, Self.empty], ["message": "Hello"])
        #expect(sighting == .absent)
        #expect(requests.dropFirst().map { $0.field("filter") } == ["all", "postponed"])
        #expect(requests.allSatisfy { $0.field("owner_id") == nil })
    }

    @Test func waitingPostThatIsStillThereWasNotPublished() async throws {
        let parameters: ValueObject = ["owner_id": -12, "from_group": true, "post_id": 50]
        #expect(try await look([Self.page([Self.post(50, after: 3600)])], parameters).0 == .absent)
        guard case .unreadable = try await look([Self.empty, Self.empty], parameters).0 else {
            Issue.record("a post that is gone proves nothing")
            return
        }
    }

    // MARK: Posts as other answers have them

    /// 1796061600 is ten minutes after the intent.
    @Test(arguments: [
        #"{"count":1,"items":[{"id":"42","owner_id":"-12","from_id":"-12","date":1796061600,"text":"Tom & Jerry at five"}]}"#,
        #"{"count":"1","items":[{"id":42,"owner_id":-12,"from_id":-12,"date":"1796061600","text":"Tom & Jerry at five"}]}"#,
        #"{"count":1,"items":[{"id":42,"owner_id":-12,"from_id":-12,"date":9223372036854775807,"text":"Tom & Jerry at five"}]}"#,
    ])
    func numbersMayStandInQuotesAndBeHuge(answer: String) async throws {
        let (sighting, requests) = try await look([.json(#"{"response":\#(answer)}"#), Self.empty, Self.empty])
        #expect(sighting == Self.found(42))
        #expect(requests.count == 3)
    }

    /// What cannot be read may be ours: it is no proof that ours is absent.
    @Test(arguments: [
        #"{"id":42,"owner_id":-12,"text":"Tom & Jerry at five"}"#, #"{"id":null,"owner_id":-12,"date":1796061600}"#,
        "null",
    ])
    func postThatCannotBeReadLeavesTheDoubt(item: String) async throws {
        let (sighting, _) = try await look([
            .json(#"{"response":{"count":1,"items":[\#(item)]}}"#), Self.empty, Self.empty,
        ])
        #expect(sighting == .unreadable(reason: "VK gave a post that cannot be read"))
    }

    private static let photos: ValueObject = [
        "owner_id": -12, "from_group": true, "attachments": ["photo7_1", "photo7_2"],
    ]

    @Test func postWithoutATextThatHasLostAPhotoIsForAPerson() async throws {
        let (sighting, _) = try await look(
            [Self.page([Self.post(42, after: 3, photo: 1)]), Self.empty, Self.empty], Self.photos)
        #expect(sighting == .several(["https://vk.com/wall-12_42"]))
    }

    @Test func otherPhotosWithoutATextAreNotOurs() async throws {
        let (sighting, _) = try await look(
            [
                Self.page([Self.post(43, after: 3, photo: 9), Self.post(42, after: -3600, photo: 1)]), Self.empty,
                Self.empty,
            ], Self.photos)
        #expect(sighting == .absent)
    }

    private static let link: ValueObject = [
        "owner_id": -12, "from_group": true, "attachments": ["https://example.org/menu"],
    ]

    @Test(arguments: ["https://example.org/menu", "http://Example.org/menu/"])
    func postOfALinkAloneIsFoundByIt(url: String) async throws {
        let post: Value = [
            "id": 42, "owner_id": -12, "from_id": -12, "date": .integer(Self.intent.seconds + 3), "text": "",
            "attachments": [["type": "link", "link": ["url": .string(url)]]],
        ]
        #expect(try await look([Self.page([post]), Self.empty, Self.empty], Self.link).0 == Self.found(42))
    }

    /// VK may have made anything of the link: a preview, a video, another address.
    @Test func postOfALinkThatHasChangedIsForAPerson() async throws {
        let post: Value = [
            "id": 42, "owner_id": -12, "from_id": -12, "date": .integer(Self.intent.seconds + 3), "text": "",
            "attachments": [["type": "link", "link": ["url": "https://m.example.org/menu/"]]],
        ]
        #expect(
            try await look([Self.page([post]), Self.empty, Self.empty], Self.link).0
                == .several(["https://vk.com/wall-12_42"]))
        #expect(
            try await look([Self.page([Self.post(42, after: 3, text: "Hello")]), Self.empty, Self.empty], Self.link).0
                == .absent)
    }

    @Test func wikiPageIsFoundByItsCommunity() async throws {
        let post: Value = [
            "id": 42, "owner_id": -12, "from_id": -12, "date": .integer(Self.intent.seconds + 3), "text": "",
            "attachments": [["type": "page", "page": ["id": 5, "group_id": 12]]],
        ]
        var parameters = Self.link
        parameters["attachments"] = ["page-12_5"]
        #expect(try await look([Self.page([post]), Self.empty, Self.empty], parameters).0 == Self.found(42))
    }
}
