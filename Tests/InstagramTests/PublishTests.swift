import Files
import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Threading
import Values

@testable import Instagram

@Suite struct PublishTests {
    private let calls: TestCalls
    /// What one step has kept, over all its attempts.
    private let parts = VolatileParts()

    init() throws { calls = try TestCalls() }

    private static let me = ScriptedHTTPClient.Answer.json(
        #"{"id":"26014","user_id":17841405309211844,"username":"cafe"}"#)
    private static let quota = ScriptedHTTPClient.Answer.json(
        #"{"data":[{"quota_usage":3,"config":{"quota_total":100,"quota_duration":86400}}]}"#)
    private static func made(_ id: String) -> ScriptedHTTPClient.Answer { .json(#"{"id":"\#(id)"}"#) }
    private static func status(_ code: String, _ text: String = "") -> ScriptedHTTPClient.Answer {
        .json(Value.object(["id": "c", "status_code": .string(code), "status": .string(text)]).json())
    }
    private static let post = ScriptedHTTPClient.Answer.json(
        PostPages.item("900", day: 30, "IMAGE", ["caption": "Tea"]).json())
    private static let image: ValueObject = ["image_url": "https://shop.example/tea.jpg", "caption": "Tea"]
    private static let lost = ScriptedHTTPClient.Answer.failure(
        HTTPError(kind: .cut, message: "it broke", mayHaveBeenSent: true))

    private func run(
        _ answers: [ScriptedHTTPClient.Answer], _ parameters: ValueObject = image
    ) async throws -> (StepResult, ScriptedHTTPClient) {
        let http = ScriptedHTTPClient(answers)
        let kind = Publish(client: InstagramClient(http: http))
        return (try await kind.run(calls.call(kind, parameters, account: testAccount, parts: parts)), http)
    }

    private func look(
        _ answers: [ScriptedHTTPClient.Answer], _ parameters: ValueObject = image, others: [ValueObject] = []
    ) async throws -> Sighting {
        let kind = Publish(client: InstagramClient(http: ScriptedHTTPClient(answers)))
        return try await kind.look(
            for: calls.call(kind, parameters, account: testAccount, parts: parts, others: others),
            since: Timestamp(iso8601: "2026-11-30T07:59:00Z")!)
    }

    private func lines(_ http: ScriptedHTTPClient) -> [String] {
        http.requests.map { request in
            let path = request.url.replacing("https://graph.instagram.com/", with: "").prefix { $0 != "?" }
            let fields = request.form.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            return "\(request.method.rawValue) \(path)" + (fields.isEmpty ? "" : " \(fields)")
        }
    }

    // MARK: What is sent

    @Test func imageTakesTheDocumentedCalls() async throws {
        let (result, http) = try await run([
            Self.me, Self.quota, Self.made("c"), Self.status("FINISHED"), Self.made("900"), Self.post,
        ])
        #expect(
            lines(http) == [
                "GET me", "GET 17841405309211844/content_publishing_limit",
                "POST 17841405309211844/media image_url=https://shop.example/tea.jpg&caption=Tea", "GET c",
                "POST 17841405309211844/media_publish creation_id=c", "GET 900",
            ])
        #expect(http.requests[1].url.contains("?fields=quota_usage%2Cconfig&"))
        #expect(http.requests[3].url.contains("/c?fields=status_code%2Cstatus&"))
        #expect(http.requests[2].header("Authorization") == "Bearer IGAASECRETTOKEN")
        #expect(http.requests.map(\.isWrite) == [false, false, false, false, true, false])
        #expect(
            result
                == .succeeded([
                    "id": "900", "permalink": "https://www.instagram.com/p/900/", "username": "cafe",
                    "timestamp": "2026-11-30T08:00:00Z", "container": "c",
                ]))
        #expect(calls.waits == [])
    }

    @Test func storyIsSentAsOne() async throws {
        let (_, http) = try await run(
            [Self.me, Self.quota, Self.made("c"), Self.status("FINISHED"), Self.made("900"), Self.post],
            ["image_url": "https://shop.example/tea.jpg", "story": true])
        #expect(
            lines(http)[2] == "POST 17841405309211844/media media_type=STORIES&image_url=https://shop.example/tea.jpg")
    }

    @Test func carouselHasAContainerForEachItem() async throws {
        let (_, http) = try await run(
            [
                Self.me, Self.quota, Self.made("c1"), Self.made("c2"), Self.status("FINISHED"),
                Self.status("FINISHED"), Self.made("c"), Self.status("FINISHED"), Self.made("900"), Self.post,
            ],
            [
                "image_urls": ["https://shop.example/1.jpg", "https://shop.example/2.jpg"], "caption": "Tea",
                "alt_text": "A cup",
            ])
        #expect(
            lines(http)[2...6] == [
                "POST 17841405309211844/media image_url=https://shop.example/1.jpg&is_carousel_item=true&alt_text=A cup",
                "POST 17841405309211844/media image_url=https://shop.example/2.jpg&is_carousel_item=true", "GET c1",
                "GET c2", "POST 17841405309211844/media media_type=CAROUSEL&children=c1,c2&caption=Tea",
            ])
    }

