import Files
import Glibc
import Journal
import SQLiteJournal
import TestSupport
import Testing
import Threading
import Values

/// Whether the long forms run, as `Tests/Stress/run.sh` asks for them; `swift test` runs the short ones.
let isStress = getenv("PASTEUP_STRESS") != nil

extension Story {
    /// Runs the program with faults in it (see `Strike` of `Tests/FaultyPasteup`).
    ///
    /// - Parameters:
    ///   - fault: what strikes; nil for nothing.
    ///   - clock: how far its time of day is off.
    ///   - hookTimeout: how long a hook may take.
    /// - Returns: how it ended, and whether a fault struck.
    func faulty(
        _ words: [String], fault: String? = nil, clock: String? = nil, hookTimeout: String? = nil,
        state: String? = nil
    ) async throws -> (result: ProgramResult, isStruck: Bool) {
        var (program, mark) = try faultyRunner(fault, clock: clock, state: state)
        program.environment["FAULT_HOOK_TIMEOUT"] = hookTimeout
        let result = try await turns.use { [program] in try await program.run(words) }
        return (result, FileSystem.exists(mark))
    }

    /// Runs the file until a fault kills it, and then once more.
    ///
    /// - Returns: how the first run ended, whether the fault struck it, and how the last one ended: the first itself where it
    ///   was not struck.
    func struckAndRunAgain(
        _ file: String, fault: String
    ) async throws -> (struck: ProgramResult, isStruck: Bool, last: ProgramResult) {
        let (struck, isStruck) = try await faulty(["run", file], fault: fault)
        guard isStruck else { return (struck, false, struck) }
        #expect(struck.signal == SIGKILL, "\(fault): \(struck.all)")
        return (struck, true, try await pasteup("run", file))
    }

    /// Starts the program so that it stops itself, as by SIGSTOP from outside, and waits until it does.
    ///
    /// - Parameter place: the request's label, and `before` or `after` it.
    func startStopping(_ words: String..., at place: String) async throws -> RunningProgram {
        let (program, mark) = try faultyRunner("request \(place) stop")
        let running = try program.start(words)
        isHolding.withLock { $0 = true }
        // One that ends instead of stopping fails the test, and does not hang it.
        let isStopped = await running.stopped()
        #expect(isStopped && FileSystem.exists(mark), "it did not come to \(place)")
        return running
    }

    private func faultyRunner(
        _ fault: String?, clock: String? = nil, state: String? = nil
    ) throws -> (program: ProgramRunner, mark: String) {
        let mark = folder.file("struck")
        if FileSystem.exists(mark) { try FileSystem.removeTree(mark) }
        var program = runner(["PASTEUP_STATE": state ?? stateFolder])
        program.path = ProgramRunner.built("pasteup-faulty")
        program.environment["FAULT"] = fault
        program.environment["FAULT_MARK"] = mark
        program.environment["FAULT_CLOCK"] = clock
        return (program, mark)
    }

    /// Forgets everything: the services and the state folder are as at the start.
    func startOver() async throws {
        try await control("POST", "reset")
        if FileSystem.exists(stateFolder) { try FileSystem.removeTree(stateFolder) }
    }

    /// What the journal says.
    func journal<Answer>(_ body: (SQLiteJournalStore) async throws -> Answer) async throws -> Answer {
        let store = try await SQLiteJournalStore.open(folder: stateFolder)
        do {
            let answer = try await body(store)
            await store.close()
            return answer
        } catch {
            await store.close()
            throw error
        }
    }

    /// The newest first, as the journal has them: a run whose process died says "running".
    func runs() async throws -> [RunRecord] {
        guard FileSystem.exists(FileSystem.join(stateFolder, "journal.sqlite")) else { return [] }
        return try await journal { try await $0.runs(in: nil, file: nil, limit: 1000) }
    }

    func ledger() async throws -> [LedgerEntry] {
        try await journal { try await $0.ledger(withPrefix: "", limit: 1000) }
    }

    /// One post, with one photo that was saved; the ledger knows it; no run is left over.
    func expectOnePost(_ comment: @autoclosure () -> String) async throws {
        let state = try await state()
        let posts = state["posts"]?.array ?? []
        #expect(posts.count == 1, "\(comment())")
        let attachments = posts.first?["attachments"]?.array ?? []
        #expect(attachments.count == 1, "\(comment())")
        let saved = state["photos"]?.array?.compactMap { $0["attachment"] } ?? []
        #expect(attachments.allSatisfy(saved.contains), "\(comment())")
        let ledger = try await ledger()
        #expect(ledger.map(\.key.text) == ["own/\(Story.mediaID)"], "\(comment())")
        guard case .done(let outputs)? = ledger.first?.state else {
            Issue.record("the key is not done: \(ledger). \(comment())")
            return
        }
        #expect(outputs["post_id"] == posts.first?["id"], "\(comment())")
        #expect(try await runs().allSatisfy { $0.state == .succeeded }, "\(comment())")
    }
}
