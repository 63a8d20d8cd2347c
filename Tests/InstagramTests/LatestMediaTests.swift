import Files
import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import Instagram

@Suite struct LatestMediaTests {
    private let calls: TestCalls

    init() throws { calls = try TestCalls() }

    private func run(
        _ answers: [ScriptedHTTPClient.Answer], _ parameters: ValueObject = [:], account: Account = testAccount
    ) async throws -> (StepResult, ScriptedHTTPClient) {
        let http = ScriptedHTTPClient(answers)
        let kind = testKind(http)
        return (try await kind.run(calls.call(kind, parameters, account: account)), http)
    }

    private func id(_ result: StepResult) -> Value? {
        if case .succeeded(let outputs) = result { outputs["id"] } else { nil }
    }

    private func url(_ result: StepResult) -> Value? {
        if case .succeeded(let outputs) = result { outputs["media_url"] } else { nil }
    }

    @Test func newestImageIsDownloaded() async throws {
        let (result, http) = try await run([
            PostPages.page([PostPages.item("2", day: 20), PostPages.item("1", day: 10)]), PostPages.jpeg,
        ])
        #expect(
            result
                == .succeeded([
                    "id": "2", "file": .string(calls.folder + "/2.jpg"), "caption": "Post 2", "username": "cafe",
                    "permalink": "https://www.instagram.com/p/2/", "timestamp": "2026-11-20T08:00:00Z",
                    "kind": "image", "product": "feed", "alt_text": "", "media_url": "https://cdn.example/2.jpg?oe=KEY",
                ]))
        #expect(try FileSystem.read(calls.folder + "/2.jpg") == SampleBytes.jpeg)
        #expect(try FileSystem.mode(calls.folder + "/2.jpg") == 0o600)
        #expect(http.requests.count == 2)
    }

    /// A file's name has 255 bytes at most.
    @Test(arguments: [(String(repeating: "9", count: 5000), String(repeating: "9", count: 100)), ("..", "picture")])
    func idOfAnyLengthAndFormGivesAFile(id: String, stem: String) async throws {
        let (result, _) = try await run([PostPages.page([PostPages.item(id, day: 20)]), PostPages.jpeg])
        #expect(self.id(result) == .string(id))
        guard case .succeeded(let outputs) = result else { return }
        #expect(outputs["file"] == .string(calls.folder + "/\(stem).jpg"))
    }

    @Test func membersOfAnErrorThatAreNullAreNoError() async throws {
        let page = #"{"data":[],"error":null,"error_type":null,"error_message":null}"#
        #expect(try await run([.json(page)]).0 == .skipped(reason: "the account has no posts"))
    }

    @Test func requestIsTheDocumentedOne() async throws {
        let (_, http) = try await run([PostPages.page([PostPages.item("1", day: 10)]), PostPages.jpeg])
        #expect(
            http.requests[0].url
                == "https://graph.instagram.com/me/media?fields=id%2Ccaption%2Cmedia_type%2Cmedia_product_type%2Cmedia_url%2Cthumbnail_url%2Cpermalink%2Ctimestamp%2Cusername%2Calt_text%2Cchildren%7Bid%2Cmedia_type%2Cmedia_url%2Cthumbnail_url%7D&limit=25&access_token=IGAASECRETTOKEN"
        )
        #expect(http.requests[0].method == .get)
        #expect(http.requests[0].maxRedirects == 0)
        #expect(http.requests[0].label == "Instagram's me/media")
        #expect(http.requests[1].url == "https://cdn.example/1.jpg?oe=KEY")
        #expect(http.requests[1].headers.isEmpty)
    }

    @Test(arguments: ["v26.0", "26.0"])
    func versionStandsBeforeThePath(version: String) async throws {
        let account = Account(
            name: "insta", type: "instagram", token: Secret("t0ken"), baseURL: "http://127.0.0.1:9",
            settings: ["api-version": .string(version)])
        let (_, http) = try await run(
            [PostPages.page([PostPages.item("1", day: 10)]), PostPages.jpeg], account: account)
        #expect(http.requests[0].url.hasPrefix("http://127.0.0.1:9/v26.0/me/media?fields="))
    }

    @Test func pinnedOldPostIsNotTheLatest() async throws {
        let (result, _) = try await run([
            PostPages.page([
                PostPages.item("pinned", day: 1), PostPages.item("3", day: 30), PostPages.item("2", day: 20),
            ]), PostPages.jpeg,
        ])
        #expect(id(result) == "3")
    }

    @Test func pinnedOldPostDoesNotHideANewerOneOnTheNextPage() async throws {
        let (result, http) = try await run([
            PostPages.page([PostPages.item("pinned", day: 1), PostPages.item("reel", day: 30, "VIDEO")], after: "c1"),
            PostPages.page([PostPages.item("2", day: 20)]), PostPages.jpeg,
        ])
        #expect(id(result) == "2")
        #expect(http.requests[1].url.contains("&limit=100&after=c1&access_token="))
    }

    @Test func carouselGivesItsFirstImage() async throws {
        let children: Value = [
            "data": [
                [
                    "id": "c1", "media_type": "VIDEO", "media_url": "https://cdn.example/v.mp4",
                    "thumbnail_url": "https://cdn.example/t.jpg",
                ],
                ["id": "c2", "media_type": "IMAGE", "media_url": "https://cdn.example/i.jpg"],
            ]
        ]
        let (result, _) = try await run([
            PostPages.page([PostPages.item("1", day: 10, "CAROUSEL_ALBUM", ["children": children])]), PostPages.jpeg,
        ])
        #expect(url(result) == "https://cdn.example/i.jpg")
        #expect(id(result) == "1")
    }

    @Test func carouselOfVideosGivesAStillWhenAllowed() async throws {
        let children: Value = [
            "data": [["id": "c1", "media_type": "VIDEO", "thumbnail_url": "https://cdn.example/t.jpg"]]
        ]
        let page = PostPages.page([PostPages.item("1", day: 10, "CAROUSEL_ALBUM", ["children": children])])
        #expect(url(try await run([page, PostPages.jpeg], ["thumbnail": true]).0) == "https://cdn.example/t.jpg")
        #expect(
            try await run([page]).0
                == .skipped(
                    reason: "none of the newest 1 posts is of the kind image or carousel with a picture to be had"))
        #expect(
            calls.warnings == [
                "Instagram's post 1 was passed over: it holds videos only; 'thumbnail: true' takes a video's still"
            ])
    }

    @Test func carouselWithoutChildrenGivesItsOwnPicture() async throws {
        let (result, _) = try await run([
            PostPages.page([PostPages.item("1", day: 10, "CAROUSEL_ALBUM")]), PostPages.jpeg,
        ])
        #expect(url(result) == "https://cdn.example/1.jpg?oe=KEY")
    }

    /// Its own address shows its first item.
    @Test(arguments: [("IMAGE", true), ("VIDEO", false)])
    func carouselWhoseItemsHaveNoAddressGivesItsOwn(first: String, isTaken: Bool) async throws {
        let children: Value = [
            "data": [["id": "c1", "media_type": .string(first)], ["id": "c2", "media_type": "IMAGE"]]
        ]
        let page = PostPages.page([PostPages.item("1", day: 10, "CAROUSEL_ALBUM", ["children": children])])
        let (result, _) = try await run([page, PostPages.jpeg])
        #expect(url(result) == (isTaken ? "https://cdn.example/1.jpg?oe=KEY" : nil))
    }

    @Test func videoGivesItsStillWhenAllowed() async throws {
        let video = PostPages.item("1", day: 10, "VIDEO", ["thumbnail_url": "https://cdn.example/t.jpg"])
        let (result, _) = try await run(
            [PostPages.page([video]), PostPages.jpeg], ["kinds": ["video"], "thumbnail": true])
        #expect(url(result) == "https://cdn.example/t.jpg")
        guard case .succeeded(let outputs) = result else { return }
        #expect(outputs["kind"] == "video")
    }

    @Test func postWithoutAnAddressIsPassedOverWithAWarning() async throws {
        let (result, _) = try await run([
            PostPages.page([PostPages.item("2", day: 20, "IMAGE", ["media_url": nil]), PostPages.item("1", day: 10)]),
            PostPages.jpeg,
        ])
        #expect(id(result) == "1")
        #expect(calls.warnings == ["Instagram's post 2 was passed over: Instagram gives no address for it"])
    }

    @Test func missingCaptionIsEmpty() async throws {
        let bare: Value = ["id": 17_895_695_668_004_550, "media_type": "IMAGE", "media_url": "https://cdn.example/x"]
        guard case .succeeded(let outputs) = try await run([PostPages.page([bare]), PostPages.jpeg]).0 else { return }
        #expect(outputs["id"] == "17895695668004550")
        for name in ["caption", "username", "permalink", "timestamp"] { #expect(outputs[name] == "") }
    }

    @Test(arguments: [(SampleBytes.png, "1.png"), (SampleBytes.webp, "1.webp"), (SampleBytes.jpeg, "1.jpg")])
    func fileIsNamedForItsTrueFormat(bytes: [UInt8], name: String) async throws {
        guard
            case .succeeded(let outputs) = try await run([
                PostPages.page([PostPages.item("1", day: 10)]), .bytes(bytes, type: "image/heic"),
            ]).0
        else { return }
        #expect(outputs["file"]?.string.map { FileSystem.name(of: $0) } == name)
    }

    @Test func expiredAddressIsAskedForAnewOnce() async throws {
        let expired = PostPages.expired
        let fresh = PostPages.item("1", day: 10, "IMAGE", ["media_url": "https://cdn.example/fresh.jpg"])
        let (result, http) = try await run([
            PostPages.page([PostPages.item("1", day: 10)]), expired, .json(fresh.json()), PostPages.jpeg,
        ])
        #expect(url(result) == "https://cdn.example/fresh.jpg")
        #expect(http.requests[2].url.hasPrefix("https://graph.instagram.com/1?fields="))
        let error = try await stepError {
            try await run([PostPages.page([PostPages.item("1", day: 10)]), expired, .json(fresh.json()), expired]).0
        }
        #expect(error?.errorClass == .server)
        #expect(error?.why == "The address of the picture was asked for anew, and was refused again.")
    }

    static let noPictures: [(ScriptedHTTPClient.Answer, String)] = [
        (
            .bytes(Array("<html>".utf8), type: "text/html"),
            "the download of Instagram's picture brought no picture (text/html)"
        ),
        (.bytes([]), "the download of Instagram's picture brought an empty body"),
        (
            .bytes(SampleBytes.gif, type: "image/gif"),
            "the download of Instagram's picture brought no picture (image/gif)"
        ),
        (.status(502), "the download of Instagram's picture was answered with HTTP 502"),
        (
            .failure(HTTPError(kind: .cut, message: "it broke", mayHaveBeenSent: true)),
            "the download of Instagram's picture failed: it broke"
        ),
    ]

    @Test(arguments: noPictures)
    func whatIsNoPictureIsNotKept(answer: ScriptedHTTPClient.Answer, what: String) async throws {
        let error = try await stepError { try await run([PostPages.page([PostPages.item("1", day: 10)]), answer]).0 }
        #expect(error?.what == what)
        #expect(error?.errorClass.isRetried == true)
        #expect(try FileSystem.list(calls.folder) == [])
    }

    @Test func accountWithoutPostsIsSkipped() async throws {
        #expect(try await run([.json(#"{"data":[]}"#)]).0 == .skipped(reason: "the account has no posts"))
    }

    @Test func emptyPageWithANextOneIsNotTheEnd() async throws {
        let (result, _) = try await run([
            PostPages.page([], after: "c1"), PostPages.page([PostPages.item("1", day: 10)]), PostPages.jpeg,
        ])
        #expect(id(result) == "1")
    }

    /// Nor are many: what was deleted or is hidden leaves its place.
    @Test func emptyPagesDoNotEndTheSearch() async throws {
        let (result, http) = try await run(
            (0..<6).map { PostPages.page([], after: "c\($0)") } + [
                PostPages.page([PostPages.item("1", day: 10)]), PostPages.jpeg,
            ])
        #expect(id(result) == "1")
        #expect(http.requests[1].url.contains("&limit=100&after=c0&"), "later pages are long")
    }

    @Test func cursorsThatGoInACircleEndTheSearch() async throws {
        let (result, http) = try await run((0..<9).map { _ in PostPages.page([], after: "c") })
        #expect(result == .skipped(reason: "the account has no posts"))
        #expect(http.requests.count == 2)
    }

    @Test func searchEndsAfterFourPages() async throws {
        let reels = (0..<5).map { page in
            PostPages.page((0..<25).map { PostPages.item("\(page)-\($0)", day: 10, "VIDEO") }, after: "c\(page)")
        }
        let (result, http) = try await run(reels)
        #expect(
            result
                == .skipped(
                    reason: "none of the newest 100 posts is of the kind image or carousel with a picture to be had"))
        #expect(http.requests.count == 4)
        #expect(calls.warnings == [])
    }

    @Test(arguments: ["banana", "26", "v26", "v26.", "../x", "v26.0/me"])
    func versionThatIsNoneIsExplained(version: String) async throws {
        let http = ScriptedHTTPClient()
        let account = Account(
            name: "insta", type: "instagram", token: Secret("t0ken"), baseURL: "http://127.0.0.1:9",
            settings: ["api-version": .string(version)])
        let kind = testKind(http)
        let error = try await stepError { try await kind.run(calls.call(kind, [:], account: account)) }
        #expect(error?.errorClass == .invalid)
        #expect(error?.what == "'api-version' of account 'insta' is '\(version)', which is no version")
        #expect(http.requests.isEmpty)
    }

    @Test func emptyKindsAreRefused() async throws {
        let error = try await stepError { try await run([], ["kinds": []]).0 }
        #expect(error?.errorClass == .invalid)
    }

    @Test func declaredOutputsAreThoseGiven() async throws {
        guard
            case .succeeded(let outputs) = try await run([
                PostPages.page([PostPages.item("1", day: 10)]), PostPages.jpeg,
            ]).0
        else {
            return
        }
        #expect(outputs.keys.sorted() == testKind(ScriptedHTTPClient()).declaration.outputs.map(\.name).sorted())
    }

    @Test func planShowsTheCallAndNoToken() {
        let plan = testKind(ScriptedHTTPClient()).plan(
            PlannedCall(parameters: [], baseURL: "https://graph.instagram.com", settings: ["api-version": "v26.0"]))
        #expect(plan.map(\.method) == ["GET"])
        #expect(plan[0].url == .known("https://graph.instagram.com/v26.0/me/media"))
        #expect(plan[0].fields.map(\.name) == ["fields", "limit", "access_token"])
        #expect(plan[0].fields[2].value == .secret)
    }
}
