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
              photo: { type: file, default: pictures/one.jpg }
              tags: { type: list, default: [a, b] }
              mode: { type: choice, options: [photo, video] }
            steps: { read: { uses: test.read, with: { text: "${{ toJSON(inputs) }}" } } }
            """
        let loaded = try WorkflowLoader(catalog: .test).load(bytes: Array(text.utf8), file: "a.yaml", folder: "/flows")
        #expect(loaded.warnings.isEmpty)
        return loaded.workflow
    }

    @Test func fillsInDefaultsAndNull() throws {
        let values = try workflow().resolveInputs(given: ["text": ""], currentFolder: "/home/me")
        #expect(values.keys == ["text", "wall", "share", "loud", "photo", "tags", "mode"])
        #expect(
            values == [
                "text": "", "wall": nil, "share": 0.5, "loud": true, "photo": "/flows/pictures/one.jpg",
                "tags": ["a", "b"], "mode": nil,
            ])
    }

    static let texts: [(String, String, Value)] = [
        ("wall", "-9223372036854775808", Value.integer(.min)), ("share", "2", 2), ("share", "-0.25", -0.25),
        ("loud", "false", false), ("photo", "one.jpg", "/home/me/one.jpg"),
        ("photo", "/tmp/one.jpg", "/tmp/one.jpg"), ("tags", "x, y ,z", ["x", "y", "z"]), ("tags", "x", ["x"]),
        ("tags", "[\"a,b\", 2]", ["a,b", 2]), ("tags", "[]", []), ("mode", "video", "video"), ("text", "017", "017"),
    ]

    @Test(arguments: texts)
    func fitsTexts(name: String, text: String, value: Value) throws {
        var given = ["text": "Hello"]
        given[name] = text
        #expect(try workflow().resolveInputs(given: given, currentFolder: "/home/me")[name] == value)
    }

    static let mistakes: [([String: String], String)] = [
        (
            ["text": "a", "wall": "club12"],
            "error: input 'wall' is 'club12', not an integer. VK owner ids are numbers, negative for communities. "
                + "Give it as -i wall=12.\n"
        ),
        (["wall": "1"], "error: input 'text' is missing. What the post says. Give it as -i text=text.\n"),
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
        let error = #expect(throws: DiagnosticsError.self) {
            try workflow.resolveInputs(given: given, currentFolder: "/home/me")
        }
        #expect(DiagnosticRenderer().render(try #require(error)) == message)
    }

    @Test func tellsOfAListThatIsNoJSON() throws {
        let workflow = try workflow()
        let error = #expect(throws: DiagnosticsError.self) {
            try workflow.resolveInputs(given: ["text": "a", "tags": "[a"], currentFolder: "/")
        }
        #expect(error?.diagnostics.map(\.what) == ["input 'tags' begins with '[' and is not JSON"])
    }
}
