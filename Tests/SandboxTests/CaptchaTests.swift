import Sandbox
import TestSupport
import Testing
import Values

@Suite struct CaptchaTests {
    private let post = [("message", "a"), ("guid", "g")]

    private func fault(_ form: String, answer: String? = nil, remixstlid: String? = nil) -> Value {
        var captcha: ValueObject = ["type": "captcha", "form": .string(form)]
        captcha["remixstlid"] = remixstlid.map { .string($0) }
        captcha["answer"] = answer.map { .string($0) }
        return [["on": "wall.post", "call": 1, "fault": .object(captcha)]]
    }

    @Test func oldFormWantsItsTextOnce() async throws {
        let client = try Client()
        try await client.setFaults(fault("old", answer: "zd5q2"))
        let error = try #require(try await client.vk("wall.post", post)["error"])
        #expect(error["error_code"]?.integer == 14)
        #expect(error["redirect_uri"] == nil)
        let picture = try await client.get(client.path(of: try #require(error["captcha_img"]?.string)))
        #expect(picture.header("Content-Type") == "image/png")
        #expect(picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let sid = try #require(error["captcha_sid"]?.string)
        let answer = post + [("captcha_sid", sid), ("captcha_key", "ZD5Q2")]
        #expect(try await client.vk("wall.post", answer) == ["response": ["post_id": 1]])
        #expect(try await client.vkCode("wall.post", answer) == 14, "an answer holds once")
        #expect(try await client.state()["posts"]?.array?.count == 1)
    }

    @Test func pictureHasNewTextOnEachLoad() async throws {
        let client = try Client()
        try await client.setFaults(fault("old"))
        let error = try await client.vk("wall.post", post)["error"]
        let address = client.path(of: error?["captcha_img"]?.string ?? "")
        func answer() async throws -> String? { try await client.state()["captchas"]?[0]?["answer"]?.string }
        let first = try await answer()
        _ = try await client.get(address)
        let second = try await answer()
        #expect(first != second)
        let sid = error?["captcha_sid"]?.string ?? ""
        #expect(
            try await client.vkCode("wall.post", post + [("captcha_sid", sid), ("captcha_key", second ?? "")]) == nil)
    }

    @Test(arguments: ["wrong text", "changed message"])
    func wrongAnswerGivesFreshCaptcha(what: String) async throws {
        let client = try Client()
        try await client.setFaults(fault("old", answer: "zd5q2"))
        let sid = try await client.vk("wall.post", post)["error"]?["captcha_sid"]?.string ?? ""
        let call = what == "wrong text" ? post : [("message", "b"), ("guid", "g")]
        let key = what == "wrong text" ? "xxxxx" : "zd5q2"
        let error = try await client.vk("wall.post", call + [("captcha_sid", sid), ("captcha_key", key)])["error"]
        #expect(error?["error_code"]?.integer == 14)
        let fresh = try #require(error?["captcha_sid"]?.string)
        #expect(fresh != sid)
        #expect(try await client.vkCode("wall.post", call + [("captcha_sid", fresh), ("captcha_key", "zd5q2")]) == nil)
    }

    @Test(arguments: [true, false])
    func newFormTakesTokenOfItsPage(asCookie: Bool) async throws {
        let client = try Client()
        try await client.setFaults(fault("new"))
        let error = try #require(try await client.vk("wall.post", post)["error"])
        #expect(error["captcha_sid"] == nil)
        let remixstlid = try #require(error["remixstlid"]?.integer)
        #expect(remixstlid > 1 << 53)
        #expect("\(remixstlid)".utf8.count == 19)
        let address = try #require(error["redirect_uri"]?.string)
        let page = try await client.get(client.path(of: address) + "&origin=http://127.0.0.1:1")
        #expect(page.text.contains("vk-sak-sdk"))
        #expect(page.text.contains("VKCaptchaGetResult"))
        let session = String(address.split(separator: "&")[1].dropFirst("session_token=".count))
        let clicked = try await rawHTTP(
            port: client.port, "POST", "/not_robot_captcha/check",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array("session_token=\(session)".utf8))
        let token = try #require(try Value(json: clicked.body)["success_token"]?.string)
        var call = post + [("success_token", token)]
        if !asCookie { call.append(("remixstlid", "\(remixstlid)")) }
        let cookie = asCookie ? "remixstlid=\(remixstlid)" : nil
        #expect(try await client.vk("wall.post", call, cookie: cookie) == ["response": ["post_id": 1]])
        #expect(try await client.vk("wall.post", call, cookie: cookie)["error"]?["error_code"]?.integer == 14)
    }

    @Test func newFormRefusesRoundedNumber() async throws {
        let client = try Client()
        try await client.setFaults(fault("new"))
        let error = try await client.vk("wall.post", post)["error"]
        let token = try await client.state()["captchas"]?[0]?["success_token"]?.string ?? ""
        let rounded = Int64(Double(error?["remixstlid"]?.integer ?? 0))
        let answer = try await client.vk("wall.post", post + [("success_token", token), ("remixstlid", "\(rounded)")])
        #expect(answer["error"]?["error_code"]?.integer == 14)
        #expect(answer["error"]?["redirect_uri"] != nil)
    }

    /// The reference has VK's number sent along; only where the fault says so is a call without it refused.
    @Test(
        arguments: [
            (nil, false, false, true), (nil, true, true, true), ("field", true, false, true),
            ("field", false, true, false),
            ("cookie", false, true, true), ("cookie", true, false, false), ("cookie", true, true, true),
        ] as [(String?, Bool, Bool, Bool)])
    func numberIsDemandedWhereTheFaultSaysSo(
        demanded: String?, asField: Bool, asCookie: Bool, isTaken: Bool
    ) async throws {
        let client = try Client()
        try await client.setFaults(fault("new", remixstlid: demanded))
        let number = try await client.vk("wall.post", post)["error"]?["remixstlid"]?.integer ?? 0
        let token = try await client.state()["captchas"]?[0]?["success_token"]?.string ?? ""
        var call = post + [("success_token", token)]
        if asField { call.append(("remixstlid", "\(number)")) }
        let answer = try await client.vk("wall.post", call, cookie: asCookie ? "remixstlid=\(number)" : nil)
        #expect(answer["error"]?["error_code"]?.integer == (isTaken ? nil : 14))
    }

    @Test func pageExpiresAfterFiveMinutes() async throws {
        let client = try Client()
        try await client.setFaults(fault("new"))
        let address = client.path(of: try await client.vk("wall.post", post)["error"]?["redirect_uri"]?.string ?? "")
        client.pass(.seconds(300))
        #expect(try await client.get(address).status == 200)
        client.pass(.seconds(1))
        #expect(try await client.get(address).status == 410)
    }

    @Test func bothFormsComeTogetherAndOnlyThePageCounts() async throws {
        let client = try Client()
        try await client.setFaults(fault("both", answer: "zd5q2"))
        let error = try #require(try await client.vk("wall.post", post)["error"])
        #expect(error["captcha_sid"] != nil)
        #expect(error["redirect_uri"] != nil)
        let open = try await client.state()["captchas"]?[0]
        let call =
            post + [
                ("success_token", open?["success_token"]?.string ?? ""),
                ("remixstlid", "\(open?["remixstlid"]?.integer ?? 0)"),
            ]
        #expect(try await client.vkCode("wall.post", call) == nil)
    }

    @Test func forceAsksUntilAnswered() async throws {
        let client = try Client()
        let sid = try await client.vk("captcha.force")["error"]?["captcha_sid"]?.string ?? ""
        let key = try await client.state()["captchas"]?[0]?["answer"]?.string ?? ""
        #expect(try await client.vk("captcha.force", [("captcha_sid", sid), ("captcha_key", key)]) == ["response": 1])
        #expect(try await client.vkCode("captcha.force") == 14)
    }
}
