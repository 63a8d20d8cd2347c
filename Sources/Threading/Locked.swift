internal import Glibc

/// A value behind a pthread mutex.
///
/// Synchronization's `Mutex` is avoided: its contended path is invisible to the thread sanitizer, which then reports
/// races that are not there.
///
/// Safe to share: `value` is touched only while the mutex is held.
public final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    public init(_ value: consuming sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: .init())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value. `body` must not block, nor take the same lock again.
    public func withLock<Result, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
