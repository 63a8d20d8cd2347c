import Files
import TestSupport
import Testing
import Values

/// `pasteup validate` as authors and build servers use it.
@Suite(.programs) struct ValidateTests {
    private let folder: TemporaryFolder
    private let runner: ProgramRunner
    private static let good = "name: good\nsteps:\n  say: { uses: text.render, with: { text: Hello } }\n"
    private static let odd =
        "name: odd\ninputs: { idle: { type: string } }\n"
        + good.split(
            separator: "\n", maxSplits: 1)[1]
    private static let bad = """
        name: bad
        accounts:
          vk: { type: vk, token: "${{ secrets.VK_TOKEN }}" }
        steps:
          card:
            uses: card.compose
            with: { background: { type: gradient, top: "#fff", angle: 9000 }, sticker: { image: a.jpg, radius: -1 } }
          post:
            uses: vk.wall.post
            need: [card]
            with: { owner_id: 0, attachments: [https://a.example, https://b.example] }
          server:
            uses: vk.photos.getWallUploadServer
            with: { group_id: -5 }
        outputs: { url: "${{ steps.pots.outputs.url }}" }

        """

    init() throws {
        folder = try TemporaryFolder()
        runner = ProgramRunner(ProgramRunner.built("pasteup"), folder: folder.path)
        for (name, text) in [("good", Self.good), ("odd", Self.odd), ("bad", Self.bad)] {
            _ = try folder.write("\(name).yaml", Array(text.utf8))
        }
    }

    @Test func everyProblemOfEveryFileIsToldInOneGo() async throws {
        let run = try await runner.run(["validate", "good.yaml", "bad.yaml", "gone.yaml", "odd.yaml"])
        #expect(run.code == 2)
        #expect(run.output == "good.yaml: fine, 1 step\nodd.yaml: fine, 1 step\n")
        let places = run.errors.matches(of: /\n?bad\.yaml:(\d+):(\d+): error/).map { "\($0.1):\($0.2)" }
        #expect(places == ["7:63", "7:104", "10:5", "11:23", "11:39", "14:23", "15:28"], "\(run.errors)")
        #expect(run.errors.contains("there is no file 'gone.yaml'"))
        #expect(run.errors.contains("odd.yaml:2:11: warning: input 'idle' is not used"))
        #expect(run.errors.contains("bad.yaml has 7 errors"))
    }

    @Test func jsonIsAProblemALine() async throws {
        let run = try await runner.run(["validate", "--json", "bad.yaml", "odd.yaml", "good.yaml"])
        #expect(run.code == 2)
        #expect(run.errors.isEmpty, "\(run.errors)")
        let problems = try run.output.lines.map { try Value(json: Array($0.utf8)) }
        #expect(problems.count == 8)
        for problem in problems {
            for key in ["file", "severity", "code", "message"] {
                #expect(problem[key]?.string?.isEmpty == false, "\(key) of \(problem)")
            }
            for key in ["line", "column", "end"] { #expect((problem[key]?.integer ?? 0) >= 1, "\(key) of \(problem)") }
        }
        #expect(
            problems.map { $0["code"]?.string } == [
                "parameter-value", "parameter-value", "unknown-key", "parameter-value", "parameter-value",
                "parameter-value", "unknown-step", "unused-input",
            ])
    }

    @Test func warningsCountWithStrictOnly() async throws {
        let lenient = try await runner.run(["validate", "odd.yaml"])
        #expect(lenient.code == 0, "\(lenient.all)")
        let strict = try await runner.run(["validate", "--strict", "odd.yaml"])
        #expect(strict.code == 2)
        #expect(strict.output.isEmpty)
        #expect(strict.errors.contains("odd.yaml:2:11: error: input 'idle' is not used"), "\(strict.errors)")
        #expect(try await runner.run(["validate", "--strict", "good.yaml"]).code == 0)
    }

    @Test func standardInputIsCheckedLikeAFile() async throws {
        let good = try await runner.run(["validate", "-"], input: Self.good)
        #expect(good.code == 0)
        #expect(good.output == "<stdin>: fine, 1 step\n")
        let bad = try await runner.run(["validate", "-", "--quiet"], input: Self.bad)
        #expect(bad.code == 2)
        #expect(bad.errors.contains("<stdin>:10:5: error: unknown key 'need'"), "\(bad.errors)")
    }

    @Test func formsOfAReportAreKnown() async throws {
        let sarif = try await runner.run(["validate", "--format", "sarif", "bad.yaml", "good.yaml"])
        #expect(sarif.code == 2)
        let log = try Value(json: Array(sarif.output.utf8))
        #expect(log["version"] == "2.1.0")
        #expect(log["runs"]?[0]?["results"]?.array?.count == 7)
        let github = try await runner.run(["validate", "--format", "github", "odd.yaml"])
        #expect(github.code == 0)
        #expect(
            github.output.hasPrefix("::warning file=odd.yaml,line=2,endLine=2,col=11,endColumn=15,title=unused-input::")
        )
        let unknown = try await runner.run(["validate", "--format", "sarfi", "bad.yaml"])
        #expect(unknown.code == 2)
        #expect(unknown.errors.contains("Did you mean 'sarif'?"), "\(unknown.errors)")
    }
}
