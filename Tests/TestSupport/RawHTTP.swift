internal import Glibc
internal import Threading

/// A connection to 127.0.0.1 over which a test says HTTP by hand, to see what goes over the wire.
///
/// Unchecked: a test uses it from one task, one call after the other.
public final class RawConnection: @unchecked Sendable {
    private let file: Int32
    private var buffer: [UInt8] = []

    public struct Failure: Error, CustomStringConvertible {
        public let operation: String
        public let code: Int32
        public var description: String { "\(operation): \(String(cString: strerror(code)))" }
    }

    /// How the other side ended the stream.
    public enum Ending: Sendable, Hashable { case end, reset }

    public init(port: UInt16) throws {
        file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(file, $0, size) }
        }
        // Once every property is set, a throw runs `deinit`, which closes the socket.
        guard code == 0 else { throw Failure(operation: "connect", code: errno) }
        // A server that answers nothing fails the test, and does not hang it.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(file) }

    public func send(_ bytes: [UInt8]) async throws {
        try await offPool { [self] in
            var offset = 0
            while offset < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(file, $0.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(operation: "send", code: errno) }
                offset += count
            }
        }
    }

    public func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Reads until the other side ends the stream.
    public func readToEnd() async throws -> (bytes: [UInt8], ending: Ending) {
        try await offPool { [self] in
            while true {
                do {
                    if try !fill() { return (take(buffer.count), .end) }
                } catch let failure as Failure where failure.code == ECONNRESET {
                    return (take(buffer.count), .reset)
                }
            }
        }
    }

    /// Reads one response with a `Content-Length`.
    public func readAnswer(isHead: Bool = false) async throws -> RawAnswer {
        try await offPool { [self] in
            var end = headEnd()
            while end == nil {
                guard try fill() else { throw Failure(operation: "read the head", code: EPIPE) }
                end = headEnd()
            }
            var answer = RawAnswer(head: String(decoding: take(end!), as: UTF8.self))
            let length = isHead ? 0 : Int(answer.header("Content-Length") ?? "0") ?? 0
            while buffer.count < length {
                guard try fill() else { throw Failure(operation: "read the body", code: EPIPE) }
            }
            answer.body = take(length)
            return answer
        }
    }

    private func headEnd() -> Int? {
        guard buffer.count >= 4 else { return nil }
        return (4...buffer.count).first { buffer[$0 - 4..<$0].elementsEqual([13, 10, 13, 10]) }
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    private func fill() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        let count = recv(file, &piece, piece.count, 0)
        guard count >= 0 else { throw Failure(operation: "read", code: errno) }
        buffer += piece[0..<count]
        return count > 0
    }
}

/// A response, as it came.
public struct RawAnswer: Sendable {
    public let status: Int
    public let headers: [(name: String, value: String)]
    public var body: [UInt8] = []

    init(head: String) {
        let lines = head.split(whereSeparator: \.isNewline)
        status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        headers = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return (String(name), String(line[name.endIndex...].drop { $0 == ":" || $0 == " " }))
        }
    }

    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// One request over a connection of its own.
public func rawHTTP(
    port: UInt16, _ method: String = "GET", _ target: String, headers: [(String, String)] = [], body: [UInt8] = []
) async throws -> RawAnswer {
    let connection = try RawConnection(port: port)
    try await connection.send(rawRequest(port: port, method, target, headers: headers, body: body))
    return try await connection.readAnswer(isHead: method == "HEAD")
}

/// The bytes of one request.
public func rawRequest(
    port: UInt16, _ method: String = "GET", _ target: String, headers: [(String, String)] = [], body: [UInt8] = []
) -> [UInt8] {
    var head = "\(method) \(target) HTTP/1.1\r\n"
    if !headers.contains(where: { $0.0.lowercased() == "host" }) { head += "Host: 127.0.0.1:\(port)\r\n" }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if !body.isEmpty || method == "POST" { head += "Content-Length: \(body.count)\r\n" }
    return Array((head + "\r\n").utf8) + body
}

/// A `multipart/form-data` body with one file, and its `Content-Type`.
public func rawMultipart(
    field: String, fileName: String?, contentType: String = "image/jpeg", _ bytes: [UInt8]
) -> (contentType: String, body: [UInt8]) {
    let boundary = "----pasteup-\(UInt64.random(in: 0 ... .max))"
    let file = fileName.map { "; filename=\"\($0)\"" } ?? ""
    let head =
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field)\"\(file)\r\n"
        + "Content-Type: \(contentType)\r\n\r\n"
    return (
        "multipart/form-data; boundary=\(boundary)", Array(head.utf8) + bytes + Array("\r\n--\(boundary)--\r\n".utf8)
    )
}
