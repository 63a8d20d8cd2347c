internal import Files
internal import Glibc
internal import Threading

/// Runs a program as a shell would: arguments, an environment of its own, standard input from a text, both outputs
/// collected.
///
/// The child sees only the variables that are given, and `PATH`, `HOME` and `LANG`, with none of the test's open files.
public struct ProgramRunner: Sendable {
    public var path: String
    public var environment: [String: String]
    /// The child's current folder; nil for the test's own.
    public var folder: String?
    /// A child that lives longer is killed, so that a hang is one failed test and not a suite that never ends.
    public var cap: Duration

    public init(
        _ path: String, environment: [String: String] = [:], folder: String? = nil, cap: Duration = .seconds(120)
    ) {
        self.path = path
        self.environment = environment
        self.folder = folder
        self.cap = cap
    }

    /// The path of a program that was built with the tests: it lies beside them.
    public static func built(_ name: String) -> String {
        FileSystem.join(FileSystem.folder(of: FileSystem.realPath("/proc/self/exe") ?? ""), name)
    }

    /// Runs the program to its end.
    ///
    /// - Parameter input: what its standard input holds; nil for `/dev/null`.
    public func run(_ arguments: [String], input: String? = nil) async throws -> ProgramResult {
        try await start(arguments, input: input).finish()
    }

    /// Starts the program.
    public func start(_ arguments: [String], input: String? = nil) throws -> RunningProgram {
        var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]
        variables.merge(environment) { $1 }
        // posix_spawn's own way to another folder is hidden from Swift; env becomes the program, with the same id.
        let words = (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + [path] + arguments
        let inputFile = try input.map { try InputFile($0) }
        let child = try withExtendedLifetime(inputFile) {
            try spawning.withLock { _ throws(ProgramError) in
                try spawn(words, variables.map { "\($0)=\($1)" }, input: inputFile?.path ?? "/dev/null")
            }
        }
        return RunningProgram(child, deadline: .now + cap)
    }
}

/// How a program ended, and what it said.
public struct ProgramResult: Sendable {
    /// The exit code, or 128 and the signal's number, as shells show it.
    public let code: Int32
    /// The signal that ended it.
    public let signal: Int32?
    /// Standard output.
    public let output: String
    /// Standard error.
    public let errors: String

    /// Both, for messages of failed tests.
    public var all: String { "exit \(code)\n--- stdout\n\(output)--- stderr\n\(errors)" }
}

/// Why a program could not be run.
public struct ProgramError: Error, CustomStringConvertible {
    public let description: String
}

