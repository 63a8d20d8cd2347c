import Files
import HTTP
import Hashing
import TestSupport
import Testing

@Suite struct DownloadTests {
    let client = CurlClient()
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func eightMegabytesArriveUnchanged() async throws {
        var random = SystemRandomNumberGenerator()
        let words = (0..<(1 << 20)).map { _ in random.next() as UInt64 }
        let content = words.withUnsafeBytes { Array($0) }
        let server = ScriptedServer { _ in [.answer(200, [("Content-Type", "image/jpeg")], content)] }
        let response = try await client.download(HTTPRequest(.get, server.url()), to: folder.file("a.jpg"))
        #expect(response.status == 200)
        #expect(response.header("content-type") == "image/jpeg")
        #expect(response.body.isEmpty)
        #expect(SHA256.hex(try FileSystem.read(folder.file("a.jpg"))) == SHA256.hex(content))
        #expect(try FileSystem.mode(folder.file("a.jpg")) == 0o600)
        #expect(try folder.names() == ["a.jpg"])
    }

    @Test func redirectIsFollowedIntoTheFile() async throws {
        let server = ScriptedServer { request in
            request.target == "/a"
                ? [.answer(302, [("Location", "/b")], Array("moved".utf8))] : [.answer(200, [], Array("photo".utf8))]
        }
        _ = try await client.download(HTTPRequest(.get, server.url("/a"), maxRedirects: 1), to: folder.file("a"))
        #expect(try FileSystem.read(folder.file("a")) == Array("photo".utf8))
    }

    @Test func emptyBodyMakesAnEmptyFile() async throws {
        let server = ScriptedServer { _ in [.answer(200)] }
        _ = try await client.download(HTTPRequest(.get, server.url()), to: folder.file("a"))
        #expect(try FileSystem.size(folder.file("a")) == 0)
    }

    @Test func anotherStatusComesBackWithItsBodyAndLeavesNoFile() async throws {
        let server = ScriptedServer { _ in [.answer(410, [], Array("gone".utf8))] }
        let response = try await client.download(HTTPRequest(.get, server.url()), to: folder.file("a"))
        #expect(response.status == 410)
        #expect(response.text == "gone")
        #expect(try folder.names().isEmpty)
    }

    @Test func longBodyOfAnotherStatusIsCutAt64KiB() async throws {
        let server = ScriptedServer { _ in [.answer(500, [], [UInt8](repeating: 33, count: 200_000))] }
        let limits = HTTPLimits(maxBytes: 10)
        let response = try await client.download(HTTPRequest(.get, server.url(), limits: limits), to: folder.file("a"))
        #expect(response.status == 500)
        #expect(response.body == [UInt8](repeating: 33, count: 65_536))
    }

    @Test(
        arguments: [
            ("cut", [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"), .close], HTTPError.Kind.cut),
            ("reset", [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"), .reset], .cut),
            ("too long", [.answer(200, [], [UInt8](repeating: 1, count: 101))], .tooLarge),
            (
                "too long, unannounced",
                [.text("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101)), .close], .tooLarge
            ),
            ("silence", [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1"), .waitForClient], .timeout),
        ] as [(String, [ScriptedServer.Action], HTTPError.Kind)])
    func failureLeavesThePreviousFileAndNothingElse(
        _ name: String, actions: [ScriptedServer.Action], kind: HTTPError.Kind
    ) async throws {
        try folder.write("a", [42])
        let server = ScriptedServer { _ in actions }
        let error = await failure {
            try await client.download(
                HTTPRequest(
                    .get, server.url(),
                    limits: HTTPLimits(total: kind == .timeout ? .milliseconds(200) : .seconds(60), maxBytes: 100)),
                to: folder.file("a"))
        }
        #expect(error?.kind == kind)
        #expect(try folder.names() == ["a"])
        #expect(try FileSystem.read(folder.file("a")) == [42])
    }

    @Test func cancelledDownloadLeavesNothing() async throws {
        let underWay = Signal()
        let server = ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1"), .call(underWay.send), .waitForClient]
        }
        let task = Task { try await client.download(HTTPRequest(.get, server.url()), to: folder.file("a")) }
        await underWay.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try folder.names().isEmpty)
    }

    @Test func folderThatIsMissingIsNamedBeforeAnythingIsSent() async {
        let server = ScriptedServer()
        let path = folder.file("none/a")
        let error = await failure { try await client.download(HTTPRequest(.get, server.url()), to: path) }
        let message = "cannot create '\(path)': No such file or directory"
        #expect(error == HTTPError(kind: .file, message: message, mayHaveBeenSent: false))
        #expect(server.requests.isEmpty)
    }
}