    @Test func tagsAndCollaboratorsAreJSON() async throws {
        let (_, http) = try await run(
            [Self.me, Self.quota, Self.made("c"), Self.status("FINISHED"), Self.made("900"), Self.post],
            [
                "image_url": "https://shop.example/tea.jpg", "user_tags": [["username": "oleg", "x": 0.5, "y": 1]],
                "collaborators": ["shop"], "location_id": 7,
            ])
        #expect(
            http.requests[2].field("user_tags").flatMap { try? Value(json: $0) } == [
                ["username": "oleg", "x": 0.5, "y": 1]
            ])
        #expect(http.requests[2].field("collaborators") == #"["shop"]"#)
        #expect(http.requests[2].field("location_id") == "7")
    }

    // MARK: What is refused before anything is sent

    static let wrong: [(ValueObject, String)] = [
        ([:], "there is no picture"),
        (
            ["image_url": "https://a.example/1.jpg", "image_urls": ["https://a.example/1.jpg"]],
            "both 'image_url' and 'image_urls' are given"
        ),
        (["image_urls": ["https://a.example/1.jpg"]], "'image_urls' has 1 addresses"),
        (
            ["image_urls": .array((0..<11).map { .string("https://a.example/\($0).jpg") })],
            "'image_urls' has 11 addresses"
        ),
        (["image_url": "http://a.example/1.jpg"], "Instagram cannot load 'http://a.example/1.jpg'"),
        (["image_url": "https://127.0.0.1/1.jpg"], "Instagram cannot load 'https://127.0.0.1/1.jpg'"),
        (
            ["image_url": "https://a.example/чай.jpg"],
            "the address 'https://a.example/%d1%87%d0%b0%d0%b9.jpg' has blanks or letters beyond ASCII"
        ),
        (
            ["image_url": "https://a.example/1.jpg", "story": true, "caption": "x"],
            "a story has neither 'caption' nor 'alt_text' nor 'collaborators'"
        ),
        (
            ["image_urls": ["https://a.example/1.jpg", "https://a.example/2.jpg"], "story": true],
            "a story has one picture"
        ),
        (
            ["image_url": "https://a.example/1.jpg", "caption": .string(String(repeating: "x", count: 2201))],
            "the caption has 2201 characters, 2,200 are taken"
        ),
        (
            ["image_url": "https://a.example/1.jpg", "caption": .string(String(repeating: "#я ", count: 31))],
            "the caption has 31 hashtags, 30 are taken"
        ),
        (
            ["image_url": "https://a.example/1.jpg", "caption": .string(String(repeating: "@a ", count: 21))],
            "the caption has 21 @ tags, 20 are taken"
        ),
        (
            ["image_url": "https://a.example/1.jpg", "alt_text": .string(String(repeating: "x", count: 1001))],
            "'alt_text' has 1001 characters, 1,000 are taken"
        ),
        (
            ["image_url": "https://a.example/1.jpg", "collaborators": ["a", "b", "c", "d"]],
            "there are 4 'collaborators', 3 are taken"
        ),
    ]

    @Test(arguments: wrong.indices) func whatInstagramWouldRefuseIsNotSent(_ index: Int) async throws {
        let (parameters, what) = Self.wrong[index]
        let error = try await stepError { try await run([], parameters).0 }
        #expect(error?.errorClass == .invalid)
        #expect(error?.what == what)
    }

    @Test func longestTextsPass() async throws {
        let caption = String(repeating: "#я ", count: 30) + String(repeating: "👩‍💻", count: 2095) + " a@b c#d"
        _ = try await run(
            [Self.me, Self.quota, Self.made("c"), Self.status("FINISHED"), Self.made("900"), Self.post],
            ["image_url": "https://a.example/1.jpg", "caption": .string(caption)])
    }

    // MARK: Quota and waiting

    @Test func usedUpQuotaSendsNothing() async throws {
        let full = ScriptedHTTPClient.Answer.json(
            #"{"data":[{"quota_usage":50,"config":{"quota_total":50,"quota_duration":86400}}]}"#)
        let error = try await stepError { try await run([Self.me, full]).0 }
        #expect(error?.errorClass == .quota)
        #expect(error?.what == "the 50 posts that Instagram allows in 24 hours are used up")
        // Three such waits are as long as the window: then there is a place, however fast they were used up.
        #expect(error?.retryAfter == .seconds(28_800))
    }

    @Test func unknownQuotaDoesNotKeepFromPublishing() async throws {
        let refused = ScriptedHTTPClient.Answer.status(
            400, #"{"error":{"code":100,"message":"no such field","type":"OAuthException"}}"#)
        let (result, _) = try await run([
            Self.me, refused, Self.made("c"), Self.status("FINISHED"), Self.made("900"), Self.post,
        ])
        guard case .succeeded = result else { return #expect(Bool(false)) }
        #expect(calls.warnings.count == 1)
    }

    @Test func pictureIsWaitedFor() async throws {
        _ = try await run([
            Self.me, Self.quota, Self.made("c"), Self.status("IN_PROGRESS"), Self.status("IN_PROGRESS"),
            Self.status("IN_PROGRESS"), Self.status("FINISHED"), Self.made("900"), Self.post,
        ])
        #expect(calls.waits == [.seconds(2), .seconds(4), .seconds(8)])
    }

    @Test func waitingHasAnEndAndGoesOnWithTheSameContainer() async throws {
        let error = try await stepError {
            try await run(
                [Self.me, Self.quota, Self.made("c")] + (0..<30).map { _ in Self.status("IN_PROGRESS") }
            ).0
        }
        #expect(error?.errorClass == .server)
        #expect(calls.waits.reduce(.zero, +) <= .seconds(300))
        #expect(calls.waits.reduce(.zero, +) > .seconds(240))
        let (_, http) = try await run([
            Self.status("FINISHED"), Self.status("FINISHED"), Self.made("900"), Self.post,
        ])
        #expect(
            lines(http) == ["GET c", "GET c", "POST 17841405309211844/media_publish creation_id=c", "GET 900"])
    }

    @Test func pictureThatInstagramCannotUseIsExplained() async throws {
        let text = "Error: The image could not be processed: 2207009 aspect ratio"
        let error = try await stepError {
            try await run([Self.me, Self.quota, Self.made("c"), Self.status("ERROR", text)]).0
        }
        #expect(error?.errorClass == .invalid)
        #expect(error?.what == "Instagram could not use the picture (the picture is too high or too wide)")
        #expect(error?.code == "36003/2207009")
        #expect(error?.why == "Instagram says: \(text).")
    }

    @Test(arguments: ["ERROR", "EXPIRED"]) func deadContainerIsMadeAnew(status: String) async throws {
        _ = try await stepError { try await run([Self.me, Self.quota, Self.made("c"), Self.status(status)]).0 }
        let (_, http) = try await run([
            Self.quota, Self.made("d"), Self.status("FINISHED"), Self.made("900"), Self.post,
        ])
        #expect(lines(http)[3] == "POST 17841405309211844/media_publish creation_id=d")
    }

    @Test func carouselGoesOnWithTheItemsThatItHas() async throws {
        let parameters: ValueObject = ["image_urls": ["https://shop.example/1.jpg", "https://shop.example/2.jpg"]]
        let error = try await stepError {
            try await run([Self.me, Self.quota, Self.made("c1"), Self.lost], parameters).0
        }
        #expect(error?.errorClass == .network, "a container that was not published is no write that counts")
        let (_, http) = try await run(
            [
                Self.quota, Self.made("c2"), Self.status("FINISHED"), Self.status("FINISHED"), Self.made("c"),
                Self.status("FINISHED"), Self.made("900"), Self.post,
            ], parameters)
        #expect(lines(http)[1].hasPrefix("POST 17841405309211844/media image_url=https://shop.example/2.jpg"))
    }

    // MARK: Lost answers

    private func loseTheAnswer() async throws {
        let error = try await stepError {
            try await run([Self.me, Self.quota, Self.made("c"), Self.status("FINISHED"), Self.lost]).0
        }
        #expect(error?.errorClass == .inDoubt)
    }

    @Test func publishedContainerIsThePost() async throws {
        try await loseTheAnswer()
        let page = PostPages.page([
            PostPages.item("901", day: 30, "IMAGE", ["caption": "Coffee"]),
            PostPages.item("900", day: 30, "IMAGE", ["caption": "Tea "]),
        ])
        let outputs: ValueObject = [
            "id": "900", "permalink": "https://www.instagram.com/p/900/", "username": "cafe",
            "timestamp": "2026-11-30T08:00:00Z", "container": "c",
        ]
        #expect(try await look([Self.status("PUBLISHED"), page]) == .found(outputs))
        let (again, http) = try await run([Self.status("PUBLISHED"), page])
        #expect(again == .succeeded(outputs))
        #expect(lines(http) == ["GET c", "GET me/media"], "nothing is published twice")
    }

    @Test func olderPostWithTheSameTextIsNotTheOneThatWasPublished() async throws {
        try await loseTheAnswer()
        let page = PostPages.page([PostPages.item("800", day: 29, "IMAGE", ["caption": "Tea"])])
        guard case .found(let outputs) = try await look([Self.status("PUBLISHED"), page]) else {
            return #expect(Bool(false))
        }
        #expect(outputs["id"] == "")
    }

    @Test func postOfAnotherStepWithTheSameTextIsNotTheOneThatWasPublished() async throws {
        try await loseTheAnswer()
        let page = PostPages.page(["901", "900"].map { PostPages.item($0, day: 30, "IMAGE", ["caption": "Tea"]) })
        guard
            case .found(let outputs) = try await look([Self.status("PUBLISHED"), page], others: [["id": "901"]])
        else { return #expect(Bool(false)) }
        #expect(outputs["id"] == "900")
    }

    @Test func idThatWouldChangeAnAddressIsNotUsed() async throws {
        let me = ScriptedHTTPClient.Answer.json(##"{"user_id":"../me?x=#"}"##)
        let http = ScriptedHTTPClient([me, me])
        let kind = Publish(client: InstagramClient(http: http))
        let error = try await stepError {
            try await kind.run(calls.call(kind, Self.image, account: testAccount, parts: parts))
        }
        #expect(error?.what == "Instagram's me was answered without an id")
        #expect(lines(http) == ["GET me", "GET me"], "for the quota, which may be unknown, and for the container")
    }

    @Test func publishedContainerCountsThoughItIsNotListedYet() async throws {
        try await loseTheAnswer()
        guard case .found(let outputs) = try await look([Self.status("PUBLISHED"), PostPages.page([])]) else {
            return #expect(Bool(false))
        }
        #expect(outputs["id"] == "")
        #expect(calls.warnings == ["Instagram has published it, and does not list it yet: its id is not known"])
    }

    @Test(arguments: ["FINISHED", "ERROR", "EXPIRED", "IN_PROGRESS"])
    func containerThatIsNotPublishedIsAbsent(status: String) async throws {
        try await loseTheAnswer()
        #expect(try await look([Self.status(status)]) == .absent)
    }

    @Test func absentPostIsPublishedFromTheSameContainer() async throws {
        try await loseTheAnswer()
        let (_, http) = try await run([
            Self.status("FINISHED"), Self.status("FINISHED"), Self.made("900"), Self.post,
        ])
        #expect(
            lines(http) == ["GET c", "GET c", "POST 17841405309211844/media_publish creation_id=c", "GET 900"])
    }

    private static func refused(_ code: Int, _ subcode: Int) -> ScriptedHTTPClient.Answer {
        .status(
            400,
            #"{"error":{"code":\#(code),"error_subcode":\#(subcode),"message":"no","type":"OAuthException"}}"#)
    }

    /// Two looks have shown nothing, and then the lost request has done its work after all.
    @Test(arguments: [
        [status("FINISHED"), status("PUBLISHED")],
        [status("FINISHED"), status("FINISHED"), refused(24, 2_207_006), status("PUBLISHED")],
        [status("FINISHED"), status("FINISHED"), refused(100, 0), status("PUBLISHED")],
    ])
    func postThatComesLateIsNotPublishedAgain(answers: [ScriptedHTTPClient.Answer]) async throws {
        try await loseTheAnswer()
        let page = PostPages.page([PostPages.item("900", day: 30, "IMAGE", ["caption": "Tea"])])
        let (result, http) = try await run(answers + [page])
        guard case .succeeded(let outputs) = result else { return #expect(Bool(false)) }
        #expect(outputs["id"] == "900")
        #expect(!lines(http).contains { $0.hasPrefix("POST 17841405309211844/media ") }, "no second container")
    }

    @Test func refusedRepeatLeavesDoubtWhereInstagramDoesNotKnowTheContainer() async throws {
        try await loseTheAnswer()
        let error = try await stepError {
            try await run([
                Self.status("FINISHED"), Self.status("FINISHED"), Self.refused(24, 2_207_008),
                Self.refused(24, 2_207_008),
            ]).0
        }
        #expect(error?.errorClass == .inDoubt)
        #expect(parts["publishing"]?["container"] == "c")
    }

    @Test func sentContainerThatIsUnknownBeforeItsRepeatStaysInDoubt() async throws {
        try await loseTheAnswer()
        let error = try await stepError {
            try await run([Self.status("FINISHED"), Self.refused(24, 2_207_008)]).0
        }
        #expect(error?.errorClass == .inDoubt)
    }

    /// A limit says nothing of the request before: its container is still the one to ask for.
    @Test func refusedRepeatDoesNotForgetThatItWasSent() async throws {
        try await loseTheAnswer()
        let error = try await stepError {
            try await run([
                Self.status("FINISHED"), Self.status("FINISHED"), Self.refused(4, 0), Self.status("FINISHED"),
            ]).0
        }
        #expect(error?.errorClass == .rateLimit)
        #expect(parts["publishing"]?["sent"] == true)
        #expect(try await stepError { try await run([Self.refused(24, 2_207_008)]).0 }?.errorClass == .inDoubt)
    }

    /// What is wrong with it may have been mended at its address.
    @Test(arguments: [(24, 2_207_006), (36003, 2_207_009)])
    func containerThatWasRefusedIsMadeAnew(code: Int, subcode: Int) async throws {
        _ = try await stepError {
            try await run([Self.me, Self.quota, Self.made("c"), Self.status("FINISHED"), Self.refused(code, subcode)]).0
        }
        let (_, http) = try await run([
            Self.quota, Self.made("d"), Self.status("FINISHED"), Self.made("900"), Self.post,
        ])
        #expect(lines(http)[3] == "POST 17841405309211844/media_publish creation_id=d")
    }

    @Test(arguments: [
        [made("c1"), refused(36003, 2_207_009)],
        [made("c1"), made("c2"), status("FINISHED"), status("ERROR", "Error: 2207009")],
    ]) func failureOfACarouselsPictureSaysWhichItIs(answers: [ScriptedHTTPClient.Answer]) async throws {
        let parameters: ValueObject = ["image_urls": ["https://shop.example/1.jpg", "https://shop.example/2.jpg"]]
        let error = try await stepError { try await run([Self.me, Self.quota] + answers, parameters).0 }
        #expect(error?.errorClass == .invalid)
        #expect(error?.what.hasSuffix(", for picture 2 of 2") == true)
    }

    /// The list may come from a step or a variable that says something else by the next attempt.
    @Test(arguments: [["2", "3"], ["1", "2"], ["1", "4", "3"]])
    func containersOfOtherPicturesAreNotPublished(names: [String]) async throws {
        func parameters(_ names: [String]) -> ValueObject {
            ["image_urls": .array(names.map { .string("https://shop.example/\($0).jpg") })]
        }
        _ = try await stepError {
            try await run(
                [Self.me, Self.quota, Self.made("c1"), Self.made("c2"), Self.made("c3"), Self.lost],
                parameters(["1", "2", "3"])
            ).0
        }
        let made = names.indices.map { Self.made("d\($0)") }
        let (_, http) = try await run(
            [Self.quota] + made + made.map { _ in Self.status("FINISHED") } + [
                Self.made("d"), Self.status("FINISHED"), Self.made("900"), Self.post,
            ], parameters(names))
        #expect(lines(http)[1].contains("image_url=https://shop.example/\(names[0]).jpg"))
        #expect(lines(http).contains("POST 17841405309211844/media_publish creation_id=d"))
    }

    @Test func itemsThatInstagramDoesNotKnowAnyMoreAreMadeAnew() async throws {
        let parameters: ValueObject = ["image_urls": ["https://shop.example/1.jpg", "https://shop.example/2.jpg"]]
        let error = try await stepError {
            try await run(
                [
                    Self.me, Self.quota, Self.made("c1"), Self.made("c2"), Self.status("FINISHED"),
                    Self.status("FINISHED"), Self.refused(24, 2_207_006),
                ], parameters
            ).0
        }
        #expect(error?.errorClass == .server)
        let (_, http) = try await run(
            [
                Self.quota, Self.made("d1"), Self.made("d2"), Self.status("FINISHED"), Self.status("FINISHED"),
                Self.made("d"), Self.status("FINISHED"), Self.made("900"), Self.post,
            ], parameters)
        #expect(lines(http)[5] == "POST 17841405309211844/media media_type=CAROUSEL&children=d1,d2")
    }

    @Test func lookBeforeAnythingWasSentAsksNothing() async throws {
        #expect(try await look([]) == .neverSent)
        _ = try await stepError { try await run([Self.me, Self.quota, Self.made("c"), Self.lost]).0 }
        #expect(try await look([]) == .neverSent)
    }

    @Test func failedLookProvesNothing() async throws {
        try await loseTheAnswer()
        #expect(try await stepError { try await look([Self.lost]) }?.errorClass == .network)
    }

    @Test func sentContainerThatIsUnknownStaysInDoubt() async throws {
        try await loseTheAnswer()
        let unknown = ScriptedHTTPClient.Answer.status(
            400, #"{"error":{"code":100,"error_subcode":33,"message":"no","type":"IGApiException"}}"#)
        #expect(
            try await look([unknown]) == .unreadable(reason: "Instagram does not know the container any more"))
        #expect(try await stepError { try await run([unknown]).0 }?.errorClass == .inDoubt)
    }

    @Test func refusedPublishingIsNoDoubt() async throws {
        let notReady = ScriptedHTTPClient.Answer.status(
            400, #"{"error":{"code":9007,"error_subcode":2207027,"message":"wait","type":"OAuthException"}}"#)
        let error = try await stepError {
            try await run([Self.me, Self.quota, Self.made("c"), Self.status("FINISHED"), notReady]).0
        }
        #expect(error?.errorClass == .server)
        #expect(error?.retryAfter == .seconds(30))
        #expect(try await look([]) == .neverSent)
    }

    @Test func progressIsKeptWithTheStepAndHoldsNoToken() async throws {
        try await loseTheAnswer()
        #expect(
            parts["publishing"]
                == [
                    "children": [], "sent": true, "pictures": ["https://shop.example/tea.jpg"],
                    "user": "17841405309211844", "container": "c",
                ])
        #expect(try FileSystem.list(calls.folder).isEmpty)
    }

    /// What cannot be kept is not sent.
    @Test func nothingIsPublishedThatNobodyWouldRemember() async throws {
        let http = ScriptedHTTPClient([Self.me, Self.quota, Self.made("c"), Self.status("FINISHED")])
        let kind = Publish(client: InstagramClient(http: http))
        let call = try calls.call(kind, Self.image, account: testAccount, parts: FullParts(room: 1))
        await #expect(throws: FullParts.IsFull.self) { try await kind.run(call) }
        #expect(lines(http).count == 4, "media_publish was not sent")
    }

    /// Keeps some parts, and then no more.
    private final class FullParts: StepParts {
        struct IsFull: Error {}

        private let kept = VolatileParts()
        private let room: Locked<Int>

        init(room: Int) { self.room = Locked(room) }

        subscript(part: String) -> Value? { kept[part] }

        func keep(_ value: Value, as part: String) async throws {
            let isFull = room.withLock { room in
                room -= 1
                return room < 0
            }
            if isFull { throw IsFull() }
            try await kept.keep(value, as: part)
        }
    }

    @Test func personsWordNeedsAnID() throws {
        let kind = Publish(client: InstagramClient(http: ScriptedHTTPClient()))
        let call = try calls.call(kind, Self.image, account: testAccount)
        #expect(kind.outputs(forPosted: "17895695668004550", of: call)?["id"] == "17895695668004550")
        #expect(kind.outputs(forPosted: "https://x", of: call) == nil)
    }

    @Test func planShowsBothCallsAndNoToken() {
        let kind = Publish(client: InstagramClient(http: ScriptedHTTPClient()))
        let plan = kind.plan(
            PlannedCall(parameters: [
                PlannedMember("image_url", .after(["upload"])), PlannedMember("caption", .known("Tea")),
            ]))
        #expect(plan.map(\.method) == ["POST", "POST"])
        #expect(plan[0].url == .known("https://graph.instagram.com/<user id>/media"))
        #expect(plan[0].fields.map(\.name) == ["image_url", "caption", "access_token"])
        #expect(plan[1].fields.map(\.name) == ["creation_id", "access_token"])
    }
}
