import Files
import TestSupport
import Testing
import Values

/// Inputs from files, and `pasteup eval`, as the built program has them.
@Suite(.programs) struct InputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write(
            "plan.yaml",
            """
            name: plan
            inputs:
              rows: { type: table, columns: { wall: { type: integer, required: true }, text: string } }
              note: { type: file }
            steps:
              look: { uses: pause.approval, with: { message: "Go on?" } }
              text:
                uses: text.render
                needs: [look]
                with: { text: "${{ join(inputs.rows.*.text, '+') }} ${{ basename(inputs.note) }} ${{ inputs.rows[1].wall }}" }
              read: { uses: file.read, needs: [look], with: { path: "${{ inputs.note }}" } }
            outputs:
              text: ${{ steps.text.outputs.text }} ${{ steps.read.outputs.text }}
            """)
        try write("rows.csv", "wall;text\n-12;Hello\n-13;you\n")
        try write("note.txt", "kept")
    }

    private func write(_ name: String, _ text: String) throws { try folder.write(name, Array(text.utf8)) }

    private func pasteup(_ words: String...) async throws -> ProgramResult {
        try await ProgramRunner(
            ProgramRunner.built("pasteup"),
            environment: [
                "HOME": folder.path, "PASTEUP_STATE": folder.file("state"), "WORD": "hi", "VK_TOKEN": "vk1.a.secret",
            ],
            folder: folder.path
        ).run(words)
    }

    @Test func aRunGoesOnWithItsCopiesWhenTheFilesAreGone() async throws {
        let first = try await pasteup(
            "run", "plan.yaml", "--input-file", "rows=rows.csv", "--input-file", "note=note.txt")
        #expect(first.code == 3, "\(first.all)")
        let run = try #require(FileSystem.list(folder.file("state/runs")).first)
        #expect(
            try FileSystem.read(folder.file("state/runs/\(run)/inputs/rows/rows.csv"))
                == Array("wall;text\n-12;Hello\n-13;you\n".utf8))
        let shown = try await pasteup("show", run)
        #expect(shown.output.contains("input     rows = \(folder.file("rows.csv"))\n"), "\(shown.all)")
        try FileSystem.remove(folder.file("rows.csv"))
        try FileSystem.remove(folder.file("note.txt"))
        let second = try await pasteup("resume", run, "--approve")
        #expect(second.code == 0, "\(second.all)")
        #expect(second.all.contains("Hello+you note.txt -13 kept"), "\(second.all)")
    }

    @Test(arguments: ["run", "plan", "validate"]) func wrongRowsAreToldBeforeAnythingRuns(_ command: String)
        async throws
    {
        try write("wrong.csv", "wall;text\nclub12;Hello\n;you\n")
        let run = try await pasteup(command, "plan.yaml", "--input-file", "rows=wrong.csv", "-i", "not=1")
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                wrong.csv:2:1: error: 'wall' is 'club12', not an integer. Write -12.
                2 | club12;Hello
                  | ^~~~~~
                wrong.csv:3:1: error: 'wall' is empty. Every row needs it.
                3 | ;you
                  | ^
                error: unknown input 'not'. Did you mean 'note'?
                error: the inputs of 'plan' do not fit; nothing was run.

                """)
        #expect(!FileSystem.exists(folder.file("state/runs")))
    }

    @Test func inputsComeFromAFile() async throws {
        try write("inputs.yaml", "rows: rows.csv\nnote: note.txt\n")
        let checked = try await pasteup("validate", "plan.yaml", "--inputs", "inputs.yaml")
        #expect(checked.code == 0, "\(checked.all)")
        let two = try await pasteup("validate", "plan.yaml", "plan.yaml", "--inputs", "inputs.yaml")
        #expect(two.errors == "error: inputs go with one file, and there are 2.\n")
    }

    // MARK: eval

    @Test(
        arguments: [
            (["1 + 1"], 2, "", "expression:1:3: error: "),
            (["hashtags('Tea for #two')"], 0, "[\n  \"#two\"\n]\n", ""), (["${{ 1 < 2 }}"], 0, "true\n", ""),
            (["a ${{ 1 }} b"], 0, "\"a 1 b\"\n", ""), (["env.WORD"], 0, "\"hi\"\n", ""),
            (["inputs.wall < 0", "--context", "context.yaml"], 0, "true\n", ""),
            (["steps.a.outputs.id", "--context", "context.yaml"], 0, "\"007\"\n", ""),
            (
                ["inputs.wall"], 2, "",
                "expression:1:1: error: nothing is known of 'inputs'. Give its values in a file: --context FILE, with 'inputs:' in it.\n"
                    + "1 | inputs.wall\n  | ^~~~~~\n"
            ),
            (
                ["'x' ==\n matches('a', 'b(')"], 2, "",
                "expression:2:17: error: the group that begins here is not closed, at position 2 of the pattern. "
                    + "Write '\\(' for the character itself.\n2 |  matches('a', 'b(')\n  |                 ^\n"
            ),
            (
                ["secrets.KEY", "--context", "context.yaml"], 2, "",
                "expression:1:1: error: 'secrets.KEY' may be a secret. Secrets are never printed, and neither is what is made of them.\n"
                    + "1 | secrets.KEY\n  | ^~~~~~~~~~~\n"
            ),
            (["format('{0}', env.VK_TOKEN)"], 2, "", "expression:1:15: error: 'env.VK_TOKEN' may be a secret."),
            (["toJSON(env)"], 2, "", "expression:1:8: error: 'env' may be a secret."),
            (["trucate('a', 1)"], 2, "", "expression:1:1: error: unknown function 'trucate'. Did you mean 'truncate'?"),
            (["1", "--context", "list.yaml"], 2, "", "list.yaml:1:1: error: the context is a list, not a mapping."),
        ] as [([String], Int32, String, String)])
    func evalPrintsJSON(_ words: [String], code: Int32, output: String, errors: String) async throws {
        try write(
            "context.yaml", "inputs: { wall: -12 }\nsteps: { a: { outputs: { id: \"007\" } } }\nsecrets: { KEY: abc }\n"
        )
        try write("list.yaml", "- 1\n")
        let run = try await ProgramRunner(
            ProgramRunner.built("pasteup"),
            environment: ["HOME": folder.path, "WORD": "hi", "VK_TOKEN": "vk1.a.secret"], folder: folder.path
        ).run(["eval"] + words)
        #expect(run.code == code, "\(run.all)")
        #expect(run.output == output)
        #expect(run.errors.hasPrefix(errors), "\(run.errors)")
    }
}
