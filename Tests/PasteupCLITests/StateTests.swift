import Files
import Journal
import StepKit
import TestSupport
import Testing
import Values

@testable import PasteupCLI

/// Where state is kept, and how runs are found in it.
@Suite struct StateTests {
    @Test(
        arguments: [
            ("/given", ["PASTEUP_STATE": "/env", "HOME": "/home/a"], "/given"),
            (nil, ["PASTEUP_STATE": "/env", "XDG_STATE_HOME": "/xdg", "HOME": "/home/a"], "/env"),
            (nil, ["PASTEUP_STATE": "", "XDG_STATE_HOME": "/xdg", "HOME": "/home/a"], "/xdg/pasteup"),
            (nil, ["XDG_STATE_HOME": "", "HOME": "/home/a"], "/home/a/.local/state/pasteup"),
        ] as [(String?, [String: String], String)])
    func folderComesFromOptionThenEnvironment(given: String?, environment: [String: String], path: String) throws {
        #expect(try StateFolder(given, environment, isSandbox: false).path == path)
        #expect(try StateFolder(given, environment, isSandbox: true).path == path + "/sandbox")
    }

    @Test func folderIsTakenFromTheCurrentOne() throws {
        #expect(try StateFolder("x/y", [:], isSandbox: false).path == FileSystem.currentFolder + "/x/y")
    }

    @Test func withoutAnyFolderItIsSaid() {
        let failure = #expect(throws: CommandFailure.self) { try StateFolder(nil, ["HOME": ""], isSandbox: false) }
        #expect(failure?.message == "there is no state folder")
        #expect(failure?.fix == "Give one with --state DIR.")
    }

    @Test(
        arguments: [
            (nil, false, ""), (nil, true, " --sandbox"), ("/a", false, " --state /a"),
            ("/a b", true, " --sandbox --state '/a b'"),
        ] as [(String?, Bool, String)])
    func nextCommandNamesTheFolder(given: String?, isSandbox: Bool, options: String) throws {
        #expect(try StateFolder(given, ["PASTEUP_STATE": "/env"], isSandbox: isSandbox).options == options)
    }

    // MARK: Finding runs

    private let folder: TemporaryFolder
    private let state: StateFolder
    private let store = MemoryJournalStore()

    init() throws {
        folder = try TemporaryFolder()
        state = try StateFolder(folder.path, [:], isSandbox: false)
    }

    private func add(_ id: String, _ runState: RunState = .succeeded) async throws {
        try await store.add(
            RunRecord(
                id: id, workflow: "w", file: "/w.yaml", lockKey: "", inputs: [:],
                startedAt: Timestamp(milliseconds: 1_790_000_000_000), state: runState))
    }

    private var lookup: RunLookup { RunLookup(state, store) }

    @Test(arguments: [
        ("1shd", "1shdaa22"), ("1SHD", "1shdaa22"), ("1shdaa22", "1shdaa22"), ("2", "2bcd"), ("2bcd", "2bcd"),
    ])
    func uniqueBeginningIsEnough(text: String, id: String) async throws {
        for id in ["1shdaa22", "2bcd", "2bcdef"] where id != "2bcdef" { try await add(id) }
        #expect(try await lookup.run(text).id == id)
    }

    @Test func wholeIdWinsOverLongerOnes() async throws {
        for id in ["2bcd", "2bcdef"] { try await add(id) }
        #expect(try await lookup.run("2bcd").id == "2bcd")
        let failure = await #expect(throws: CommandFailure.self) { try await lookup.run("2b") }
        #expect(failure?.code == .usage)
        #expect(failure?.message.hasPrefix("'2b' is the beginning of several runs: ") == true)
        #expect(failure?.message.contains("2bcd") == true && failure?.message.contains("2bcdef") == true)
    }

    @Test(arguments: ["zz", "", "%", "_", "*"])
    func unknownBeginningIsRefused(text: String) async throws {
        try await add("2bcd")
        let failure = await #expect(throws: CommandFailure.self) { try await lookup.run(text) }
        #expect(failure?.code == .usage)
        #expect(failure?.message == "there is no run '\(text)'")
    }

    @Test func runThatNobodyWorksOnWasInterrupted() async throws {
        try await add("2bcd", .running)
        #expect(try await lookup.run("2").state == .interrupted)
        try FileSystem.makeFolder(state.runFolder("2bcd"))
        let lock = try #require(try FileLock.take(state.lockPath("2bcd")))
        #expect(try await lookup.run("2").state == .running)
        withExtendedLifetime(lock) {}
    }

    @Test(
        arguments: [
            ([("a", .succeeded), ("b", .paused)], "b"), ([("a", .stopped), ("b", .paused)], "b"),
            ([("a", .stopped), ("b", .failed)], "a"), ([("a", .running)], "a"), ([("a", .waiting)], "a"),
            ([("a", .canceled)], nil), ([], nil), ([("a", .paused), ("b", .paused)], nil),
            ([("a", .stopped), ("b", .interrupted)], nil),
        ] as [([(String, RunState)], String?)])
    func onlyRunThatCanGoOnNeedsNoName(runs: [(String, RunState)], id: String?) async throws {
        for (id, state) in runs { try await add(id, state) }
        if let id {
            #expect(try await lookup.resumable(nil).id == id)
        } else {
            let failure = await #expect(throws: CommandFailure.self) { try await lookup.resumable(nil) }
            #expect(failure?.code == .usage)
            #expect(
                failure?.message.hasPrefix(runs.count == 2 ? "several runs can go on: " : "no run can go on") == true)
        }
    }

    private func add(_ id: String, asking form: PauseRequest.AnswerForm) async throws {
        try await add(id, .paused)
        let pause = PauseRequest(.approval, message: "Post it?", answer: form)
        try await store.commit(
            JournalBatch(
                run: id,
                entries: [
                    JournalEntry(
                        .stepPaused, "post", at: Timestamp(milliseconds: 1_790_000_000_000),
                        data: ["pause": pause.journalValue])
                ], state: .paused, durability: .durable))
    }

    /// `resume --approve` leaves out runs that were stopped, and those that ask for something else.
    @Test(
        arguments: [
            ([("a", .approval), ("b", .captchaText)], "a", ""),
            ([("a", .approval), ("b", .approval)], nil, "several runs wait for '--approve': "),
            ([("b", .captchaText), ("c", .doubt)], nil, "no run waits for '--approve'"),
            ([], nil, "no run waits for '--approve'"),
            // What is wrong with the answer to it is told when it is looked at.
            ([("b", .captchaText)], "b", ""),
        ] as [([(String, PauseRequest.AnswerForm)], String?, String)])
    func answerWithoutARunGoesToTheOneThatWaitsForIt(
        runs: [(String, PauseRequest.AnswerForm)], id: String?, message: String
    ) async throws {
        try await add("x1", .stopped)
        for (id, form) in runs { try await add(id, asking: form) }
        let answer = try Answer(ResumeCommand.spec.parse(["--approve"]), Output { _ in nil })
        if let id {
            #expect(try await lookup.resumable(nil, for: answer).id == id)
        } else {
            let failure = await #expect(throws: CommandFailure.self) { try await lookup.resumable(nil, for: answer) }
            #expect(failure?.code == .usage)
            #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
            #expect(failure?.message.contains("x1") == false)
        }
    }
}
