import Files
import Glibc
import TestSupport
import Testing
import Threading

@Suite struct FileLockTests {
    let folder: TemporaryFolder
    var path: String { folder.file("lock") }

    init() throws { folder = try TemporaryFolder() }

    @Test func secondTakerIsRefusedUntilTheFirstLetsGo() throws {
        var first = try FileLock.take(path)
        #expect(first != nil)
        #expect(try FileLock.take(path) == nil)
        #expect(FileLock.isHeld(path))
        first = nil
        #expect(!FileLock.isHeld(path))
        #expect(try FileLock.take(path) != nil)
    }

    @Test func fileThatIsMissingIsNotHeldAndNotMade() throws {
        #expect(!FileLock.isHeld(path))
        #expect(try folder.names().isEmpty)
    }

    @Test func waiterGetsTheLockWhenItIsFree() async throws {
        let held = Locked(try FileLock.take(path))
        let path = path
        async let waited = offPool { try FileLock.wait(path) }
        held.withLock { $0 = nil }
        _ = try await waited
    }

    @Test(arguments: [nil, SIGSTOP])
    func lockOfAProcessIsFreedByItsDeathAlone(signal: Int32?) throws {
        // The child gets the open file and with it the lock, which is its own as soon as this process has closed it.
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        let ofdSetLock: Int32 = 37
        try #require(fcntl(file, ofdSetLock, &lock) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, file, 10)
        var words: [UnsafeMutablePointer<CChar>?] = ["sleep", "1000"].map { (word: String) in strdup(word) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        try #require(posix_spawnp(&process, "sleep", &actions, nil, &words, environ) == 0)
        close(file)
        if let signal { kill(process, signal) }
        #expect(FileLock.isHeld(path))
        #expect(try FileLock.take(path) == nil)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        #expect(!FileLock.isHeld(path))
    }

    /// Asking took the lock for a moment once, and whoever came just then was told that it was held.
    @Test func askingNeverKeepsAnotherFromTheLock() async throws {
        let path = path
        try FileSystem.write([], to: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { _ = try await offPool { for _ in 0..<2000 { _ = FileLock.isHeld(path) } } }
            }
            for _ in 0..<2000 { #expect(try FileLock.take(path) != nil) }
            try await group.waitForAll()
        }
    }

    @Test func folderThatIsMissingIsNamed() {
        let path = folder.file("none/lock")
        let error = #expect(throws: FileError.self) { try FileLock.take(path) }
        #expect(error?.description == "cannot open '\(path)': No such file or directory")
    }
}
