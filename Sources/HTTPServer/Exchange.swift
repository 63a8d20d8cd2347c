internal import CMicroHTTPD
internal import Glibc
internal import Threading

/// One request and its answer.
///
/// Unchecked: all but `answer` and `task`, which are locked, is touched by libmicrohttpd's thread alone; `connection` is
/// resumed from elsewhere, which libmicrohttpd allows while it is suspended.
final class Exchange: @unchecked Sendable {
    private let connection: OpaquePointer
    private let maxBodyBytes: Int
    private var request: HTTPServerRequest
    private var form: FormReader?
    private var received = 0
    private let answer = Locked<HTTPServerResponse?>(nil)
    private let task = Locked<Task<Void, Never>?>(nil)

    /// Why a request is not handed to the handler.
    struct Refusal: Error { let response: HTTPServerResponse }

    init(connection: OpaquePointer, method: String, path: String, maxBodyBytes: Int) {
        self.connection = connection
        self.maxBodyBytes = maxBodyBytes
        request = HTTPServerRequest(
            method: method, path: path, query: pairs(of: connection, .GET_ARGUMENT_KIND),
            headers: pairs(of: connection, .HEADER_KIND), cookies: pairs(of: connection, .COOKIE_KIND),
            clientPort: pasteup_mhd_client_port(connection))
        form = FormReader(connection)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) {
        received += bytes.count
        guard received <= maxBodyBytes else { return }
        form?.receive(bytes)
        // curl calls every body a form unless it is told otherwise: what is none after all must not be lost.
        if form == nil || !isMultipart { request.body.append(contentsOf: bytes) }
    }

    /// The whole request, once its body has ended.
    func finish() -> Result<HTTPServerRequest, Refusal> {
        guard isLoopback(host: request.header("Host") ?? "") else {
            return refuse(403, "This server answers to 127.0.0.1 and localhost only. Use one of these in the address.")
        }
        guard received <= maxBodyBytes else {
            return refuse(413, "The body is larger than \(maxBodyBytes) bytes.")
        }
        if let form {
            guard let fields = form.finish() ?? (isJSON ? [] : nil) else {
                return refuse(400, "The form in the body is broken.")
            }
            request.form = fields
            self.form = nil
        }
        return .success(request)
    }

    private var isMultipart: Bool { request.header("Content-Type")?.lowercased().hasPrefix("multipart/") ?? false }

    private var isJSON: Bool {
        let first = request.body.first { !" \t\r\n".utf8.contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private func refuse(_ status: Int, _ text: String) -> Result<HTTPServerRequest, Refusal> {
        .failure(Refusal(response: .text(text + "\n", status: status)))
    }

    var response: HTTPServerResponse? { answer.withLock { $0 } }

    func suspend() { MHD_suspend_connection(connection) }

    func resume(with response: HTTPServerResponse) {
        answer.withLock { $0 = response }
        MHD_resume_connection(connection)
    }

    /// A client waits for it: it goes before other work of the process.
    func run(_ body: @escaping @Sendable () async -> Void) {
        task.withLock { $0 = Task(priority: .high, operation: body) }
    }

    func cancel() { task.withLock { $0 }?.cancel() }

    /// Hands the response to libmicrohttpd; `.NO` lets it end the connection.
    func deliver(_ response: HTTPServerResponse) -> MHD_Result {
        switch response.delivery {
        case .cut(.close): return .NO
        case .cut(.reset):
            reset(pasteup_mhd_socket(connection))
            return .NO
        case .whole:
            let body = response.body
            return queue(
                response,
                body.withUnsafeBytes {
                    MHD_create_response_from_buffer(
                        body.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
                })
        case .truncated(let claimedLength):
            return queue(response, makeTruncated(response.body, claimedLength: claimedLength))
        }
    }

    private func queue(_ response: HTTPServerResponse, _ made: OpaquePointer?) -> MHD_Result {
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        for (name, value) in response.headers {
            guard MHD_add_response_header(made, name, value) == .YES else { return .NO }
        }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }
}

/// Sends RST. libmicrohttpd closes with FIN, so the socket is taken from under it: closed with a linger of 0, and another,
/// unconnected one put in its place for libmicrohttpd to close.
private func reset(_ file: Int32) {
    guard file >= 0 else { return }
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(file, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard other >= 0 else { return }
    dup2(other, file)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    close(other)
}

/// A response whose reader gives `bytes` and then an error, on which libmicrohttpd ends the connection.
private func makeTruncated(_ bytes: [UInt8], claimedLength: Int) -> OpaquePointer? {
    let source = Unmanaged.passRetained(Bytes(bytes)).toOpaque()
    let made = MHD_create_response_from_callback(
        UInt64(max(claimedLength, bytes.count + 1)), 32 << 10,
        { source, position, buffer, capacity in
            let bytes = Unmanaged<Bytes>.fromOpaque(source!).takeUnretainedValue().content
            let count = min(capacity, bytes.count - Int(position))
            // MHD_CONTENT_READER_END_WITH_ERROR, a macro with a cast.
            guard count > 0 else { return -2 }
            bytes.withUnsafeBytes { _ = memcpy(buffer!, $0.baseAddress! + Int(position), count) }
            return count
        }, source, { Unmanaged<Bytes>.fromOpaque($0!).release() })
    if made == nil { Unmanaged<Bytes>.fromOpaque(source).release() }
    return made
}

private final class Bytes {
    let content: [UInt8]
    init(_ content: [UInt8]) { self.content = content }
}

/// Whether a `Host` names this machine's loopback: with or without a port.
func isLoopback(host: String) -> Bool {
    let name: Substring
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
        name = host[...end]
        guard isPort(host[host.index(after: end)...]) else { return false }
    } else {
        name = host.prefix { $0 != ":" }
        guard isPort(host[name.endIndex...]) else { return false }
    }
    return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
}

private func isPort(_ text: Substring) -> Bool {
    text.isEmpty || (text.first == ":" && text.dropFirst().utf8.allSatisfy { (48...57).contains($0) })
}

/// The values of one kind, in their order.
private func pairs(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [(name: String, value: String)] {
    final class List { var pairs: [(name: String, value: String)] = [] }
    let list = List()
    MHD_get_connection_values_n(
        connection, kind,
        { list, _, name, nameBytes, value, valueBytes in
            func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
                String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
            }
            Unmanaged<List>.fromOpaque(list!).takeUnretainedValue().pairs.append(
                (text(name, nameBytes), text(value, valueBytes)))
            return .YES
        }, Unmanaged.passUnretained(list).toOpaque())
    return list.pairs
}
