internal import Glibc
internal import Threading

/// A server on 127.0.0.1 that answers with exact bytes, and as badly as a test wants: cut, late, malformed.
///
/// A handler turns each request, as it came over the wire, into actions. A connection stays open for further requests
/// until an action or the client ends it. The server ends with its last reference.
public final class ScriptedServer: Sendable {
    public struct Request: Sendable {
        /// Head and body as they came.
        public let bytes: [UInt8]
        /// Which connection it came by, counted from 0.
        public let connection: Int
        fileprivate let headCount: Int

        /// The request line and the headers.
        public var head: String { String(decoding: bytes[..<headCount], as: UTF8.self) }
        public var body: [UInt8] { Array(bytes[headCount...]) }
        /// "GET", "POST" …
        public var method: String { word(0) }
        /// Path and query as sent.
        public var target: String { word(1) }

        /// The first header of that name, in any case.
        public func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                    continue
                }
                return String(line[line.index(after: colon)...].drop { $0 == " " })
            }
            return nil
        }

        private func word(_ index: Int) -> String {
            let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
            return words.indices.contains(index) ? String(words[index]) : ""
        }
    }

    public enum Action: Sendable {
        case send([UInt8])
        /// Sends one byte after the other with that pause between, as long as the client stays.
        case trickle([UInt8], milliseconds: Int32)
        case wait(Gate)
        /// Waits until the client ends the connection.
        case waitForClient
        case call(@Sendable () -> Void)
        case close
        /// Ends the connection with a TCP reset.
        case reset

        public static func text(_ text: String) -> Action { .send(Array(text.utf8)) }

        /// A whole answer with `Content-Length`.
        public static func answer(
            _ status: Int = 200, _ headers: [(String, String)] = [], _ body: [UInt8] = []
        ) -> Action {
            let lines = (headers + [("Content-Length", "\(body.count)")]).map { "\($0): \($1)\r\n" }.joined()
            return .send(Array("HTTP/1.1 \(status) Scripted\r\n\(lines)\r\n".utf8) + body)
        }
    }

    public let port: Int
    private let state: ServerState

    /// - Parameter greeting: done on every connection before its first request is read.
    public init(
        greeting: [Action] = [], _ handler: @escaping @Sendable (Request) -> [Action] = { _ in [.answer()] }
    ) {
        let (listener, port) = Self.listen()
        self.port = port
        let state = ServerState()
        self.state = state
        onThread {
            var count = 0
            while state.waitUntilReadable(listener) {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { continue }
                let index = count
                count += 1
                onThread { Connection(client, index, state).serve(greeting, handler) }
            }
            close(listener)
        }
    }

    deinit { state.stop() }

    /// The requests received so far, in order of arrival.
    public var requests: [Request] { state.requests.withLock { $0 } }

    /// "http://127.0.0.1:PORT" and the path.
    public func url(_ path: String = "/", scheme: String = "http", host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }

    /// A port on which nobody listens. It is kept until the process ends, so that no other test comes to listen there.
    public static func unusedPort() -> Int { bound(listens: false).port }

    private static func listen() -> (Int32, port: Int) { bound(listens: true) }

    private static func bound(listens: Bool) -> (Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                precondition(listener >= 0 && bind(listener, generic, size) == 0, "no socket on 127.0.0.1")
                precondition(!listens || Glibc.listen(listener, 512) == 0)
                precondition(getsockname(listener, generic, &size) == 0)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        return (listener, port)
    }
}

/// Something that happens once; servers wait for it, tests let it happen.
///
/// Safe to share: a pipe that is written and polled, never read.
public final class Gate: Sendable {
    fileprivate let event: Int32
    private let entrance: Int32

    public init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "no pipe")
        (event, entrance) = (ends[0], ends[1])
    }

    deinit {
        close(event)
        close(entrance)
    }

    public func open() {
        _ = write(entrance, [1], 1)
    }
}

private final class ServerState: Sendable {
    let requests = Locked<[ScriptedServer.Request]>([])
    let end = Gate()

    func stop() { end.open() }

    /// False when the server ends first.
    func waitUntilReadable(_ file: Int32, milliseconds: Int32 = -1) -> Bool {
        var files = [
            pollfd(fd: file, events: Int16(POLLIN), revents: 0),
            pollfd(fd: end.event, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&files, 2, milliseconds) < 0, errno == EINTR {}
        return files[1].revents == 0
    }
}

/// One client's connection, on a thread of its own.
private final class Connection {
    private let file: Int32
    private let index: Int
    private let state: ServerState
    private var isOpen = true

    init(_ file: Int32, _ index: Int, _ state: ServerState) {
        self.file = file
        self.index = index
        self.state = state
    }

    deinit { if isOpen { close(file) } }

    func serve(
        _ greeting: [ScriptedServer.Action], _ handler: (ScriptedServer.Request) -> [ScriptedServer.Action]
    ) {
        perform(greeting)
        while isOpen, let request = read() {
            state.requests.withLock { $0.append(request) }
            perform(handler(request))
        }
    }

    private func perform(_ actions: [ScriptedServer.Action]) {
        for action in actions where isOpen {
            switch action {
            case .send(let bytes): send(bytes)
            case .trickle(let bytes, let milliseconds):
                for byte in bytes where isOpen {
                    send([byte])
                    if isOpen, hasClientLeft(within: milliseconds) { end() }
                }
            case .wait(let gate): _ = state.waitUntilReadable(gate.event)
            case .waitForClient: while receive() != nil {}
            case .call(let body): body()
            case .close: end()
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(file, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
                end()
            }
        }
    }

    /// Head and body; nil when the client or the server ends first.
    private func read() -> ScriptedServer.Request? {
        var bytes: [UInt8] = []
        var headCount: Int?
        while headCount == nil {
            guard let more = receive() else { return nil }
            bytes += more
            headCount = end(of: Array("\r\n\r\n".utf8), in: bytes)
        }
        guard let headCount else { return nil }
        let head = ScriptedServer.Request(bytes: bytes, connection: index, headCount: headCount)
        let isChunked = head.header("Transfer-Encoding") == "chunked"
        let length = Int(head.header("Content-Length") ?? "0") ?? 0
        while isChunked ? !bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8) : bytes.count < headCount + length {
            guard let more = receive() else { return nil }
            bytes += more
        }
        return ScriptedServer.Request(bytes: bytes, connection: index, headCount: headCount)
    }

    private func receive() -> [UInt8]? {
        guard isOpen, state.waitUntilReadable(file) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(file, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func send(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(file, $0.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return end() }
            offset += count
        }
    }

    private func hasClientLeft(within milliseconds: Int32) -> Bool {
        var files = [
            pollfd(fd: file, events: Int16(POLLIN), revents: 0),
            pollfd(fd: state.end.event, events: Int16(POLLIN), revents: 0),
        ]
        return poll(&files, 2, milliseconds) != 0
    }

    private func end() {
        isOpen = false
        close(file)
    }

    private func end(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= mark.count else { return nil }
        return (0...bytes.count - mark.count).first { bytes[$0..<$0 + mark.count].elementsEqual(mark) }.map {
            $0 + mark.count
        }
    }
}
