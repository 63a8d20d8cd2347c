import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// `vk.story`, `vk.document`, `vk.album-photos`, `vk.wall-text` and `vk.wall.createComment`.
@Suite struct CompositeTests {
    private let calls: TestCalls
    private let parts = VolatileParts()

    init() throws { calls = try TestCalls() }

    private static func client(_ http: any HTTPClient, now: Timestamp = VKErrorTests.now) -> VKClient {
        VKClient(http: http, limiter: CountingLimiter(), now: { now }, sleep: { _ in })
    }

    private func call(
        _ kind: any StepKind, _ parameters: ValueObject, others: [ValueObject] = []
    ) throws -> StepCall {
        try calls.call(kind, parameters, account: testAccount, parts: parts, others: others)
    }

    // MARK: Stories

    @Sendable private static func storyAnswers(_ request: HTTPRequest, _ number: Int) -> ScriptedHTTPClient.Answer {
        switch request.label {
        case "stories.getPhotoUploadServer":
            .json(#"{"response":{"upload_url":"https://pu.vk.ru/s\#(number)","user_ids":[],"peer_ids":[]}}"#)
        case "vk.upload": .json(#"{"response":{"upload_result":"RESULT\#(number)","_sig":"x"}}"#)
        case "stories.save":
            .json(
                #"{"response":{"count":1,"items":[{"id":5,"owner_id":-12,"date":1796061600,"expires_at":1796148000}]}}"#
            )
        default: wellAnswered(request, number)
        }
    }

    @Test func storyIsUploadedAndSaved() async throws {
        let http = RoutedHTTPClient(Self.storyAnswers)
        let kind = StoryStep(client: Self.client(http))
        let path = try calls.file("s.png", SampleBytes.png)
        let parameters: ValueObject = [
            "photo": .string(path), "group_id": 12, "link_text": "open", "link_url": "https://vk.com/club12",
        ]
        guard case .succeeded(let outputs) = try await kind.run(call(kind, parameters)) else { return }
        #expect(outputs["url"] == "https://vk.com/story-12_5")
        #expect(outputs["id"] == 5)
        #expect(outputs["expires_at"] == 1_796_148_000)
        #expect(http.requests.map(\.label) == ["stories.getPhotoUploadServer", "vk.upload", "stories.save"])
        let asked = Dictionary(uniqueKeysWithValues: http.requests[0].form.map { ($0.name, $0.value) })
        #expect(
            asked == [
                "group_id": "12", "link_text": "open", "link_url": "https://vk.com/club12", "add_to_news": "1",
                "v": "5.199",
            ])
        guard case .multipart(let files) = http.requests[1].body else { return }
        #expect(files.map(\.name) == ["file"])
        #expect(http.requests[2].field("upload_results") == "RESULT1")
    }

    static let storyLooks: [(String?, Sighting)] = [
        // Nothing was sent.
        (nil, .neverSent),
        (#"{"count":0,"items":[]}"#, .tooEarly(.seconds(60))),
        // VK's groups, and an older story.
        (
            #"{"count":1,"items":[{"type":"stories","owner_id":-12,"stories":[{"id":4,"owner_id":-12,"date":1796000000},{"id":5,"owner_id":-12,"date":1796061600}]}]}"#,
            .several(["https://vk.com/story-12_5"])
        ),
        (
            #"{"count":1,"items":[[{"id":5,"owner_id":-12,"date":1796061600}]]}"#,
            .several(["https://vk.com/story-12_5"])
        ),
    ]

    @Test(arguments: ["null", "{}", #"{"count":1,"items":{}}"#])
    func storiesThatCannotBeReadProveNothing(answer: String) async throws {
        let http = RoutedHTTPClient { _, _ in .json(#"{"response":\#(answer)}"#) }
        let kind = StoryStep(client: Self.client(http, now: VKErrorTests.now + .seconds(600)))
        let path = try calls.file("s.png", SampleBytes.png)
        try await parts.keep(["at": .integer(VKErrorTests.now.milliseconds)], as: "story/saving")
        let call = try call(kind, ["photo": .string(path), "group_id": 12])
        #expect(try await stepError { try await kind.look(for: call, since: VKErrorTests.now) }?.errorClass == .server)
    }

    @Test(arguments: storyLooks)
    func storyInDoubtIsLookedFor(answer: String?, expected: Sighting) async throws {
        let http = RoutedHTTPClient { request, number in
            request.label == "stories.get"
                ? .json(#"{"response":\#(answer ?? "")}"#) : Self.storyAnswers(request, number)
        }
        let kind = StoryStep(client: Self.client(http))
        let path = try calls.file("s.png", SampleBytes.png)
        if answer != nil { try await parts.keep(["at": .integer(VKErrorTests.now.milliseconds)], as: "story/saving") }
        let call = try call(kind, ["photo": .string(path), "group_id": 12])
        #expect(try await kind.look(for: call, since: VKErrorTests.now) == expected)
    }

    static let wrongStories: [(ValueObject, String)] = [
        (
            ["link_text": "open"],
            "'link_text' goes with 'link_url', which is missing. A button has a word and an address. Give both, or neither."
        ),
        (
            ["link_text": "open", "link_url": "https://notvk.com/x"],
            "'link_url' leads away from VK. A story's button opens pages of VK's only. Give a page such as "
                + "https://vk.com/club12."
        ),
        (
            ["add_to_news": false],
            "'add_to_news' is false, and the story would be seen by nobody. It is shown to followers ('add_to_news') or sent "
                + "to 'user_ids'. Give one of them."
        ),
    ]

    @Test(arguments: wrongStories)
    func mistakeInAStoryIsToldBeforeSending(parameters: ValueObject, sentence: String) async throws {
        let http = RoutedHTTPClient(Self.storyAnswers)
        let kind = StoryStep(client: Self.client(http))
        let path = try calls.file("s.png", SampleBytes.png)
        let call = try call(kind, (["photo": .string(path)] as ValueObject).adding(parameters))
        #expect(try await stepError { try await kind.run(call) }?.sentence == sentence)
        #expect(http.requests.isEmpty)
    }

    @Test func largePictureOfAStoryIsRefused() async throws {
        let kind = StoryStep(client: Self.client(RoutedHTTPClient(Self.storyAnswers)))
        let path = try calls.file("s.png", SampleBytes.png + [UInt8](repeating: 0, count: 10 << 20))
        let call = try call(kind, ["photo": .string(path)])
        #expect(
            try await stepError { try await kind.run(call) }?.why == "VK takes pictures of stories of up to 10 MB.")
    }

    // MARK: Documents

    @Test func documentIsSavedUnderItsName() async throws {
        let http = RoutedHTTPClient { request, number in
            switch request.label {
            case "docs.getWallUploadServer": .json(#"{"response":{"upload_url":"https://pu.vk.ru/d"}}"#)
            case "vk.upload": .json(#"{"file":"1|2|x"}"#)
            case "docs.save":
                .json(#"{"response":{"type":"doc","doc":{"id":7,"owner_id":-12,"title":"menu.pdf","access_key":"k"}}}"#)
            default: wellAnswered(request, number)
            }
        }
        let kind = DocumentStep(client: Self.client(http))
        let path = try calls.file("menu.pdf", Array("%PDF".utf8))
        guard
            case .succeeded(let outputs) = try await kind.run(
                call(kind, ["file": .string(path), "group_id": 12, "tags": ["a", "b"]]))
        else { return }
        #expect(outputs["attachment"] == "doc-12_7_k")
        #expect(outputs["title"] == "menu.pdf")
        #expect(http.requests[0].field("group_id") == "12")
        #expect(http.requests[2].field("file") == "1|2|x")
        #expect(http.requests[2].field("title") == "menu.pdf")
        #expect(http.requests[2].field("tags") == "a,b")
    }

    @Test func answerWithoutADocumentIsAskedForAgain() async throws {
        let http = RoutedHTTPClient { request, number in
            switch request.label {
            case "docs.getWallUploadServer": .json(#"{"response":{"upload_url":"https://pu.vk.ru/d"}}"#)
            case "vk.upload": .json(#"{"file":"1|2|x"}"#)
            case "docs.save": .json(number == 1 ? #"{"response":[]}"# : #"{"response":{"id":7,"owner_id":-12}}"#)
            default: wellAnswered(request, number)
            }
        }
        let kind = DocumentStep(client: Self.client(http))
        let path = try calls.file("menu.pdf", Array("%PDF".utf8))
        let call = try call(kind, ["file": .string(path)])
        #expect(try await stepError { try await kind.run(call) }?.errorClass == .server)
        guard case .succeeded(let outputs) = try await kind.run(call) else { return #expect(Bool(false)) }
        #expect(outputs["attachment"] == "doc-12_7")
        #expect(http.count("docs.save") == 2)
    }

    @Test func documentThatVKRefusesSaysWhy() async throws {
        let http = RoutedHTTPClient { request, number in
            switch request.label {
            case "docs.getWallUploadServer": .json(#"{"response":{"upload_url":"https://pu.vk.ru/d"}}"#)
            case "vk.upload": .json(#"{"error":"unsupported file type"}"#)
            default: wellAnswered(request, number)
            }
        }
        let kind = DocumentStep(client: Self.client(http))
        let path = try calls.file("x.exe", [1])
        let call = try call(kind, ["file": .string(path)])
        #expect(
            try await stepError { try await kind.run(call) }?.sentence
                == "VK's upload was answered with an error. VK says: unsupported file type")
    }

    // MARK: Albums

    @Test func albumTakesFivePhotosACall() async throws {
        let http = RoutedHTTPClient { request, number in
            switch request.label {
            case "photos.getUploadServer":
                .json(#"{"response":{"upload_url":"https://pu.vk.ru/a\#(number)","album_id":9}}"#)
            case "vk.upload": .json(#"{"server":1,"photos_list":"[\#(number)]","aid":9,"hash":"h"}"#)
            case "photos.save":
                .json(#"{"response":[{"id":\#(number)1,"owner_id":-12},{"id":\#(number)2,"owner_id":-12}]}"#)
            default: wellAnswered(request, number)
            }
        }
        let kind = AlbumPhotosStep(client: Self.client(http))
        let paths = try (1...7).map { Value.string(try calls.file("\($0).jpg", SampleBytes.jpeg)) }
        guard
            case .succeeded(let outputs) = try await kind.run(
                call(kind, ["photos": .array(paths), "album_id": 9, "group_id": 12]))
        else { return }
        #expect(outputs["attachments"] == ["photo-12_11", "photo-12_12", "photo-12_21", "photo-12_22"])
        let uploads = http.requests.filter { $0.label == "vk.upload" }.map { request -> [String] in
            if case .multipart(let parts) = request.body { parts.map(\.name) } else { [] }
        }
        #expect(uploads == [["file1", "file2", "file3", "file4", "file5"], ["file1", "file2"]])
        #expect(calls.warnings == ["VK has saved 2 of 5 photos of a batch"])
        for request in http.requests where request.label != "vk.upload" {
            #expect(request.field("album_id") == "9")
            #expect(request.field("group_id") == "12")
        }
    }

    /// Seven photos, the first five in doubt, or the last two.
    private func albumInDoubt(_ batch: Int) async throws -> (AlbumPhotosStep, StepCall) {
        let kind = AlbumPhotosStep(client: Self.client(RoutedHTTPClient(wellAnswered)))
        let paths = try (1...7).map { Value.string(try calls.file("\($0).jpg", SampleBytes.jpeg)) }
        if batch == 2 { try await parts.keep([["id": 1, "owner_id": -12]], as: "batch-1/saved") }
        try await parts.keep(["at": .integer(VKErrorTests.now.milliseconds)], as: "batch-\(batch)/saving")
        return (kind, try call(kind, ["photos": .array(paths), "album_id": 9, "group_id": 12]))
    }

    static let namedPhotos = [
        ("photo-12_4,photo-12_5", ["photo-12_4", "photo-12_5"]),
        ("https://vk.com/photo-12_4,https://vk.com/photo-12_5", ["photo-12_4", "photo-12_5"]),
        ("photo-12_4_ab1, 5", ["photo-12_4_ab1", "photo-12_5"]), ("-12_4", ["photo-12_4"]),
        ("4,5,6,7,8,9", nil), ("", nil), ("video-12_4", nil), ("photo-12_0", nil), ("soup", nil),
    ]

    @Test(arguments: namedPhotos)
    func firstBatchInDoubtCanBeGiven(text: String, photos: [String]?) async throws {
        let (kind, call) = try await albumInDoubt(1)
        let settled = kind.parts(settledBy: .posted(id: text), of: call)
        #expect(settled?.map(\.name) == photos.map { _ in ["batch-1/saved"] })
        #expect(settled?.first?.value.array?.compactMap { attachment($0, type: "photo") } == photos)
        #expect(kind.outputs(forPosted: text, of: call) == nil, "there is another batch")
    }

    @Test func lastBatchInDoubtEndsTheStep() async throws {
        let (kind, call) = try await albumInDoubt(2)
        #expect(kind.parts(settledBy: .posted(id: "photo-12_6,photo-12_7"), of: call) == nil)
        #expect(
            kind.outputs(forPosted: "photo-12_6,photo-12_7", of: call)?["attachments"]
                == ["photo-12_1", "photo-12_6", "photo-12_7"])
        #expect(kind.outputs(forPosted: "5,6,7", of: call) == nil, "two were sent")
    }

    /// What the finished batches have made stays, and is not made twice.
    @Test func batchThatIsSentAgainLeavesTheOthers() async throws {
        let (kind, call) = try await albumInDoubt(2)
        let settled = kind.parts(settledBy: .resend, of: call)
        #expect(settled?.map(\.name) == ["batch-2/upload", "batch-2/saving"])
        #expect(settled?.map(\.value) == [.null, .null])
    }

    /// The process died when it had taken the answer, and it is given again.
    @Test func answerThatIsGivenTwiceIsForTheSameBatch() async throws {
        let (kind, call) = try await albumInDoubt(1)
        let settled = try #require(kind.parts(settledBy: .posted(id: "photo-12_4"), of: call))
        for part in settled { try await parts.keep(part.value, as: part.name) }
        #expect(kind.parts(settledBy: .posted(id: "photo-12_4"), of: call)?.isEmpty == true)
    }

    private func albumLook(
        _ answer: String, date: String? = nil, now: Timestamp = VKErrorTests.now + .seconds(10),
        others: [ValueObject] = []
    ) async throws -> Sighting {
        let http = RoutedHTTPClient { _, _ in
            .json(#"{"response":\#(answer)}"#, headers: date.map { [(name: "date", value: $0)] } ?? [])
        }
        let kind = AlbumPhotosStep(client: Self.client(http, now: now))
        let path = try calls.file("1.jpg", SampleBytes.jpeg)
        try await parts.keep(["at": .integer(VKErrorTests.now.milliseconds)], as: "batch-1/saving")
        let call = try call(kind, ["photos": [.string(path)], "album_id": 9, "group_id": 12], others: others)
        return try await kind.look(for: call, since: VKErrorTests.now)
    }

    /// VK's clock is an hour behind ours: the photo came three seconds after the sending, and one stood there before.
    @Test func clockThatIsAheadLosesNoPhotoOfAnAlbum() async throws {
        let photos =
            #"{"count":2,"items":[{"id":8,"owner_id":-12,"date":1796058003},{"id":7,"owner_id":-12,"date":1795000000}]}"#
        #expect(
            try await albumLook(photos, date: "Mon, 30 Nov 2026 17:00:10 GMT")
                == .several(["https://vk.com/photo-12_8"]))
    }

    /// Both communities' first photo has the same number (VK counts every owner's from 456239017).
    @Test(arguments: [
        ("photo-12_456239017_key", Sighting.absent),
        ("photo-13_456239017", .several(["https://vk.com/photo-12_456239017"])),
    ])
    func photoOfAnotherStepIsPassedOverByItsOwnerAndItsId(made: String, expected: Sighting) async throws {
        let photos = #"{"count":1,"items":[{"id":456239017,"owner_id":-12,"date":1796061603}]}"#
        let other: ValueObject = ["attachments": [.string(made)], "items": [["id": 456_239_017]]]
        #expect(
            try await albumLook(photos, now: VKErrorTests.now + .seconds(600), others: [other]) == expected)
    }

    @Test func clockThatIsAheadTakesNoOldPhotoForANewOne() async throws {
        let photos = #"{"count":1,"items":[{"id":7,"owner_id":-12,"date":1796057000}]}"#
        #expect(
            try await albumLook(
                photos, date: "Mon, 30 Nov 2026 17:10:00 GMT", now: VKErrorTests.now + .seconds(600)) == .absent)
    }

    @Test(arguments: ["null", "{}", "[]", "0", #"{"count":1}"#, #"{"count":1,"items":{}}"#, #"{"items":null}"#])
    func albumThatCannotBeReadProvesNothing(answer: String) async throws {
        let error = try await stepError { try await albumLook(answer, now: VKErrorTests.now + .seconds(600)) }
        #expect(error?.errorClass == .server)
        #expect(error?.what == "VK answered photos.get without 'items'")
    }

    // MARK: Texts

    @Test func textHasItsLinkAndIsTheCommunitys() async throws {
        let http = RoutedHTTPClient(wellAnswered)
        let kind = WallTextStep(client: Self.client(http))
        let parameters: ValueObject = ["owner_id": -12, "message": "Hello", "link": "https://example.org"]
        guard case .succeeded(let outputs) = try await kind.run(call(kind, parameters)) else { return }
        #expect(outputs["url"] == "https://vk.com/wall-12_42")
        #expect(http.requests.map(\.label) == ["wall.post"])
        #expect(http.requests[0].field("attachments") == "https://example.org")
        #expect(http.requests[0].field("from_group") == "1")
    }

    @Test func emptyTextIsRefused() async throws {
        let kind = WallTextStep(client: Self.client(RoutedHTTPClient(wellAnswered)))
        let call = try call(kind, ["owner_id": -12])
        #expect(
            try await stepError { try await kind.run(call) }?.sentence
                == "the post is empty. A post has a 'message', a 'link', or both. Give one of them, or skip the step with "
                + "'if' when there is nothing to post.")
    }

    // MARK: Comments

    @Test func commentCarriesItsKeyAndHasAnAddress() async throws {
        let http = RoutedHTTPClient { request, number in
            request.label == "wall.createComment"
                ? .json(#"{"response":{"comment_id":8,"parents_stack":[]}}"#) : wellAnswered(request, number)
        }
        let kind = CommentStep(client: Self.client(http))
        guard
            case .succeeded(let outputs) = try await kind.run(
                call(kind, ["owner_id": -12, "post_id": 42, "message": "Hi", "from_group": 12]))
        else { return }
        #expect(outputs["url"] == "https://vk.com/wall-12_42?reply=8")
        #expect(http.requests[0].field("guid") == "0123456789abcdef0123456789abcdef")
        #expect(http.requests[0].field("from_group") == "12")
    }

    /// VK's clock is an hour behind ours.
    @Test func clockThatIsAheadLosesNoComment() async throws {
        let http = RoutedHTTPClient { _, _ in
            .json(
                #"{"response":{"count":1,"items":[{"id":8,"from_id":-12,"date":1796058003,"text":"Hi"}]}}"#,
                headers: [(name: "date", value: "Mon, 30 Nov 2026 17:00:10 GMT")])
        }
        let kind = CommentStep(client: Self.client(http, now: VKErrorTests.now + .seconds(10)))
        let call = try call(kind, ["owner_id": -12, "post_id": 42, "message": "Hi", "from_group": 12])
        #expect(
            try await kind.look(for: call, since: VKErrorTests.now)
                == .found(["comment_id": 8, "url": "https://vk.com/wall-12_42?reply=8"]))
    }

    static let comments: [(String, Sighting)] = [
        ("[]", .absent),
        (
            #"[{"id":"8","from_id":"-12","text":"Hi & bye"}]"#,
            .found(["comment_id": 8, "url": "https://vk.com/wall-12_42?reply=8"])
        ),
        (
            #"[{"id":8,"from_id":-12,"date":1796061600,"text":"Hi &amp; bye"}]"#,
            .found(["comment_id": 8, "url": "https://vk.com/wall-12_42?reply=8"])
        ),
        // Another's, an older one, another text.
        (
            #"[{"id":8,"from_id":7,"date":1796061600,"text":"Hi & bye"},{"id":9,"from_id":-12,"date":1795000000,"text":"Hi & bye"},{"id":10,"from_id":-12,"date":1796061600,"text":"Hi"}]"#,
            .absent
        ),
        (
            #"[{"id":8,"from_id":-12,"date":1796061600,"text":"Hi & bye"},{"id":9,"from_id":-12,"date":1796061601,"text":"Hi & bye"}]"#,
            .several(["https://vk.com/wall-12_42?reply=8", "https://vk.com/wall-12_42?reply=9"])
        ),
    ]

    /// 1796061600 is VKErrorTests.now.
    @Test(arguments: comments)
    func commentInDoubtIsLookedFor(items: String, expected: Sighting) async throws {
        let http = RoutedHTTPClient { request, number in
            request.label == "wall.getComments"
                ? .json(#"{"response":{"count":1,"items":\#(items)}}"#) : wellAnswered(request, number)
        }
        let kind = CommentStep(client: Self.client(http))
        let call = try call(
            kind, ["owner_id": -12, "post_id": 42, "message": "Hi & bye", "from_group": 12])
        #expect(try await kind.look(for: call, since: VKErrorTests.now) == expected)
    }

    /// Each wall has numbers of its own.
    @Test(arguments: [
        ("https://vk.com/wall-12_40?reply=8", Sighting.absent),
        (
            "https://vk.com/wall-13_42?reply=8",
            .found(["comment_id": 8, "url": "https://vk.com/wall-12_42?reply=8"])
        ),
    ])
    func commentOfAnotherStepIsPassedOverOnItsOwnWall(address: String, expected: Sighting) async throws {
        let http = RoutedHTTPClient { _, _ in
            .json(
                #"{"response":{"count":1,"items":[{"id":8,"from_id":-12,"date":1796061600,"text":"Hi"}]}}"#)
        }
        let kind = CommentStep(client: Self.client(http))
        let call = try call(
            kind, ["owner_id": -12, "post_id": 42, "message": "Hi", "from_group": 12],
            others: [["comment_id": 8, "url": .string(address)]])
        #expect(try await kind.look(for: call, since: VKErrorTests.now) == expected)
    }
}
