import Hashing
import Sandbox
import TestSupport
import Testing
import Values

@Suite struct VKTests {
    @Test func wholeChainPutsPhotoOnCommunityWall() async throws {
        let client = try Client()
        let group = [("group_id", "\(cafe)")]
        let server = try #require(try await client.vk("photos.getWallUploadServer", group)["response"])
        #expect(server["album_id"]?.integer == -14)
        #expect(server["user_id"]?.integer == user)
        let answer = try Value(
            json: try await client.upload(smallJPEG, to: try #require(server["upload_url"]?.string)).body)
        let text = try #require(answer["photo"]?.string)
        #expect(try Value(json: text).array?.count == 1)
        #expect(text.contains("\\/"), "escaped, so that decoding and encoding it again changes it")
        let saved = try await client.vk(
            "photos.saveWallPhoto",
            group + [("photo", text), ("hash", answer["hash"]!.string!), ("server", "\(answer["server"]!.integer!)")])
        let photo = try #require(saved["response"]?[0])
        #expect(photo["owner_id"]?.integer == user)
        let attachment = "photo\(user)_\(photo["id"]!.integer!)_\(photo["access_key"]!.string!)"
        let posted = try await client.vk(
            "wall.post",
            [
                ("owner_id", "-\(cafe)"), ("from_group", "1"), ("message", "Утро & ☕️\nвторая строка"),
                ("attachments", attachment + ",https://example.com/a"), ("guid", "g1"),
            ])
        #expect(posted == ["response": ["post_id": 1]])
        let item = try #require(
            try await client.vk("wall.getById", [("posts", "-\(cafe)_1")])["response"]?["items"]?[0])
        #expect(item["text"]?.string == "Утро & ☕️\nвторая строка")
        #expect(item["from_id"]?.integer == -cafe)
        #expect(item["attachments"]?[0]?["photo"]?["id"] == photo["id"])
        #expect(item["attachments"]?[1]?["link"]?["url"]?.string == "https://example.com/a")
        let state = try await client.state()
        #expect(state["photos"]?[0]?["sha256"]?.string == SHA256.hex(smallJPEG))
        #expect(state["photos"]?[0]?["width"]?.integer == 40)
        #expect(try await client.get("/_sandbox/photos/\(photo["id"]!.integer!)").body == smallJPEG)
        #expect(
            state["calls"]?.array?.map { $0["method"]?.string }
                == ["photos.getWallUploadServer", "upload", "photos.saveWallPhoto", "wall.post", "wall.getById"])
        #expect(state["counts"]?["wall.post"]?.integer == 1)
    }

