internal import Files
internal import Glibc
internal import Threading

/// A program on a terminal of its own (a pseudo-terminal, 80 x 24), with what it shows, and somebody who types.
///
/// The child sees only the variables that are given, and `PATH`, `HOME`, `LANG` and `TERM`. It is killed with the last
/// reference.
public final class TerminalProgram: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    fileprivate struct Progress: Sendable {
        var shown: [UInt8] = []
        /// How much of it has been waited for.
        var read = 0
        /// As shells show it; nil while it runs.
        var code: Int32?
        var isOverdue = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let terminal: Terminal
    private let pid: pid_t
    private let progress = Locked(Progress())

    /// - Parameter cap: a program that lives longer is killed, and waiting for it throws.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], cap: Duration = .seconds(60)
    ) throws {
        terminal = try Terminal()
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal.file, UInt(TIOCSWINSZ), &size)
        var variables = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", "TERM": "dumb",
        ]
        variables.merge(environment) { $1 }
        let childPath = terminal.childPath
        pid = try spawning.withLock { _ throws(Failure) in
            try spawn([path] + arguments, variables.map { "\($0)=\($1)" }, on: childPath)
        }
        onThread { [terminal, pid, progress] in watch(terminal, pid, progress, deadline: .now + cap) }
    }

    deinit {
        progress.withLock { if $0.code == nil { _ = kill(-pid, SIGKILL) } }
    }

    /// Everything shown so far, with line ends as "\n".
    public var transcript: String { progress.withLock { text($0.shown[...]) } }

    /// Waits until it shows the text, after all that was waited for before.
    ///
    /// - Returns: what was shown from there on, up to the text's end.
    @discardableResult
    public func wait(for expected: String) async throws -> String {
        while true {
            let (found, isOver, seen) = progress.withLock { progress -> (String?, Bool, Int) in
                let rest = progress.shown[progress.read...]
                guard let end = rest.firstRange(of: Array(expected.utf8))?.upperBound else {
                    return (nil, progress.code != nil, progress.shown.count)
                }
                progress.read = end
                return (text(rest[..<end]), false, end)
            }
            if let found { return found }
            guard !isOver else { throw Failure(description: "it never showed '\(expected)'.\n\(transcript)") }
            await change(after: seen)
        }
    }

    /// Types the text; "\n" is Enter, "\u{3}" Ctrl-C, "\u{4}" Ctrl-D.
    public func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(terminal.file, bytes, bytes.count)
    }

    /// Waits for its end.
    ///
    /// - Returns: the exit code, or 128 and the signal's number.
    public func finish() async throws -> Int32 {
        while true {
            let (code, isOverdue, seen) = progress.withLock { ($0.code, $0.isOverdue, $0.shown.count) }
            if let code {
                guard !isOverdue else { throw Failure(description: "it took too long.\n\(transcript)") }
                return code
            }
            await change(after: seen)
        }
    }

    /// Waits until more than `seen` bytes were shown or it has ended.
    private func change(after seen: Int) async {
        await withCheckedContinuation { continuation in
            progress.withLock { progress in
                if progress.code != nil || progress.shown.count > seen {
                    continuation.resume()
                } else {
                    progress.waiting.append(continuation)
                }
            }
        }
    }
}

/// The near end of a pseudo-terminal. It is closed when nobody can type or read any more: its number may be another
/// file's from then on.
private final class Terminal: Sendable {
    let file: Int32
    /// Where the program finds its end.
    let childPath: String

    init() throws {
        file = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // What posix_openpt, unlockpt and ptsname do, which Swift's Glibc module lacks.
        var number: UInt32 = 0
        var lock: Int32 = 0
        let setLock: UInt = 0x4004_5431
        let getNumber: UInt = 0x8004_5430
        let isReady = file >= 0 && ioctl(file, setLock, &lock) == 0 && ioctl(file, getNumber, &number) == 0
        let code = errno
        childPath = "/dev/pts/\(number)"
        guard isReady else {
            throw TerminalProgram.Failure(description: "no terminal: \(String(cString: strerror(code)))")
        }
    }

    deinit { close(file) }
}

private func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
}

private func spawn(
    _ words: [String], _ variables: [String], on terminal: String
) throws(TerminalProgram.Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a session's leader opens becomes the session's own.
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    let newSession: Int32 = 0x80
    posix_spawnattr_setflags(&attributes, Int16(newSession | Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)))
    var arguments = words.map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &environment)
    guard code == 0 else {
        throw TerminalProgram.Failure(description: "cannot start '\(words[0])': \(String(cString: strerror(code)))")
    }
    return pid
}

/// Collects what is shown until nothing has the terminal open any more, then the process.
private func watch(
    _ terminal: Terminal, _ pid: pid_t, _ progress: Locked<TerminalProgram.Progress>,
    deadline: ContinuousClock.Instant
) {
    var wait = pollfd(fd: terminal.file, events: Int16(POLLIN), revents: 0)
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    while true {
        let left = ContinuousClock.now.duration(to: deadline).components.seconds + 1
        let ready = poll(&wait, 1, Int32(max(0, min(left, 3600)) * 1000))
        if ready == 0 {
            progress.withLock { $0.isOverdue = true }
            kill(-pid, SIGKILL)
            break
        }
        if ready < 0 { continue }
        let count = read(terminal.file, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        // EIO: the child's end is closed.
        guard count > 0 else { break }
        let waiting = progress.withLock { progress in
            progress.shown += piece[..<count]
            defer { progress.waiting = [] }
            return progress.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let waiting = progress.withLock { progress in
        let signal = status & 0x7F
        progress.code = signal == 0 ? status >> 8 & 0xFF : 128 + signal
        defer { progress.waiting = [] }
        return progress.waiting
    }
    for continuation in waiting { continuation.resume() }
}
