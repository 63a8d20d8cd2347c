internal import Glibc

/// Runs tasks on one thread of its own, where what they do for one another wakes no other thread. Its tasks must not
/// block, and what computes for long belongs on another thread.
///
/// Safe to share: the jobs are behind a lock, and a semaphore is made for use by many threads.
public final class TaskThread: TaskExecutor, @unchecked Sendable {
    private struct Content {
        var jobs: [UnownedJob] = []
        var isOver = false
    }

    private let content = Locked(Content())
    private let filled: UnsafeMutablePointer<sem_t>

    private init() {
        filled = .allocate(capacity: 1)
        sem_init(filled, 0, 0)
    }

    deinit {
        sem_destroy(filled)
        filled.deallocate()
    }

    /// Runs `body` and its child tasks on a new thread, which ends with it.
    public static func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let thread = TaskThread()
        onThread(stackBytes: 8 << 20) { thread.serve() }
        defer { thread.end() }
        return try await withTaskExecutorPreference(thread, operation: body)
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = content.withLock { content in
            content.jobs.append(job)
            return content.jobs.count == 1
        }
        if isFirst { sem_post(filled) }
    }

    private func end() {
        content.withLock { $0.isOver = true }
        sem_post(filled)
    }

    private func serve() {
        while true {
            while sem_wait(filled) != 0 {}
            let (jobs, isOver) = content.withLock { content in
                defer { content.jobs.removeAll(keepingCapacity: true) }
                return (content.jobs, content.isOver)
            }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            if isOver, jobs.isEmpty { return }
        }
    }
}
