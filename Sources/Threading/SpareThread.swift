internal import Glibc

/// A thread for blocking calls, one after the other.
///
/// To make a thread and to bury it costs 80 µs, as much as a call of a small program may take; so one that is through
/// waits for the next call, unless enough others wait already.
///
/// Safe to share: the call is behind the lock of all threads, and a semaphore is made for use by many threads.
final class SpareThread: @unchecked Sendable {
    /// Blocks, and gives back what answers the caller.
    typealias Call = @Sendable () -> @Sendable () -> Void

    /// Tasks may run on it, and reading JSON recurs.
    private static let stackBytes = 8 << 20
    private static let maxWaiting = 8
    /// The one that waited last comes first: its stack is still in the cache.
    private static let waiting = Locked<[SpareThread]>([])

    private let filled: UnsafeMutablePointer<sem_t>
    private let next: Locked<Call?>

    /// This thread, while it hands over the result of a call: it may do more than that.
    static var lent: SpareThread? {
        pthread_getspecific(key).map { Unmanaged<SpareThread>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0)
        return key
    }()

    /// Whether the next call waits already.
    var hasCall: Bool { next.withLock { $0 != nil } }

    private init(_ call: @escaping Call) {
        next = Locked(call)
        filled = .allocate(capacity: 1)
        sem_init(filled, 0, 1)
    }

    deinit {
        sem_destroy(filled)
        filled.deallocate()
    }

    static func run(_ call: @escaping Call) {
        if let thread = lent, !thread.hasCall {
            thread.next.withLock { $0 = call }
            sem_post(thread.filled)
        } else if let thread = waiting.withLock({ $0.popLast() }) {
            thread.next.withLock { $0 = call }
            sem_post(thread.filled)
        } else {
            let thread = SpareThread(call)
            onThread(stackBytes: stackBytes) { thread.serve() }
        }
    }

    private func serve() {
        while true {
            while sem_wait(filled) != 0 {}
            guard let call = next.withLock({ next in next.take() }) else { continue }
            let answer = call()
            // What the answer leads to may be the next call. Nobody else gives one to a thread that is lent.
            pthread_setspecific(SpareThread.key, Unmanaged.passUnretained(self).toOpaque())
            answer()
            pthread_setspecific(SpareThread.key, nil)
            if hasCall { continue }
            let stays = SpareThread.waiting.withLock { waiting in
                guard waiting.count < SpareThread.maxWaiting else { return false }
                waiting.append(self)
                return true
            }
            if !stays { return }
        }
    }
}
