import Files
import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import Instagram

/// `instagram.get`, `instagram.download`, `instagram.stories`.
@Suite struct MediaStepTests {
    private let calls: TestCalls

    init() throws { calls = try TestCalls() }

    private static let album: Value = PostPages.item(
        "7", day: 7, "CAROUSEL_ALBUM",
        [
            "children": [
                "data": [
                    ["id": "c1", "media_type": "VIDEO", "thumbnail_url": "https://cdn.example/t.jpg"],
                    ["id": "c2", "media_type": "IMAGE", "media_url": "https://cdn.example/2.jpg"],
                    ["id": "c3", "media_type": "IMAGE", "media_url": "https://cdn.example/3.jpg"],
                ]
            ]
        ])

    @Test func onePostIsReadWithAllItsMembers() async throws {
        let http = ScriptedHTTPClient([.json(PostPages.item("7", day: 7, "VIDEO", ["media_url": nil]).json())])
        let kind = GetMedia(client: InstagramClient(http: http))
        let result = try await kind.run(calls.call(kind, ["id": 7], account: testAccount))
        #expect(
            result
                == .succeeded([
                    "id": "7", "caption": "Post 7", "username": "cafe", "permalink": "https://www.instagram.com/p/7/",
                    "timestamp": "2026-11-07T08:00:00Z", "kind": "video", "product": "feed", "alt_text": "",
                    "media_url": "", "thumbnail_url": "", "children": [],
                ]))
        #expect(http.requests[0].url.hasPrefix("https://graph.instagram.com/7?fields=id%2Ccaption"))
    }

    @Test(arguments: ["", "../me", "1?fields=x", "1/children"])
    func whatIsNoIDIsNotSent(id: String) async throws {
        let http = ScriptedHTTPClient()
        let kind = GetMedia(client: InstagramClient(http: http))
        let error = try await stepError {
            try await kind.run(calls.call(kind, ["id": .string(id)], account: testAccount))
        }
        #expect(error?.errorClass == .invalid)
        #expect(http.requests.isEmpty)
    }

    @Test func longestIDsStayAsTheyAre() async throws {
        let id = "179841405309211844179841405309211844"
        let http = ScriptedHTTPClient([.json(PostPages.item(id, day: 7).json())])
        let kind = GetMedia(client: InstagramClient(http: http))
        guard
            case .succeeded(let outputs) = try await kind.run(
                calls.call(kind, ["id": .string(id)], account: testAccount))
        else { return }
        #expect(outputs["id"] == .string(id))
    }

    private func download(
        _ answers: [ScriptedHTTPClient.Answer], _ more: ValueObject = [:]
    ) async throws -> (StepResult, ScriptedHTTPClient) {
        let http = ScriptedHTTPClient(answers)
        let kind = DownloadMedia(client: InstagramClient(http: http))
        var parameters: ValueObject = ["id": "7"]
        for (name, value) in more { parameters[name] = value }
        return (try await kind.run(calls.call(kind, parameters, account: testAccount)), http)
    }

    private func names(_ result: StepResult) -> [String] {
        guard case .succeeded(let outputs) = result else { return [] }
        return (outputs["files"]?.array ?? []).compactMap { $0.string.map { FileSystem.name(of: $0) } }
    }

    @Test func postsPictureIsKept() async throws {
        let (result, http) = try await download([.json(Self.album.json()), PostPages.jpeg])
        #expect(names(result) == ["7.jpg"])
        #expect(http.requests[1].url == "https://cdn.example/2.jpg", "the first image, although a video comes first")
        guard case .succeeded(let outputs) = result else { return }
        #expect(outputs["file"]?.string == calls.folder + "/7.jpg")
        #expect(outputs["media_url"] == "https://cdn.example/2.jpg")
    }

    @Test func allPicturesOfACarouselAreKeptInOrder() async throws {
        let (result, _) = try await download(
            [.json(Self.album.json()), PostPages.jpeg, .bytes(SampleBytes.png)], ["all": true])
        #expect(names(result) == ["c2.jpg", "c3.png"])
        let (all, _) = try await download(
            [.json(Self.album.json()), PostPages.jpeg, PostPages.jpeg, PostPages.jpeg],
            ["all": true, "thumbnail": true])
        #expect(names(all) == ["c1.jpg", "c2.jpg", "c3.jpg"])
    }

    @Test func addressThatExpiresBetweenTwoPicturesIsAskedForAnew() async throws {
        let (result, http) = try await download(
            [
                .json(Self.album.json()), PostPages.jpeg, PostPages.expired, .json(Self.album.json()),
                .bytes(SampleBytes.webp),
            ], ["all": true])
        #expect(names(result) == ["c2.jpg", "c3.webp"])
        #expect(http.requests.count == 5)
    }

    @Test func postWithoutAPictureIsSkipped() async throws {
        let (result, _) = try await download([.json(PostPages.item("7", day: 7, "VIDEO").json())])
        #expect(
            result
                == .skipped(
                    reason:
                        "Instagram's post 7 was passed over: it is a video; 'thumbnail: true' takes a video's still"))
    }

    @Test func cursorsOfStoriesThatGoInACircleAreFollowedOnce() async throws {
        let circle = [
            PostPages.page([PostPages.item("s1", day: 30)], after: "a"),
            PostPages.page([PostPages.item("s2", day: 30)], after: "b"),
        ]
        let http = ScriptedHTTPClient(circle + circle)
        let kind = LiveStories(client: InstagramClient(http: http))
        guard case .succeeded(let outputs) = try await kind.run(calls.call(kind, [:], account: testAccount)) else {
            return #expect(Bool(false))
        }
        #expect(outputs["ids"] == ["s1", "s2"])
        #expect(http.requests.count == 3)
    }

    @Test func storiesAreListed() async throws {
        let http = ScriptedHTTPClient([
            PostPages.page([
                PostPages.item("1", day: 29, "VIDEO", ["media_product_type": "STORY"]), PostPages.item("2", day: 30),
            ])
        ])
        let kind = LiveStories(client: InstagramClient(http: http))
        guard case .succeeded(let outputs) = try await kind.run(calls.call(kind, [:], account: testAccount)) else {
            return
        }
        #expect(outputs["ids"] == ["2", "1"])
        #expect(outputs["items"]?[1]?["product"] == "story")
        #expect(http.requests[0].url.hasPrefix("https://graph.instagram.com/me/stories?fields="))
    }
}
