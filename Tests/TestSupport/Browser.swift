internal import Files

/// Debian's chromium without a window: it opens a page, lets it come to rest, and says what it holds then.
public struct Browser: Sendable {
    /// Nil where it is not installed.
    public static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first(where: FileSystem.exists)

    private let folder: TemporaryFolder
    private let program: TerminalProgram

    public init(_ address: String) throws {
        folder = try TemporaryFolder()
        program = try TerminalProgram(
            Browser.path ?? "",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--user-data-dir=" + folder.path, "--virtual-time-budget=8000", "--dump-dom", address,
            ], environment: ["HOME": folder.path], cap: .seconds(120))
    }

    /// The page's elements as text.
    public func finish() async throws -> String {
        _ = try await program.finish()
        return program.transcript
    }
}
