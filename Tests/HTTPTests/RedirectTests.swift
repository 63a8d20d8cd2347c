import HTTP
import TestSupport
import Testing

@Suite struct RedirectTests {
    let client = CurlClient()

    private static func redirect(_ status: Int, _ location: String) -> [ScriptedServer.Action] {
        [.answer(status, [("Location", location)], Array("moved".utf8))]
    }

    @Test func redirectIsAnAnswerUnlessFollowed() async throws {
        let server = ScriptedServer { _ in Self.redirect(302, "/b") }
        let response = try await client.send(HTTPRequest(.get, server.url("/a")))
        #expect(response.status == 302)
        #expect(response.text == "moved")
        #expect(server.requests.count == 1)
    }

    @Test func relativeLocationsAreResolved() async throws {
        let server = ScriptedServer { request in
            switch request.target {
            case "/x/a?q=1": Self.redirect(301, "b?q=2")
            case "/x/b?q=2": Self.redirect(307, "/c d")
            default: [.answer(200, [], Array("end".utf8))]
            }
        }
        let response = try await client.send(HTTPRequest(.get, server.url("/x/a?q=1"), maxRedirects: 2))
        #expect(response.text == "end")
        #expect(server.requests.map(\.target) == ["/x/a?q=1", "/x/b?q=2", "/c%20d"])
    }

    @Test func oneRedirectTooManyIsAnError() async {
        let server = ScriptedServer { _ in Self.redirect(302, "/again") }
        let error = await failure { try await client.send(HTTPRequest(.get, server.url("/"), maxRedirects: 3)) }
        #expect(error?.kind == .tooManyRedirects)
        #expect(error?.message == server.url("/again leads on after 3 redirects, the most that are followed"))
        #expect(server.requests.count == 4)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/"])
    func redirectToAnotherSchemeIsRefused(_ location: String) async {
        let server = ScriptedServer { _ in Self.redirect(302, location) }
        let error = await failure { try await client.send(HTTPRequest(.get, server.url(), maxRedirects: 5)) }
        #expect(error?.kind == .badAddress)
        let scheme = location.prefix { $0 != ":" }
        #expect(error?.message == "a redirect leads to the scheme '\(scheme)', and only http and https are used")
        #expect(error?.mayHaveBeenSent == true)
    }

    @Test func anotherHostGetsNoCredentials() async throws {
        let other = ScriptedServer()
        let server = ScriptedServer { _ in Self.redirect(302, other.url("/there")) }
        _ = try await client.send(
            HTTPRequest(
                .get, server.url().replacing("http://", with: "http://user:password@"),
                headers: [
                    ("authorization", "Bearer s3cr3t"), ("Cookie", "s3cr3t"), ("X-Api-Key", "s3cr3t"),
                    ("Accept", "a/b"),
                ], maxRedirects: 1))
        let head = other.requests[0].head
        #expect(server.requests[0].header("authorization") == "Bearer s3cr3t")
        #expect(other.requests[0].header("Authorization") == nil)
        #expect(!head.contains("s3cr3t"))
        #expect(other.requests[0].header("Accept") == "a/b")
    }

    @Test func theSameOriginKeepsCredentials() async throws {
        let server = ScriptedServer { $0.target == "/a" ? Self.redirect(302, "/b") : [.answer()] }
        _ = try await client.send(
            HTTPRequest(.get, server.url("/a"), headers: [("Authorization", "Bearer t")], maxRedirects: 1))
        #expect(server.requests[1].header("Authorization") == "Bearer t")
    }

    @Test(arguments: [
        (301, HTTPRequest.Method.post, "GET", ""), (302, .post, "GET", ""), (303, .post, "GET", ""),
        (307, .post, "POST", "a=1"), (308, .post, "POST", "a=1"), (302, .put, "PUT", "a=1"), (303, .put, "GET", ""),
    ]) func methodAndBodyFollowTheStatus(
        _ status: Int, method: HTTPRequest.Method, next: String, body: String
    ) async throws {
        let server = ScriptedServer { $0.target == "/a" ? Self.redirect(status, "/b") : [.answer()] }
        _ = try await client.send(
            HTTPRequest(method, server.url("/a"), body: .form([("a", "1")]), isWrite: true, maxRedirects: 1))
        let second = server.requests[1]
        #expect(second.method == next)
        #expect(String(decoding: second.body, as: UTF8.self) == body)
        #expect((second.header("Content-Type") != nil) == !body.isEmpty)
    }

    @Test func bodyIsNotSentOnToAnotherHost() async {
        let other = ScriptedServer()
        let server = ScriptedServer { _ in Self.redirect(307, other.url("/there?k=s3cr3t")) }
        let error = await failure {
            try await client.send(
                HTTPRequest(.post, server.url("/a"), body: .form([("a", "1")]), isWrite: true, maxRedirects: 1))
        }
        let message =
            "\(server.url("/a")) redirects to \(other.url("/there?…")), and a body is never sent on to another host"
        #expect(error == HTTPError(kind: .badAnswer, message: message, mayHaveBeenSent: true))
        #expect(other.requests.isEmpty)
    }

    @Test func laterFailureStillMayHaveBeenSent() async {
        let port = ScriptedServer.unusedPort()
        let server = ScriptedServer { _ in Self.redirect(302, "http://127.0.0.1:\(port)/") }
        let error = await failure { try await client.send(HTTPRequest(.post, server.url(), maxRedirects: 1)) }
        #expect(error?.kind == .connect)
        #expect(error?.mayHaveBeenSent == true)
    }

    @Test func allHopsShareTheTotalLimit() async {
        let server = ScriptedServer { request in
            request.target == "/a" ? Self.redirect(302, "/b") : [.waitForClient]
        }
        let error = await failure {
            try await client.send(
                HTTPRequest(.get, server.url("/a"), limits: .total(.milliseconds(300)), maxRedirects: 9))
        }
        #expect(error?.kind == .timeout)
    }

    @Test(arguments: [
        (["127.0.0.1"], true), (["127.0.0.1:PORT"], true), (["api.vk.com", "127.0.0.1"], true), ([], false),
        (["127.0.0.1:1"], false), (["localhost"], false), (["127.0.0.1.example"], false),
    ]) func onlyAllowedHostsAreAsked(_ hosts: [String], isAllowed: Bool) async throws {
        let server = ScriptedServer()
        let hosts = hosts.map { $0.replacing("PORT", with: "\(server.port)") }
        let client = CurlClient(configuration: .init(allowedHosts: hosts))
        let request = HTTPRequest(.get, server.url("/a?b"))
        if isAllowed {
            _ = try await client.send(request)
        } else {
            let error = await failure { try await client.send(request) }
            let message = "the address has the host 127.0.0.1:\(server.port), which is not allowed here"
            #expect(error == HTTPError(kind: .badAddress, message: message, mayHaveBeenSent: false))
        }
        #expect(server.requests.count == (isAllowed ? 1 : 0))
    }

    @Test func redirectToAHostThatIsNotAllowedIsRefused() async {
        let server = ScriptedServer { _ in Self.redirect(302, "https://api.vk.com/method/x?token=y") }
        let client = CurlClient(configuration: .init(allowedHosts: ["127.0.0.1"]))
        let error = await failure {
            try await client.send(HTTPRequest(.get, server.url(), maxRedirects: 1, label: "x"))
        }
        let message = "x: a redirect leads to the host api.vk.com, which is not allowed here"
        #expect(error == HTTPError(kind: .badAddress, message: message, mayHaveBeenSent: true))
    }
}
