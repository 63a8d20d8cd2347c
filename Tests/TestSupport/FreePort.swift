internal import Glibc
internal import Threading

/// A port of 127.0.0.1 that a program can listen at. Each call gives another one.
///
/// It is below those that Linux gives out by itself (`ip_local_port_range`, from 32768 on), so that no connection and no
/// other server takes it before the program does.
public func freePort() throws -> UInt16 {
    for _ in 0..<1000 {
        let port = lastPort.withLock { last in
            last = last < 32_000 ? last + 1 : 20_000
            return last
        }
        if try canListen(port) { return port }
    }
    throw RawConnection.Failure(operation: "find a free port", code: EADDRINUSE)
}

/// Where one process begins differs from where another does.
private let lastPort = Locked(UInt16.random(in: 20_000...32_000))

private func canListen(_ port: UInt16) throws -> Bool {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { throw RawConnection.Failure(operation: "make a socket", code: errno) }
    defer { close(file) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
