internal import CMicroHTTPD
internal import Glibc
internal import Threading

/// The daemon, and the requests that are being answered. libmicrohttpd's callbacks get it as their context; `stop`
/// returns only when the last of them has.
final class ServerCore: Sendable {
    let maxBodyBytes: Int
    let handler: HTTPServer.Handler
    private let state = Locked(State())

    /// Unchecked: the daemon's pointer is used under the lock alone, and libmicrohttpd allows any thread to stop it.
    private struct State: @unchecked Sendable {
        var daemon: OpaquePointer?
        /// Suspended, by the number of the exchange: their connections are alive until they are resumed.
        var suspended: [ObjectIdentifier: Exchange] = [:]
        var isStopping = false
    }

    init(maxBodyBytes: Int, handler: @escaping HTTPServer.Handler) {
        self.maxBodyBytes = maxBodyBytes
        self.handler = handler
    }

    /// Listens, and returns the port.
    func start(port: UInt16) throws(HTTPServerError) -> UInt16 {
        let (listener, port) = try listen(port: port)
        let daemon = pasteup_mhd_start(
            listener,
            { context, connection, url, method, _, data, size, exchange in
                ServerCore.from(context!).handle(connection!, url!, method!, data, size!, exchange!)
            },
            { _, _, exchange, _ in
                guard let pointer = exchange?.pointee else { return }
                exchange?.pointee = nil
                Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().response?.whenSent?()
            }, Unmanaged.passUnretained(self).toOpaque(), 64 << 10)
        guard let daemon else {
            close(listener)
            throw HTTPServerError(port: port, code: EAGAIN)
        }
        state.withLock { $0.daemon = daemon }
        return port
    }

    /// A listening socket on 127.0.0.1. libmicrohttpd would make one, but would let two programs share its port.
    private func listen(port: UInt16) throws(HTTPServerError) -> (file: Int32, port: UInt16) {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { throw HTTPServerError(port: port, code: errno) }
        var one: Int32 = 1
        setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, size) == 0 && Glibc.listen(file, SOMAXCONN) == 0 && getsockname(file, $0, &size) == 0
            }
        }
        guard isListening else {
            let code = errno
            close(file)
            throw HTTPServerError(port: port, code: code)
        }
        return (file, UInt16(bigEndian: address.sin_port))
    }

    /// Every suspended connection is resumed first: libmicrohttpd aborts the process when it is stopped with one left.
    func stop() {
        let (daemon, exchanges) = state.withLock { state in
            state.isStopping = true
            let exchanges = Array(state.suspended.values)
            state.suspended = [:]
            for exchange in exchanges { exchange.resume(with: .cut(how: .close)) }
            defer { state.daemon = nil }
            return (Taken(daemon: state.daemon), exchanges)
        }
        for exchange in exchanges { exchange.cancel() }
        if let daemon = daemon.daemon { MHD_stop_daemon(daemon) }
    }

    /// Unchecked: handed from the lock to the one caller that got it.
    private struct Taken: @unchecked Sendable { let daemon: OpaquePointer? }

    private static func from(_ context: UnsafeMutableRawPointer) -> ServerCore {
        Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    }

    /// libmicrohttpd's access handler: called when the headers are there, with each piece of the body, at its end, and
    /// once more after each resumption. `.NO` ends the connection.
    private func handle(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        guard let pointer = slot.pointee else {
            let exchange = Exchange(
                connection: connection, method: String(cString: method), path: String(cString: url),
                maxBodyBytes: maxBodyBytes)
            slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            return .YES
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
        if size.pointee > 0 {
            exchange.receive(UnsafeRawBufferPointer(start: data, count: size.pointee))
            size.pointee = 0
            return .YES
        }
        if let response = exchange.response { return exchange.deliver(response) }
        switch exchange.finish() {
        case .failure(let refusal): return exchange.deliver(refusal.response)
        case .success(let request): return suspend(exchange, while: request)
        }
    }

    /// Suspends the connection and starts the handler, unless the server is stopping.
    private func suspend(_ exchange: Exchange, while request: HTTPServerRequest) -> MHD_Result {
        let isStopping = state.withLock { state in
            if !state.isStopping {
                exchange.suspend()
                state.suspended[ObjectIdentifier(exchange)] = exchange
            }
            return state.isStopping
        }
        if isStopping { return .NO }
        exchange.run { [self] in
            let response = await handler(request)
            let isCut = state.withLock { state in
                // Whoever takes the exchange from the table resumes it, so that it happens once.
                guard state.suspended.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return true }
                exchange.resume(with: response)
                return false
            }
            if isCut { response.whenSent?() }
        }
        return .YES
    }
}
