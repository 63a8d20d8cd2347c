import Files
import Glibc
import TestSupport
import Testing
import Values

/// Programs, approvals and hooks of a workflow's own.
@Suite(.programs) struct ExtensionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["approval.yaml", "hanging.yaml"] {
            try folder.write(name, Array(try Story.fixture(name).utf8))
        }
    }

    private static let token = "vk1.a.token-of-a-test"

    private func start(_ words: [String]) throws -> RunningProgram {
        try ProgramRunner(
            ProgramRunner.built("pasteup"),
            environment: ["HOME": folder.path, "PASTEUP_STATE": folder.file("state"), "VK_TOKEN": Self.token],
            folder: folder.path
        ).start(words)
    }

    private func pasteup(_ words: String...) async throws -> ProgramResult { try await start(words).finish() }

    private func json(_ name: String) throws -> Value { try Value(json: try FileSystem.read(folder.file(name))) }

    private func text(_ name: String) throws -> String {
        String(decoding: try FileSystem.read(folder.file(name)), as: UTF8.self)
    }

    @Test func anApprovalHoldsTheRunUntilAPersonSaysYes() async throws {
        let first = try await pasteup("run", "approval.yaml")
        #expect(first.code == 3, "\(first.all)")
        #expect(first.errors.contains("Publish Hello?"), "\(first.all)")
        #expect(first.errors.contains("  Look at: \(folder.path)/state/runs/"), "\(first.all)")
        #expect(!FileSystem.exists(folder.file("published")))

        let event = try json("paused.json")
        let run = try #require(event["run"]?.string)
        #expect(event["event"] == "pause")
        #expect(event["workflow"] == "approval")
        #expect(event["state"] == "paused")
        #expect(event["outputs"] == ["text": "Hello"])
        let question: Value = [
            "step": "look", "kind": "approval", "message": "Publish Hello?",
            "command": .string("pasteup resume \(run) --approve"),
        ]
        #expect(event["questions"] == [question])
        let steps = event["steps"]?.array?.map { [$0["step"], $0["kind"], $0["state"]] }
        #expect(
            steps == [
                ["text", "text.render", "succeeded"], ["look", "pause.approval", "paused"],
                ["publish", "exec.run", "pending"],
            ])

        let second = try await pasteup("resume", run, "--approve")
        #expect(second.code == 0, "\(second.all)")
        #expect(try text("published") == "Hello")
        #expect(try json("succeeded.json")["event"] == "success")
        let variables = try text("variables").split(separator: "\n").map { String($0.prefix { $0 != "=" }) }
        #expect(Set(variables).subtracting(["PWD", "_", "SHLVL"]) == ["PATH", "HOME", "LANG", "KEY"])
    }

    @Test func aRejectedStepFailsAndAFailingHookOnlyWarns() async throws {
        #expect(try await pasteup("run", "approval.yaml").code == 3)
        let rejected = try await pasteup("resume", "--reject")
        #expect(rejected.code == 1, "\(rejected.all)")
        #expect(rejected.errors.contains("step 'look': it was rejected."), "\(rejected.all)")
        #expect(
            rejected.errors.contains("warning: hook 'on-failure': 'sh' ended with exit code 4: no luck."),
            "\(rejected.all)")
        #expect(!FileSystem.exists(folder.file("published")))
        let event = try json("failed.json")
        #expect(event["state"] == "failed")
        #expect(event["steps"]?[1]?["error"]?["class"] == "permission")
        #expect(try text("variables").contains("KEY=\(Self.token)\n"))
        #expect(!(try text("failed.json").contains(Self.token)))
    }

    @Test func aDryRunTellsNoHookAndRunsNoProgram() async throws {
        let plan = try await pasteup("run", "approval.yaml", "--dry-run")
        #expect(plan.code == 0, "\(plan.all)")
        #expect(plan.output.hasSuffix("Plan: 1 computed here, 1 write, 1 question. Nothing was sent.\n"), "\(plan.all)")
        #expect(try folder.names() == ["approval.yaml", "hanging.yaml"])
    }

    /// However it dies, what it has started dies with it.
    @Test(arguments: [SIGKILL, SIGTERM, SIGINT]) func childrenEndWithTheProgram(signal: Int32) async throws {
        #expect(mkfifo(folder.file("wait"), 0o600) == 0)
        let run = try start(["run", "hanging.yaml"])
        while !FileSystem.exists(folder.file("pids")) { await Task.yield() }
        let pids = try text("pids").split(separator: "\n").compactMap { pid_t($0) }
        #expect(pids.count == 2)
        run.send(signal)
        if signal != SIGKILL { #expect(try await run.finish().code == 128 + signal) }
        for pid in pids { while isAlive(pid) { await Task.yield() } }
        withExtendedLifetime(run) {}

        let resumed = try await pasteup("resume")
        #expect(resumed.code == 3, "\(resumed.all)")
        #expect(resumed.errors.contains("step 'hang' (in-doubt)"), "\(resumed.all)")
    }

    /// The first step kills the guard, the second is started by way of the next one.
    @Test func aGuardThatWasKilledIsReplaced() async throws {
        let script = """
            for d in /proc/[0-9]*; do [ "$(cat $d/comm)" = pasteup-guard ] || continue; \
            grep -q "^PPid:[[:space:]]*$PPID\\$" $d/status && kill -9 ${d#/proc/} && echo killed; done 2>/dev/null
            """
        try folder.write(
            "guard.yaml",
            Array(
                try Story.fixture("hanging.yaml").replacing(
                    "steps:\n",
                    with: """
                        steps:
                          kill:
                            uses: exec.run
                            with: { command: [sh, -c, \(Value.string(script).json())] }

                        """
                ).replacing("  hang:\n", with: "  hang:\n    needs: [kill]\n").utf8))
        #expect(mkfifo(folder.file("wait"), 0o600) == 0)
        let run = try start(["run", "guard.yaml", "--json"])
        while !FileSystem.exists(folder.file("pids")) { await Task.yield() }
        let said = await run.output(until: "killed")
        #expect(said.contains("killed"), "\(said)")
        let pids = try text("pids").split(separator: "\n").compactMap { pid_t($0) }
        run.send(SIGKILL)
        for pid in pids { while isAlive(pid) { await Task.yield() } }
        withExtendedLifetime(run) {}
    }

    private func isAlive(_ pid: pid_t) -> Bool {
        guard let status = try? FileSystem.read("/proc/\(pid)/stat"), let end = status.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        return status[end + 2] != UInt8(ascii: "Z")
    }
}
