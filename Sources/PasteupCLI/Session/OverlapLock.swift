internal import Files
internal import Journal
internal import Threading

/// Keeps two runs of one workflow with the same inputs from going at the same time: a kernel lock on a file in the state
/// folder, freed by the death of its process.
enum OverlapLock {
    /// - Returns: nil when another process has it.
    static func take(_ key: String, _ state: StateFolder) throws -> FileLock? {
        try FileLock.take(path(key, state))
    }

    /// Waits until no other process has it, and looks for a request to stop meanwhile.
    ///
    /// - Returns: nil when the process is to stop.
    static func wait(_ key: String, _ state: StateFolder, _ session: Session) async throws -> FileLock? {
        let path = try path(key, state)
        return try await withThrowingTaskGroup(of: FileLock?.self) { group in
            group.addTask {
                while true {
                    if let lock = try FileLock.take(path) { return lock }
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            group.addTask {
                for await _ in session.signals.stream() { break }
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private static func path(_ key: String, _ state: StateFolder) throws -> String {
        let folder = FileSystem.join(state.path, "locks")
        do { try FileSystem.makeFolder(folder) } catch {
            throw CommandFailure("the state folder cannot be used: \(error)", why: "Nothing was sent.")
        }
        return FileSystem.join(folder, String(key.prefix(32)))
    }
}