/// A program that was started. It is killed with its last reference, with all that it started itself.
public final class RunningProgram: Sendable {
    fileprivate struct Progress: Sendable {
        /// Nil once the process is gone and its number may be another's.
        var pid: pid_t?
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var result: ProgramResult?
        /// Whether it had to be killed because it took too long.
        var isOverdue = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let progress: Locked<Progress>

    fileprivate init(_ child: Child, deadline: ContinuousClock.Instant) {
        let progress = Locked(Progress(pid: child.pid))
        self.progress = progress
        onThread { watch(child, progress, deadline) }
    }

    deinit { kill(progress, SIGKILL, wholeGroup: true) }

    /// Sends a signal to the process itself; one that has ended gets none.
    public func send(_ signal: Int32) { kill(progress, signal, wholeGroup: false) }

    /// Waits until its standard output holds the text, or it has ended.
    ///
    /// - Returns: what its standard output holds then.
    public func output(until text: String) async -> String { await said(text) { $0.output } }

    /// As `output(until:)`, of its standard error.
    public func errors(until text: String) async -> String { await said(text) { $0.errors } }

    private func said(_ text: String, _ stream: @Sendable (Progress) -> [UInt8]) async -> String {
        while true {
            let (output, hasEnded) = progress.withLock { (stream($0), $0.result != nil) }
            let said = String(decoding: output, as: UTF8.self)
            if hasEnded || said.contains(text) { return said }
            await withCheckedContinuation { continuation in
                progress.withLock { progress in
                    if progress.result != nil || stream(progress).count > output.count {
                        continuation.resume()
                    } else {
                        progress.waiting.append(continuation)
                    }
                }
            }
        }
    }

    /// Waits until every thread of it is stopped, or it has ended.
    ///
    /// - Returns: whether it is stopped.
    public func stopped() async -> Bool {
        guard let pid = progress.withLock({ $0.pid }) else { return false }
        return await withCheckedContinuation { continuation in
            onThread {
                var info = siginfo_t()
                // Neither word is taken: the end is for the thread that waits for it.
                while waitid(P_PID, id_t(pid), &info, WSTOPPED | WEXITED | WNOWAIT) != 0 {
                    if errno != EINTR { return continuation.resume(returning: false) }
                }
                continuation.resume(returning: info.si_code == CLD_STOPPED)
            }
        }
    }

    /// Waits for its end.
    ///
    /// - Throws: `ProgramError` when it was killed because it took too long.
    public func finish() async throws -> ProgramResult {
        while true {
            let (result, isOverdue) = progress.withLock { ($0.result, $0.isOverdue) }
            if let result {
                if isOverdue { throw ProgramError(description: "it took too long and was killed. \(result.all)") }
                return result
            }
            await withCheckedContinuation { continuation in
                progress.withLock { progress in
                    if progress.result != nil { continuation.resume() } else { progress.waiting.append(continuation) }
                }
            }
        }
    }
}

/// Pipes are made and handed on by one start at a time: no child gets the ends of another's.
let spawning = Locked(())

private struct Child: Sendable {
    let pid: pid_t
    let output: Int32
    let errors: Int32
}

private func spawn(_ words: [String], _ variables: [String], input: String) throws(ProgramError) -> Child {
    var ends: [Int32] = [-1, -1, -1, -1]
    guard ends.withUnsafeMutableBufferPointer({ pipe($0.baseAddress!) == 0 && pipe($0.baseAddress! + 2) == 0 }) else {
        throw ProgramError(description: "no pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[3], 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var arguments = words.map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &environment)
    close(ends[1])
    close(ends[3])
    guard code == 0 else {
        close(ends[0])
        close(ends[2])
        throw ProgramError(description: "cannot start '\(words[0])': \(String(cString: strerror(code)))")
    }
    return Child(pid: pid, output: ends[0], errors: ends[2])
}

/// Collects the outputs until both have ended, then the process.
private func watch(_ child: Child, _ progress: Locked<RunningProgram.Progress>, _ deadline: ContinuousClock.Instant) {
    var files = [
        pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0),
    ]
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while files.contains(where: { $0.fd >= 0 }) {
        let left = ContinuousClock.now.duration(to: deadline).components.seconds + 1
        if poll(&files, 2, Int32(max(0, min(left, 3600)) * 1000)) == 0 {
            progress.withLock { $0.isOverdue = true }
            kill(progress, SIGKILL, wholeGroup: true)
        }
        for index in 0..<2 where files[index].fd >= 0 && files[index].revents != 0 {
            let count = read(files[index].fd, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                close(files[index].fd)
                files[index].fd = -1
                continue
            }
            let waiting = progress.withLock { progress in
                if index == 0 { progress.output += piece[..<count] } else { progress.errors += piece[..<count] }
                defer { progress.waiting = [] }
                return progress.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }
    var info = siginfo_t()
    while waitid(P_PID, id_t(child.pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let waiting = progress.withLock { progress in
        // Still there as a zombie, so its number and its group are its own: what it left behind ends here.
        Glibc.kill(-child.pid, SIGKILL)
        var status: Int32 = 0
        waitpid(child.pid, &status, 0)
        progress.pid = nil
        let signal = status & 0x7F
        progress.result = ProgramResult(
            code: signal == 0 ? status >> 8 & 0xFF : 128 + signal, signal: signal == 0 ? nil : signal,
            output: String(decoding: progress.output, as: UTF8.self),
            errors: String(decoding: progress.errors, as: UTF8.self))
        defer { progress.waiting = [] }
        return progress.waiting
    }
    for continuation in waiting { continuation.resume() }
}

private func kill(_ progress: Locked<RunningProgram.Progress>, _ signal: Int32, wholeGroup: Bool) {
    progress.withLock { progress in
        if let pid = progress.pid { Glibc.kill(wholeGroup ? -pid : pid, signal) }
    }
}

/// A text that a program reads as its standard input. Once the program has it open, its name can go.
private final class InputFile {
    private let folder: TemporaryFolder
    let path: String

    init(_ text: String) throws {
        folder = try TemporaryFolder()
        path = try folder.write("input", Array(text.utf8))
    }
}
