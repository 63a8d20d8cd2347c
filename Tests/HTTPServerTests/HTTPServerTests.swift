import HTTPServer
import TestSupport
import Testing
import Threading

@Suite struct HTTPServerTests {
    private let formType = ("Content-Type", "application/x-www-form-urlencoded")

    /// A server that hands each request to `seen` and answers "ok".
    private func recorder(maxBodyBytes: Int = 1 << 20) throws -> (HTTPServer, Locked<[HTTPServerRequest]>) {
        let seen = Locked<[HTTPServerRequest]>([])
        let server = try HTTPServer(maxBodyBytes: maxBodyBytes) { request in
            seen.withLock { $0.append(request) }
            return .text("ok")
        }
        return (server, seen)
    }

    @Test func givesMethodPathQueryHeadersAndCookies() async throws {
        let (server, seen) = try recorder()
        let answer = try await rawHTTP(
            port: server.port, "GET", "/a%20b/%D0%BC?x=1&y=%2B+z&x=2&empty=",
            headers: [("X-Mark", "7"), ("Cookie", "one=1; two=zwei")])
        #expect(answer.status == 200)
        #expect(answer.text == "ok")
        let request = try #require(seen.withLock { $0.first })
        #expect(request.method == "GET")
        #expect(request.path == "/a b/м")
        #expect(request.query.map { "\($0.name)=\($0.value)" } == ["x=1", "y=+ z", "x=2", "empty="])
        #expect(request.header("x-mark") == "7")
        #expect(request.cookie("two") == "zwei")
        #expect(request.argument("x") == "1")
        #expect(request.form.isEmpty)
    }

    @Test func readsUrlencodedForm() async throws {
        let (server, seen) = try recorder()
        _ = try await rawHTTP(
            port: server.port, "POST", "/", headers: [formType],
            body: Array("a=1&b=%D0%B0+%26%3D&c=&a=2&last=%F0%9F%8C%8A".utf8))
        let request = try #require(seen.withLock { $0.first })
        #expect(request.form.map { "\($0.name)=\($0.text)" } == ["a=1", "b=а &=", "c=", "a=2", "last=🌊"])
        #expect(request.form.allSatisfy { $0.fileName == nil })
    }

