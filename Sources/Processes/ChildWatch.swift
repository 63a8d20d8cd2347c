internal import CSpawn
internal import Glibc

/// Reads what a child writes and waits for its end.
struct ChildWatch {
    private let pid: pid_t
    private let maxBytes: Int
    private let grace: Duration
    /// Standard output, standard error, the process, the waker; -1 once there is nothing more to come.
    private var files: [pollfd]
    private var texts = [Text(), Text()]
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    private struct Text {
        var kept: [UInt8] = []
        var dropped = 0
    }

    init(_ child: pasteup_child, waker: Int32, maxBytes: Int, grace: Duration) {
        pid = child.pid
        self.maxBytes = maxBytes
        self.grace = grace
        files = [child.output, child.errors, child.process, waker].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
    }

    /// Returns when the process has ended, and nobody writes any more or the grace for that is over.
    ///
    /// - Returns: whether the wait was cancelled before the process had ended.
    mutating func waitForEnd() -> Bool {
        var hasEnded = false
        var wasBrokenOff = false
        var deadline: ContinuousClock.Instant?
        while true {
            if poll(&files, nfds_t(files.count), milliseconds(until: deadline)) < 0, errno != EINTR {
                return wasBrokenOff
            }
            for index in texts.indices where files[index].revents != 0 { read(index) }
            if !hasEnded, files[2].revents != 0 {
                hasEnded = true
                files[2].fd = -1
                deadline = .now + grace
            } else if files[3].revents != 0 {
                files[3].fd = -1
                if hasEnded { return wasBrokenOff }
                wasBrokenOff = true
                deadline = .now + grace
            }
            if hasEnded, wasBrokenOff || files[..<2].allSatisfy({ $0.fd < 0 }) { return wasBrokenOff }
            if let end = deadline, end <= .now {
                if hasEnded { return wasBrokenOff }
                kill(-pid, SIGKILL)
                deadline = nil
            }
        }
    }

    /// Reads what is there still, without waiting.
    mutating func drain() {
        for index in texts.indices { while files[index].fd >= 0, read(index) {} }
    }

    func result(_ status: Int32) -> ChildResult {
        let signal = status & 0x7F
        return ChildResult(
            ending: signal == 0 ? .exited(code: status >> 8 & 0xFF) : .killed(signal: signal), output: texts[0].kept,
            errors: texts[1].kept, droppedOutputBytes: texts[0].dropped, droppedErrorBytes: texts[1].dropped)
    }

    /// - Returns: whether there may be more.
    @discardableResult
    private mutating func read(_ index: Int) -> Bool {
        let count = Glibc.read(files[index].fd, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return errno == EINTR }
        guard count > 0 else {
            files[index].fd = -1
            return false
        }
        let kept = min(count, maxBytes - texts[index].kept.count)
        texts[index].kept += buffer[..<kept]
        texts[index].dropped += count - kept
        return true
    }

    private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        return Int32(min(max(left.rounded(.up), 0), 3_600_000))
    }
}
