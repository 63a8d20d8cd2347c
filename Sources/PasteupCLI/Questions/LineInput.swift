internal import Glibc
internal import Threading

/// Standard input, line by line, for one reader at a time.
final class LineInput: Sendable {
    enum Line: Sendable {
        case text(String)
        case end
        /// The task that waited was cancelled; no line is lost.
        case cancelled
    }

    /// Whether somebody types.
    let isTerminal = isatty(0) == 1
    private let unread = Locked<[UInt8]>([])

    /// The next line, without its end. A terminal may give more lines after an end (Ctrl-D).
    func line() async -> Line {
        guard let bell = Bell() else { return .end }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                onThread { [self] in
                    continuation.resume(returning: next(bell))
                }
            }
        } onCancel: {
            bell.ring()
        }
    }

    private func next(_ bell: Bell) -> Line {
        var waits = [
            pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0),
        ]
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            if let line = takeLine() { return .text(line) }
            guard poll(&waits, 2, -1) > 0 else { continue }
            if waits[1].revents != 0 { return .cancelled }
            let count = read(0, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return takeRest().map(Line.text) ?? .end }
            unread.withLock { $0 += piece[..<count] }
        }
    }

    private func takeLine() -> String? {
        unread.withLock { unread in
            guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { unread.removeFirst(end + 1) }
            return text(unread[..<end])
        }
    }

    /// A last line without an end.
    private func takeRest() -> String? {
        unread.withLock { unread in
            defer { unread = [] }
            return unread.isEmpty ? nil : text(unread[...])
        }
    }
}

private func text(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
}

/// A pipe that wakes a thread from `poll`.
private final class Bell: Sendable {
    let reading: Int32
    private let writing: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func ring() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }
}

/// A person has pressed Ctrl-C where they were asked for something.
struct Interrupted: Error {}

/// A line that must not be seen: on a terminal nothing of it is shown, and it may be longer than the 4,095 bytes that a
/// terminal takes otherwise.
enum HiddenInput {
    /// Whether somebody types.
    static var isTerminal: Bool { isatty(0) == 1 }

    /// - Parameter prompt: what a person at a terminal is asked.
    /// - Returns: nil at the end of the input, and for Ctrl-D. Blocks: for a moment when nothing else goes on.
    /// - Throws: `Interrupted` for Ctrl-C.
    static func line(_ output: Output, prompt: String) throws(Interrupted) -> String? {
        var former = termios()
        guard tcgetattr(0, &former) == 0 else { return readLine() }
        // Whoever sees the prompt may type at once: nothing of it may be echoed.
        var hidden = former
        hidden.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(0, TCSADRAIN, &hidden)
        defer { tcsetattr(0, TCSADRAIN, &former) }
        output.prompt(prompt)
        defer { output.endPrompt(isTyped: false) }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(0, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch byte {
            case 3: throw Interrupted()
            case 4: return nil
            case 10, 13: return String(decoding: line, as: UTF8.self)
            case 8, 127: _ = line.popLast()
            case 21: line = []
            default: line.append(byte)
            }
        }
    }
}
