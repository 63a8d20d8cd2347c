internal import Files
internal import Journal

extension StateFolder {
    /// Takes the lock that says who works on a run. The run's folder is made when somebody has removed it.
    ///
    /// - Throws: `CommandFailure` with exit code 5 when another process has it.
    func lock(_ id: String) throws -> FileLock {
        do {
            try FileSystem.makeFolder(runFolder(id))
            if let lock = try FileLock.take(lockPath(id)) { return lock }
        } catch {
            throw CommandFailure("the run's folder cannot be used: \(error)")
        }
        throw CommandFailure(
            "run \(id) is being worked on by another process", fix: "Wait until that one has ended, or stop it.",
            code: .locked)
    }
}