    /// Long enough that escapes fall on every edge between the pieces in which the body arrives.
    @Test func readsLongUrlencodedValueWhole() async throws {
        let (server, seen) = try recorder()
        let text = String(repeating: "Привет, 🌊 & море! ", count: 9000)
        let escaped = text.utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
        }.joined()
        _ = try await rawHTTP(
            port: server.port, "POST", "/", headers: [formType], body: Array("first=1&text=\(escaped)&tail=z".utf8))
        let request = try #require(seen.withLock { $0.first })
        #expect(request.field("text")?.text == text)
        #expect(request.field("tail")?.text == "z")
        #expect(request.form.count == 3)
    }

    @Test func readsMultipartFormWithFile() async throws {
        let (server, seen) = try recorder()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        var body = Array("--BB\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nдень\r\n".utf8)
        body += Array("--BB\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"card.jpg\"\r\n".utf8)
        body += Array("Content-Type: image/jpeg\r\n\r\n".utf8) + content
        body += Array("\r\n--BB\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--BB--\r\n".utf8)
        _ = try await rawHTTP(
            port: server.port, "POST", "/", headers: [("Content-Type", "multipart/form-data; boundary=BB")], body: body)
        let request = try #require(seen.withLock { $0.first })
        #expect(request.form.map(\.name) == ["note", "photo", "empty"])
        #expect(request.field("note")?.text == "день")
        let photo = try #require(request.field("photo"))
        #expect(photo.fileName == "card.jpg")
        #expect(photo.contentType == "image/jpeg")
        #expect(photo.bytes == content)
        #expect(request.field("empty")?.bytes == [])
    }

    @Test func refusesBrokenMultipart() async throws {
        let (server, seen) = try recorder()
        let answer = try await rawHTTP(
            port: server.port, "POST", "/", headers: [("Content-Type", "multipart/form-data; boundary=BB")],
            body: Array("--BB\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno end".utf8))
        #expect(answer.status == 400)
        #expect(seen.withLock { $0.isEmpty })
    }

    @Test func givesBodyThatIsNoForm() async throws {
        let (server, seen) = try recorder()
        _ = try await rawHTTP(
            port: server.port, "POST", "/", headers: [("Content-Type", "application/json")],
            body: Array("{\"a\":1}".utf8))
        #expect(seen.withLock { $0.first?.body } == Array("{\"a\":1}".utf8))
    }

    @Test func refusesBodyAboveTheLimit() async throws {
        let (server, seen) = try recorder(maxBodyBytes: 1000)
        let large = try await rawHTTP(port: server.port, "POST", "/", body: [UInt8](repeating: 1, count: 1001))
        #expect(large.status == 413)
        #expect(large.text == "The body is larger than 1000 bytes.\n")
        let fitting = try await rawHTTP(port: server.port, "POST", "/", body: [UInt8](repeating: 1, count: 1000))
        #expect(fitting.status == 200)
        #expect(seen.withLock { $0.map(\.body.count) } == [1000])
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.0.0.1:80", true), ("localhost:8080", true), ("LocalHost", true), ("[::1]:9", true),
        ("example.com", false), ("127.0.0.1.example.com", false), ("localhost.example.com:80", false),
        ("127.0.0.1:80@example.com", false), ("", false), ("0.0.0.0", false), ("[::1].example.com", false),
    ])
    func refusesHostsThatAreNotLoopback(host: String, isAllowed: Bool) async throws {
        let (server, seen) = try recorder()
        let answer = try await rawHTTP(port: server.port, "GET", "/", headers: [("Host", host)])
        #expect(answer.status == (isAllowed ? 200 : 403))
        #expect(seen.withLock { $0.count } == (isAllowed ? 1 : 0))
    }

    @Test func sendsStatusHeadersAndBytes() async throws {
        let server = try HTTPServer { _ in
            HTTPServerResponse(
                status: 404, headers: [("Content-Type", "image/png"), ("X-One", "1")], body: [0, 255, 10])
        }
        let answer = try await rawHTTP(port: server.port, "GET", "/")
        #expect(answer.status == 404)
        #expect(answer.header("content-type") == "image/png")
        #expect(answer.header("x-one") == "1")
        #expect(answer.body == [0, 255, 10])
    }

    @Test func answersHeadWithoutBody() async throws {
        let (server, _) = try recorder()
        let answer = try await rawHTTP(port: server.port, "HEAD", "/")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Length") == "2")
    }

    @Test func keepsConnectionForNextRequest() async throws {
        let (server, seen) = try recorder()
        let connection = try RawConnection(port: server.port)
        for _ in 1...3 {
            try await connection.send(
                rawRequest(port: server.port, "POST", "/", headers: [formType], body: Array("a=1".utf8)))
            #expect(try await connection.readAnswer().text == "ok")
        }
        let ports = seen.withLock { Set($0.map(\.clientPort)) }
        #expect(ports.count == 1)
        #expect(ports.first != 0)
    }

    /// The second request of a connection, so that a client meets the end on a connection that it reuses.
    @Test(arguments: [(HTTPServerResponse.Cut.close, RawConnection.Ending.end), (.reset, .reset)])
    func cutsReusedConnection(how: HTTPServerResponse.Cut, ending: RawConnection.Ending) async throws {
        let server = try HTTPServer { $0.path == "/cut" ? .cut(how: how) : .text("ok") }
        let connection = try RawConnection(port: server.port)
        try await connection.send(rawRequest(port: server.port, "GET", "/"))
        #expect(try await connection.readAnswer().text == "ok")
        try await connection.send(
            rawRequest(port: server.port, "POST", "/cut", headers: [formType], body: Array("a=1".utf8)))
        let (bytes, met) = try await connection.readToEnd()
        #expect(bytes.isEmpty)
        #expect(met == ending)
        #expect(try await rawHTTP(port: server.port, "GET", "/").text == "ok")
    }

    @Test func truncatesBody() async throws {
        let server = try HTTPServer { _ in
            .truncated(Array("{\"resp".utf8), claimedLength: 100, headers: [("Content-Type", "application/json")])
        }
        let connection = try RawConnection(port: server.port)
        try await connection.send(rawRequest(port: server.port, "GET", "/"))
        let text = String(decoding: try await connection.readToEnd().bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200"))
        #expect(text.contains("Content-Length: 100\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{\"resp"))
    }

    @Test func answersManyAtOnce() async throws {
        let server = try HTTPServer { request in
            await Task.yield()
            return .text(request.argument("n") ?? "")
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask { try await rawHTTP(port: server.port, "GET", "/?n=\(number)").text == "\(number)" }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    /// A handler that never answers by itself.
    @Test func stopEndsOpenRequestsAndCancelsTheirHandlers() async throws {
        let (began, begin) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let server = try HTTPServer { _ in
            begin.yield()
            let (never, hold) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            _ = hold
            end.yield()
            return .text("late")
        }
        let connection = try RawConnection(port: server.port)
        try await connection.send(rawRequest(port: server.port, "GET", "/"))
        for await _ in began { break }
        server.stop()
        #expect(try await connection.readToEnd().bytes.isEmpty)
        for await _ in ended { break }
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: server.port) }
        server.stop()
    }

    /// Whoever stops the server for what a request said does not cut that request's answer.
    @Test func answerIsWholeWhenTheServerIsStoppedOnceItWasSent() async throws {
        let text = String(repeating: "agreed ", count: 4 << 10)
        for _ in 0..<20 {
            let (sent, continuation) = AsyncStream<Void>.makeStream()
            let server = try HTTPServer { _ in .text(text).whenSent { continuation.yield() } }
            let connection = try RawConnection(port: server.port)
            try await connection.send(rawRequest(port: server.port, "GET", "/"))
            for await _ in sent { break }
            server.stop()
            #expect(try await connection.readAnswer().text == text)
        }
    }

    @Test(arguments: [HTTPServerResponse.Cut.close, .reset])
    func cutAnswerCountsAsSent(how: HTTPServerResponse.Cut) async throws {
        let (sent, continuation) = AsyncStream<Void>.makeStream()
        let server = try HTTPServer { _ in .cut(how: how).whenSent { continuation.yield() } }
        let connection = try RawConnection(port: server.port)
        try await connection.send(rawRequest(port: server.port, "GET", "/"))
        for await _ in sent { break }
        #expect(try await connection.readToEnd().bytes.isEmpty)
    }

    @Test func answerToAStoppedServerCountsAsSent() async throws {
        let (began, begin) = AsyncStream<Void>.makeStream()
        let (sent, continuation) = AsyncStream<Void>.makeStream()
        let (stopped, go) = AsyncStream<Void>.makeStream()
        let server = try HTTPServer { _ in
            begin.yield()
            // Not cancelled with the handler: it waits for the stop in any case.
            await Task { for await _ in stopped { break } }.value
            return .text("late").whenSent { continuation.yield() }
        }
        let connection = try RawConnection(port: server.port)
        try await connection.send(rawRequest(port: server.port, "GET", "/"))
        for await _ in began { break }
        server.stop()
        go.yield()
        for await _ in sent { break }
        #expect(try await connection.readToEnd().bytes.isEmpty)
    }

    @Test func saysWhichPortIsTaken() throws {
        let server = try HTTPServer { _ in .text("") }
        let error = #expect(throws: HTTPServerError.self) { try HTTPServer(port: server.port) { _ in .text("") } }
        #expect(
            error?.description
                == "cannot listen on 127.0.0.1:\(server.port): another program uses this port. "
                + "Choose another port, or 0 for a free one")
    }
}
