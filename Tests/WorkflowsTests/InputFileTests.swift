import Diagnostics
import Files
import StepKit
import Tables
import TestSupport
import Testing
import Values
import Workflows

/// Inputs from files: tables, `--inputs`, and the copies that a run keeps.
@Suite struct InputFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("photo.jpg", [1, 2, 3])
    }

    private func workflow(_ inputs: String) throws -> Workflow {
        let text = """
            name: test
            timezone: Europe/Moscow
            inputs:
            \(inputs)
            steps: { read: { uses: test.read, with: { text: "${{ toJSON(inputs) }}" } } }
            """
        return try WorkflowLoader(catalog: .test)
            .load(bytes: Array(text.utf8), file: "a.yaml", folder: folder.path).workflow
    }

    private let rows = """
          rows:
            type: table
            columns:
              wall: { type: integer, required: true, description: "VK owner ids are numbers, negative for communities" }
              when: date
              photo: file
              share: number
              loud: boolean
              tags: list
              kind: { type: choice, options: [photo, video] }
              text: { type: string, pattern: "^[^#]*$" }
        """

    private func resolve(
        _ workflow: Workflow, texts: [String: String] = [:], files: [String] = [], inputs: String? = nil
    ) -> ResolvedInputs {
        var given = GivenInputs(texts, currentFolder: folder.path)
        for file in files { given.add(inputFile: file, names: workflow.inputs.map(\.name)) }
        given.file = inputs
        return workflow.resolveInputs(given)
    }

    private func shown(_ inputs: ResolvedInputs) -> String {
        DiagnosticRenderer(sources: inputs.sources).render(inputs.diagnostics)
    }

    @Test func cellsAreFittedToTheirColumns() throws {
        try folder.write(
            "rows.csv",
            Array(
                "wall;when;photo;share;loud;tags;kind;text;more\n -12 ;1.12.2026 10:00;photo.jpg;0,5;ИСТИНА;a, b;photo;Hi;x\n-13;2026-12-01;;;;;;;\n"
                    .utf8))
        let inputs = resolve(try workflow(rows), files: ["rows.csv"])
        #expect(shown(inputs) == "")
        #expect(
            inputs.values["rows"] == [
                [
                    "wall": -12, "when": "2026-12-01T10:00:00+03:00", "photo": .string(folder.file("photo.jpg")),
                    "share": 0.5, "loud": true, "tags": ["a", "b"], "kind": "photo", "text": "Hi", "more": "x",
                ],
                [
                    "wall": -13, "when": "2026-12-01", "photo": nil, "share": nil, "loud": nil, "tags": nil,
                    "kind": nil,
                    "text": "", "more": "",
                ],
            ])
        #expect(inputs.tables["rows"]?.rowNumber(1) == 3)
    }

    @Test func everyWrongCellIsTold() throws {
        try folder.write(
            "rows.csv",
            Array(
                "wall,when,photo,share,loud,tags,kind,text\nclub12,soon,none.jpg,half,yes,[a,foto,a#b\n,2026-12-01,photo.jpg,1,true,,video,\n"
                    .utf8))
        let inputs = resolve(try workflow(rows), texts: ["rows": "rows.csv"])
        let lines = shown(inputs).split(separator: "\n").filter { $0.hasPrefix("rows.csv:") }
        #expect(
            lines == [
                "rows.csv:2:1: error: 'wall' is 'club12', not an integer. VK owner ids are numbers, negative for communities. Write -12.",
                "rows.csv:2:8: error: 'when' is 'soon', not a date. Write 2026-12-01.",
                "rows.csv:2:13: error: 'photo' is 'none.jpg', and there is no such file.",
                "rows.csv:2:22: error: 'share' is 'half', not a number. Write 1.5.",
                "rows.csv:2:27: error: 'loud' is 'yes', not true or false. Write true.",
                "rows.csv:2:31: error: 'tags' begins with '[' and is not JSON: invalid token near 'a' (line 1, column 2). Write one,two.",
                "rows.csv:2:34: error: 'kind' is 'foto', not one of photo, video. Did you mean 'photo'?",
                "rows.csv:2:39: error: 'text' is 'a#b', which the pattern '^[^#]*$' does not match. Write another.",
                "rows.csv:3:1: error: 'wall' is empty. VK owner ids are numbers, negative for communities. Every row needs it.",
            ])
    }

    @Test func columnsThatAreMissingAreTold() throws {
        try folder.write("rows.csv", Array("wal,when,photo,share,loud,tags,kind\n1,,,,,,\n".utf8))
        let lines = shown(resolve(try workflow(rows), files: ["rows=rows.csv"])).split(separator: "\n")
        #expect(
            lines.filter { $0.contains("error") } == [
                "rows.csv:2:1: error: the table has no column 'wall'. VK owner ids are numbers, negative for communities. Rename 'wal'.",
                "rows.csv:2:1: error: the table has no column 'text'. It has wal, when, photo, share, loud, tags, kind.",
            ])
    }

    @Test func aFileOfInputsYieldsToTheCommandLine() throws {
        try FileSystem.makeFolder(folder.file("plan"))
        try folder.write("plan/one.jpg", [1])
        try folder.write(
            "plan/inputs.yaml", Array("wall: 1\ncode: 017\nphoto: one.jpg\nrows:\n  - a: 1\n  - a: two\n".utf8))
        let workflow = try workflow(
            "  wall: { type: integer }\n  code: { pattern: '^\\d+$' }\n  photo: { type: file }\n  rows: { type: table }"
        )
        let inputs = resolve(workflow, texts: ["wall": "2"], inputs: "plan/inputs.yaml")
        #expect(shown(inputs) == "")
        #expect(
            inputs.values == [
                "wall": 2, "code": "017", "photo": .string(folder.file("plan/one.jpg")),
                "rows": [["a": 1], ["a": "two"]],
            ])
        #expect(inputs.tables["rows"]?.range(row: 1, column: "a").start.line == 6)
    }

    @Test func whatIsWrongInAFileOfInputsHasItsPlace() throws {
        try folder.write(
            "inputs.json",
            Array("{\"wall\": \"club\",\n \"photo\": \"none.jpg\", \"wal\": 1,\n \"day\": \"2026-11-30\"}".utf8))
        let workflow = try workflow(
            "  wall: { type: integer, max: 0 }\n  photo: { type: file }\n  day: { type: date, min: 2026-12-01 }\n  need: { required: true }"
        )
        let text = shown(resolve(workflow, inputs: "inputs.json"))
        #expect(
            text == """
                inputs.json:1:10: error: input 'wall' is 'club', not an integer. Write 'wall: 12'.
                1 | {"wall": "club",
                  |          ^~~~~~
                inputs.json:2:11: error: input 'photo' is 'none.jpg', and there is no such file.
                2 |  "photo": "none.jpg", "wal": 1,
                  |           ^~~~~~~~~~
                inputs.json:2:23: error: unknown input 'wal'. Did you mean 'wall'?
                2 |  "photo": "none.jpg", "wal": 1,
                  |                       ^~~~~
                inputs.json:3:9: error: input 'day' is 2026-11-30, less than 2026-12-01. Write 'day: 2026-12-01'.
                3 |  "day": "2026-11-30"}
                  |         ^~~~~~~~~~~~
                error: input 'need' is missing. Give it as -i need='…'.

                """)
    }

    static let mistakes: [(String, [String], String)] = [
        (
            "  a: { type: table }\n  b: { type: file }", ["x.csv"],
            "error: for which input 'x.csv' is meant is not said. There are a, b. Write --input-file a=x.csv.\n"
        ),
        (
            "  a: { type: integer }", ["x.csv"],
            "error: for which input 'x.csv' is meant is not said. 'test' takes no table and no file.\n"
        ),
        (
            "  a: { type: integer }", ["a=x.csv"],
            "error: input 'a' is an integer, not a table or a file. Give it as -i a=12.\n"
        ),
        ("  a: { type: table }", ["x.csv"], "error: there is no file 'x.csv'.\n"),
        (
            "  a: { type: table }", ["photo.jpg"],
            "error: 'photo.jpg' has an ending that no table has. The ending tells how a table is written: "
                + ".csv, .tsv, .txt (with tabs), .json or .yaml. Rename it, or save it from the spreadsheet as CSV.\n"
        ),
        (
            "  a: { type: table, required: true }", [],
            "error: input 'a' is missing. Give it as --input-file a=rows.csv.\n"
        ),
    ]

    @Test(arguments: mistakes) func whatCannotBeTakenIsTold(_ inputs: String, _ files: [String], message: String) throws
    {
        #expect(shown(resolve(try workflow(inputs), files: files)) == message)
    }

    @Test func aListMayBeRepeated() throws {
        let workflow = try workflow("  tags: { type: list }\n  wall: { type: integer }")
        var given = GivenInputs(currentFolder: "/")
        for text in ["a,b", "c"] { given.add(text, for: "tags") }
        #expect(workflow.resolveInputs(given).values["tags"] == ["a,b", "c"])
        for text in ["1", "2"] { given.add(text, for: "wall") }
        #expect(shown(workflow.resolveInputs(given)) == "error: input 'wall' is given 2 times. Give it once.\n")
    }

    @Test func aTableThatIsWrittenOnTheCommandLineHasCopiesOfItsFilesToo() throws {
        let workflow = try workflow("  rows: { type: table, columns: { photo: file } }")
        let row = #"{"photo": "\#(folder.file("photo.jpg"))"}"#
        let inputs = resolve(workflow, texts: ["rows": "[\(row), \(row)]"])
        let run = try TemporaryFolder()
        let stored = try inputs.store(in: run.path)
        let began = try inputs.values(stored: stored, in: run.path)
        try FileSystem.remove(folder.file("photo.jpg"))
        let copy = Value.string(run.file("inputs/rows.files/1/photo.jpg"))
        #expect(began["rows"] == [["photo": copy], ["photo": copy]])
        let restored = workflow.restoreInputs(stored, from: run.path)
        #expect(!restored.hasErrors && restored.values == began)
    }

    /// The run goes on with its copies when the files are gone; relative paths in a table mean what they meant.
    @Test func aRunKeepsCopies() throws {
        try folder.write("rows.csv", Array("wall,photo\n-12,photo.jpg\n".utf8))
        let workflow = try workflow(
            "  rows: { type: table, columns: { wall: integer, photo: file } }\n  one: { type: file }\n  wall: { type: integer, default: 3 }"
        )
        let inputs = resolve(workflow, texts: ["one": "photo.jpg"], files: ["rows=rows.csv"])
        let run = try TemporaryFolder()
        let stored = try inputs.store(in: run.path)
        #expect(
            stored == [
                "rows": ["file": "inputs/rows/rows.csv", "from": .string(folder.file("rows.csv"))],
                "one": ["file": "inputs/one/photo.jpg", "from": .string(folder.file("photo.jpg"))], "wall": 3,
            ])
        let began = try inputs.values(stored: stored, in: run.path)
        for name in ["rows.csv", "photo.jpg"] { try FileSystem.remove(folder.file(name)) }
        let restored = workflow.restoreInputs(stored, from: run.path)
        #expect(!restored.hasErrors)
        #expect(restored.values == began)
        #expect(restored.values["one"] == .string(run.file("inputs/one/photo.jpg")))
        let photo = run.file("inputs/rows.files/1/photo.jpg")
        #expect(restored.values["rows"] == [["wall": -12, "photo": .string(photo)]])
        #expect(try FileSystem.read(photo) == [1, 2, 3])
        #expect(try FileSystem.read(run.file("inputs/one/photo.jpg")) == [1, 2, 3])
    }
}
