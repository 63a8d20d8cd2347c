import TestSupport
import Testing
import Values

@testable import CaptchaPage

@Suite struct CaptchaPageTests {
    @Test func addressIsLongAndRandom() async throws {
        let first = try await OpenPage(.old)
        let second = try await OpenPage(.old, on: first.page)
        #expect(first.address.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}/) != nil)
        #expect(first.path != second.path)
    }

    @Test func otherAddressesAreNotThere() async throws {
        let open = try await OpenPage(.old)
        for path in ["/", "/favicon.ico", "/00000000000000000000000000000000", open.path + "/other"] {
            let answer = try await rawHTTP(port: open.port, "GET", path)
            #expect(answer.status == 404, "\(path)")
        }
    }

    @Test func foreignNamesOfTheMachineAreRefused() async throws {
        let open = try await OpenPage(.old)
        #expect(try await open.send("GET", headers: [("Host", "evil.example")]).status == 403)
    }

    @Test func pageLoadsNothingFromElsewhereButTheFrame() async throws {
        let open = try await OpenPage(.framed())
        let answer = try await open.send("GET")
        #expect(answer.status == 200)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("Referrer-Policy") == "no-referrer")
        let policy = try #require(answer.header("Content-Security-Policy"))
        let rules = policy.split(separator: "; ").map(String.init)
        #expect(rules.contains("default-src 'none'"))
        #expect(rules.contains("frame-src https://id.vk.ru"))
        #expect(rules.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([^']+)'/)).1
        #expect(answer.text.contains("<script nonce=\"\(nonce)\">"))
        let again = try await open.send("GET")
        #expect(again.header("Content-Security-Policy") != policy, "a nonce is used once")
    }

    @Test func textsAreEscaped() async throws {
        let question = CaptchaQuestion(
            .picture([], contentType: "image/png"), title: "<b>&\"'", detail: "{{nonce}} </script>")
        let page = try await OpenPage(question).send("GET").text
        #expect(page.contains("<h1>&lt;b&gt;&amp;&quot;&#39;</h1>"))
        #expect(page.contains("<p>{{nonce}} &lt;/script&gt;</p>"))
    }

    @Test func showsThePicture() async throws {
        let answer = try await OpenPage(.old).send("GET", "/picture")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "image/png")
        #expect(answer.body == [0x89, 0x50, 0x4E, 0x47])
    }

    @Test func textReachesWhoAsked() async throws {
        let open = try await OpenPage(.old)
        #expect(try await open.send("POST", form: "text=+zx8mq%0A").status == 204)
        #expect(try await open.reply == .text("zx8mq"))
    }

    /// The page is ended as soon as the reply is there.
    @Test func browserGetsTheLastWordFirst() async throws {
        for _ in 0..<20 {
            let open = try await OpenPage(.old)
            async let answer = open.send("POST", form: "text=zx8mq")
            _ = try await open.reply
            open.page.stop()
            #expect(try await answer.status == 204)
        }
    }

    @Test func tokenReachesWhoAsked() async throws {
        let open = try await OpenPage(.framed())
        #expect(try await open.send("POST", form: "token=eyJ.a-b_c").status == 204)
        #expect(try await open.reply == .token(Secret("eyJ.a-b_c")))
    }

    @Test func declining() async throws {
        let open = try await OpenPage(.framed())
        #expect(try await open.send("POST", form: "later=1").status == 204)
        #expect(try await open.reply == .declined)
    }

    @Test func addressIsGoodForOneAnswer() async throws {
        let open = try await OpenPage(.old)
        _ = try await open.send("POST", form: "text=first")
        #expect(try await open.send("POST", form: "text=second").status == 410)
        #expect(try await open.send("GET").status == 410)
        #expect(try await open.send("GET", "/picture").status == 410)
        #expect(try await open.reply == .text("first"))
    }

    @Test(arguments: ["", "text=", "text=%20", "token=abc"])
    func whatIsNoAnswerLeavesTheQuestionOpen(form: String) async throws {
        let open = try await OpenPage(.old)
        #expect(try await open.send("POST", form: form).status == 400)
        _ = try await open.send("POST", form: "text=ok")
        #expect(try await open.reply == .text("ok"))
    }

    @Test func endlessAnswerIsRefused() async throws {
        let open = try await OpenPage(.old)
        #expect(try await open.send("POST", form: "text=" + String(repeating: "a", count: 9000)).status == 400)
        open.cancel()
    }

    @Test func answersFromOtherPagesAreRefused() async throws {
        let open = try await OpenPage(.old)
        let answer = try await open.send("POST", headers: [("Origin", "http://evil.example")], form: "text=evil")
        #expect(answer.status == 403)
        open.cancel()
    }

    @Test func otherMethodsAreRefused() async throws {
        #expect(try await OpenPage(.old).send("DELETE").status == 405)
    }

    @Test func timeOver() async throws {
        let question = CaptchaQuestion(.picture([], contentType: "image/png"), title: "", detail: "", life: .zero)
        let open = try await OpenPage(question)
        #expect(try await open.reply == .expired)
        #expect(try await open.send("GET").status == 410)
    }

    @Test func givingUpEndsTheAddress() async throws {
        let open = try await OpenPage(.old)
        open.cancel()
        await #expect(throws: CancellationError.self) { try await open.reply }
        #expect(try await open.send("POST", form: "text=late").status == 410)
    }

    @Test(arguments: [
        // Of VK's own example, and an address that has both members already.
        (
            "https://id.vk.ru/not_robot_captcha?domain=vk.com&session_token=eyJ.A.B&variant=popup&blank=1",
            "https://id.vk.ru/not_robot_captcha?domain=vk.com&session_token=eyJ.A.B&blank=1"
                + "&origin=http%3A%2F%2F127.0.0.1:8080&variant=popup"
        ),
        (
            "https://ID.vk.ru/c?origin=http://evil.example&a=1&variant=block",
            "https://id.vk.ru/c?a=1&origin=http%3A%2F%2F127.0.0.1:8080&variant=popup"
        ),
        ("http://127.0.0.1:9/c", "http://127.0.0.1:9/c?origin=http%3A%2F%2F127.0.0.1:8080&variant=popup"),
    ])
    func frameIsToldItsParent(given: String, expected: String) throws {
        #expect(try FrameAddress(Secret(given), parent: "http://127.0.0.1:8080").address == expected)
    }

    @Test(arguments: ["http://id.vk.ru/c", "javascript:alert(1)", "data:text/html,x", "id.vk.ru", ""])
    func unsafeAddressesAreNotFramed(given: String) {
        #expect(throws: CaptchaPageError.badAddress) {
            try FrameAddress(Secret(given), parent: "http://127.0.0.1:8080")
        }
    }
}
