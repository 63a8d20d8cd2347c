import Diagnostics
import StepKit
import Testing
import Values
import Workflows

@Suite struct InputValuesTests {
    private func workflow() throws -> Workflow {
        let text = """
            name: test
            inputs:
              text: { required: true, description: What the post says }
              wall: { type: integer, description: "VK owner ids are numbers, negative for communities" }
              share: { type: number, default: 0.5 }
              loud: { type: boolean, default: true }
              photo: { type: file, default: passwd }
              tags: { type: list, default: [a, b] }
              mode: { type: choice, options: [photo, video] }
            steps: { read: { uses: test.read, with: { text: "${{ toJSON(inputs) }}" } } }
            """
        let loaded = try WorkflowLoader(catalog: .test).load(bytes: Array(text.utf8), file: "a.yaml", folder: "/etc")
        #expect(loaded.warnings.isEmpty)
        return loaded.workflow
    }

    @Test func fillsInDefaultsAndNull() throws {
        let values = try workflow().resolveInputs(GivenInputs(["text": ""], currentFolder: "/home/me")).values
        #expect(values.keys == ["text", "wall", "share", "loud", "photo", "tags", "mode"])
        #expect(
            values == [
                "text": "", "wall": nil, "share": 0.5, "loud": true, "photo": "/etc/passwd",
                "tags": ["a", "b"], "mode": nil,
            ])
    }

    static let texts: [(String, String, Value)] = [
        ("wall", "-9223372036854775808", Value.integer(.min)), ("share", "2", 2), ("share", "-0.25", -0.25),
        ("loud", "false", false), ("photo", "null", "/dev/null"),
        ("photo", "/etc/group", "/etc/group"), ("tags", "x, y ,z", ["x", "y", "z"]), ("tags", "x", ["x"]),
        ("tags", "[\"a,b\", 2]", ["a,b", 2]), ("tags", "[]", []), ("mode", "video", "video"), ("text", "017", "017"),
    ]

    @Test(arguments: texts)
    func fitsTexts(name: String, text: String, value: Value) throws {
        var given = ["text": "Hello"]
        given[name] = text
        let inputs = try workflow().resolveInputs(GivenInputs(given, currentFolder: "/dev"))
        #expect(inputs.values[name] == value)
        #expect(!inputs.hasErrors)
    }

    static let mistakes: [([String: String], String)] = [
        (
            ["text": "a", "wall": "club12"],
            "error: input 'wall' is 'club12', not an integer. VK owner ids are numbers, negative for communities. "
                + "Give it as -i wall=-12.\n"
        ),
        (["wall": "1"], "error: input 'text' is missing. What the post says. Give it as -i text='…'.\n"),
        (
            ["text": "a", "wal": "1", "colour": "red"],
            "error: unknown input 'colour'. There are text, wall, share, loud, photo, tags, mode.\n"
                + "error: unknown input 'wal'. Did you mean 'wall'?\n"
        ),
        (
            ["text": "a", "loud": "", "tags": ""],
            "error: input 'loud' is empty, not true or false. Leave it out if it is not given.\n"
                + "error: input 'tags' is empty, not a list. Leave it out if it is not given.\n"
        ),
        (
            ["text": "a", "mode": "foto"],
            "error: input 'mode' is 'foto', not one of photo, video. Did you mean 'photo'?\n"
        ),
        (
            ["text": "a", "loud": "yes", "share": "nan"],
            "error: input 'share' is 'nan', not a number. Give it as -i share=1.5.\n"
                + "error: input 'loud' is 'yes', not true or false. Give it as -i loud=true.\n"
        ),
    ]

    @Test(arguments: mistakes)
    func tellsWhatIsWrong(given: [String: String], message: String) throws {
        let workflow = try workflow()
        let inputs = workflow.resolveInputs(GivenInputs(given, currentFolder: "/home/me"))
        #expect(DiagnosticRenderer().render(inputs.diagnostics) == message)
    }

    @Test func tellsOfAListThatIsNoJSON() throws {
        let workflow = try workflow()
        let inputs = workflow.resolveInputs(GivenInputs(["text": "a", "tags": "[a"], currentFolder: "/"))
        #expect(inputs.diagnostics.count == 1)
        #expect(inputs.diagnostics.first?.what.hasPrefix("input 'tags' begins with '[' and is not JSON: ") == true)
    }
}
