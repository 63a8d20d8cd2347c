import Sandbox
import TestSupport
import Testing
import Threading
import Values

/// The stand-in's answers against VK's own schema, and the methods beside posts and photos of walls.
@Suite struct VKAnswerTests {
    private let client: Client

    init() throws { client = try Client() }

    private func response(
        _ method: String, _ parameters: [(String, String)], token: SandboxToken = .vk
    ) async throws -> Value {
        let answer = try await client.vk(method, parameters, token: token)
        guard let response = answer["response"] else { throw SandboxError(answer.json()) }
        return response
    }

    @Test func answersAreWhatTheSchemaSays() async throws {
        let schemaBox = SchemaBox()
        func check(
            _ method: String, _ parameters: [(String, String)], kind: String = "response",
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> Value {
            let answer = try await client.vk(method, parameters)
            let problems = try await schemaBox.problems(of: method, answer, kind: kind)
            #expect(problems == [], "\(method): \(answer.json().prefix(300))", sourceLocation: sourceLocation)
            return answer["response"] ?? .null
        }
        let wall = ("owner_id", "-\(cafe)")
        _ = try await check("photos.getWallUploadServer", [("group_id", "\(cafe)")])
        let photo = try await client.savedPhoto(group: cafe)
        _ = try await check("photos.getById", [("photos", String(photo.dropFirst(5)))])
        _ = try await check(
            "wall.post",
            [wall, ("from_group", "1"), ("message", "A"), ("attachments", "\(photo),https://example.org/a")])
        let future = ("publish_date", "\(client.time.withLock { $0 } / 1000 + 3600)")
        _ = try await check("wall.post", [wall, ("message", "Later"), future])
        for filter in ["all", "owner", "postponed"] { _ = try await check("wall.get", [wall, ("filter", filter)]) }
        _ = try await check("wall.get", [wall, ("extended", "1")], kind: "extendedResponse")
        _ = try await check("wall.getById", [("posts", "-\(cafe)_1")])
        _ = try await check("wall.edit", [wall, ("post_id", "1"), ("message", "B"), ("attachments", photo)])
        _ = try await check("wall.pin", [wall, ("post_id", "1")])
        _ = try await check("wall.getById", [("posts", "-\(cafe)_1")])
        _ = try await check("wall.unpin", [wall, ("post_id", "1")])
        let comment = try await check("wall.createComment", [wall, ("post_id", "1"), ("message", "C")])
        _ = try await check("wall.getComments", [wall, ("post_id", "1"), ("sort", "desc")])
        _ = try await check("wall.deleteComment", [wall, ("comment_id", "\(comment["comment_id"]!.integer!)")])
        for method in ["wall.closeComments", "wall.openComments"] {
            _ = try await check(method, [wall, ("post_id", "1")])
        }
        _ = try await check("wall.delete", [wall, ("post_id", "1")])

        let album = try await check("photos.createAlbum", [("title", "Soups"), ("group_id", "\(cafe)")])
        let place = [("album_id", "\(album["id"]!.integer!)"), ("group_id", "\(cafe)")]
        let server = try await check("photos.getUploadServer", place)
        let list = try Value(
            json: try await client.upload(smallJPEG, to: server["upload_url"]!.string!, field: "file1").body)
        _ = try await check(
            "photos.save",
            place + [
                ("server", "\(list["server"]!.integer!)"), ("photos_list", list["photos_list"]!.string!),
                ("hash", list["hash"]!.string!),
            ])
        _ = try await check("photos.get", [wall, place[0]])

        let story = try await check("stories.getPhotoUploadServer", [("add_to_news", "1"), ("group_id", "\(cafe)")])
        let uploaded = try Value(
            json: try await client.upload(smallJPEG, to: story["upload_url"]!.string!, field: "file").body)
        let saved = try await check(
            "stories.save", [("upload_results", uploaded["response"]!["upload_result"]!.string!)])
        _ = try await check("stories.get", [wall])
        let name = "-\(cafe)_\(saved["items"]![0]!["id"]!.integer!)"
        _ = try await check("stories.getById", [("stories", name)])
        _ = try await check("stories.delete", [("stories", name)])
    }

    /// The table of method parameters and the stand-in's methods name the same things.
    @Test func methodsOfTheSchemasSectionsAreInTheSchema() async throws {
        let schemaBox = SchemaBox()
        for name in ["wall.post", "wall.edit", "photos.save", "stories.save", "wall.getComments"] {
            #expect(
                try await schemaBox.problems(of: name, ["response": [:]], kind: "response").first?.hasPrefix(
                    "the schema has no") != true)
        }
    }

    @Test func albumHashIsBoundToItsGroupAndAlbum() async throws {
        let own = try await response("photos.createAlbum", [("title", "Own")])
        let server = try await response("photos.getUploadServer", [("album_id", "\(own["id"]!.integer!)")])
        let list = try Value(
            json: try await client.upload(smallJPEG, to: server["upload_url"]!.string!, field: "file1").body)
        let rest = [
            ("server", "\(list["server"]!.integer!)"), ("photos_list", list["photos_list"]!.string!),
            ("hash", list["hash"]!.string!),
        ]
        let other = try await response("photos.createAlbum", [("title", "Other")])
        #expect(try await client.vkCode("photos.save", [("album_id", "\(other["id"]!.integer!)")] + rest) == 121)
        #expect(try await client.vkCode("photos.save", [("album_id", "1")] + rest) == 114)
        #expect(try await client.vkCode("photos.save", [("album_id", "\(own["id"]!.integer!)")] + rest) == nil)
        #expect(try await client.vkCode("photos.save", [("album_id", "\(own["id"]!.integer!)")] + rest) == 122)
    }

