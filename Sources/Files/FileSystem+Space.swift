internal import Glibc

extension FileSystem {
    /// How many bytes this user can still write to the file system of the path.
    public static func freeBytes(_ path: String) throws(FileError) -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw .last("read", path) }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    /// The sizes of all files in a folder and below, added up; links are not followed. What cannot be read counts nothing.
    public static func treeBytes(_ path: String) -> Int {
        var status = stat()
        guard lstat(path, &status) == 0 else { return 0 }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return Int(status.st_size)
        case S_IFDIR: return ((try? list(path)) ?? []).reduce(0) { $0 + treeBytes(join(path, $1)) }
        default: return 0
        }
    }

    /// When the file or folder itself was last changed, in milliseconds since 1970 in UTC; links are not followed.
    public static func changedMilliseconds(_ path: String) throws(FileError) -> Int64 {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .last("read", path) }
        return Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }

    /// Whether this user may make files in the folder.
    public static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Why nothing can be written in a folder, or to a file, that is there, as a clause; nil when it can.
    public static func obstacle(toWriting path: String) -> String? {
        guard access(path, W_OK) != 0, errno != ENOENT else { return nil }
        if errno == EROFS { return "'\(path)' is on a file system that is read-only" }
        return "you have no right to write \(isFolder(path) ? "in " : "")'\(path)'"
    }

    /// Whether this user may read the file.
    public static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Whether the file or folder belongs to this user.
    public static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_uid == geteuid()
    }
}
