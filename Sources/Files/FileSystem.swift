internal import Glibc

/// Reading and writing whole files, with the modes and the durability that a journal's neighbours need.
///
/// Every call blocks; each is short, or is made from a thread of its own.
public enum FileSystem {
    /// The whole content.
    ///
    /// - Parameters:
    ///   - maxBytes: a larger file is refused with `EFBIG`.
    ///   - regularOnly: whether a pipe or a device is refused with `EINVAL` instead of being waited for.
    public static func read(
        _ path: String, maxBytes: Int = .max, regularOnly: Bool = false
    ) throws(FileError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | (regularOnly ? O_NONBLOCK : 0))
        guard file >= 0 else { throw .last("open", path) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .last("read", path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw FileError(operation: "read", path: path, code: EISDIR)
        }
        guard !regularOnly || status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(operation: "read", path: path, code: EINVAL)
        }
        guard status.st_size <= maxBytes else { throw FileError(operation: "read", path: path, code: EFBIG) }
        var content: [UInt8] = []
        content.reserveCapacity(Int(status.st_size) + 1)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .last("read", path)
            }
            if count == 0 { return content }
            content.append(contentsOf: buffer[0..<count])
            guard content.count <= maxBytes else { throw FileError(operation: "read", path: path, code: EFBIG) }
        }
    }

    /// Writes a file that is either wholly there or not at all: a temporary name in the same folder, `fsync`, rename,
    /// `fsync` of the folder. Nothing is left behind when it fails.
    public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(FileError) {
        let file = try PendingFile(path, mode: mode)
        try file.write(bytes)
        try file.commit()
    }

    /// Copies a file of any size; the copy is either wholly there or not at all.
    public static func copy(_ path: String, to copy: String, mode: UInt32 = 0o600) throws(FileError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .last("open", path) }
        defer { close(file) }
        let target = try PendingFile(copy, mode: mode)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .last("read", path)
            }
            if count == 0 { break }
            try target.write(Array(buffer[..<count]))
        }
        try target.commit()
    }

    /// Makes the folder and those above it, each with `mode`. One that is already there is left as it is.
    public static func makeFolder(_ path: String, mode: UInt32 = 0o700) throws(FileError) {
        if mkdir(path, mode) == 0 { return }
        switch errno {
        case EEXIST:
            guard isFolder(path) else { throw FileError(operation: "create folder", path: path, code: ENOTDIR) }
        case ENOENT:
            let above = folder(of: path)
            guard above != path else { throw .last("create folder", path) }
            try makeFolder(above, mode: mode)
            guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .last("create folder", path) }
        default:
            throw .last("create folder", path)
        }
    }

    /// Removes a file; one that is not there is no error.
    public static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("remove", path) }
    }

    /// Removes a folder with all it holds; links are removed, not followed. One that is not there is no error.
    public static func removeTree(_ path: String) throws(FileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .last("remove", path)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return try remove(path) }
        for name in try list(path) { try removeTree(join(path, name)) }
        guard rmdir(path) == 0 || errno == ENOENT else { throw .last("remove", path) }
    }

    /// The names in a folder, sorted, without `.` and `..`.
    public static func list(_ path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else { throw .last("list", path) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether there is something at the path.
    ///
    /// - Throws: when that cannot be found out: a folder above may not be entered, or is none.
    public static func isThere(_ path: String) throws(FileError) -> Bool {
        var status = stat()
        if stat(path, &status) == 0 { return true }
        if errno == ENOENT { return false }
        throw .last("read", path)
    }

    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The size in bytes.
    public static func size(_ path: String) throws(FileError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last("read", path) }
        return Int(status.st_size)
    }

    /// What is another one when the file has been written or replaced since; nil when it is not there or cannot be looked at.
    public static func stamp(_ path: String) -> FileStamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileStamp(
            device: UInt64(status.st_dev), file: UInt64(status.st_ino), size: Int64(status.st_size),
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    }

    /// The permission bits, as `0o600`.
    public static func mode(_ path: String) throws(FileError) -> UInt32 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last("read", path) }
        return status.st_mode & 0o7777
    }

    /// The path with links, `.` and `..` resolved; nil when there is no such file.
    public static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    public static var currentFolder: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    /// A new folder of its own under the system's temporary folder, mode 0700.
    public static func makeTemporaryFolder(prefix: String) throws(FileError) -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array(join(base, prefix + ".XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw .last("create folder", base) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `name` below `folder`; an absolute `name` stands for itself.
    public static func join(_ folder: String, _ name: String) -> String {
        if name.utf8.first == UInt8(ascii: "/") || folder.isEmpty { return name }
        return folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
    }

    /// The path without its last part: "a/b" of "a/b/c", "." of "c", "/" of "/c".
    public static func folder(of path: String) -> String {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == bytes.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path: "c" of "a/b/c".
    public static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}
