internal import Glibc

/// A lock between processes: that of an open file description (fcntl(2), `F_OFD_SETLK`) on the whole of a file. The kernel
/// frees it when the process dies, and a stopped process (SIGSTOP) keeps it. Unlike `flock`, it can be asked about.
///
/// The lock is held while the value lives. Two locks on one path exclude each other inside one process, too.
public final class FileLock: Sendable {
    private let file: Int32

    private init(file: Int32) { self.file = file }

    /// Closing alone would leave the lock with a child that another thread has just forked, until that child runs its
    /// program.
    deinit {
        var free = flock(l_type: Int16(F_UNLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        _ = fcntl(file, ofdSetLock, &free)
        close(file)
    }

    /// Takes the lock, or returns nil when another holds it. Makes the file when it is missing.
    public static func take(_ path: String) throws(FileError) -> FileLock? {
        try take(path, ofdSetLock)
    }

    /// Waits until the lock is free. Blocks: call it from a thread of its own.
    public static func wait(_ path: String) throws(FileError) -> FileLock {
        guard let lock = try take(path, ofdSetLockWaiting) else {
            throw FileError(operation: "lock", path: path, code: EAGAIN)
        }
        return lock
    }

    /// Whether somebody holds the lock at this moment. Nothing is taken for the answer, so that asking never keeps another
    /// from the lock. One that may not be asked about counts as held: nobody can say that it is free.
    public static func isHeld(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return errno == EACCES || errno == EPERM }
        defer { close(file) }
        var found = whole
        return fcntl(file, ofdGetLock, &found) == 0 && found.l_type != Int16(F_UNLCK)
    }

    private static func take(_ path: String, _ command: Int32) throws(FileError) -> FileLock? {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last("open", path) }
        var wanted = whole
        while fcntl(file, command, &wanted) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(file)
            if code == EAGAIN || code == EACCES { return nil }
            throw FileError(operation: "lock", path: path, code: code)
        }
        return FileLock(file: file)
    }

    /// The whole file, for one alone.
    private static var whole: flock {
        flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    }
}

/// `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW` of fcntl(2), which Swift's Glibc does not show.
private let ofdGetLock: Int32 = 36
private let ofdSetLock: Int32 = 37
private let ofdSetLockWaiting: Int32 = 38
