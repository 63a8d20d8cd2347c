import Glibc
import Testing
import Threading

@Suite struct ThreadTests {
    /// All wait for the last one: they would wait for ever, had two of them one thread.
    @Test(arguments: [1, 2]) func blockingCallsHaveAThreadEach(round: Int) async throws {
        let barrier = Barrier(count: 40)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await offPool {
                        barrier.wait()
                        return number
                    }
                }
            }
            let numbers = try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            #expect(numbers == Set(0..<40))
        }
    }

    @Test func aBlockingCallsErrorIsItsCallers() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await offPool { throw Failure() } }
    }

    /// Nor does any wait for another: 200 tasks leave and come back while others go on.
    @Test func serialTasksNeverRunAtTheSameTime() async throws {
        let running = Counter()
        let ended = await SerialTasks.run {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        for _ in 0..<20 {
                            running.enter()
                            running.leave()
                            try? await offPool {}
                            running.enter()
                            running.leave()
                            await Task.yield()
                        }
                        return 1
                    }
                }
                return await group.reduce(0, +)
            }
        }
        #expect(ended == 200)
        #expect(running.most == 1)
    }

    /// A call that waits for a thread which runs tasks meanwhile is carried out although they never come to an end.
    @Test func aBlockingCallIsNotHeldUpByBusyTasks() async throws {
        let isOver = Locked(false)
        await SerialTasks.run {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { while !isOver.withLock({ $0 }) { await Task.yield() } }
                group.addTask {
                    for _ in 0..<50 { try? await offPool {} }
                    isOver.withLock { $0 = true }
                }
            }
        }
    }

    /// The last job runs on the thread of the last call, and is the end of the executor as well.
    @Test func theLastTaskMayEndOnALentThread() async throws {
        for _ in 0..<2000 {
            try await SerialTasks.run {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 { group.addTask { try await offPool {} } }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func anErrorLeavesTheTasks() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await SerialTasks.run { throw Failure() } }
    }
}

/// How many were inside at once.
private final class Counter: Sendable {
    private let state = Locked((inside: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func enter() {
        state.withLock { state in
            state.inside += 1
            state.most = max(state.most, state.inside)
        }
    }

    func leave() { state.withLock { $0.inside -= 1 } }
}

/// Safe to share: a pthread barrier is made for use by many threads.
private final class Barrier: @unchecked Sendable {
    private let barrier: UnsafeMutablePointer<pthread_barrier_t>

    init(count: UInt32) {
        barrier = .allocate(capacity: 1)
        pthread_barrier_init(barrier, nil, count)
    }

    deinit {
        pthread_barrier_destroy(barrier)
        barrier.deallocate()
    }

    func wait() { pthread_barrier_wait(barrier) }
}
