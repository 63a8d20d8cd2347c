import HTTP
import TestSupport
import Testing

@Suite struct WriteTests {
    let client = CurlClient()

    /// A server that ends a kept connection without an answer when a second request comes by it: a client that trusts
    /// kept connections then cannot know whether that request was carried out.
    private func serverThatDropsKeptConnections() -> ScriptedServer {
        ScriptedServer { request in
            if request.target == "/first" || request.connection > 0 { return [.answer()] }
            return [.close]
        }
    }

    @Test func writeIsNeverSentTwiceOnADeadConnection() async throws {
        let server = serverThatDropsKeptConnections()
        _ = try await client.send(HTTPRequest(.get, server.url("/first")))
        let response = try await client.send(HTTPRequest(.post, server.url("/post"), isWrite: true))
        #expect(response.status == 200)
        #expect(server.requests.map { "\($0.connection) \($0.target)" } == ["0 /first", "1 /post"])
    }

    @Test func readIsSentAgainByLibcurlOnADeadConnection() async throws {
        let server = serverThatDropsKeptConnections()
        _ = try await client.send(HTTPRequest(.get, server.url("/first")))
        let response = try await client.send(HTTPRequest(.get, server.url("/read")))
        #expect(response.status == 200)
        #expect(server.requests.map { "\($0.connection) \($0.target)" } == ["0 /first", "0 /read", "1 /read"])
    }

    @Test(arguments: 1...3) func writeThatIsDroppedIsReportedAndSentOnce(_ warmUps: Int) async throws {
        let server = ScriptedServer { $0.method == "POST" ? [.close] : [.answer()] }
        for _ in 0..<warmUps { _ = try await client.send(HTTPRequest(.get, server.url())) }
        let error = await failure {
            try await client.send(
                HTTPRequest(.post, server.url(), body: .form([("a", "b")]), isWrite: true, label: "wall.post"))
        }
        #expect(
            error
                == HTTPError(
                    kind: .cut, message: "wall.post broke off: Empty reply from server", mayHaveBeenSent: true))
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test func writeGetsAConnectionEvenWhenAllKeptOnesAreIdle() async throws {
        let client = CurlClient(configuration: .init(maxConnectionsPerHost: 1))
        let server = ScriptedServer()
        for _ in 0..<3 { _ = try await client.send(HTTPRequest(.post, server.url(), isWrite: true)) }
        #expect(server.requests.map(\.connection) == [0, 1, 2])
    }
}
