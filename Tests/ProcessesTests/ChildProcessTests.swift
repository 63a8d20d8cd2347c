import Files
import Glibc
import Processes
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func process(
        _ arguments: [String], environment: [String: String] = [:], input: String = "", maxOutputBytes: Int = 1 << 20,
        grace: Duration = .seconds(5)
    ) -> ChildProcess {
        ChildProcess(
            arguments, environment: environment, folder: folder.path, input: Array(input.utf8),
            maxOutputBytes: maxOutputBytes, grace: grace)
    }

    private func shell(_ script: String, grace: Duration = .seconds(5)) -> ChildProcess {
        process(["sh", "-c", script], grace: grace)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func givesBothOutputsAndTheExitCode() async throws {
        let result = try await shell("echo out; echo err >&2; exit 7").run()
        #expect(result.ending == .exited(code: 7))
        #expect(text(result.output) == "out\n")
        #expect(text(result.errors) == "err\n")
    }

    @Test func givesArgumentsAsTheyAre() async throws {
        let words = ["a b", "", "$HOME", "*", "'", "\"", "é\n"]
        let result = try await process(["printf", "<%s>"] + words).run()
        #expect(text(result.output) == words.map { "<\($0)>" }.joined())
    }

    /// More than a pipe holds, too.
    @Test(arguments: [0, 1, 1 << 20]) func givesStandardInput(count: Int) async throws {
        let input = String(repeating: "x", count: count)
        let result = try await process(["cat"], input: input, maxOutputBytes: 2 << 20).run()
        #expect(result.output == Array(input.utf8))
    }

    @Test func givesNoVariablesButTheDeclaredOnes() async throws {
        setenv("PROCESSES_TEST_TOKEN", "inherited", 1)
        defer { unsetenv("PROCESSES_TEST_TOKEN") }
        let result = try await process(["env"], environment: ["LANG": "C", "X": "1=2"]).run()
        #expect(Set(text(result.output).split(separator: "\n")) == ["LANG=C", "X=1=2"])
    }

    @Test func startsInItsFolder() async throws {
        let result = try await process(["pwd", "-P"]).run()
        #expect(text(result.output) == FileSystem.realPath(folder.path)! + "\n")
    }

    @Test func takesARelativeProgramFromItsBase() async throws {
        let program = try folder.write("hello", Array("#!/bin/sh\necho hello\n".utf8))
        chmod(program, 0o700)
        let child = ChildProcess(["./hello"], environment: [:], folder: "/", base: folder.path)
        #expect(text(try await child.run().output) == "hello\n")
    }

    @Test func keepsOutputsUpToTheCapAndReadsTheRest() async throws {
        let child = process(["sh", "-c", "head -c 300000 /dev/zero; echo end >&2"], maxOutputBytes: 1000)
        let result = try await child.run()
        #expect(result.ending == .exited(code: 0))
        #expect(result.output == [UInt8](repeating: 0, count: 1000))
        #expect(result.droppedOutputBytes == 299_000)
        #expect(text(result.errors) == "end\n")
        #expect(result.droppedErrorBytes == 0)
    }

    @Test func tellsTheSignalThatEndedIt() async throws {
        #expect(try await shell("kill -9 $$").run().ending == .killed(signal: SIGKILL))
    }

    @Test func startsWithoutBlockedOrIgnoredSignals() async throws {
        signal(SIGPIPE, SIG_IGN)
        let result = try await process(["grep", "-E", "^Sig(Blk|Ign|Pnd):", "/proc/self/status"]).run()
        #expect(
            text(result.output)
                == "SigPnd:\t0000000000000000\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n")
    }

    @Test func leadsAGroupOfItsOwnWithNoOpenFilesOfItsParent() async throws {
        let result = try await shell("cut -d' ' -f1,5 /proc/self/stat; ls /proc/self/fd; exec true").run()
        let lines = text(result.output).split(separator: "\n")
        let numbers = lines[0].split(separator: " ").compactMap { Int32($0) }
        #expect(numbers[1] != getpgrp())
        // The fourth is the folder that ls itself reads.
        #expect(lines.dropFirst() == ["0", "1", "2", "3"])
    }

    // MARK: Ends

    @Test func cancellingEndsTheWholeGroup() async throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        // Both wait until somebody writes into the pipe, which nobody does.
        let script = "(cat '\(pipe)') & echo $! > pids.part; echo $$ >> pids.part; mv pids.part pids; cat '\(pipe)'"
        let running = Task { try await shell(script).run() }
        let pids = try await pids(in: "pids")
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        await expectGone(pids)
    }

    @Test func aProgramThatWillNotEndIsKilled() async throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let script = "trap '' TERM; echo $$ > pids.part; mv pids.part pids; while :; do read line < '\(pipe)'; done"
        let running = Task { try await shell(script, grace: .milliseconds(50)).run() }
        let pids = try await pids(in: "pids")
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        await expectGone(pids)
    }

    @Test func cancellingBeforeTheStartRunsNothing() async throws {
        let running = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shell("touch ran").run()
        }
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(try folder.names() == [])
    }

    @Test func whatAProgramLeavesBehindEndsWithIt() async throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let result = try await shell("cat '\(pipe)' >/dev/null 2>&1 & echo $!").run()
        #expect(result.ending == .exited(code: 0))
        let pid = try #require(pid_t(text(result.output).dropLast()))
        await expectGone([pid])
    }

    @Test func whatAProgramLeavesBehindMayStillWrite() async throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        // The child outlives its parent, then says what it was told.
        let result = try await shell("(cat '\(pipe)') & (sh -c 'echo late > \(pipe)') & exit 3").run()
        #expect(result.ending == .exited(code: 3))
        #expect(text(result.output) == "late\n")
    }

    // MARK: Failures

    @Test func tellsWhyAProgramCannotBeStarted() async throws {
        try folder.write("plain", Array("echo hello\n".utf8))
        let script = try folder.write("script", Array("#!/no/such/interpreter\n".utf8))
        chmod(script, 0o700)
        let bare = try folder.write("bare", Array("echo hello\n".utf8))
        chmod(bare, 0o700)
        let cases: [([String], String)] = [
            ([], "no program is named"),
            (["no-such-program"], "there is no program 'no-such-program' in PATH"),
            (["./missing"], "there is no program '\(folder.path)/./missing'"),
            (["./plain"], "'./plain' cannot be run: Permission denied"),
            (
                ["./script"],
                "'./script' cannot be run: the interpreter that its first line or its head names is missing"
            ),
            (["./bare"], "'./bare' cannot be run: it is neither a program nor a script with '#!' on its first line"),
            (["true", "a\0b"], "an argument or a variable of 'true' holds a NUL byte, which no program can be given"),
        ]
        for (arguments, what) in cases {
            let error = await #expect(throws: ChildProcessError.self) { try await process(arguments).run() }
            #expect(error?.what == what)
        }
        let elsewhere = ChildProcess(["true"], environment: [:], folder: folder.file("none"))
        let error = await #expect(throws: ChildProcessError.self) { try await elsewhere.run() }
        #expect(
            error?.what == "'true' cannot be run in the folder '\(folder.file("none"))': No such file or directory")
    }

    // MARK: Many

    @Test func aThousandRunsLeaveNoDescriptorOpen() async throws {
        let child = process(["true"], input: "x")
        _ = try await child.run()
        let before = try FileSystem.list("/proc/self/fd").count
        for _ in 0..<1000 {
            let result = try await child.run()
            #expect(result.ending == .exited(code: 0))
        }
        // Other tests have theirs meanwhile; a leak would be a thousand.
        #expect(try FileSystem.list("/proc/self/fd").count < before + 500)
    }

    /// A place is remembered; what has gone from it is looked for again.
    @Test func findsAProgramThatHasMoved() async throws {
        let child = process(["greet"], environment: ["PATH": "\(folder.path)/first:\(folder.path)/second:/bin"])
        for (place, other) in [("second", "first"), ("first", "second")] {
            unlink(folder.file("\(other)/greet"))
            mkdir(folder.file(place), 0o700)
            let program = folder.file("\(place)/greet")
            try FileSystem.write(Array("#!/bin/sh\necho \(place)\n".utf8), to: program)
            chmod(program, 0o700)
            #expect(text(try await child.run().output) == place + "\n")
        }
    }

    @Test func makesANewGuardWhenItsHasGone() async throws {
        _ = try await process(["true"]).run()
        for entry in try FileSystem.list("/proc") {
            guard let pid = pid_t(entry), let status = try? FileSystem.read("/proc/\(entry)/status"),
                text(status).contains("pasteup-guard"), text(status).contains("PPid:\t\(getpid())\n")
            else { continue }
            kill(pid, SIGKILL)
            // It dies a little after the signal; the next start makes another one and buries it.
            repeat {
                #expect(try await process(["true"]).run().ending == .exited(code: 0))
            } while FileSystem.exists("/proc/\(pid)")
        }
    }

    @Test func manyRunAtOnce() async throws {
        let outputs = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                group.addTask { text(try await process(["echo", "\(number)"]).run().output) }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(outputs == Set((0..<100).map { "\($0)\n" }))
    }

    // MARK: Help

    /// Waits until the program has said its processes' numbers.
    private func pids(in name: String) async throws -> [pid_t] {
        while !FileSystem.exists(folder.file(name)) { await Task.yield() }
        let words = text(try FileSystem.read(folder.file(name))).split(separator: "\n")
        return words.compactMap { pid_t($0) }
    }

    /// Waits until nothing but what its new parent has yet to bury is left of them: a killed process ends a little after
    /// the signal.
    private func expectGone(_ pids: [pid_t]) async {
        #expect(!pids.isEmpty)
        for pid in pids { while isAlive(pid) { await Task.yield() } }
    }

    private func isAlive(_ pid: pid_t) -> Bool {
        guard let status = try? FileSystem.read("/proc/\(pid)/stat"), let end = status.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        return status[end + 2] != UInt8(ascii: "Z")
    }

}
