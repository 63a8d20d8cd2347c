internal import CSpawn
internal import Files
internal import Glibc
internal import Threading

/// A program to run as a child of this process, without a shell.
///
/// The child leads a process group of its own. It and its group are gone when `run` returns, and also when this process
/// dies in the middle of it, however it dies. A program that makes a session of its own (`setsid`) leaves the group and
/// with it this rule.
public struct ChildProcess: Sendable {
    /// The program and its arguments. A program without a slash is looked for in the child's `PATH`; a relative one with a
    /// slash is taken from `base`.
    public var arguments: [String]
    /// All variables that the child gets.
    public var environment: [String: String]
    /// The child's current folder, absolute.
    public var folder: String
    /// The folder from which a relative path of the program is taken, absolute.
    public var base: String
    /// What the child reads as its standard input.
    public var input: [UInt8]
    /// How much is kept of each of the two outputs, in bytes; what comes after that is read and dropped.
    public var maxOutputBytes: Int
    /// The time between the request to end (`SIGTERM`) and the end (`SIGKILL`) when the task is cancelled, and the time that
    /// what the program has left behind may still write after it has ended.
    public var grace: Duration

    /// - Parameter base: the same as `folder` unless given.
    public init(
        _ arguments: [String], environment: [String: String], folder: String, base: String? = nil, input: [UInt8] = [],
        maxOutputBytes: Int = 1 << 20, grace: Duration = .seconds(5)
    ) {
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.base = base ?? folder
        self.input = input
        self.maxOutputBytes = maxOutputBytes
        self.grace = grace
    }

    /// Where programs are looked for when no `PATH` says so.
    public static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    /// The only variables of this process that a child gets: `PATH`, `HOME`, `LANG` and `TZ`. Everything else, tokens
    /// before all, is given by name or not at all.
    public static func inherited(_ environment: [String: String]) -> [String: String] {
        var kept = environment.filter { ["PATH", "HOME", "LANG", "TZ"].contains($0.key) }
        if kept["PATH"] == nil { kept["PATH"] = standardPath }
        return kept
    }

    /// Runs the program to its end.
    ///
    /// - Throws: `ChildProcessError` when it cannot be started: nothing has run then. `CancellationError` when the task was
    ///   cancelled before it had ended; it and its group are gone then, too.
    public func run() async throws -> ChildResult {
        try Task.checkCancellation()
        let path = try program()
        let handle = try ChildHandle()
        return try await withTaskCancellationHandler {
            try await offPool { try handle.run(self, path: path) }
        } onCancel: {
            handle.cancel()
        }
    }
}

/// How a program ended, and what it wrote.
public struct ChildResult: Sendable, Hashable {
    public enum Ending: Sendable, Hashable {
        case exited(code: Int32)
        case killed(signal: Int32)
    }

    public let ending: Ending
    /// Its standard output, up to the cap.
    public let output: [UInt8]
    /// Its standard error, up to the cap.
    public let errors: [UInt8]
    /// How many bytes of the standard output came after the cap.
    public let droppedOutputBytes: Int
    /// How many bytes of the standard error came after the cap.
    public let droppedErrorBytes: Int
}

/// Why a program could not be started.
public struct ChildProcessError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened, as a clause: "there is no program 'x' in PATH".
    public let what: String
    /// How to mend it, as a sentence.
    public let fix: String?

    public var description: String { what }
}

// MARK: - Finding the program

extension ChildProcess {
    private func program() throws(ChildProcessError) -> String {
        guard let name = arguments.first, !name.isEmpty else {
            throw ChildProcessError(what: "no program is named", fix: nil)
        }
        let texts = arguments + environment.flatMap { [$0.key, $0.value] }
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw ChildProcessError(
                what: "an argument or a variable of '\(name)' holds a NUL byte, which no program can be given", fix: nil
            )
        }
        if let bad = environment.keys.first(where: { $0.isEmpty || $0.utf8.contains(UInt8(ascii: "=")) }) {
            throw ChildProcessError(what: "'\(bad)' cannot be the name of a variable", fix: nil)
        }
        if name.utf8.contains(UInt8(ascii: "/")) { return FileSystem.join(base, name) }
        let search = Search(name: name, path: environment["PATH"] ?? ChildProcess.standardPath, base: base)
        if let path = ChildProcess.found.withLock({ $0[search] }), isProgram(path) { return path }
        guard let path = search.places.first(where: isProgram) else {
            throw ChildProcessError(
                what: "there is no program '\(name)' in PATH",
                fix: "Install it, or write its path; one beside the workflow file is './\(name)'.")
        }
        ChildProcess.found.withLock { $0[search] = path }
        return path
    }

    /// Where programs were found: as a shell does, a place is kept as long as the program is there.
    private static let found = Locked<[Search: String]>([:])

    private struct Search: Sendable, Hashable {
        let name: String
        let path: String
        let base: String

        var places: some Sequence<String> {
            path.split(separator: ":").lazy.map { FileSystem.join(FileSystem.join(base, String($0)), name) }
        }
    }

    private func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 && !FileSystem.isFolder(path) }
}