    /// Required members, as VKCOM/vk-api-schema (5.199) lists them: photos_photo, wall_wallpost.
    @Test func answersHaveTheMembersThatTheSchemaRequires() async throws {
        let client = try Client()
        let attachment = try await client.savedPhoto()
        _ = try await client.vk("wall.post", [("attachments", attachment)])
        let photo = try #require(
            try await client.vk("photos.getById", [("photos", String(attachment.dropFirst(5)))])["response"]?[0])
        for name in ["album_id", "date", "id", "owner_id", "has_tags"] { #expect(photo[name] != nil, "\(name)") }
        for size in photo["sizes"]?.array ?? [] {
            for name in ["height", "type", "width"] { #expect(size[name] != nil, "\(name)") }
        }
        let wall = try #require(try await client.vk("wall.get")["response"])
        #expect(wall["count"]?.integer == 1)
        let post = try #require(wall["items"]?[0])
        #expect(post["inner_type"]?.string == "wall_wallpost")
        #expect(post["attachments"]?[0]?["type"]?.string == "photo")
        let server = try #require(try await client.vk("photos.getWallUploadServer")["response"])
        for name in ["album_id", "upload_url", "user_id"] { #expect(server[name] != nil, "\(name)") }
    }

    @Test(
        arguments: [
            ("wall.post", [], .vk, nil, 8), ("wall.post", [], .vk, "5.50", 8), ("wall.Post", [], .vk, "5.199", 3),
            ("wall.post", [], nil, "5.199", 5), ("wall.post", [], .vk, "5.199", 100),
            ("wall.post", [("message", "a"), ("owner_id", "club1")], .vk, "5.199", 100),
            ("wall.post", [("message", "a"), ("owner_id", "-1")], .vk, "5.199", 100),
            ("wall.post", [("message", "a"), ("owner_id", "-22822305")], .vk, "5.199", 214),
            ("wall.post", [("message", "a"), ("owner_id", "743215609")], .vk, "5.199", 214),
            ("wall.post", [("message", "a"), ("publish_date", "1")], .vk, "5.199", 150),
            ("wall.post", [("attachments", "photo1_2")], .vk, "5.199", 100),
            ("wall.post", [("attachments", "https://a.example,https://b.example")], .vk, "5.199", 100),
            ("wall.post", [("message", "a")], .vkService, "5.199", 28),
            ("photos.getWallUploadServer", [("group_id", "-226100401")], .vk, "5.199", 100),
            ("photos.getWallUploadServer", [("group_id", "5")], .vk, "5.199", 125),
            ("photos.getWallUploadServer", [("group_id", "22822305")], .vk, "5.199", 15),
            ("photos.getWallUploadServer", [], .vkCommunity, "5.199", 27),
            ("wall.get", [("owner_id", "-226100401")], .vkCommunity, "5.199", 27),
            ("wall.get", [("owner_id", "-226100401"), ("filter", "postponed")], .vkService, "5.199", 15),
            ("wall.delete", [("post_id", "9")], .vk, "5.199", 104),
            ("photos.saveWallPhoto", [], .vk, "5.199", 100),
            ("photos.saveWallPhoto", [("photo", "[]"), ("hash", "a"), ("server", "1")], .vk, "5.199", 100),
            ("photos.saveWallPhoto", [("photo", "[{}]"), ("hash", "a"), ("server", "1")], .vk, "5.199", 121),
        ] as [(String, [(String, String)], SandboxToken?, String?, Int64)])
    func refuses(
        method: String, parameters: [(String, String)], token: SandboxToken?, version: String?, code: Int64
    ) async throws {
        let client = try Client()
        let answer = try await client.vkRaw(method, parameters, token: token, version: version)
        #expect(answer.status == 200)
        #expect(try Value(json: answer.body)["error"]?["error_code"]?.integer == code, "\(answer.text)")
        if let token { #expect(!answer.text.contains(client.sandbox.token(token))) }
    }

    @Test func echoesParametersWithoutToken() async throws {
        let client = try Client()
        let answer = try await rawHTTP(
            port: client.port, "GET", "/method/wall.post?v=5.199&message=&access_token=\(client.sandbox.vkToken)")
        #expect(!answer.text.contains(client.sandbox.vkToken))
        let echoed = try Value(json: answer.body)["error"]?["request_params"]?.array ?? []
        #expect(echoed.map { $0["key"]?.string } == ["method", "oauth", "v", "message"])
        let state = try await client.state()
        #expect(state["calls"]?[0]?["parameters"]?["access_token"]?.string == "(secret)")
        #expect(state["calls"]?[0]?["credentials"]?.string == "parameter")
    }

    @Test(arguments: [10, 12, 123, 198_000_001])
    func anyCommunityThatAWorkflowNamesIsTheUsersOwn(id: Int) async throws {
        let client = try Client()
        let server = try await client.vk("photos.getWallUploadServer", [("group_id", "\(id)")])
        #expect(server["response"]?["upload_url"]?.string?.isEmpty == false, "\(server)")
        let post = [("owner_id", "-\(id)"), ("message", "a"), ("from_group", "1")]
        #expect(try await client.vk("wall.post", post) == ["response": ["post_id": 1]])
        let group = try await client.vk("groups.getById", [("group_id", "\(id)")])["response"]?["groups"]?[0]
        #expect(group?["is_admin"] == 1 && group?["screen_name"]?.string == "club\(id)", "\(group ?? .null)")
        let found = try await client.vk("utils.resolveScreenName", [("screen_name", "club\(id)")])
        #expect(found["response"]?["object_id"]?.integer == Int64(id))
    }

    @Test func communityTokenPostsTextAsTheCommunity() async throws {
        let client = try Client()
        #expect(
            try await client.vk("wall.post", [("message", "a")], token: .vkCommunity) == ["response": ["post_id": 1]])
        let post = try await client.state()["posts"]?[0]
        #expect(post?["owner_id"]?.integer == -cafe)
        #expect(post?["from_id"]?.integer == -cafe)
    }

    @Test func tokenWithoutTheRightIsRefusedWithSubcode() async throws {
        let client = try Client { $0.userRights = 65_536 }
        let error = try await client.vk("wall.post", [("message", "a")])["error"]
        #expect(error?["error_code"]?.integer == 15)
        #expect(error?["error_subcode"]?.integer == 1133)
        #expect(try await client.vk("account.getAppPermissions") == ["response": 65_536])
    }

    @Test(arguments: ["no name", "wrong ending", "wrong field", "text", "too long", "too wide"])
    func uploadAnswersEmptyForWhatVKRefuses(what: String) async throws {
        let client = try Client()
        let address = try await client.vk("photos.getWallUploadServer")["response"]?["upload_url"]?.string ?? ""
        let answer =
            switch what {
            case "no name": try await client.upload(smallJPEG, to: address, name: nil)
            case "wrong ending": try await client.upload(smallJPEG, to: address, name: "photo.bin")
            case "wrong field": try await client.upload(smallJPEG, to: address, field: "file")
            case "text": try await client.upload(Array("hello".utf8), to: address)
            case "too long": try await client.upload(jpeg(width: 10, height: 201), to: address)
            default: try await client.upload(jpeg(width: 13_990, height: 700), to: address)
            }
        #expect(try Value(json: answer.body)["photo"]?.string == "[]")
        #expect(try await client.state()["uploads"]?.array?.isEmpty == true)
    }

    @Test func unknownTicketIsABreach() async throws {
        let client = try Client()
        #expect(
            try await client.upload(smallJPEG, to: client.sandbox.baseURL + "/upload/1234").text == "Security Breach2")
    }

    @Test(arguments: ["hash twice", "other group", "changed photo", "other server"])
    func saveRefusesWhatDoesNotBelongTogether(what: String) async throws {
        let client = try Client()
        let group = ("group_id", "\(cafe)")
        let address =
            try await client.vk("photos.getWallUploadServer", [group])["response"]?["upload_url"]?.string ?? ""
        let answer = try Value(json: try await client.upload(smallJPEG, to: address).body)
        var parameters = [
            "group_id": "\(cafe)", "photo": answer["photo"]!.string!, "hash": answer["hash"]!.string!,
            "server": "\(answer["server"]!.integer!)",
        ]
        switch what {
        case "hash twice":
            #expect(try await client.vkCode("photos.saveWallPhoto", parameters.map { ($0.key, $0.value) }) == nil)
        case "other group": parameters["group_id"] = nil
        case "changed photo":
            let again = try Value(json: parameters["photo"]!).json()
            #expect(again != parameters["photo"])
            parameters["photo"] = again
        default: parameters["server"] = "1"
        }
        let code = try await client.vkCode("photos.saveWallPhoto", parameters.map { ($0.key, $0.value) })
        #expect(code == (what == "other server" ? 118 : 121))
    }

    @Test func guidHoldsForAnHour() async throws {
        let client = try Client()
        func post(_ wall: Int64) async throws -> Int64? {
            try await client.vk("wall.post", [("owner_id", "\(wall)"), ("message", "a"), ("guid", "g")])["response"]?[
                "post_id"]?.integer
        }
        #expect(try await post(user) == 1)
        #expect(try await post(user) == 1)
        #expect(try await post(-cafe) == 1)
        client.pass(.seconds(3599))
        #expect(try await post(user) == 1)
        client.pass(.seconds(1))
        #expect(try await post(user) == 2)
        #expect(try await client.state()["posts"]?.array?.count == 3)
    }

    @Test func guidCanBeIgnored() async throws {
        let client = try Client { $0.ignoreGuid = true }
        for id in 1...2 {
            #expect(
                try await client.vk("wall.post", [("message", "a"), ("guid", "g")])["response"]?["post_id"]?.integer
                    == Int64(id))
        }
    }

