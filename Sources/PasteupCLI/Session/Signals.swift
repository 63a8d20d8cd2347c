internal import Glibc
internal import Journal
internal import Threading

/// Turns signals into a stream: Ctrl-C stops a run, a request to end or a closed terminal interrupts it. A second one
/// ends the process at once; the journal is whole at any instant.
enum Signals {
    /// Installs the handlers. To be called once, first thing.
    static func stops() -> AsyncStream<RunState> {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return AsyncStream { $0.finish() } }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        signalPipe = ends[1]
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = signalArrived
            action.sa_flags = SA_RESTART
            // A program started with a signal ignored (nohup) keeps ignoring it.
            var former = sigaction()
            sigaction(number, nil, &former)
            if former.__sigaction_handler.sa_handler != nil,
                unsafeBitCast(former.__sigaction_handler.sa_handler, to: Int.self) == 1
            {
                continue
            }
            sigaction(number, &action, nil)
        }
        signal(SIGPIPE, SIG_IGN)
        let reading = ends[0]
        return AsyncStream { continuation in
            onThread {
                var isSecond = false
                var wait = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
                while true {
                    guard poll(&wait, 1, -1) > 0 else { continue }
                    var byte: UInt8 = 0
                    guard read(reading, &byte, 1) == 1 else { continue }
                    if isSecond { _exit(128 + Int32(byte)) }
                    isSecond = true
                    continuation.yield(Int32(byte) == SIGINT ? .stopped : .interrupted)
                }
            }
        }
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
