import Sandbox
import TestSupport
import Testing
import Values

/// Publishing, live stories and what there is of them, as "Content Publishing" has it, and each refusal.
@Suite struct InstagramPublishingTests {
    private static let user = "17841405309211844"
    private static let picture = "https://example.org/card.jpg"

    private func container(_ client: Client, _ fields: [(String, String)] = [("image_url", picture)]) async throws
        -> String
    {
        let answer = try await client.instagram("POST", "/\(Self.user)/media", fields)
        return try #require(answer["id"]?.string, "\(answer.json())")
    }

    private func status(_ client: Client, _ id: String) async throws -> String? {
        try await client.instagram("GET", "/v26.0/\(id)", [("fields", "status_code,status")])["status_code"]?.string
    }

    private func publish(_ client: Client, _ id: String) async throws -> Value {
        try await client.instagram("POST", "/\(Self.user)/media_publish", [("creation_id", id)])
    }

    @Test(arguments: ["/v26.0/17841405309211844", "/me", "/26014733851092447"])
    func pictureBecomesAPost(account: String) async throws {
        let client = try Client()
        let made = try await client.instagram(
            "POST", account + "/media", [("image_url", Self.picture), ("caption", "Утро"), ("alt_text", "Чашка")])
        let id = try #require(made["id"]?.string)
        #expect(id.hasPrefix("90"))
        #expect(try await status(client, id) == "FINISHED")
        let post = try #require(
            try await client.instagram("POST", account + "/media_publish", [("creation_id", id)])["id"]?.string)
        #expect(post != id)
        #expect(try await status(client, id) == "PUBLISHED")
        let media = try await client.instagram(
            "GET", "/" + post, [("fields", "caption,alt_text,media_type,media_product_type,permalink")])
        #expect(media["caption"] == "Утро")
        #expect(media["alt_text"] == "Чашка")
        #expect(media["media_type"] == "IMAGE")
        #expect(media["media_product_type"] == "FEED")
        #expect(media["permalink"]?.string?.hasPrefix("https://www.instagram.com/p/") == true)
        let newest = try await client.instagram("GET", "/me/media")["data"]?[0]
        #expect(newest?["id"]?.string == post)
    }

    @Test func carouselIsMadeOfItsItems() async throws {
        let client = try Client()
        var items: [String] = []
        for name in ["a", "b", "c"] {
            let fields = [("image_url", "https://example.org/\(name).jpg"), ("is_carousel_item", "true")]
            items.append(try await container(client, fields))
        }
        let album = try await container(
            client, [("media_type", "CAROUSEL"), ("children", items.joined(separator: ",")), ("caption", "Меню")])
        let post = try #require(try await publish(client, album)["id"]?.string)
        let media = try await client.instagram("GET", "/" + post, [("fields", "media_type,children{media_type}")])
        #expect(media["media_type"] == "CAROUSEL_ALBUM")
        #expect(media["children"]?["data"]?.array?.count == 3)
        let limit = try await client.instagram(
            "GET", "/\(Self.user)/content_publishing_limit", [("fields", "quota_usage,config")])
        #expect(limit["data"]?[0]?["quota_usage"] == 1, "a carousel counts once")
    }

    @Test func storyLivesForADayBesideThePosts() async throws {
        let client = try Client()
        let id = try await container(client, [("media_type", "STORIES"), ("image_url", Self.picture)])
        let story = try #require(try await publish(client, id)["id"]?.string)
        func stories() async throws -> [Value]? {
            try await client.instagram("GET", "/me/stories", [("fields", "media_product_type")])["data"]?.array
        }
        #expect(try await stories() == [["media_product_type": "STORY", "id": .string(story)]])
        let posts = try await client.instagram("GET", "/me/media")["data"]?.array ?? []
        #expect(!posts.contains { $0["id"]?.string == story })
        client.pass(.seconds(86_400))
        #expect(try await stories()?.isEmpty == true)
    }

    @Test(
        arguments: [
            ([], 100, nil), ([("image_url", "http://example.org/a.jpg")], 9004, 2_207_052),
            ([("image_url", "ftp://example.org/a.jpg")], 9004, 2_207_052),
            ([("image_url", picture), ("media_type", "POSTER")], 100, 2_207_023),
            ([("image_url", picture), ("caption", String(repeating: "я", count: 2201))], 36004, 2_207_010),
            ([("media_type", "CAROUSEL"), ("children", "900000000000000001")], 100, 2_207_028),
            ([("media_type", "CAROUSEL"), ("children", "90000000000000001,90000000000000002")], 24, 2_207_006),
            (
                [
                    ("media_type", "CAROUSEL"),
                    ("children", (1...11).map { "900000000000000\($0)" }.joined(separator: ",")),
                ], 100, 2_207_028
            ),
        ] as [([(String, String)], Int64, Int64?)])
    func containerIsRefused(fields: [(String, String)], code: Int64, subcode: Int64?) async throws {
        let client = try Client()
        let error = try await client.instagram("POST", "/\(Self.user)/media", fields)["error"]
        #expect(error?["code"]?.integer == code)
        #expect(error?["error_subcode"]?.integer == subcode)
        #expect(try await client.state()["containers"]?.array?.isEmpty == true)
    }

    @Test func longestCaptionIsTaken() async throws {
        let client = try Client()
        _ = try await container(
            client, [("image_url", Self.picture), ("caption", String(repeating: "я", count: 2200))])
    }

    /// A container is published once; one of a carousel's items, an unknown one and one of yesterday never.
    @Test(arguments: ["twice", "item", "unknown", "late"]) func publishingIsRefused(what: String) async throws {
        let client = try Client()
        let item = [("image_url", Self.picture), ("is_carousel_item", "true")]
        var id = try await container(client, what == "item" ? item : [("image_url", Self.picture)])
        switch what {
        case "twice": #expect(try await publish(client, id)["id"] != nil)
        case "unknown": id = "90000000000000009"
        case "late":
            client.pass(.seconds(86_401))
            #expect(try await status(client, id) == "EXPIRED")
        default: break
        }
        let posts = try await client.state()["media"]?.array?.count
        let error = try await publish(client, id)["error"]
        #expect(error?["code"] == 24)
        #expect(error?["error_subcode"]?.integer == (["unknown", "late"].contains(what) ? 2_207_008 : 2_207_006))
        #expect(try await client.state()["media"]?.array?.count == posts)
    }

    @Test func unknownContainerHasNoState() async throws {
        let client = try Client()
        let error = try await client.instagram("GET", "/90000000000000009", [("fields", "status_code")])["error"]
        #expect(error?["code"] == 24)
        #expect(error?["error_subcode"] == 2_207_008)
    }

    /// The window moves with each post: a place is free again a day after the first.
    @Test func quotaIsCountedOverADay() async throws {
        let client = try Client { $0.instagramQuota = 2 }
        func limit() async throws -> Value? {
            try await client.instagram("GET", "/me/content_publishing_limit", [("fields", "quota_usage,config")])[
                "data"]?[0]
        }
        #expect(
            try await limit() == ["quota_usage": 0, "config": ["quota_total": 2, "quota_duration": 86_400]])
        _ = try await publish(client, try await container(client))
        client.pass(.seconds(3600))
        _ = try await publish(client, try await container(client))
        #expect(try await limit()?["quota_usage"] == 2)
        let third = try await container(client)
        let error = try await publish(client, third)["error"]
        #expect(error?["code"] == 9)
        #expect(error?["error_subcode"] == 2_207_042)
        client.pass(.seconds(86_400 - 3600))
        #expect(try await limit()?["quota_usage"] == 1)
        #expect(try await publish(client, third)["id"] != nil)
    }

    @Test(arguments: ["media", "media_publish", "content_publishing_limit"])
    func tokenWithoutTheScopeReadsOnly(edge: String) async throws {
        let client = try Client { $0.instagramRights = [InstagramScope.basic] }
        let method = edge == "content_publishing_limit" ? "GET" : "POST"
        let answer = try await client.instagram(method, "/\(Self.user)/\(edge)", [("image_url", Self.picture)])
        #expect(answer["error"]?["code"] == 10)
        #expect(try await client.instagram("GET", "/me/media")["data"]?.array?.count == 8)
    }

    @Test(arguments: [
        ("GET", "/17841405309211844/media_publish"), ("POST", "/17841405309211844/content_publishing_limit"),
        ("POST", "/me"), ("POST", "/17841405309211844/stories"),
    ]) func otherVerbsAreRefused(method: String, path: String) async throws {
        let error = try await Client().instagram(method, path)["error"]
        #expect(error?["code"] == 100)
        #expect(error?["error_subcode"] == 33)
    }

    @Test func otherAccountsAreNotThere() async throws {
        let client = try Client()
        for path in ["/17841400000000000/media", "/17841400000000000/stories"] {
            #expect(try await client.instagram("GET", path)["error"]?["error_subcode"] == 33)
        }
        let answer = try await client.instagram("POST", "/17841400000000000/media", [("image_url", Self.picture)])
        #expect(answer["error"]?["error_subcode"] == 33)
    }

    /// Faults that a container can be in, as a fault says them.
    @Test(arguments: ["IN_PROGRESS", "ERROR", "EXPIRED"]) func containerIsInTheStateOfAFault(state: String) async throws
    {
        let client = try Client()
        let id = try await container(client)
        try await client.setFaults([
            ["on": "container", "call": 1, "fault": ["type": "container", "status": .string(state), "text": "Why"]]
        ])
        let answer = try await client.instagram("GET", "/" + id, [("fields", "status_code,status")])
        #expect(answer == ["status_code": .string(state), "status": "Why", "id": .string(id)])
        #expect(try await status(client, id) == "FINISHED")
    }

    // MARK: Pages and links

    /// A story's link, a carousel's items and a video's still die together after five days; the item, read again, has a
    /// new one.
    @Test(arguments: ["media_url", "thumbnail_url", "children"]) func linkThatDiedIsReplacedByReadingAgain(
        member: String
    ) async throws {
        let client = try Client()
        func link() async throws -> String {
            let items =
                try await client.instagram(
                    "GET", "/me/media", [("fields", "media_url,thumbnail_url,children{media_url}")])["data"]?.array
                ?? []
            let address = items.lazy.compactMap { item in
                member == "children"
                    ? item["children"]?["data"]?.array?.lazy.compactMap { $0["media_url"]?.string }.first
                    : item[member]?.string
            }.first
            return client.path(of: try #require(address))
        }
        let old = try await link()
        #expect(try await client.get(old).status == 200)
        client.pass(.seconds(5 * 86_400))
        let dead = try await client.get(old)
        #expect(dead.status == 403)
        #expect(dead.text == "URL signature expired")
        #expect(try await client.get(try await link()).status == 200)
    }

    @Test func pagesGoBackAndEnd() async throws {
        let client = try Client()
        let first = try await client.instagram("GET", "/me/media", [("limit", "3")])
        let after = first["paging"]?["cursors"]?["after"]?.string ?? ""
        #expect(first["paging"]?["previous"] == nil)
        let second = try await client.instagram("GET", "/me/media", [("limit", "3"), ("after", after)])
        let back = try await client.json(client.path(of: try #require(second["paging"]?["previous"]?.string)))
        #expect(back["data"] == first["data"])
        let end = try await client.instagram("GET", "/me/media", [("limit", "8")])
        let cursor = end["paging"]?["cursors"]?["after"]?.string ?? ""
        #expect(end["paging"]?["next"] == nil)
        #expect(try await client.instagram("GET", "/me/media", [("after", cursor)]) == ["data": []])
        let wrong = try await client.instagram("GET", "/me/media", [("after", "QVFIUx")])
        #expect(wrong["error"]?["code"] == 100)
    }

    @Test func emptyAccountHasAnEmptyList() async throws {
        let client = try Client { $0.media = [] }
        #expect(try await client.instagram("GET", "/me/media") == ["data": []])
        #expect(try await client.instagram("GET", "/me/stories") == ["data": []])
    }
}

extension Client {
    /// Asks as the account, with the token in a header.
    fileprivate func instagram(
        _ method: String, _ path: String, _ parameters: [(String, String)] = []
    ) async throws -> Value {
        let text = parameters.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
        let token = ("Authorization", "Bearer " + sandbox.instagramToken)
        let answer =
            method == "POST"
            ? try await rawHTTP(
                port: port, method, path,
                headers: [token, ("Content-Type", "application/x-www-form-urlencoded")], body: Array(text.utf8))
            : try await get(path + "?" + text, headers: [token])
        return try Value(json: answer.body)
    }
}