    /// VK tells a picture by its name's ending.
    @Test(arguments: [("photo", true), ("photo.txt", true), ("photo.jpg", false)])
    func fileWithoutAPicturesEndingIsNoPicture(name: String, isEmpty: Bool) async throws {
        for (method, field) in [("photos.getWallUploadServer", "photo"), ("stories.getPhotoUploadServer", "file")] {
            let server = try await response(method, [("add_to_news", "1")])
            let answer = try Value(
                json: try await client.upload(smallJPEG, to: server["upload_url"]!.string!, field: field, name: name)
                    .body)
            #expect((answer["photo"] == "[]" || answer["error"] != nil) == isEmpty, "\(answer.json())")
        }
    }

    @Test func documentIsSavedOnceAndAttached() async throws {
        let server = try await response("docs.getWallUploadServer", [("group_id", "\(cafe)")], token: .vkCommunity)
        let answer = try Value(
            json: try await client.upload(
                Array("%PDF-1.7".utf8), to: server["upload_url"]!.string!, field: "file", name: "menu.pdf"
            ).body)
        let file = ("file", try #require(answer["file"]?.string))
        let saved = try await response("docs.save", [file, ("title", "Menu")], token: .vkCommunity)
        #expect(saved["doc"]?["title"] == "Menu")
        #expect(saved["doc"]?["ext"] == "pdf")
        #expect(try await client.vkCode("docs.save", [file]) == 105)
        let name = "doc\(saved["doc"]!["owner_id"]!.integer!)_\(saved["doc"]!["id"]!.integer!)"
        let post = try await response(
            "wall.post", [("owner_id", "-\(cafe)"), ("attachments", name)], token: .vkCommunity)
        let items = try await response("wall.getById", [("posts", "-\(cafe)_\(post["post_id"]!.integer!)")])["items"]
        #expect(items?[0]?["attachments"]?[0]?["doc"]?["title"] == "Menu")
    }

    static let refused: [(String, SandboxToken, Int64)] = [
        ("photos.getWallUploadServer", .vkCommunity, 27), ("photos.getUploadServer", .vkCommunity, 27),
        ("wall.getById", .vkCommunity, 27), ("wall.getComments", .vkCommunity, 27), ("wall.edit", .vkCommunity, 27),
        ("wall.post", .vkService, 28), ("stories.save", .vkService, 28), ("docs.save", .vkService, 28),
        ("users.get", .vkService, 100),
    ]

    @Test(arguments: refused)
    func tokenOfAnotherKindIsRefused(method: String, token: SandboxToken, code: Int64) async throws {
        #expect(try await client.vkCode(method, token: token) == code)
    }

    @Test func executeTellsWhatFailedInside() async throws {
        let code =
            #"return [API.utils.getServerTime({}), API.wall.delete({"post_id": 9}), API.wall.post({"message": "A"})];"#
        let answer = try await client.vk("execute", [("code", code)])
        #expect(answer["response"]?[1] == false)
        #expect(answer["response"]?[2] == ["post_id": 1])
        #expect(
            answer["execute_errors"] == [["method": "wall.delete", "error_code": 104, "error_msg": "Not found"]])
        #expect(try await client.vkCode("execute", [("code", "nonsense")]) == 12)
    }

    @Test func commentIsMadeOnceForAGuid() async throws {
        _ = try await response("wall.post", [("message", "A")])
        let first = try await response("wall.createComment", [("post_id", "1"), ("message", "C"), ("guid", "g")])
        #expect(try await response("wall.createComment", [("post_id", "1"), ("message", "C"), ("guid", "g")]) == first)
        #expect(try await response("wall.getComments", [("post_id", "1")])["count"] == 1)
    }

    @Test func storyEndsAfterADay() async throws {
        let server = try await response("stories.getPhotoUploadServer", [("add_to_news", "1")])
        let answer = try Value(
            json: try await client.upload(smallJPEG, to: server["upload_url"]!.string!, field: "file").body)
        _ = try await response("stories.save", [("upload_results", answer["response"]!["upload_result"]!.string!)])
        #expect(try await response("stories.get", [])["count"] == 1)
        client.pass(.seconds(86_401))
        #expect(try await response("stories.get", [])["count"] == 0)
    }

    /// `curl -d` calls every body a form.
    @Test func controlTakesCurlsOwnContentType() async throws {
        for body in [#"[{"on":"wall.post","call":1,"fault":{"type":"vk-error","code":6}}]"#, "[]"] {
            let answer = try await rawHTTP(
                port: client.port, "POST", "/_sandbox/faults",
                headers: [("Content-Type", "application/x-www-form-urlencoded")], body: Array(body.utf8))
            #expect(answer.status == 200, "\(answer.text)")
        }
        let media = try await rawHTTP(
            port: client.port, "POST", "/_sandbox/media",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(#"{"caption":"Soup & bread = 100%","scene":"lemons"}"#.utf8))
        #expect(media.status == 200, "\(media.text)")
        #expect(try await client.state()["media"]?[0]?["caption"] == "Soup & bread = 100%")
    }
}

/// The schema's files are read once.
private actor SchemaBox {
    private var schema = VKAnswerSchema()

    func problems(of method: String, _ answer: Value, kind: String) throws -> [String] {
        try schema.problems(of: method, answer, kind: kind)
    }
}
