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
    /// What a person is being asked, at the end of everything; empty when nothing is asked.
    private let question = Locked("")
    let isTerminal: Bool
    /// Whether a line can be drawn again.
    private let redraws: Bool
    let usesColor: Bool

    init(environment: @Sendable (String) -> String?) {
        isTerminal = isatty(2) == 1
        redraws = isTerminal && environment("TERM") != "dumb"
        usesColor = redraws && (environment("NO_COLOR") ?? "").isEmpty
    }

    /// Of the terminal that results go to; nil when they go elsewhere.
    var columns: Int? {
        var size = winsize()
        return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    /// What is left of a text for the status line: one that is broken in two cannot be drawn again. Its characters are as
    /// wide as a letter.
    func cut(status text: String) -> String {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1, text.count >= Int(size.ws_col) else {
            return text
        }
        return text.prefix(Int(size.ws_col) - 2) + "…"
    }

    /// From here on these never appear.
    func hide(_ secrets: some Sequence<Secret>) {
        let replacement = Redactor(secrets)
        redactor.withLock { $0 = replacement }
    }

    /// These never appear either.
    func hide(adding secrets: some Sequence<Secret>) {
        redactor.withLock { redactor in
            for secret in secrets { redactor = redactor.hiding(secret) }
        }
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
        let line = question.withLock { $0 }
        let last = line.isEmpty ? status.withLock { $0 } : line
        let start = last.isEmpty ? "" : redraws ? "\r\u{1B}[K" : "\n"
        write(start + redact(text) + last, to: 2)
    }

    /// Draws the status line anew; on a terminal only.
    func show(status text: String) {
        guard redraws else { return }
        let line = redact(text)
        let isNew = status.withLock { status in
            defer { status = line }
            return status != line
        }
        guard isNew, question.withLock({ $0.isEmpty }) else { return }
        write("\r\u{1B}[K" + line, to: 2)
    }

    func clearStatus() { show(status: "") }

    /// Asks, in place of the status line. What a person has typed at the prompt stays in the terminal's own line when
    /// notes come in between.
    func prompt(_ text: String) {
        question.withLock { $0 = text }
        write((redraws ? "\r\u{1B}[K" : "") + text, to: 2)
    }

    /// Ends the prompt; does nothing when there is none.
    ///
    /// - Parameter isTyped: whether the terminal's cursor has gone to the next line already.
    func endPrompt(isTyped: Bool) {
        let wasAsked = question.withLock { question in
            defer { question = "" }
            return !question.isEmpty
        }
        guard wasAsked else { return }
        let line = status.withLock { $0 }
        write((isTyped ? "" : "\n") + line, to: 2)
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
