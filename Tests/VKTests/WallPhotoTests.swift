import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// `vk.wall-photo`: what is sent, in which order it counts, and what is kept of it.
@Suite struct WallPhotoTests {
    private let calls: TestCalls
    private let parts = VolatileParts()

    init() throws { calls = try TestCalls() }

    private func kind(_ http: any HTTPClient, now: Timestamp = VKErrorTests.now) -> WallPhotoStep {
        WallPhotoStep(
            client: VKClient(http: http, limiter: CountingLimiter(), now: { now }, sleep: { _ in }))
    }

    private func call(
        _ kind: WallPhotoStep, photos: Int = 2, resumption: Resumption? = nil, attempt: Int = 1,
        _ others: ValueObject = [:]
    ) throws -> StepCall {
        var paths: [Value] = []
        for number in 1...photos { paths.append(.string(try calls.file("p\(number).jpg", SampleBytes.jpeg))) }
        let parameters = (["owner_id": -12, "message": "Hello", "photos": .array(paths)] as ValueObject).adding(others)
        return try calls.call(
            kind, parameters, account: testAccount, attempt: attempt, resumption: resumption, parts: parts)
    }

    @Test func photosAreUploadedSavedAndPostedInTheirOrder() async throws {
        let http = RoutedHTTPClient {
            $0.label == "wall.getById" ? readBack([101, 102, 103, 104]) : wellAnswered($0, $1)
        }
        let kind = kind(http)
        guard
            case .succeeded(let outputs) = try await kind.run(
                call(kind, photos: 4, ["link": "https://example.org", "caption": "Soup"]))
        else { return }
        #expect(outputs["post_id"] == 42)
        #expect(outputs["url"] == "https://vk.com/wall-12_42")
        #expect(outputs["verified"] == true)
        #expect(outputs["attachments"]?.array?.count == 4)
        #expect(outputs["attachment"] == outputs["attachments"]?[0])

        for label in ["photos.getWallUploadServer", "vk.upload", "photos.saveWallPhoto"] {
            #expect(http.count(label) == 4)
        }
        #expect(http.count("wall.post") == 1)
        // The group is the same for the server and the saving, and positive; the file goes where its server said.
        for request in http.requests where request.label?.hasPrefix("photos.") == true {
            #expect(request.field("group_id") == "12")
        }
        for save in http.requests where save.label == "photos.saveWallPhoto" {
            #expect(save.field("caption") == "Soup")
            #expect(save.field("photo") == #"[{"p":"\#(save.field("hash")?.dropFirst() ?? "")"}]"#)
        }
        let post = try #require(http.requests.first { $0.label == "wall.post" })
        let ids = try #require(outputs["attachments"]?.array).compactMap(\.string) + ["https://example.org"]
        #expect(post.field("attachments") == ids.joined(separator: ","))
        #expect(post.field("from_group") == "1")
        #expect(post.field("guid") == "0123456789abcdef0123456789abcdef")
        #expect(Set(post.form.map(\.name)) == ["owner_id", "from_group", "message", "attachments", "guid", "v"])
    }

