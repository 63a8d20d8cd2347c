internal import Glibc

/// Runs `body` on a thread of its own, for calls that block: the shared pool has one thread for each core, and a
/// blocked one stalls it.
///
/// - Parameter stackBytes: the size of the thread's stack; 512 KiB unless said.
public func onThread(stackBytes: Int = 512 << 10, _ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackBytes)
    var thread = pthread_t()
    let code = pthread_create(
        &thread, &attributes,
        {
            Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    precondition(code == 0, "pthread_create: \(code)")
}

/// Runs a blocking `body` on a thread that does nothing else meanwhile, and waits for its result without blocking the
/// caller's thread.
///
/// - Parameter stackBytes: the size of a new thread's stack; nil takes a thread that an earlier call has left, or makes
///   one with 512 KiB.
public func offPool<Result: Sendable>(
    stackBytes: Int? = nil, _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        if let stackBytes {
            onThread(stackBytes: stackBytes) { continuation.resume(with: Swift.Result { try body() }) }
        } else {
            SpareThread.run {
                let result = Swift.Result { try body() }
                return { continuation.resume(with: result) }
            }
        }
    }
}

private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
