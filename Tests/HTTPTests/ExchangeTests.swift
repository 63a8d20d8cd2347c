import Files
import HTTP
import TestSupport
import Testing

@Suite struct ExchangeTests {
    let client = CurlClient(configuration: .init(userAgent: "pasteup/1.2.3"))

    @Test func statusHeadersAndBodyComeBack() async throws {
        let server = ScriptedServer { _ in
            [
                .text(
                    "HTTP/1.1 404 Not Found\r\nX-One: 1 \r\nSet-Cookie: a\r\nset-cookie: b\r\nContent-Length: 4\r\n\r\nnope"
                )
            ]
        }
        let response = try await client.send(HTTPRequest(.get, server.url("/a?b=c")))
        #expect(response.status == 404)
        #expect(response.text == "nope")
        #expect(response.header("X-ONE") == "1")
        #expect(
            response.headers.map { "\($0.name)=\($0.value)" } == [
                "x-one=1", "set-cookie=a", "set-cookie=b", "content-length=4",
            ])
        #expect(server.requests.map(\.target) == ["/a?b=c"])
    }

    @Test func interimAnswersAndTrailersAreLeftOut() async throws {
        let server = ScriptedServer { _ in
            [
                .text(
                    "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n"
                        + "5\r\nhello\r\n7;x=y\r\n, world\r\n0\r\nX-T: 1\r\n\r\n")
            ]
        }
        let response = try await client.send(HTTPRequest(.get, server.url()))
        #expect(response.text == "hello, world")
        #expect(response.headers.map(\.name) == ["transfer-encoding", "trailer"])
    }

    @Test func gzipIsUnpacked() async throws {
        // python3 -c "import gzip; print(list(gzip.compress(b'hello, gzip\n', mtime=0)))"
        let packed: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 72, 175, 202, 44, 224, 2, 0, 134, 31, 130,
            164, 12, 0, 0, 0,
        ]
        let server = ScriptedServer { _ in [.answer(200, [("Content-Encoding", "gzip")], packed)] }
        let response = try await client.send(HTTPRequest(.get, server.url()))
        #expect(response.text == "hello, gzip\n")
        #expect(server.requests[0].header("Accept-Encoding")?.contains("gzip") == true)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.put, "PUT"), (.delete, "DELETE"),
    ]) func methodGoesOutWithoutABodyAndWithoutContentType(_ method: HTTPRequest.Method, word: String) async throws {
        let server = ScriptedServer { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")] }
        _ = try await client.send(HTTPRequest(method, server.url()))
        let request = server.requests[0]
        #expect(request.method == word)
        #expect(request.header("Content-Type") == nil)
        #expect(request.header("Expect") == nil)
        #expect(request.header("User-Agent") == "pasteup/1.2.3")
        #expect(request.header("Content-Length") == (word == "POST" || word == "PUT" ? "0" : nil))
    }

    @Test func headHasNoBodyToWaitForOrToRefuse() async throws {
        let server = ScriptedServer { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n")] }
        let response = try await client.send(HTTPRequest(.head, server.url(), limits: HTTPLimits(maxBytes: 10)))
        #expect(response.header("content-length") == "99999999")
        #expect(response.body.isEmpty)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .get])
    func bytesGoOutAsTheyAre(_ method: HTTPRequest.Method) async throws {
        let server = ScriptedServer()
        let body: [UInt8] = [0, 255, 13, 10, 0]
        _ = try await client.send(
            HTTPRequest(method, server.url(), body: .bytes(body, contentType: "application/x-test")))
        let request = server.requests[0]
        #expect(request.method == method.rawValue)
        #expect(request.body == body)
        #expect(request.header("Content-Type") == "application/x-test")
        #expect(request.header("Content-Length") == "5")
    }

    @Test func largeBodyIsNotHeldBackForAContinue() async throws {
        let server = ScriptedServer()
        let body = [UInt8](repeating: 7, count: 3 << 20)
        _ = try await client.send(HTTPRequest(.post, server.url(), body: .bytes(body, contentType: "a/b")))
        #expect(server.requests[0].header("Expect") == nil)
        #expect(server.requests[0].body.count == body.count)
    }

    @Test func formIsEncodedByteForByte() async throws {
        let server = ScriptedServer()
        _ = try await client.send(
            HTTPRequest(
                .post, server.url(),
                body: .form([("message", "Привет & a=b+c~d"), ("v", "5.199"), ("empty", "")])))
        let request = server.requests[0]
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        // python3 -c "from urllib.parse import *; print(urlencode({...}))"
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "message=%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82+%26+a%3Db%2Bc~d&v=5.199&empty=")
    }

    @Test func ownHeadersGoOutAndReplaceOurs() async throws {
        let server = ScriptedServer()
        _ = try await client.send(
            HTTPRequest(
                .post, server.url(),
                headers: [
                    ("Authorization", "Bearer t"), ("User-Agent", "mine"), ("Content-Type", "text/x"), ("X-Empty", ""),
                ],
                body: .bytes([1], contentType: "a/b")))
        let request = server.requests[0]
        #expect(request.header("Authorization") == "Bearer t")
        #expect(request.header("User-Agent") == "mine")
        #expect(request.header("Content-Type") == "text/x")
        #expect(request.header("X-Empty") == "")
    }

    @Test(arguments: [
        ("X-A", "1\r\nX-B: 2", "x: the header 'X-A' holds a line break or another control character"),
        ("X A", "1", "x: the header name that begins with 'X' cannot be sent"),
        ("Authorization: Bearer s3cr3t", "", "x: the header name that begins with 'Authorization' cannot be sent"),
        ("", "1", "x: a header has no name"),
        ("Content-Length", "9", "x: the header 'Content-Length' follows from the body and cannot be set"),
        ("transfer-encoding", "chunked", "x: the header 'transfer-encoding' follows from the body and cannot be set"),
    ]) func headersThatWouldForgeTheRequestAreRefused(_ name: String, value: String, message: String) async {
        let server = ScriptedServer()
        let error = await failure {
            try await client.send(HTTPRequest(.get, server.url(), headers: [(name, value)], label: "x"))
        }
        #expect(error?.message == message)
        #expect(error?.mayHaveBeenSent == false)
        #expect(server.requests.isEmpty)
    }

    @Test func contentTypeThatWouldForgeTheRequestIsRefused() async throws {
        let server = ScriptedServer()
        let folder = try TemporaryFolder()
        let path = try folder.write("a", [1])
        let type = "a/b\r\nX-B: 2"
        for body in [
            HTTPBody.bytes([1], contentType: type),
            .multipart([HTTPPart(name: "f", content: .file(path: path, name: "n", contentType: type))]),
        ] {
            let error = await failure { try await client.send(HTTPRequest(.post, server.url(), body: body)) }
            #expect(error?.message == "a content type holds a line break or another control character")
            #expect(error?.mayHaveBeenSent == false)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func longestLimitsAreKept() async throws {
        let server = ScriptedServer()
        let year = Duration.seconds(36_500 * 86_400)
        let limits = HTTPLimits(total: year, connect: year, stall: year, maxBytes: .max)
        #expect(try await client.send(HTTPRequest(.get, server.url(), limits: limits)).status == 200)
    }

    @Test func connectionsAreKept() async throws {
        let server = ScriptedServer()
        for _ in 0..<3 { _ = try await client.send(HTTPRequest(.get, server.url())) }
        #expect(server.requests.map(\.connection) == [0, 0, 0])
    }

    @Test func multipartUploadMatchesByteForByte() async throws {
        let server = ScriptedServer()
        let folder = try TemporaryFolder()
        let image = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let path = try folder.write("card-17.jpg", image)
        _ = try await client.send(
            HTTPRequest(
                .post, server.url("/upload"),
                body: .multipart([
                    HTTPPart(name: "caption", content: .text("строка\n")),
                    HTTPPart(
                        name: "photo",
                        content: .file(path: path, name: "фото \"1\".jpg", contentType: "image/jpeg")),
                ]), isWrite: true))
        let request = server.requests[0]
        let type = try #require(request.header("Content-Type"))
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        let boundary = type.dropFirst("multipart/form-data; boundary=".count)
        // RFC 7578; quotes in a name as %22 (HTML §4.10.21.8).
        let expected =
            Array(
                ("--\(boundary)\r\nContent-Disposition: form-data; name=\"caption\"\r\n\r\nстрока\n\r\n"
                    + "--\(boundary)\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"фото %221%22.jpg\"\r\n"
                    + "Content-Type: image/jpeg\r\n\r\n").utf8) + image + Array("\r\n--\(boundary)--\r\n".utf8)
        #expect(request.body == expected)
        #expect(request.header("Content-Length") == "\(expected.count)")
        #expect(request.header("Transfer-Encoding") == nil)
    }

    @Test func missingFileIsNamedBeforeAnythingIsSent() async throws {
        let server = ScriptedServer()
        let folder = try TemporaryFolder()
        for (path, reason) in [
            (folder.file("none.jpg"), "cannot open '\(folder.file("none.jpg"))': No such file or directory"),
            (folder.path, "cannot send '\(folder.path)': it is not a regular file"),
        ] {
            let part = HTTPPart(name: "f", content: .file(path: path, name: "n", contentType: "a/b"))
            let error = await failure {
                try await client.send(HTTPRequest(.post, server.url(), body: .multipart([part])))
            }
            #expect(error == HTTPError(kind: .file, message: reason, mayHaveBeenSent: false))
        }
        #expect(server.requests.isEmpty)
    }

    @Test func proxyThatIsDownIsNamed() async {
        await #expect(processExitsWith: .success) {
            let port = ScriptedServer.unusedPort()
            setEnvironment("http_proxy", "http://127.0.0.1:\(port)")
            setEnvironment("no_proxy", "")
            let error = await failure { try await CurlClient().send(HTTPRequest(.get, "http://media.example/x")) }
            try #require(error?.message.hasPrefix("cannot connect to media.example: ") == true)
            try #require(error?.message.contains("127.0.0.1 port \(port)") == true)
            try #require(error?.mayHaveBeenSent == false)
        }
    }

    @Test func proxyOfTheEnvironmentIsUsedButNotForLoopback() async {
        await #expect(processExitsWith: .success) {
            let proxy = ScriptedServer { _ in [.answer(200, [], Array("proxy".utf8))] }
            let server = ScriptedServer { _ in [.answer(200, [], Array("direct".utf8))] }
            setEnvironment("http_proxy", proxy.url())
            setEnvironment("no_proxy", "")
            let client = CurlClient()
            let far = try await client.send(HTTPRequest(.get, "http://media.example/x"))
            let near = try await client.send(HTTPRequest(.get, server.url("/y")))
            try #require(far.text == "proxy" && near.text == "direct")
            try #require(proxy.requests.map(\.target) == ["http://media.example/x"])
        }
    }
}
