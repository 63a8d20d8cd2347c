import Files
import TestSupport
import Testing

@testable import PasteupCLI

/// What is offered at the cursor of a line that is being typed.
@Suite struct CompletionTests {
    /// A machine with two runs, a workflow file and three step kinds.
    private struct Machine: CompletionSource {
        func runs(_ words: ParsedWords) async -> [Completion.Candidate] {
            let all = words.options["--sandbox"] == nil ? ["1aa", "1ab"] : ["2aa"]
            return all.map { Completion.Candidate(text: $0, help: "photos, paused") }
        }

        func inputs(ofFile path: String) -> [Completion.Candidate] {
            path == "w.yaml" ? [.init(text: "wall=", help: "where"), .init(text: "link=")] : []
        }

        func kinds() -> [Completion.Candidate] {
            ["card.compose", "vk.story", "vk.wall.post"].map { Completion.Candidate(text: $0) }
        }
    }

    private func completion(_ words: [String]) async -> Completion {
        await Completion.of(words, among: Pasteup.commands.map(\.spec), from: Machine())
    }

    private static let cases: [(words: [String], texts: [String])] = [
        (["re"], ["resume", "retry"]), (["help", "re"], ["resume", "retry"]), (["--v"], ["--version"]),
        (["nonsense", ""], []), ([], []),
        (["ledger", ""], ["list", "forget"]), (["ledger", "f"], ["forget"]), (["ledger", "list", "--l"], ["--limit"]),
        (["accounts", "--j"], ["--json"]), (["accounts", "r"], ["refresh"]),
        (["graph", "w.yaml", "--format", ""], ["text", "mermaid", "dot", "svg"]),
        (["graph", "--format=s"], ["--format=svg"]), (["login", "v"], ["vk"]),
        (["show", ""], ["1aa", "1ab"]), (["show", "1ab"], ["1ab"]), (["show", "--sandbox", ""], ["2aa"]),
        (["graph", "--run", "1a"], ["1aa", "1ab"]), (["show", "1aa", ""], []),
        (["run", "w.yaml", "-i", ""], ["wall=", "link="]), (["run", "w.yaml", "--input=wa"], ["--input=wall="]),
        (["run", "-i", ""], []), (["run", "other.yaml", "-i", ""], []),
        (["steps", "vk."], ["vk.story", "vk.wall.post"]), (["card", "presets", "po"], ["polaroid"]),
        (["run", "--jso"], ["--json"]), (["run", "--json", "--jso"], []),
        (["run", "-i", "wall=1", "--input"], ["--input", "--input-file", "--inputs"]),
        (["eval", ""], []), (["run", "--", "--jso"], []),
    ]

    @Test(arguments: cases)
    func lineIsCompleted(words: [String], texts: [String]) async {
        #expect(await completion(words).candidates.map(\.text) == texts)
    }

    private static let places: [(words: [String], paths: Completion.Paths?, prefix: String)] = [
        (["run", ""], .files, ""), (["run", "w.yaml", ""], nil, ""), (["validate", "a.yaml", "b"], .files, ""),
        (["run", "w.yaml", "--state", "/t"], .folders, ""), (["run", "--state=/t"], .folders, "--state="),
        (["run", "--input-file", "rows=r"], .files, "rows="),
        (["run", "--input-file=rows=r"], .files, "--input-file=rows="),
        (["run", "--input-file", "r"], .files, ""), (["show", ""], nil, ""), (["card", "preview", ""], .files, ""),
    ]

    @Test(arguments: places)
    func pathsAreLeftToTheShell(words: [String], paths: Completion.Paths?, prefix: String) async {
        let completion = await completion(words)
        #expect(completion.paths == paths)
        #expect(completion.prefix == prefix)
    }

    @Test func everyCommandIsOfferedWithWhatItDoes() async {
        let candidates = await completion([""]).candidates
        #expect(candidates.map(\.text) == Pasteup.commands.map(\.spec.name))
        #expect(candidates.allSatisfy { !$0.help.isEmpty })
    }
}

/// The manual page, held against groff.
@Suite struct ManualPageTests {
    private let page = ManualPage(Pasteup.commands.map(\.spec), version: "1.2.3").roff

    @Test func everyCommandAndOptionIsInThePage() {
        for command in Pasteup.commands.map(\.spec) {
            for spec in command.verbs.isEmpty ? [command] : command.verbs {
                #expect(page.contains("\n.SS pasteup \(ManualPage.escaped(spec.name))\n"))
                for option in spec.options { #expect(page.contains("\\fB\(ManualPage.escaped(option.key))\\fR")) }
            }
        }
    }

    @Test func textCannotBecomeARequest() {
        let spec = CommandSpec("x", ".de is what 'it' says: a\\b", example: "pasteup x")
        let page = ManualPage([spec], version: "1").roff
        #expect(page.contains("\n\\&.de is what \\(aqit\\(aq says: a\\eb\n"))
    }

    @Test(.enabled(if: ManualPageTests.groff != nil))
    func groffSetsThePageWithoutAWarning() async throws {
        let groff = ProgramRunner(try #require(ManualPageTests.groff))
        let set = try await groff.run(["-man", "-ww", "-Kutf8", "-Tutf8", "-P-cbou"], input: page)
        #expect(set.code == 0)
        #expect(set.errors.isEmpty, "\(set.errors)")
        #expect(set.output.contains("pasteup run workflows/instagram-to-vk.yaml -i wall=-123"))
    }

    private static let groff = ["/usr/bin/groff"].first { FileSystem.exists($0) }
}