    @Test func scheduledPostAppearsAtItsTime() async throws {
        let client = try Client()
        let date = 1_795_000_000 + 600
        let parameters = [("message", "a"), ("publish_date", "\(date)")]
        #expect(try await client.vkCode("wall.post", parameters) == nil)
        #expect(try await client.vkCode("wall.post", parameters) == 214)
        #expect(try await client.vk("wall.get")["response"]?["count"]?.integer == 0)
        let postponed = try await client.vk("wall.get", [("filter", "postponed")])["response"]
        #expect(postponed?["items"]?[0]?["post_type"]?.string == "postpone")
        #expect(try await client.state()["posts"]?[0]?["postponed"]?.bool == true)
        client.pass(.seconds(601))
        #expect(try await client.vk("wall.get")["response"]?["items"]?[0]?["date"]?.integer == Int64(date))
    }

    @Test func wallIsPagedNewestFirst() async throws {
        let client = try Client()
        for text in ["a", "b", "c"] {
            _ = try await client.vk("wall.post", [("message", text)])
            client.pass(.seconds(60))
        }
        let page = try await client.vk("wall.get", [("count", "2"), ("offset", "1")])["response"]
        #expect(page?["count"]?.integer == 3)
        #expect(page?["items"]?.array?.map { $0["text"]?.string } == ["b", "a"])
        #expect(try await client.vk("wall.delete", [("post_id", "3")]) == ["response": 1])
        #expect(try await client.vk("wall.get")["response"]?["count"]?.integer == 2)
        #expect(try await client.vk("wall.post", [("message", "d")])["response"]?["post_id"]?.integer == 4)
    }

