import CaptchaPage
import Sandbox
import TestSupport
import Testing
import Values

/// The page in a real browser: the program `chromium`, as Debian has it.
@Suite(.enabled(if: Browser.path != nil, "install chromium to run these"), .serialized)
struct BrowserTests {
    /// The stand-in of VK's page clicks itself once its parent has reported the pointer; its token must come through.
    @Test func tokenOfTheFramedPageArrives() async throws {
        let sandbox = try Sandbox.raisingCaptcha(form: "new")
        defer { sandbox.stop() }
        let call = try await sandbox.call(["message": "hello"])
        let address = try #require(call["error"]?["redirect_uri"]?.string)

        let open = try await OpenPage(.framed(address))
        let browser = try Browser(open.address)
        let reply = try await open.reply
        guard case .token(let token) = reply else {
            Issue.record("\(reply)")
            return
        }
        let shown = try await browser.finish()
        #expect(shown.contains("Done, you can close this page"))

        let remixstlid = try #require(call["error"]?["remixstlid"]?.integer)
        let passed = try await sandbox.call([
            "message": "hello", "success_token": token.reveal(), "remixstlid": "\(remixstlid)",
        ])
        #expect(passed["response"]?["post_id"]?.integer != nil)
        let check = try #require(try await sandbox.calls().last { $0["parameters"]?["sensors"] != nil })
        #expect(check["parameters"]?["sensors"] != "0", "the page must hear of the pointer")
    }

    @Test func pictureIsShownWithAField() async throws {
        let sandbox = try Sandbox.raisingCaptcha(form: "old")
        defer { sandbox.stop() }
        let call = try await sandbox.call(["message": "hello"])
        let sid = try #require(call["error"]?["captcha_sid"]?.string)
        let picture = try await rawHTTP(port: sandbox.port, "GET", "/captcha.php?sid=\(sid)&s=1").body

        let open = try await OpenPage(
            CaptchaQuestion(.picture(picture, contentType: "image/png"), title: "VK asks", detail: "Run 1"))
        let shown = try await Browser(open.address).finish()
        #expect(shown.contains("Text in the picture"))
        #expect(shown.contains("src=\"\(open.path)/picture\""))
        #expect(shown.contains("Good for 4:") || shown.contains("Good for 5:"))
        open.cancel()
    }

    @Test func framedPageThatIsGoneLeavesTheQuestionOpen() async throws {
        let sandbox = try SandboxServer()
        try sandbox.start()
        defer { sandbox.stop() }
        let open = try await OpenPage(.framed(sandbox.baseURL + "/not_robot_captcha?session_token=unknown"))
        _ = try await Browser(open.address).finish()
        #expect(try await open.send("GET").status == 200)
        open.cancel()
    }
}

extension SandboxServer {
    fileprivate func call(_ parameters: [String: String]) async throws -> Value {
        let fields = parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" } + ["v=5.199"]
        let answer = try await rawHTTP(
            port: port, "POST", "/method/wall.post",
            headers: [
                ("Content-Type", "application/x-www-form-urlencoded"), ("Authorization", "Bearer " + vkToken),
            ], body: Array(fields.joined(separator: "&").utf8))
        return try Value(json: answer.body)
    }

    fileprivate func calls() async throws -> [Value] {
        try Value(json: try await rawHTTP(port: port, "GET", "/_sandbox/state").body)["calls"]?.array ?? []
    }
}

private enum Sandbox {
    /// A stand-in that asks for a captcha before every post.
    static func raisingCaptcha(form: String) throws -> SandboxServer {
        let faults = try SandboxFault.list(
            json: Array(
                #"[{"on": "wall.post", "call": "every", "fault": {"type": "captcha", "form": "\#(form)", "auto": true}}]"#
                    .utf8))
        let server = try SandboxServer(configuration: SandboxConfiguration(faults: faults))
        try server.start()
        return server
    }
}
