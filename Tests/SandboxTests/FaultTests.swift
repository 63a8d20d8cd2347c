import Sandbox
import TestSupport
import Testing
import Values

@Suite struct FaultTests {
    private func on(_ place: String, _ fault: Value, call: Value = 1) -> Value {
        [["on": .string(place), "call": call, "fault": fault]]
    }

    private func posts(_ client: Client) async throws -> Int? { try await client.state()["posts"]?.array?.count }

    @Test func vkErrorComesOnItsCall() async throws {
        let client = try Client()
        try await client.setFaults(
            on("wall.post", ["type": "vk-error", "code": 6, "subcode": 3, "echo-token": true], call: 2))
        #expect(try await client.vkCode("wall.post", [("message", "a")]) == nil)
        let second = try await client.vkRaw("wall.post", [("message", "b")])
        let error = try Value(json: second.body)["error"]
        #expect(error?["error_msg"]?.string == "Too many requests per second")
        #expect(error?["error_subcode"]?.integer == 3)
        #expect(second.text.contains(client.sandbox.vkToken))
        #expect(try await client.vkCode("wall.post", [("message", "b")]) == nil)
        #expect(
            try await client.state()["calls"]?.array?.map { $0["result"]?.string } == ["ok", "fault vk-error 6", "ok"])
    }

    @Test(
        arguments: [
            (.array([1, 3]), [true, false, true, false]), ("every", [true, true, true, true]),
            (["from": 2, "times": 2], [false, true, true, false]),
        ] as [(Value, [Bool])])
    func callsAreChosen(call: Value, hit: [Bool]) async throws {
        let client = try Client()
        try await client.setFaults(on("users.get", ["type": "vk-error", "code": 10], call: call))
        for isHit in hit { #expect(try await client.vkCode("users.get") == (isHit ? 10 : nil)) }
        try await client.control("DELETE", "faults")
        #expect(try await client.vkCode("users.get") == nil)
    }

    @Test(arguments: [("before", "reset", 0), ("before", "close", 0), ("after", "reset", 1), ("after", "close", 1)])
    func cutEndsTheConnection(when: String, how: String, posted: Int) async throws {
        let client = try Client()
        try await client.setFaults(on("wall.post", ["type": "cut", "when": .string(when), "how": .string(how)]))
        let connection = try RawConnection(port: client.port)
        try await connection.send(
            rawRequest(
                port: client.port, "POST", "/method/wall.post",
                headers: [
                    ("Content-Type", "application/x-www-form-urlencoded"),
                    ("Authorization", "Bearer " + client.sandbox.vkToken),
                ], body: Array("message=a&v=5.199".utf8)))
        let (bytes, ending) = try await connection.readToEnd()
        #expect(bytes.isEmpty)
        #expect(ending == (how == "reset" ? .reset : .end))
        #expect(try await posts(client) == posted)
    }

    @Test(arguments: [("before", 0), ("after", 1)])
    func httpStatusReplacesTheAnswer(when: String, posted: Int) async throws {
        let client = try Client()
        try await client.setFaults(
            on("wall.post", ["type": "http", "status": 502, "body": "html", "retry-after": 7, "when": .string(when)]))
        let answer = try await client.vkRaw("wall.post", [("message", "a")])
        #expect(answer.status == 502)
        #expect(answer.text.hasPrefix("<html>"))
        #expect(answer.header("Retry-After") == "7")
        #expect(try await posts(client) == posted)
    }

    @Test func truncatedAnswerHasDoneItsWork() async throws {
        let client = try Client()
        try await client.setFaults(on("wall.post", ["type": "truncate", "bytes": 5]))
        let connection = try RawConnection(port: client.port)
        try await connection.send(
            rawRequest(
                port: client.port, "GET", "/method/wall.post?message=a&v=5.199&access_token=\(client.sandbox.vkToken)"))
        let text = String(decoding: try await connection.readToEnd().bytes, as: UTF8.self)
        // {"response":{"post_id":1}} has 26 bytes.
        #expect(text.contains("Content-Length: 26\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{\"res"))
        #expect(try await posts(client) == 1)
    }

    @Test func hangingCallIsListedAndEndsWithTheServer() async throws {
        let client = try Client()
        try await client.setFaults(on("wall.post", ["type": "hang", "when": "after"]))
        let connection = try RawConnection(port: client.port)
        try await connection.send(
            rawRequest(
                port: client.port, "GET", "/method/wall.post?message=a&v=5.199&access_token=\(client.sandbox.vkToken)"))
        while try await client.state()["counts"]?["wall.post"] == nil { await Task.yield() }
        #expect(try await posts(client) == 1)
        client.sandbox.stop()
        #expect(try await connection.readToEnd().bytes.isEmpty)
    }

    @Test func delayGoesOnIntoTheNextFault() async throws {
        let client = try Client()
        try await client.setFaults([
            ["on": "users.get", "call": 1, "fault": ["type": "delay", "duration": "1ms"]],
            ["on": "users.get", "call": 1, "fault": ["type": "vk-error", "code": 10]],
            ["on": "users.get", "call": 2, "fault": ["type": "delay", "duration": "1ms"]],
        ])
        #expect(try await client.vkCode("users.get") == 10)
        #expect(try await client.vkCode("users.get") == nil)
    }

    @Test func uploadFaults() async throws {
        let client = try Client()
        try await client.setFaults([
            ["on": "upload", "call": 1, "fault": ["type": "empty-upload"]],
            ["on": "upload", "call": 2, "fault": ["type": "text", "body": "Security Breach2"]],
        ])
        let address = try await client.vk("photos.getWallUploadServer")["response"]?["upload_url"]?.string ?? ""
        #expect(try Value(json: try await client.upload(smallJPEG, to: address).body)["photo"]?.string == "[]")
        #expect(try await client.upload(smallJPEG, to: address).text == "Security Breach2")
        #expect(try Value(json: try await client.upload(smallJPEG, to: address).body)["photo"]?.string != "[]")
    }

    @Test func attachmentIsDropped() async throws {
        let client = try Client()
        let attachment = try await client.savedPhoto()
        try await client.setFaults(on("wall.post", ["type": "drop-attachment"]))
        #expect(try await client.vk("wall.post", [("attachments", attachment)]) == ["response": ["post_id": 1]])
        #expect(try await client.vk("wall.get")["response"]?["items"]?[0]?["attachments"]?.array?.isEmpty == true)
    }

    @Test func instagramAndPhotoFaults() async throws {
        let client = try Client()
        try await client.setFaults([
            ["on": "me/media", "call": 1, "fault": ["type": "instagram-error", "code": 190, "subcode": 463]],
            ["on": "cdn", "call": "every", "fault": ["type": "http", "status": 503]],
        ])
        let address = "/me/media?fields=media_url&access_token=\(client.sandbox.instagramToken)"
        let error = try await client.json(address)["error"]
        #expect(error?["code"]?.integer == 190)
        #expect(error?["error_subcode"]?.integer == 463)
        #expect(error?["type"]?.string == "OAuthException")
        let link = try await client.json(address)["data"]?[1]?["media_url"]?.string ?? ""
        #expect(try await client.get(client.path(of: link)).status == 503)
    }

    @Test(arguments: [
        ("nonsense", "the faults are not JSON:"),
        ("{}", "the faults are object, not a list."),
        (#"[{"on":"wall.pots","fault":{"type":"hang"}}]"#, "fault 1: nothing is called 'wall.pots'."),
        (#"[{"on":"cdn"}]"#, "fault 1: 'fault' is missing."),
        (
            #"[{"on":"cdn","fault":{"type":"hang"}},{"on":"cdn","fault":{"type":"hung"}}]"#,
            "fault 2: there is no type 'hung'."
        ),
        (#"[{"on":"cdn","call":0,"fault":{"type":"hang"}}]"#, "fault 1: 'call' is 0."),
        (#"[{"on":"cdn","cal":1,"fault":{"type":"hang"}}]"#, "fault 1: unknown key 'cal'."),
        (
            #"[{"on":"cdn","fault":{"type":"captcha"}}]"#,
            "fault 1: 'captcha' goes with VK's methods only, not with 'cdn'."
        ),
        (#"[{"on":"cdn","fault":{"type":"cut","how":"gently"}}]"#, "fault 1 (cut): 'how' cannot be 'gently'."),
        (#"[{"on":"cdn","fault":{"type":"delay","duration":"soon"}}]"#, "fault 1: 'soon' is no duration."),
        (#"[{"on":"cdn","fault":{"type":"http","status":99}}]"#, "fault 1 (http): 'status' is 99."),
    ])
    func wrongFaultsAreRefused(text: String, beginning: String) async throws {
        let error = #expect(throws: SandboxError.self) { try SandboxFault.list(json: Array(text.utf8)) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
    }
}
