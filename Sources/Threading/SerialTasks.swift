internal import Glibc

/// Runs tasks one at a time, so that what they do for one another wakes no other thread. They must not block, and what
/// computes for long belongs on another thread.
///
/// A thread of its own runs them, unless a thread that has just been through with a call of `offPool` is there to go on
/// with what that call was waited for: then nobody need be woken for its result, nor for the next call.
///
/// Safe to share: the jobs are behind a lock, and a semaphore is made for use by many threads.
public final class SerialTasks: TaskExecutor, @unchecked Sendable {
    private struct Content {
        var jobs: [UnownedJob] = []
        /// Whether a thread runs jobs, or is on its way to.
        var isServed = false
        var isOver = false
    }

    /// How many jobs a lent thread runs while a call of `offPool` waits for it.
    private static let maxJobsBeforeCall = 2

    private let content = Locked(Content())
    private let called: UnsafeMutablePointer<sem_t>

    private init() {
        called = .allocate(capacity: 1)
        sem_init(called, 0, 0)
    }

    deinit {
        sem_destroy(called)
        called.deallocate()
    }

    /// Runs `body` and its child tasks, none of them at the same time as another.
    public static func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let tasks = SerialTasks()
        onThread(stackBytes: 8 << 20) { tasks.serve() }
        defer { tasks.end() }
        return try await withTaskExecutorPreference(tasks, operation: body)
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        // The last of the jobs may end what keeps this executor, and the runtime keeps it for the call no longer.
        let kept = Unmanaged.passRetained(self)
        defer { kept.release() }
        let job = UnownedJob(job)
        let isServed = content.withLock { content in
            content.jobs.append(job)
            defer { content.isServed = true }
            return content.isServed
        }
        if isServed { return }
        if let thread = SpareThread.lent { return runJobs(on: thread) }
        sem_post(called)
    }

    private func end() {
        content.withLock { $0.isOver = true }
        sem_post(called)
    }

    private func serve() {
        while true {
            while sem_wait(called) != 0 {}
            if content.withLock({ $0.isOver }) { return }
            runJobs(on: nil)
        }
    }

    private func runJobs(on lent: SpareThread?) {
        var rest = SerialTasks.maxJobsBeforeCall
        while true {
            let jobs = content.withLock { content in
                defer { content.jobs = [] }
                if content.jobs.isEmpty { content.isServed = false }
                return content.jobs
            }
            if jobs.isEmpty { return }
            for (place, job) in jobs.enumerated() {
                if let lent, lent.hasCall {
                    rest -= 1
                    if rest < 0 { return passOn(jobs[place...]) }
                }
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    /// Leaves the rest to this executor's own thread.
    private func passOn(_ jobs: ArraySlice<UnownedJob>) {
        content.withLock { $0.jobs = jobs + $0.jobs }
        sem_post(called)
    }
}
