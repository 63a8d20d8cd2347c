internal import Files
internal import Glibc
internal import Threading
internal import Values

/// The two output streams. Everything that is written goes through the redactor.
final class Output: Sendable {
    private let redactor = Locked(Redactor())
    /// The line at the bottom of a terminal that is drawn again and again; empty when there is none.
    private let status = Locked("")
    private let lostResults = Locked(false)
    let isTerminal: Bool
    let usesColor: Bool

    init(environment: @Sendable (String) -> String?) {
        isTerminal = isatty(2) == 1
        usesColor = isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }

    /// From here on these never appear.
    func hide(_ secrets: some Sequence<Secret>) {
        let replacement = Redactor(secrets)
        redactor.withLock { $0 = replacement }
    }

    func redact(_ text: String) -> String {
        let current = redactor.withLock { $0 }
        return current.redact(text)
    }

    /// A result, to standard output.
    func result(_ text: String) {
        guard let code = write(redact(text), to: 1) else { return }
        let isFirst = lostResults.withLock { lost in
            defer { lost = true }
            return !lost
        }
        if isFirst { note("error: the results cannot be written to standard output: \(systemReason(code)).\n") }
    }

    /// Whether a result could not be written.
    var hasLostResults: Bool { lostResults.withLock { $0 } }

    /// Everything else, to standard error, above the status line.
    func note(_ text: String) {
        let line = status.withLock { $0 }
        write((line.isEmpty ? "" : "\r\u{1B}[K") + redact(text) + line, to: 2)
    }

    /// Draws the status line anew; on a terminal only.
    func show(status text: String) {
        guard isTerminal else { return }
        let line = redact(text)
        status.withLock { $0 = line }
        write("\r\u{1B}[K" + line, to: 2)
    }

    func clearStatus() { show(status: "") }

    /// Gives each standard stream that the program was started without something to write to. Its number would go to the
    /// next file that is opened, and messages into that.
    static func openMissingStreams() {
        for file in Int32(0)...2 where fcntl(file, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    }

    /// A closed pipe takes nothing: that is its reader's wish, no failure.
    ///
    /// - Returns: the error's number; nil when all is written.
    @discardableResult
    private func write(_ text: String, to file: Int32) -> Int32? {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + offset, bytes.count - offset) }
            if count < 0 {
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    var request = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&request, 1, -1)
                    continue
                case EPIPE: return nil
                case let code: return code
                }
            }
            offset += count
        }
        return nil
    }
}

/// Styles for terminals.
struct Style: Sendable {
    let isOn: Bool

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    func red(_ text: String) -> String { wrap(text, "31") }
    func green(_ text: String) -> String { wrap(text, "32") }
    func yellow(_ text: String) -> String { wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String { isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}
