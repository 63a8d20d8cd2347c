internal import Glibc
internal import Journal
internal import Threading

/// Requests to stop, from signals: Ctrl-C stops a run, a request to end or a closed terminal interrupts it. A second one,
/// and the first while nothing runs, ends the process at once; the journal is whole at any instant.
final class StopSignals: Sendable {
    private struct State: Sendable {
        var raised: RunState?
        var listeners: [Int: AsyncStream<RunState>.Continuation] = [:]
        var nextListener = 0
    }

    private let state = Locked(State())

    /// Installs the handlers. To be made once, first thing.
    init() {
        var ends: [Int32] = [-1, -1]
        // pipe2, which Glibc's module does not have: no child that another thread starts may get the ends.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        signalPipe = ends[1]
        for number in [SIGINT, SIGTERM, SIGHUP] { StopSignals.install(number) }
        signal(SIGPIPE, SIG_IGN)
        let reading = ends[0]
        onThread { [weak self] in
            var byte: UInt8 = 0
            var isSecond = false
            while true {
                let count = read(reading, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1 else { return }
                if isSecond { _exit(128 + Int32(byte)) }
                isSecond = true
                let isHeard = self?.raise(Int32(byte) == SIGINT ? .stopped : .interrupted) ?? false
                if !isHeard { _exit(128 + Int32(byte)) }
            }
        }
    }

    /// A stream that yields when the process is to stop; at once, when that is so already. Every listener has its own.
    func stream() -> AsyncStream<RunState> {
        AsyncStream { continuation in
            let (number, raised) = state.withLock { state in
                let number = state.nextListener
                state.nextListener += 1
                state.listeners[number] = continuation
                return (number, state.raised)
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in _ = state.listeners.removeValue(forKey: number) }
            }
            if let raised { continuation.yield(raised) }
        }
    }

    /// - Returns: whether somebody listens.
    private func raise(_ stop: RunState) -> Bool {
        let listeners = state.withLock { state in
            state.raised = stop
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(stop) }
        return !listeners.isEmpty
    }

    /// A program that was started with a signal ignored (nohup) keeps ignoring it.
    private static func install(_ number: Int32) {
        var former = sigaction()
        sigaction(number, nil, &former)
        if let handler = former.__sigaction_handler.sa_handler, unsafeBitCast(handler, to: Int.self) == 1 { return }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = signalArrived
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }
}

/// Written once before any handler is installed, then only read.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Runs in the signal's context: only `write` is called.
private func signalArrived(_ number: Int32) {
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(signalPipe, &byte, 1)
    errno = saved
}
