internal import Files

/// A folder of a test's own, removed with everything in it when the value goes.
public final class TemporaryFolder: Sendable {
    /// Absolute.
    public let path: String

    public init() throws { path = try FileSystem.makeTemporaryFolder(prefix: "pasteup-test-") }

    deinit { try? FileSystem.removeTree(path) }

    public func path(_ name: String) -> String { FileSystem.join(path, name) }
}
