internal import Glibc

/// A lock between processes: `flock` on a file. The kernel frees it when the process dies, and a stopped process
/// (SIGSTOP) keeps it.
///
/// The lock is held while the value lives. Two locks on one path exclude each other inside one process, too.
public final class FileLock: Sendable {
    private let file: Int32

    private init(file: Int32) { self.file = file }

    deinit { close(file) }

    /// Takes the lock, or returns nil when another holds it. Makes the file when it is missing.
    public static func take(_ path: String) throws(FileError) -> FileLock? {
        try take(path, LOCK_EX | LOCK_NB)
    }

    /// Waits until the lock is free. Blocks: call it from a thread of its own.
    public static func wait(_ path: String) throws(FileError) -> FileLock {
        guard let lock = try take(path, LOCK_EX) else {
            throw FileError(operation: "lock", path: path, code: EWOULDBLOCK)
        }
        return lock
    }

    /// Whether somebody holds the lock at this moment.
    public static func isHeld(_ path: String) -> Bool {
        guard FileSystem.exists(path) else { return false }
        return ((try? take(path)) ?? nil) == nil
    }

    private static func take(_ path: String, _ operation: Int32) throws(FileError) -> FileLock? {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last("open", path) }
        while flock(file, operation) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(file)
            if code == EWOULDBLOCK { return nil }
            throw FileError(operation: "lock", path: path, code: code)
        }
        return FileLock(file: file)
    }
}