    @Test(arguments: [
        (false, " a&amp;b \r\n\r\nc  ", " a&amp;b \r\n\r\nc  "), (true, "a&amp;b \r\n\r\nc  \n", "a&b\n\nc"),
    ])
    func textIsKeptUnlessNormalised(normalizes: Bool, sent: String, stored: String) async throws {
        let client = try Client { $0.normalizeText = normalizes }
        _ = try await client.vk("wall.post", [("message", sent)])
        let text = try await client.vk("wall.get")["response"]?["items"]?[0]?["text"]?.string
        #expect(text.map { Array($0.utf8) } == Array(stored.utf8))
    }

    @Test func rateIsEnforcedWhenAsked() async throws {
        let client = try Client { $0.enforceRate = true }
        for code in [nil, nil, nil, 6] as [Int64?] { #expect(try await client.vkCode("utils.getServerTime") == code) }
        client.pass(.seconds(1))
        #expect(try await client.vk("utils.getServerTime") == ["response": 1_795_000_001])
    }

    @Test func namesAreResolved() async throws {
        let client = try Client()
        #expect(
            try await client.vk("utils.resolveScreenName", [("screen_name", "kafe_miro")])
                == ["response": ["type": "group", "object_id": .integer(cafe)]])
        #expect(try await client.vk("utils.resolveScreenName", [("screen_name", "nobody")]) == ["response": []])
        #expect(try await client.vk("users.get")["response"]?[0]?["id"]?.integer == user)
        let groups = try await client.vk("groups.getById", [("group_id", "\(cafe)")])["response"]?["groups"]
        #expect(groups?[0]?["screen_name"]?.string == "kafe_miro")
    }

    @Test func tokensExpireAndAreReplaced() async throws {
        let client = try Client()
        let old = client.sandbox.vkToken
        #expect(old.hasPrefix("vk1.a."))
        try await client.control("POST", "tokens", ["token": "vk", "action": "expire"])
        #expect(try await client.vkCode("users.get") == 5)
        let answer = try await client.control("POST", "tokens", ["token": "vk", "action": "replace"])
        #expect(try Value(json: answer.body)["token"]?.string == client.sandbox.vkToken)
        #expect(client.sandbox.vkToken != old)
        #expect(try await client.vkCode("users.get") == nil)
        let text = try await client.get("/_sandbox/state").text
        for token in SandboxToken.allCases { #expect(!text.contains(client.sandbox.token(token))) }
    }
}
