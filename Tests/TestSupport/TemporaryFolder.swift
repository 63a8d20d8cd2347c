internal import Files

/// A folder of its own for one test, removed with its last reference.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = try FileSystem.makeTemporaryFolder(prefix: "pasteup-test")
    }

    deinit { try? FileSystem.removeTree(path) }

    /// The path of a name in it.
    public func file(_ name: String) -> String { FileSystem.join(path, name) }

    /// Makes a file in it.
    ///
    /// - Returns: its path.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try FileSystem.write(bytes, to: file(name))
        return file(name)
    }

    /// The names in it, sorted.
    public func names() throws -> [String] { try FileSystem.list(path) }
}
