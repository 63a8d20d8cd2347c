internal import Glibc

/// What a file operation met: the operation, the path, and the system's own words.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, as a verb: "open", "write", "rename".
    public let operation: String
    public let path: String
    /// The system's error number (`ENOSPC`, `EACCES` …).
    public let code: Int32

    public init(operation: String, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// The system's sentence for the code: "No space left on device".
    public var reason: String { systemReason(code) }

    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
    public var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }

    public var description: String { "cannot \(operation) '\(path)': \(reason)" }

    static func last(_ operation: String, _ path: String) -> FileError {
        FileError(operation: operation, path: path, code: errno)
    }
}

/// The system's sentence for an error number.
public func systemReason(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
