import Files
import TestSupport
import Testing

/// What is drawn on a terminal, 80 columns wide.
@Suite(.programs) struct TerminalTests {
    private let story: Story

    init() throws {
        story = try Story()
        let ids = (1...3).map { "a-step-with-quite-a-long-name-number-\($0)" }
        try story.write(
            "long.yaml",
            "name: long\nsteps:\n"
                + ids.map { "  \($0): { uses: exec.run, effect: pure, with: { command: [\"true\"] } }\n" }.joined())
    }

    private func run(_ words: [String], term: String) async throws -> String {
        let program = try TerminalProgram(
            ProgramRunner.built("pasteup"), words + ["--state", story.stateFolder],
            environment: ["HOME": story.folder.path, "TERM": term])
        #expect(try await program.finish() == 0)
        return program.transcript
    }

    /// What is drawn again and again, without its colours.
    private func statusLines(_ shown: String) -> [Substring] {
        let plain = shown.replacing("\u{1B}[2m", with: "").replacing("\u{1B}[0m", with: "")
        return plain.split(separator: "\u{1B}[K").flatMap { $0.split(whereSeparator: \.isNewline) }
            .filter { $0.contains("running: ") }
    }

    @Test func lineThatIsDrawnAgainFitsTheTerminal() async throws {
        let lines = statusLines(try await run(["run", story.folder.file("long.yaml")], term: "xterm"))
        #expect(lines.contains { $0.hasSuffix("…") }, "\(lines)")
        #expect(lines.allSatisfy { $0.count < 80 }, "\(lines)")
    }

    @Test func terminalThatCannotDrawAgainGetsLinesOnly() async throws {
        let shown = try await run(["run", story.folder.file("long.yaml")], term: "dumb")
        #expect(!shown.contains("\u{1B}"), "\(shown)")
        #expect(shown.contains("succeeded: 3 steps."), "\(shown)")
    }

    @Test func commandWithoutSuchALineDrawsNothing() async throws {
        #expect(try await run(["list"], term: "xterm") == "There are no runs yet.\n")
    }
}
