internal import CSpawn
internal import Glibc
internal import Threading

/// One child from start to end. A thread of its own runs it; any thread may cancel it.
final class ChildHandle: Sendable {
    private struct State: Sendable {
        /// The group, as long as its number cannot be another's.
        var group: pid_t?
        var isCancelled = false
    }

    private let state = Locked(State())
    /// Ends the thread's wait, so that it counts the time until the kill.
    private let waker: Int32

    init() throws(ChildProcessError) {
        waker = pasteup_waker()
        guard waker >= 0 else { throw ChildProcessError(.resources, errno) }
    }

    deinit { close(waker) }

    /// Asks the group to end.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let group = state.group { kill(-group, SIGTERM) }
        }
        pasteup_wake(waker)
    }

    /// Blocks until the child has ended.
    func run(_ process: ChildProcess, path: String) throws -> ChildResult {
        let child = try Guardian.start(process, path: path)
        defer { for file in [child.process, child.output, child.errors] { close(file) } }
        state.withLock { state in
            state.group = child.pid
            if state.isCancelled { kill(-child.pid, SIGTERM) }
        }
        var watch = ChildWatch(child, waker: waker, maxBytes: process.maxOutputBytes, grace: process.grace)
        let wasBrokenOff = watch.waitForEnd()
        let status = reap(child)
        watch.drain()
        let result = watch.result(status)
        // A cancellation that came at the same moment as the end: what ended well has ended by itself.
        let isCancelled = state.withLock { $0.isCancelled }
        if wasBrokenOff || isCancelled && result.ending != .exited(code: 0) { throw CancellationError() }
        return result
    }

    /// Ends what is left of the group, and only then frees its number.
    private func reap(_ child: pasteup_child) -> Int32 {
        state.withLock { state in
            kill(-child.pid, SIGKILL)
            pasteup_guard_release(child.slot)
            var status: Int32 = 0
            while waitpid(child.pid, &status, 0) < 0, errno == EINTR {}
            state.group = nil
            return status
        }
    }
}
