import Files
import TestSupport
import Testing
import Values

/// `pasteup graph` and `pasteup steps` as they are typed.
@Suite struct GraphTests {
    private let runner = ProgramRunner(ProgramRunner.built("pasteup"))

    @Test func theMainJobIsDrawnInEachForm() async throws {
        let file = inSource("workflows/instagram-to-vk.yaml")
        let text = try await runner.run(["graph", file])
        #expect(text.code == 0 && text.errors.isEmpty, "\(text.all)")
        #expect(
            text.output == """
                ●    latest  instagram.latest
                ●    card    card.compose
                │ ●  server  vk.photos.getWallUploadServer
                ├─╯
                ●    upload  vk.upload
                ●    saved   vk.photos.saveWallPhoto        writes
                ○    post    vk.wall.post                   writes, once

                """)
        let mermaid = try await runner.run(["graph", file, "--format", "mermaid"])
        #expect(mermaid.output.hasPrefix("flowchart TD\n"))
        // latest -> card -> upload -> saved -> post, server -> upload.
        #expect(mermaid.output.lines.count { $0.contains("-->") } == 5, "\(mermaid.output)")
        let all = try await runner.run(["graph", file, "--format", "dot", "--all-edges"])
        #expect(all.output.lines.count { $0.contains("->") } == 6, "\(all.output)")
        let svg = try await runner.run(["graph", file, "--format", "svg"])
        #expect(svg.output.hasPrefix("<svg ") && svg.output.hasSuffix("</svg>\n"))
    }

    @Test func aRunsStatesAreShownAsWords() async throws {
        let story = try Story()
        try await story.setFaults([["on": "upload", "call": "every", "fault": ["type": "http", "status": 400]]])
        _ = try await story.pasteup("run", story.workflow)
        let list = try await story.pasteup("list", "--json")
        let run = try #require(try list.output.lines.first.map { try Value(json: Array($0.utf8)) }?["run"]?.string)
        let drawing = try await story.pasteup("graph", "--run", run)
        #expect(drawing.code == 0, "\(drawing.all)")
        #expect(drawing.output.contains("succeeded  instagram.latest"), "\(drawing.output)")
        #expect(drawing.output.contains("failed     vk.upload"), "\(drawing.output)")
        #expect(drawing.output.contains("skipped    vk.wall.post"), "\(drawing.output)")
        #expect(!drawing.output.contains("\u{1B}"))
        let svg = try await story.pasteup("graph", "--run", run, "--format", "svg")
        #expect(svg.output.contains("· failed</text>"))
    }

    @Test(arguments: [
        (["graph"], "needs FILE, or --run RUN"), (["graph", "x", "--run", "y"], "takes a file or a run"),
        (["graph", "x", "--format", "sgv"], "Did you mean 'svg'?"),
        (["steps", "vk.wall.pots"], "unknown step kind 'vk.wall.pots'. Did you mean 'vk.wall.post'?"),
        (["steps", "--json", "--markdown"], "two forms of one thing"),
    ])
    func mistakesAreExplained(words: [String], message: String) async throws {
        let run = try await runner.run(words)
        #expect(run.code == 2)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test func stepKindsAreListedAndShown() async throws {
        let list = try await runner.run(["steps"])
        #expect(list.output.lines.first?.hasPrefix("KIND ") == true)
        #expect(list.output.contains("\nvk.wall.post "))
        let one = try await runner.run(["steps", "card.compose"])
        #expect(one.output.contains("\n  size: size, default 1080x1920\n"), "\(one.output)")
        #expect(one.output.contains("\n      top: color\n"), "\(one.output)")
        #expect(one.output.contains("\nExample:\n  card:\n"), "\(one.output)")
        let json = try await runner.run(["steps", "vk.upload", "--json"])
        let kind = try Value(json: Array(json.output.utf8))
        #expect(kind["name"] == "vk.upload" && kind["effect"] == "idempotent" && kind["account"] == .null)
        #expect(kind["parameters"]?[0]?["required"] == true)
        #expect(kind["outputs"]?.array?.contains { $0["sensitive"] == true } == true)
    }
}