    /// The order is the author's, whichever upload is ready first.
    @Test func orderIsThatOfTheFilesWhateverTheServersDo() async throws {
        let http = RoutedHTTPClient { request, number in
            guard request.label == "vk.upload" else {
                return request.label == "wall.getById" ? readBack([1, 2, 3]) : wellAnswered(request, number)
            }
            guard case .multipart(let parts) = request.body, case .file(let path, _, _) = parts[0].content else {
                return .cancelled
            }
            return .json(#"{"server":1,"photo":"[1]","hash":"h\#(path.dropLast(4).last!)"}"#)
        }
        let kind = kind(http)
        guard case .succeeded(let outputs) = try await kind.run(call(kind, photos: 3)) else { return }
        #expect(outputs["attachments"] == ["photo7_101_k", "photo7_102_k", "photo7_103_k"])
    }

    /// The post would go out without its photo.
    @Test(arguments: ["null", "[]", "{}", "[null]", #"[{"id":101}]"#, #"{"items":[{"id":1,"owner_id":7}]}"#])
    func photoThatWasNotSavedIsNotPostedWithout(answer: String) async throws {
        let http = RoutedHTTPClient { request, number in
            request.label == "photos.saveWallPhoto" && number <= 2
                ? .json(#"{"response":\#(answer)}"#)
                : request.label == "wall.getById" ? readBack([101, 102]) : wellAnswered(request, number)
        }
        let kind = kind(http)
        let error = try await stepError { try await kind.run(call(kind)) }
        #expect(error?.errorClass == .server, "\(String(describing: error))")
        #expect(http.count("wall.post") == 0)
        guard case .succeeded(let outputs) = try await kind.run(call(kind)) else { return #expect(Bool(false)) }
        #expect(outputs["attachments"]?.array?.count == 2, "the bad answer is not kept")
    }

    /// The lowest number has no opposite.
    @Test func lowestNumberIsNoCrash() async throws {
        let least = Int64.min
        let http = RoutedHTTPClient { request, number in
            request.label == "wall.getById"
                ? .json(
                    #"{"response":[{"id":42,"attachments":[{"type":"page","page":{"id":1,"group_id":\#(least)}},{"type":"photo","photo":{"id":101,"owner_id":7}},{"type":"photo","photo":{"id":102,"owner_id":7}}]}]}"#
                ) : wellAnswered(request, number)
        }
        let kind = kind(http)
        guard case .succeeded(let outputs) = try await kind.run(call(kind, ["owner_id": .integer(least)])) else {
            return #expect(Bool(false))
        }
        #expect(outputs["post_id"] == 42)
    }

    @Test func ownWallHasNoGroup() async throws {
        let http = RoutedHTTPClient { $0.label == "wall.getById" ? readBack([101]) : wellAnswered($0, $1) }
        let kind = kind(http)
        _ = try await kind.run(call(kind, photos: 1, ["owner_id": nil]))
        for request in http.requests { #expect(request.field("group_id") == nil) }
        #expect(http.requests.first { $0.label == "wall.post" }?.field("from_group") == nil)
    }

    @Test func finishedCallsAreNotMadeAgain() async throws {
        let failing = RoutedHTTPClient { request, number in
            request.label == "wall.post"
                ? .json(#"{"error":{"error_code":6,"error_msg":"Too many requests per second"}}"#)
                : wellAnswered(request, number)
        }
        let kind = kind(failing)
        let first = try call(kind)
        #expect(try await stepError { try await kind.run(first) }?.errorClass == .rateLimit)
        #expect(failing.count("photos.saveWallPhoto") == 2)

        let http = RoutedHTTPClient { $0.label == "wall.getById" ? readBack([101, 102]) : wellAnswered($0, $1) }
        let again = self.kind(http)
        guard case .succeeded = try await again.run(call(again, attempt: 2)) else { return }
        #expect(http.requests.map(\.label) == ["wall.post", "wall.getById"])
    }

    @Test func uploadThatIsKeptIsSaved() async throws {
        try await parts.keep(["server": 5, "photo": "[7]", "hash": "h5"], as: "photo-1/upload")
        let http = RoutedHTTPClient { $0.label == "wall.getById" ? readBack([105]) : wellAnswered($0, $1) }
        let kind = kind(http)
        _ = try await kind.run(call(kind, photos: 1))
        #expect(http.requests.map(\.label) == ["photos.saveWallPhoto", "wall.post", "wall.getById"])
        #expect(http.requests[0].field("photo") == "[7]")
    }

    static let deaths: [(Int, ErrorClass?)] = [(1, nil), (2, .invalid)]

    /// 121 for an upload that has died: once more from a new address; then it is the call that is wrong.
    @Test(arguments: deaths)
    func deadUploadIsMadeAgainOnce(deaths: Int, expected: ErrorClass?) async throws {
        let http = RoutedHTTPClient { request, number in
            if request.label == "photos.saveWallPhoto", number <= deaths {
                return .json(#"{"error":{"error_code":121,"error_msg":"Invalid hash"}}"#)
            }
            return request.label == "wall.getById" ? readBack([102]) : wellAnswered(request, number)
        }
        let kind = kind(http)
        let call = try call(kind, photos: 1)
        #expect(try await stepError { try await kind.run(call) }?.errorClass == expected)
        #expect(http.count("photos.getWallUploadServer") == 2)
        #expect(Set(http.requests.filter { $0.label == "vk.upload" }.map(\.url)).count == 2, "an address is used once")
        #expect(http.count("wall.post") == (expected == nil ? 1 : 0))
    }

    @Test func uploadThatVKCannotUseIsTriedAgainLater() async throws {
        let http = RoutedHTTPClient { request, number in
            request.label == "vk.upload"
                ? .json(#"{"server":1,"photo":"[]","hash":"h"}"#) : wellAnswered(request, number)
        }
        let kind = kind(http)
        let call = try call(kind)
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(error.errorClass == .server)
        #expect(error.what.hasSuffix(" of 2: VK's upload was answered with an empty 'photo'"))
        #expect(http.count("photos.saveWallPhoto") == 0)
    }

    @Test func fallbackAddressIsTriedWhenTheFirstOneFails() async throws {
        let http = RoutedHTTPClient { request, number in
            switch request.label {
            case "photos.getWallUploadServer":
                .json(
                    #"{"response":{"upload_url":"https://pu.vk.ru/u1","fallback_upload_url":"https://pu2.vk.ru/u2"}}"#)
            case "vk.upload" where number == 1: .status(504)
            case "wall.getById": readBack([102])
            default: wellAnswered(request, number)
            }
        }
        let kind = kind(http)
        guard case .succeeded = try await kind.run(call(kind, photos: 1)) else { return }
        #expect(
            http.requests.filter { $0.label == "vk.upload" }.map(\.url) == [
                "https://pu.vk.ru/u1", "https://pu2.vk.ru/u2",
            ])
    }

    // MARK: Captcha

    @Test func answerGoesToThePartThatAsked() async throws {
        let asking = RoutedHTTPClient { request, number in
            request.label == "photos.saveWallPhoto"
                ? .json(
                    #"{"error":{"error_code":14,"error_msg":"Captcha needed","redirect_uri":"https://id.vk.ru/c","remixstlid":9071234567890123456}}"#
                ) : wellAnswered(request, number)
        }
        let kind = kind(asking)
        let first = try call(kind, photos: 1)
        let pause = try #require(try await stepError { try await kind.run(first) }?.pause)
        #expect(pause.kind == .captcha)
        #expect(pause.continuation["part"] == "photo-1/saved")

        let http = RoutedHTTPClient { $0.label == "wall.getById" ? readBack([101]) : wellAnswered($0, $1) }
        let again = self.kind(http)
        let resumption = Resumption(continuation: pause.continuation, answer: .successToken(Secret("TOKEN")))
        guard case .succeeded = try await again.run(call(again, photos: 1, resumption: resumption, attempt: 2)) else {
            return
        }
        #expect(http.requests.map(\.label) == ["photos.saveWallPhoto", "wall.post", "wall.getById"])
        #expect(http.requests[0].field("success_token") == "TOKEN")
        #expect(http.requests[0].field("remixstlid") == "9071234567890123456")
        #expect(http.requests[0].header("Cookie") == "remixstlid=9071234567890123456")
        #expect(http.requests[1].field("success_token") == nil)
    }

    // MARK: Reading back

    @Test func droppedPhotoIsAskedAbout() async throws {
        let http = RoutedHTTPClient { $0.label == "wall.getById" ? readBack([102]) : wellAnswered($0, $1) }
        let kind = kind(http)
        let call = try call(kind)
        guard case .paused(let pause) = try await kind.run(call) else {
            Issue.record("it did not pause")
            return
        }
        #expect(http.count("wall.getById") == 2, "it is looked at again before it is believed")
        #expect(pause.kind == .inDoubt)
        #expect(pause.answer == .doubt)
        #expect(pause.show == ["https://vk.com/wall-12_42"])
        #expect(
            pause.message
                == "VK has posted https://vk.com/wall-12_42, but without photo7_101. Accept it as it is by its "
                + "id, or delete it on VK and have all of it sent again.")
        #expect(
            try await kind.look(for: call, since: VKErrorTests.now)
                == .several(["https://vk.com/wall-12_42, which lacks photo7_101"]))
        let accepted = try #require(try await kind.outputs(forPosted: "42", of: call))
        #expect(accepted["url"] == "https://vk.com/wall-12_42")
        #expect(accepted["attachments"]?.array?.count == 2)
    }

    /// A photo that was saved as the user's, and hangs on the wall as the community's.
    @Test func photoUnderAnotherIdIsNotDropped() async throws {
        let http = RoutedHTTPClient { request, number in
            request.label == "wall.getById"
                ? .json(
                    #"{"response":{"items":[{"id":42,"owner_id":-12,"attachments":[{"type":"photo","photo":{"id":1,"owner_id":-12}},{"type":"photo","photo":{"id":2,"owner_id":-12}}]}]}}"#
                ) : wellAnswered(request, number)
        }
        let kind = kind(http)
        guard case .succeeded(let outputs) = try await kind.run(call(kind)) else {
            Issue.record("it paused")
            return
        }
        #expect(outputs["verified"] == true)
    }

    @Test func postThatIsNotShownYetIsLookedAtAgain() async throws {
        let http = RoutedHTTPClient { request, number in
            guard request.label == "wall.getById" else { return wellAnswered(request, number) }
            return number == 1 ? .json(#"{"response":{"items":[]}}"#) : readBack([101, 102])
        }
        let kind = kind(http)
        guard case .succeeded(let outputs) = try await kind.run(call(kind)) else { return #expect(Bool(false)) }
        #expect(outputs["verified"] == true)
        #expect(http.count("wall.getById") == 2)
    }

    @Test func unreadablePostSucceedsAndSaysSo() async throws {
        let http = RoutedHTTPClient { request, number in
            request.label == "wall.getById"
                ? .json(#"{"error":{"error_code":27,"error_msg":"Group authorization failed"}}"#)
                : wellAnswered(request, number)
        }
        let kind = kind(http)
        guard case .succeeded(let outputs) = try await kind.run(call(kind, photos: 1)) else { return }
        #expect(outputs["verified"] == false)
        #expect(
            calls.warnings == [
                "the post could not be read back (VK answered 27 (a community's token is refused for this method) to "
                    + "wall.getById): look at it yourself, https://vk.com/wall-12_42"
            ])
    }

    @Test func readingBackCanBeLeftOut() async throws {
        let http = RoutedHTTPClient(wellAnswered)
        let kind = kind(http)
        guard case .succeeded(let outputs) = try await kind.run(call(kind, photos: 1, ["verify": false])) else {
            return
        }
        #expect(outputs["verified"] == nil)
        #expect(http.requests.last?.label == "wall.post")
    }

    // MARK: Doubt

    @Test func whatHasNotBeenSentNeedsNoLook() async throws {
        let http = RoutedHTTPClient(wellAnswered)
        let kind = kind(http)
        try await parts.keep([["id": 101, "owner_id": 7]], as: "photo-1/saved")
        #expect(try await kind.look(for: call(kind), since: VKErrorTests.now) == .neverSent)
        #expect(http.requests.isEmpty)
    }

    static let deadlines: [(Int64, Sighting)] = [
        (0, .tooEarly(.seconds(60))), (59_000, .tooEarly(.seconds(1))), (60_000, .absent),
    ]

    /// The request's minute counts from when the post was sent, not from when the step began.
    @Test(arguments: deadlines)
    func postIsAbsentOnlyAfterItsOwnDeadline(passed: Int64, expected: Sighting) async throws {
        let http = RoutedHTTPClient { request, number in
            request.label == "wall.get" ? .json(#"{"response":{"count":0,"items":[]}}"#) : wellAnswered(request, number)
        }
        let sent = VKErrorTests.now
        let kind = kind(http, now: sent + .milliseconds(passed))
        try await parts.keep(["at": .integer(sent.milliseconds)], as: "posting")
        #expect(try await kind.look(for: call(kind), since: sent) == expected)
    }

    @Test func clockThatWasSetBackProvesNothing() async throws {
        let kind = kind(RoutedHTTPClient(wellAnswered))
        try await parts.keep(["at": .integer(VKErrorTests.now.milliseconds + 5000)], as: "posting")
        #expect(
            try await kind.look(for: call(kind), since: VKErrorTests.now)
                == .unreadable(reason: "this machine's clock has been set back since"))
    }

    // MARK: What is told before anything is sent

    static let wrong: [(ValueObject, String)] = [
        (
            ["photos": []],
            "there is no photo. A post of photos has one to ten. Write 'photos: [one.jpg]', or skip the step with 'if' when "
                + "there is none."
        ),
        (
            ["attachments": .array((1...9).map { .string("video1_\($0)") })],
            "'photos' has 2 elements, and 'attachments' 9 besides. VK takes up to 10 media a post. Give fewer, or make "
                + "several posts."
        ),
        (
            ["owner_id": 12, "from_group": true],
            "'from_group' goes with a community's wall, and 'owner_id' is 12, a user. VK's owner ids are positive for users, "
                + "negative for communities. Write owner_id: -12 if 12 is a community, else leave 'from_group' out."
        ),
        (
            ["caption": .string(String(repeating: "é", count: 2049))],
            "'caption' has 2049 characters. VK takes up to 2048. Shorten it with truncate(text, 2048)."
        ),
    ]

    @Test(arguments: wrong)
    func mistakeIsToldBeforeSending(parameters: ValueObject, sentence: String) async throws {
        let http = RoutedHTTPClient(wellAnswered)
        let kind = kind(http)
        let call = try call(kind, parameters)
        #expect(try await stepError { try await kind.run(call) }?.sentence == sentence)
        #expect(http.requests.isEmpty)
    }

    /// All files are looked at before the first one goes.
    @Test func badFileIsToldBeforeSending() async throws {
        let http = RoutedHTTPClient(wellAnswered)
        let kind = kind(http)
        // A PNG's header that says 9000x5001.
        let png = SampleBytes.png + Array("IHDR".utf8) + [0, 0, 0x23, 0x28, 0, 0, 0x13, 0x89, 8, 2, 0, 0, 0]
        let path = try calls.file("wide.png", png)
        let good = try calls.file("good.jpg", SampleBytes.jpeg)
        let call = try call(kind, ["photos": [.string(good), .string(path)]])
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(error.errorClass == .invalid)
        #expect(
            error.sentence.replacing(calls.folder, with: "RUN")
                == "'RUN/wide.png' is 9000x5001 pixels. VK takes photos of up to 14000 pixels, width and height together. "
                + "Make it smaller, or compose a card of it with card.compose.")
        #expect(http.requests.isEmpty)
    }
}
