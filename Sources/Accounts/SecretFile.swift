internal import Files
internal import Glibc

/// A small file with a secret in it, and who may read it: both asked of the one open file, so that nobody can put
/// another in its place in between.
struct SecretFile {
    static let maxBytes = 256 << 10

    let path: String
    let bytes: [UInt8]
    private let mode: UInt32
    private let owner: UInt32

    /// Nil when there is no such file.
    init?(_ path: String) throws(AccountsError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            let failure = FileError(operation: "open", path: path, code: errno)
            if failure.isMissing { return nil }
            throw .unreadable(failure)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            throw .unreadable(FileError(operation: "read", path: path, code: errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(FileError(operation: "read", path: path, code: EISDIR))
        }
        guard status.st_size <= Self.maxBytes else {
            throw .unreadable(FileError(operation: "read", path: path, code: EFBIG))
        }
        var content = [UInt8](repeating: 0, count: Self.maxBytes)
        var count = 0
        while count < content.count {
            let got = content.withUnsafeMutableBytes { read(file, $0.baseAddress! + count, $0.count - count) }
            if got < 0 {
                if errno == EINTR { continue }
                throw .unreadable(FileError(operation: "read", path: path, code: errno))
            }
            if got == 0 { break }
            count += got
        }
        self.path = path
        bytes = Array(content[..<count])
        mode = status.st_mode & 0o7777
        owner = status.st_uid
    }

    /// Refuses a file that others may read or write, or that belongs to another.
    func checkPrivate() throws(AccountsError) {
        guard owner == geteuid() else { throw .notOwned(path: path) }
        guard mode & 0o177 == 0 else { throw .tooOpen(path: path, mode: mode) }
    }

    /// Whether there is more than empty lines and YAML's comments: a file prepared for later is no error.
    var saysSomething: Bool {
        bytes.split(separator: UInt8(ascii: "\n")).contains { line in
            let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") }
            return first != nil && first != UInt8(ascii: "#")
        }
    }

    /// The content as UTF-8.
    func text(withoutLineEnds: Bool) throws(AccountsError) -> String {
        var rest = bytes[...]
        while withoutLineEnds, rest.last == UInt8(ascii: "\n") || rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        guard let text = String(validating: rest, as: UTF8.self) else { throw .notUTF8(path: path) }
        return text
    }
}
