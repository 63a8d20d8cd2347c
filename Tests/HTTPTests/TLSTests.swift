import Glibc
import HTTP
import TestSupport
import Testing

/// Against `openssl s_server`, with a certificate of its own.
@Suite(.enabled(if: access("/usr/bin/openssl", X_OK) == 0)) struct TLSTests {
    @Test func certificateThatNobodyVouchesForIsRefusedBeforeAnythingIsSent() async throws {
        let server = try TLSServer(name: "DNS:localhost")
        let error = await failure {
            try await CurlClient().send(HTTPRequest(.post, server.url("localhost"), body: .form([("a", "b")])))
        }
        #expect(error?.kind == .tls)
        #expect(
            error?.message
                == "cannot connect securely to localhost:\(server.port): SSL certificate problem: self-signed certificate"
        )
        #expect(error?.mayHaveBeenSent == false)
    }

    @Test func trustedCertificateIsAccepted() async throws {
        let server = try TLSServer(name: "DNS:localhost")
        let client = CurlClient(configuration: .init(certificates: server.certificate))
        let response = try await client.send(HTTPRequest(.get, server.url("localhost"), isWrite: true))
        #expect(response.status == 200)
        #expect(response.text.contains("s_server"))
    }

    @Test func certificateOfAnotherNameIsRefused() async throws {
        let server = try TLSServer(name: "DNS:other.example")
        let client = CurlClient(configuration: .init(certificates: server.certificate))
        let error = await failure { try await client.send(HTTPRequest(.get, server.url("localhost"))) }
        #expect(error?.kind == .tls)
        #expect(
            error?.message.hasSuffix("matches target host name 'localhost'") == true, "\(error?.message ?? "")")
        #expect(error?.mayHaveBeenSent == false)
    }
}

private final class TLSServer {
    let port: Int
    let certificate: String
    private let folder: TemporaryFolder
    private let process: pid_t

    /// - Parameter name: the certificate's subjectAltName.
    init(name: String) throws {
        folder = try TemporaryFolder()
        certificate = folder.file("certificate.pem")
        let key = folder.file("key.pem")
        let maker = try start([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj",
            "/CN=test", "-addext", "subjectAltName=" + name,
        ])
        _ = maker.output()
        waitpid(maker.process, nil, 0)
        let server = try start(["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"])
        process = server.process
        let greeting = server.output { $0.contains("ACCEPT 127.0.0.1:") && $0.hasSuffix("\n") }
        let digits = greeting.split(separator: "ACCEPT 127.0.0.1:").last?.prefix { $0.isNumber } ?? ""
        port = try #require(Int(digits))
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    func url(_ host: String) -> String { "https://\(host):\(port)/" }
}

private struct Started {
    let process: pid_t
    let pipe: Int32

    /// What it prints, until `isEnough` or its end.
    func output(until isEnough: (String) -> Bool = { _ in false }) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isEnough(text) {
            let count = read(pipe, &buffer, buffer.count)
            if count <= 0 { break }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text
    }
}

private func start(_ arguments: [String]) throws -> Started {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    var words: [UnsafeMutablePointer<CChar>?] = (["openssl"] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    try #require(posix_spawn(&process, "/usr/bin/openssl", &actions, nil, &words, environ) == 0)
    close(ends[1])
    return Started(process: process, pipe: ends[0])
}
