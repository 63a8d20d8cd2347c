import HTTP
import TestSupport
import Testing

@Suite struct FailureTests {
    let client = CurlClient()

    /// What a server does to the request, and what the client must make of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let actions: [ScriptedServer.Action]
        let kind: HTTPError.Kind
        /// The message behind "http://127.0.0.1:PORT/p?… ".
        let message: String
        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "no answer, closed", actions: [.close], kind: .cut, message: "broke off: Empty reply from server"),
        Fault(
            name: "no answer, reset", actions: [.reset], kind: .cut,
            message: "broke off: Recv failure: Connection reset by peer"),
        Fault(
            name: "cut inside the head", actions: [.text("HTTP/1.1 200 OK\r\nContent-"), .reset], kind: .cut,
            message: "broke off: Recv failure: Connection reset by peer"),
        Fault(
            name: "cut inside the body",
            actions: [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"), .close],
            kind: .cut, message: "broke off: transfer closed with 5 bytes remaining to read"),
        Fault(
            name: "cut inside a chunk",
            actions: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n123"), .close], kind: .cut,
            message: "broke off: transfer closed with outstanding read data remaining"),
        Fault(
            name: "bad chunk",
            actions: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n123"), .waitForClient],
            kind: .badAnswer,
            message:
                "gave an answer that breaks HTTP's rules: Illegal or missing hexadecimal sequence in chunked-encoding"),
        Fault(
            name: "not HTTP", actions: [.text("SSH-2.0-OpenSSH_9.2\r\n"), .close], kind: .badAnswer,
            message: "gave an answer that breaks HTTP's rules: Received HTTP/0.9 when not allowed"),
        Fault(
            name: "bad gzip",
            actions: [.answer(200, [("Content-Encoding", "gzip")], Array("this is no gzip".utf8))], kind: .badAnswer,
            message:
                "gave an answer that breaks HTTP's rules: Error while processing content unencoding: incorrect header check"
        ),
        Fault(
            name: "too long by Content-Length",
            actions: [.text("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), .waitForClient], kind: .tooLarge,
            message: "answered with more than 1000 bytes, the most that is accepted"),
        Fault(
            name: "too long without Content-Length",
            actions: [.text("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1001)), .waitForClient],
            kind: .tooLarge, message: "answered with more than 1000 bytes, the most that is accepted"),
        Fault(
            // python3 -c "import gzip; print(list(gzip.compress(b'\0' * 5000, mtime=0)))"
            name: "too long once unpacked",
            actions: [.answer(200, [("Content-Encoding", "gzip")], gzipOf5000Zeros)], kind: .tooLarge,
            message: "answered with more than 1000 bytes, the most that is accepted"),
        Fault(
            name: "endless head",
            actions: [
                .text("HTTP/1.1 200 OK\r\n"),
                .text(String(repeating: "X-A: \(String(repeating: "y", count: 1000))\r\n", count: 200)), .waitForClient,
            ], kind: .tooLarge, message: "answered with more than 131072 bytes of headers"),
        Fault(
            name: "silence", actions: [.waitForClient], kind: .timeout, message: "gave no complete answer within 1s"),
        Fault(
            name: "trickle",
            actions: [
                .text("HTTP/1.1 200 OK\r\n\r\n"), .trickle([UInt8](repeating: 120, count: 900), milliseconds: 10),
            ], kind: .timeout, message: "gave no complete answer within 1s"),
    ]

    static let gzipOf5000Zeros: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 10, 63, 160, 0, 0, 0, 0, 128,
        183, 1, 168, 14, 229, 216, 136, 19, 0, 0,
    ]

    @Test(arguments: faults) func faultAfterSendingIsNamedAndMayHaveBeenSent(_ fault: Fault) async {
        let server = ScriptedServer { _ in fault.actions }
        let slow = fault.kind == .timeout
        let error = await failure {
            try await client.send(
                HTTPRequest(
                    .post, server.url("/p?access_token=s3cr3t"), body: .form([("access_token", "s3cr3t")]),
                    limits: HTTPLimits(total: slow ? .seconds(1) : .seconds(60), maxBytes: 1000), isWrite: true))
        }
        #expect(error?.kind == fault.kind)
        #expect(error?.message == server.url("/p?… ") + fault.message)
        #expect(error?.mayHaveBeenSent == true)
        #expect(server.requests.count == 1)
    }

    @Test func exactlyAsMuchAsIsAcceptedIsAccepted() async throws {
        let server = ScriptedServer { _ in [.answer(200, [], [UInt8](repeating: 1, count: 1000))] }
        let response = try await client.send(HTTPRequest(.get, server.url(), limits: HTTPLimits(maxBytes: 1000)))
        #expect(response.body.count == 1000)
    }

    @Test func stallIsToldFromTheTotalLimit() async {
        let server = ScriptedServer { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1"), .waitForClient] }
        let error = await failure {
            try await client.send(
                HTTPRequest(.get, server.url("/s"), limits: HTTPLimits(total: .seconds(60), stall: .seconds(1))))
        }
        #expect(error == HTTPError(kind: .stall, message: server.url("/s moved no data for 1s"), mayHaveBeenSent: true))
    }

    @Test func refusedConnectionWasNotSent() async {
        let port = ScriptedServer.unusedPort()
        for (label, prefix) in [(nil, ""), ("wall.post", "wall.post: ")] {
            let error = await failure {
                try await client.send(
                    HTTPRequest(.post, "http://127.0.0.1:\(port)/a?token=x", isWrite: true, label: label))
            }
            let message = "\(prefix)cannot connect to 127.0.0.1:\(port): Connection refused"
            #expect(error == HTTPError(kind: .connect, message: message, mayHaveBeenSent: false))
        }
    }

    @Test func unknownNameWasNotSent() async {
        // A label of more than 63 bytes is no name of DNS (RFC 1035 §2.3.4): nobody is asked.
        let host = String(repeating: "a", count: 64) + ".example"
        let error = await failure { try await client.send(HTTPRequest(.get, "http://\(host)/")) }
        #expect(error?.kind == .resolve)
        #expect(error?.message == "cannot find the address of \(host): Could not resolve host: \(host)")
        #expect(error?.mayHaveBeenSent == false)
    }

    @Test func plainServerOnHTTPSIsATLSErrorAndWasNotSent() async {
        let server = ScriptedServer(greeting: [.text("HTTP/1.1 400 Bad Request\r\n\r\n"), .waitForClient])
        let error = await failure { try await client.send(HTTPRequest(.get, server.url(scheme: "https"))) }
        #expect(error?.kind == .tls)
        #expect(error?.message.hasPrefix("cannot connect securely to 127.0.0.1:\(server.port): ") == true)
        #expect(error?.mayHaveBeenSent == false)
    }

    @Test(arguments: [
        HTTPLimits(connect: .milliseconds(500)), HTTPLimits(total: .milliseconds(500)),
    ]) func timeoutWhileConnectingWasNotSent(_ limits: HTTPLimits) async {
        let server = ScriptedServer(greeting: [.waitForClient])
        let error = await failure {
            try await client.send(HTTPRequest(.post, server.url(scheme: "https"), limits: limits, isWrite: true))
        }
        let message = "cannot connect to 127.0.0.1:\(server.port) within 500ms"
        #expect(error == HTTPError(kind: .timeout, message: message, mayHaveBeenSent: false))
    }

    @Test(arguments: [
        ("", "the address cannot be read: "), ("api.vk.com/method", "the address cannot be read: Bad scheme"),
        ("http://", "the address cannot be read: "), ("http://a b/?token=s3cr3t", "the address cannot be read: "),
        ("file:///etc/passwd", "the address has the scheme 'file', and only http and https are used"),
        ("ftp://h/x", "the address has the scheme 'ftp', and only http and https are used"),
        ("vk4321://blank", "the address has the scheme 'vk4321', and only http and https are used"),
    ]) func unusableAddressIsRefused(_ address: String, message: String) async {
        let error = await failure { try await client.send(HTTPRequest(.get, address, label: "x")) }
        #expect(error?.kind == .badAddress)
        #expect(error?.message.hasPrefix("x: " + message) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("s3cr3t") == false)
        #expect(error?.mayHaveBeenSent == false)
    }
}
