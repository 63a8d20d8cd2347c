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

    @Test func theTasksOfAThreadStayOnIt() async throws {
        let threads = await TaskThread.run {
            await withTaskGroup(of: pthread_t.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try? await offPool {}
                        await Task.yield()
                        return pthread_self()
                    }
                }
                return await group.reduce(into: Set([thread()])) { $0.insert($1) }
            }
        }
        #expect(threads.count == 1)
    }

    @Test func anErrorLeavesTheThread() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await TaskThread.run { throw Failure() } }
    }
}

private func thread() -> pthread_t { pthread_self() }

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
