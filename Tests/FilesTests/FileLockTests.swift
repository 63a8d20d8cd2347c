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

    @Test func lockOfAProcessThatIsKilledIsFreed() throws {
        let ready = folder.file("ready")
        try #require(mkfifo(ready, 0o600) == 0)
        // flock(1) without a fork: the process that is started is the one that holds the lock.
        let arguments = ["flock", "--no-fork", path, "sh", "-c", ": > '\(ready)'; exec sleep 1000"]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        try #require(posix_spawnp(&process, "flock", nil, nil, &words, environ) == 0)
        // Opening the named pipe waits until the process, which has the lock by then, opens it too.
        close(open(ready, O_RDONLY))
        #expect(FileLock.isHeld(path))
        #expect(try FileLock.take(path) == nil)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        #expect(!FileLock.isHeld(path))
    }

    @Test func folderThatIsMissingIsNamed() {
        let path = folder.file("none/lock")
        let error = #expect(throws: FileError.self) { try FileLock.take(path) }
        #expect(error?.description == "cannot open '\(path)': No such file or directory")
    }
}
