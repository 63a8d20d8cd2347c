import Files
import TestSupport
import Testing
import Values

/// `pasteup graph` and `pasteup steps` as they are typed.
@Suite(.programs) struct GraphTests {
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

    @Test func listsAreNamedOrCounted() async throws {
        let plan = try await runner.run(["graph", inSource("examples/content-plan/content-plan.yaml")])
        #expect(
            plan.output == """
                ●  card  card.compose   for each of inputs.plan
                ○  post  vk.wall-photo  writes, once, for each of the items of card

                """, "\(plan.all)")
        let folder = try TemporaryFolder()
        let text = """
            name: lists
            inputs: { more: { type: list } }
            steps:
              three: { uses: text.render, for-each: [a, b, c], with: { text: "${{ item }}" } }
              same: { uses: text.render, for-each: { of: three }, with: { text: "${{ steps.three.outputs.text }}" } }
              four: { uses: text.render, for-each: { matrix: { a: [1, 2], b: [1, 2] } }, with: { text: x } }
              open: { uses: text.render, for-each: { matrix: { a: [1], b: "${{ inputs.more }}" } }, with: { text: x } }

            """
        let lists = try await runner.run(["graph", try folder.write("lists.yaml", Array(text.utf8))])
        #expect(
            lists.output == """
                ●  three  text.render  × 3
                ○  same   text.render  × 3
                ○  four   text.render  × 4
                ○  open   text.render  for each of a product of a, b

                """, "\(lists.all)")
    }

    /// The step that stands before the steps of a part is not drawn.
    @Test func partsAreDrawnStepByStep() async throws {
        let file = inSource("examples/parts-on-walls.yaml")
        let text = try await runner.run(["graph", file])
        #expect(
            text.output == """
                ●    latest        instagram.latest
                │ ●  share/server  vk.photos.getWallUploadServer  for each
                ├─╯
                ●    share/upload  vk.upload                      for each
                ●    share/saved   vk.photos.saveWallPhoto        writes, for each
                ●    share/post    vk.wall.post                   writes, for each
                ○    share         ./parts/wall-photo.yaml        for each of inputs.walls

                """, "\(text.all)")
        for format in ["mermaid", "dot", "svg"] {
            let drawing = try await runner.run(["graph", file, "--all-edges", "--format", format])
            #expect(drawing.code == 0 && !drawing.output.contains(".begin"), "\(drawing.all)")
            #expect(drawing.output.lines.count { $0.contains("subgraph") } == (format == "svg" ? 0 : 1))
        }
    }

    @Test func conditionOfAPartIsToldBesideTheStepThatUsesIt() async throws {
        let folder = try TemporaryFolder()
        let steps = "{ a: { uses: text.render, with: { text: x } } }"
        _ = try folder.write("part.yaml", Array("name: part\nsteps: \(steps)\n".utf8))
        let text = """
            name: outer
            steps:
              first: { uses: text.render, with: { text: x } }
              part: { uses: ./part.yaml, needs: first, if: run.attempt > 1 }

            """
        let drawing = try await runner.run(["graph", try folder.write("outer.yaml", Array(text.utf8))])
        #expect(
            drawing.output == """
                ●  first   text.render
                ●  part/a  text.render
                ○  part    ./part.yaml  if

                """, "\(drawing.all)")
    }

    @Test func itemsOfARunAreCounted() async throws {
        let story = try Story()
        let file = try story.write(
            "items.yaml",
            """
            name: items
            inputs: { rows: { type: list, default: [a, b] } }
            steps:
              text: { uses: text.render, for-each: "${{ inputs.rows }}", with: { text: "${{ item }}" } }

            """)
        _ = try await story.pasteup("run", file)
        let list = try await story.pasteup("list", "--json")
        let run = try #require(try list.output.lines.first.map { try Value(json: Array($0.utf8)) }?["run"]?.string)
        let drawing = try await story.pasteup("graph", "--run", run)
        #expect(drawing.output == "○  text  succeeded  text.render  × 2\n", "\(drawing.all)")
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
