import Sandbox
import StoryCard
import TestSupport
import Testing
import Values

@Suite struct InstagramTests {
    private func target(_ client: Client, _ path: String, _ query: String = "") -> String {
        "\(path)?access_token=\(client.sandbox.instagramToken)" + (query.isEmpty ? "" : "&" + query)
    }

    @Test(arguments: ["/me", "/v26.0/me", "/v21.0/17841405309211844"])
    func accountIsThere(path: String) async throws {
        let client = try Client()
        #expect(client.sandbox.instagramToken.hasPrefix("IGAA"))
        let account = try await client.json(target(client, path, "fields=user_id,username,account_type"))
        #expect(
            account == [
                "user_id": "17841405309211844", "username": "kafe.miro", "account_type": "BUSINESS",
                "id": "26014733851092447",
            ])
    }

    @Test func takesBearerToken() async throws {
        let client = try Client()
        let headers = [("Authorization", "Bearer " + client.sandbox.instagramToken)]
        let answer = try await client.get("/me?fields=username", headers: headers)
        #expect(try Value(json: answer.body)["username"]?.string == "kafe.miro")
    }

    @Test func listHasBareIdsAndPinnedItemOnTop() async throws {
        let client = try Client()
        let page = try await client.json(target(client, "/me/media"))
        let items = try #require(page["data"]?.array)
        #expect(items.count == 8)
        #expect(items.allSatisfy { $0.object?.keys == ["id"] })
        #expect(page["paging"]?["next"] == nil)
        #expect(page["paging"]?["cursors"]?["after"] != nil)
        let times = try await client.json(target(client, "/me/media", "fields=timestamp"))["data"]!.array!.map {
            Timestamp(iso8601: $0["timestamp"]!.string!)!
        }
        #expect(times.dropFirst().elementsEqual(times.dropFirst().sorted(by: >)))
        #expect(times[0] < times[7])
    }

    @Test func fieldsAreExpandedAndAbsentOnesLeftOut() async throws {
        let client = try Client()
        let fields =
            "id,caption,media_type,media_url,thumbnail_url,timestamp,children%7Bid,media_type,media_url,thumbnail_url%7D"
        let items = try await client.json(target(client, "/me/media", "fields=" + fields))["data"]!.array!
        let newest = items[1]
        #expect(newest["media_type"]?.string == "IMAGE")
        #expect(newest["timestamp"]?.string == "2026-10-18T06:24:07+0000")
        #expect(newest["caption"]?.string?.hasPrefix("Доброе утро, город! ☕️\n") == true)
        #expect(newest["children"] == nil)
        let album = items[2]
        #expect(album["media_type"]?.string == "CAROUSEL_ALBUM")
        let children = album["children"]?["data"]?.array ?? []
        #expect(children.map { $0["media_type"]?.string } == ["VIDEO", "IMAGE", "IMAGE"])
        #expect(children[0]["media_url"] == nil)
        #expect(children[0]["thumbnail_url"] != nil)
        let video = items[3]
        #expect(video["media_type"]?.string == "VIDEO")
        #expect(video["media_url"] == nil)
        #expect(video["thumbnail_url"] != nil)
        #expect(items[4]["caption"] == nil)
        let edge = try await client.json(target(client, "/\(album["id"]!.string!)/children", "fields=media_type"))
        #expect(edge["data"]?.array?.count == 3)
    }

    @Test func pagesFollowNextWithTheTokenInIt() async throws {
        let client = try Client()
        var ids: [String] = []
        var address: String? = target(client, "/v26.0/me/media", "limit=3&fields=id")
        var pages = 0
        while let next = address {
            let page = try await client.json(next)
            ids += page["data"]!.array!.map { $0["id"]!.string! }
            pages += 1
            address = page["paging"]?["next"]?.string.map(client.path(of:))
            if let address { #expect(address.contains(client.sandbox.instagramToken)) }
        }
        #expect(pages == 3)
        #expect(Set(ids).count == 8)
    }

    @Test(
        arguments: [
            ("/me?access_token=IGAAwrong", 190, nil), ("/me", 104, nil), ("/TOKEN/me?fields=nothing", 100, nil),
            ("/TOKEN/17000000000000000", 100, 33), ("/TOKEN/me/media?limit=0", 100, nil),
            ("/TOKEN/me/media?fields=id,children%7Bid", 2500, nil), ("/nothing/at/all", 2500, nil),
        ] as [(String, Int64, Int64?)])
    func refuses(path: String, code: Int64, subcode: Int64?) async throws {
        let client = try Client()
        var path = path
        if path.hasPrefix("/TOKEN") {
            path = String(path.dropFirst(6))
            path += (path.contains("?") ? "&" : "?") + "access_token=" + client.sandbox.instagramToken
        }
        let answer = try await client.get(path)
        #expect(answer.status == 400)
        let error = try Value(json: answer.body)["error"]
        #expect(error?["code"]?.integer == code, "\(answer.text)")
        #expect(error?["error_subcode"]?.integer == subcode)
        #expect(error?["fbtrace_id"]?.string?.isEmpty == false)
        #expect(!answer.text.contains(client.sandbox.instagramToken))
    }

    @Test func expiredTokenHasItsSubcode() async throws {
        let client = try Client()
        try await client.control("POST", "tokens", ["token": "instagram", "action": "expire"])
        let error = try await client.json(target(client, "/me"))["error"]
        #expect(error?["code"]?.integer == 190)
        #expect(error?["error_subcode"]?.integer == 463)
    }

    @Test func tokenIsRefreshedAfterADay() async throws {
        let client = try Client()
        let address = target(client, "/refresh_access_token", "grant_type=ig_refresh_token")
        #expect(try await client.get(address).status == 400)
        client.pass(.seconds(86_400))
        let answer = try await client.json(address)
        #expect(answer["access_token"]?.string == client.sandbox.instagramToken)
        #expect(answer["expires_in"]?.integer == 5_183_944)
    }

    @Test func photoIsDownloadedByItsSignedLinkUntilItExpires() async throws {
        let client = try Client()
        let items = try await client.json(target(client, "/me/media", "fields=media_url&limit=5"))["data"]!.array!
        let link = client.path(of: items[1]["media_url"]!.string!)
        let photo = try await client.get(link)
        #expect(photo.status == 200)
        #expect(photo.header("Content-Type") == "image/jpeg")
        let header = try readImageHeader(photo.body)
        #expect((header.width, header.height) == (1440, 1800))
        #expect(try await client.get(link).body == photo.body)
        let square = try readImageHeader(try await client.get(client.path(of: items[0]["media_url"]!.string!)).body)
        #expect((square.width, square.height) == (1080, 1080))
        for changed in [link + "&x=1", link.split(separator: "?").first.map(String.init)!] {
            let refused = try await client.get(changed)
            #expect(refused.status == 403)
            #expect(refused.text == "URL signature expired")
            #expect(refused.header("Content-Type") == "text/plain")
        }
        client.pass(.seconds(5 * 86_400))
        #expect(try await client.get(link).status == 403)
    }

    @Test func newPhotoAppearsOnTop() async throws {
        let client = try Client()
        let answer = try await client.control("POST", "media", ["caption": "Новое", "scene": "mountains"])
        let id = try #require(try Value(json: answer.body)["id"]?.string)
        let items = try await client.json(target(client, "/me/media", "fields=caption"))["data"]!.array!
        #expect(items[0]["id"]?.string == id)
        #expect(items[0]["caption"]?.string == "Новое")
        let wrong = try await client.control("POST", "media", ["scene": "moon"])
        #expect(wrong.status == 400)
        #expect(
            wrong.text == "There is no scene 'moon'. Scenes are coffee, mountains, lighthouse, leaves, city, lemons.\n")
    }
}
