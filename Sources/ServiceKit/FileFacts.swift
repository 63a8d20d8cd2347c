public import Files
internal import Glibc

/// What an upload must know of a file before it sends it.
public struct FileFacts: Sendable, Hashable {
    /// In bytes.
    public let size: Int
    /// Nil for anything that is no picture.
    public let format: PictureFormat?

    /// Looks at the file's size and first bytes.
    public init(of path: String) throws(FileError) {
        guard !FileSystem.isFolder(path) else { throw FileError(operation: "read", path: path, code: EISDIR) }
        size = try FileSystem.size(path)
        // A pipe is not waited for: an upload must say its length before.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw FileError(operation: "open", path: path, code: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(operation: "read", path: path, code: EINVAL)
        }
        var head = [UInt8](repeating: 0, count: PictureFormat.headLength)
        let count = read(file, &head, head.count)
        guard count >= 0 else { throw FileError(operation: "read", path: path, code: errno) }
        format = PictureFormat(head: head.prefix(count))
    }
}
