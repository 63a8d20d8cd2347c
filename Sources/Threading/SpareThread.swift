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

    private static let maxWaiting = 8
    /// The one that waited last comes first: its stack is still in the cache.
    private static let waiting = Locked<[SpareThread]>([])

    private let filled: UnsafeMutablePointer<sem_t>
    private let next: Locked<Call?>

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
        if let thread = waiting.withLock({ $0.popLast() }) {
            thread.next.withLock { $0 = call }
            sem_post(thread.filled)
        } else {
            let thread = SpareThread(call)
            onThread { thread.serve() }
        }
    }

    private func serve() {
        while true {
            while sem_wait(filled) != 0 {}
            guard let call = next.withLock({ next in next.take() }) else { continue }
            let answer = call()
            // Whom the answer wakes finds this thread waiting already.
            let stays = SpareThread.waiting.withLock { waiting in
                guard waiting.count < SpareThread.maxWaiting else { return false }
                waiting.append(self)
                return true
            }
            answer()
            if !stays { return }
        }
    }
}
