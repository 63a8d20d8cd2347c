import Diagnostics
import Files
import StepKit
import TestSupport
import Testing
import Values
import Workflows

/// The JSON Schema, held against the loader on the loader's own fixtures.
@Suite struct SchemaTests {
    static let folder = fixturesFolder(beside: #filePath)

    private static func files(_ name: String) throws -> [String] {
        try FileSystem.list("\(folder)/\(name)").filter { $0.hasSuffix(".yaml") }.map { "\(folder)/\(name)/\($0)" }
    }

    /// What only the loader can know: what names mean, what expressions say, how keys go together.
    static let invalidByMeaning: Set<String> = [
        "account-ambiguous",
        "account-none",
        "expression-in-folded-text",
        "expression-names",
        "expression-shapes",
        "expression-syntax",
        "for-each-in-a-circle",
        "hooks-secrets",
        "if-words-of-others",
        "item-outside-of-for-each",
        "overlap-key-mentions-a-step",
        "ring-of-two",
        "rings",
        "schedule-out-of-range",
        "schedule-word-unknown",
        "secrets-in-the-wrong-place",
        "status-outside-of-if",
        "step-ids-differ-in-case",
        "steps-computed",
        "warnings-beside-errors",
    ]

    private func schema(in folder: TemporaryFolder) throws -> String {
        try folder.write("schema.json", Array(WorkflowSchema(catalog: .test).value.json(.indented).utf8))
    }

    @Test(.enabled(if: SchemaChecker.isThere, Comment(rawValue: SchemaChecker.absence))) func isASchemaOfItsDialect()
        async throws
    {
        let folder = try TemporaryFolder()
        #expect(try await SchemaChecker().problem(of: schema(in: folder)) == nil)
    }

    @Test(.enabled(if: SchemaChecker.isThere, Comment(rawValue: SchemaChecker.absence))) func takesEveryValidFile()
        async throws
    {
        let folder = try TemporaryFolder()
        let files = try Self.files("valid")
        #expect(files.count >= 4)
        #expect(try await SchemaChecker().refused(files, schema: schema(in: folder)) == [])
    }

    @Test(.enabled(if: SchemaChecker.isThere, Comment(rawValue: SchemaChecker.absence)))
    func refusesEveryFileOfTheWrongShape() async throws {
        let folder = try TemporaryFolder()
        let files = try Self.files("invalid")
        let refused = try await SchemaChecker().refused(files, schema: schema(in: folder))
        let taken = Set(files).subtracting(refused).map { String(FileSystem.name(of: $0).dropLast(5)) }
        #expect(Set(taken) == Self.invalidByMeaning)
    }

    /// Nothing that the loader takes is refused by an editor, value by value.
    @Test(
        .enabled(if: SchemaChecker.isThere, Comment(rawValue: SchemaChecker.absence)),
        arguments: [
            ("integer", ["3", "-12", "\"12\"", "\"+3\"", "~", "${{ run.attempt }}", "!1.5", "!club12", "![1]"]),
            ("number", ["0.5", "2", "\"0.5\"", "\"1e3\"", "${{ inputs.x }}", "!half"]),
            ("boolean", ["true", "0", "1", "\"false\"", "${{ inputs.x }}", "!2", "!yes"]),
            ("url", ["https://example.com", "\"http://${{ inputs.x }}/y\"", "!ftp://example.com"]),
            ("size", ["1080x1920", "square", "!circle", "!0x10", "!1080", "!1080x", "!100000x1"]),
            ("color", ["\"#fff\"", "\"#FF9500\"", "\"#ff950080\"", "\"#ff95\"", "red", "!\"#ggg\"", "!\"#ff950\""]),
            ("duration", ["500ms", "30s", "2m", "1h", "3d", "0s", "!30", "!1.5s", "!2w"]),
            ("choice", ["image", "${{ inputs.x }}", "~", "!picture"]),
            ("list", ["[a, 1, true]", "[]", "${{ inputs.x }}", "!a", "!{ a: 1 }", "![[a]]"]),
            ("map", ["{ a: 1, b: [2] }", "${{ inputs.x }}", "!a", "![a]"]),
            (
                "object",
                ["{ word: a }", "{ word: a, size: 3 }", "!{ size: 3 }", "!{ word: a, sise: 3 }", "!{ word: ~ }"]
            ),
            ("file", ["photo.jpg", "${{ inputs.x }}", "!3", "!\"\""]), ("any", ["3", "[a]", "{ a: ~ }"]),
            ("string", ["a", "3", "true", "1.50", "![a]", "!{ a: 1 }"]),
        ] as [(String, [String])])
    func takesWhatTheLoaderTakes(type: String, values: [String]) async throws {
        let folder = try TemporaryFolder()
        let catalog = StepCatalog(
            kinds: [
                DeclaredKind(
                    declaration: StepDeclaration(
                        "test", "Tests.", effect: .pure,
                        parameters: [Parameter("value", try #require(SchemaTests.types[type]), "A value")]))
            ], accountTypes: [])
        let schema = try folder.write("schema.json", Array(WorkflowSchema(catalog: catalog).value.json().utf8))
        var files: [String] = []
        var wrong: Set<String> = []
        for (index, value) in values.enumerated() {
            let isWrong = value.hasPrefix("!")
            let text = """
                name: test
                inputs: { x: { type: string } }
                steps:
                  test:
                    uses: test
                    with:
                      value: \(isWrong ? value.dropFirst() : value[...])

                """
            let file = try folder.write("\(index).yaml", Array(text.utf8))
            files.append(file)
            if isWrong { wrong.insert(file) }
            let loads = (try? WorkflowLoader(catalog: catalog).load(path: file)) != nil
            // Of what an expression gives, only the loader knows.
            if !text.contains("inputs.x }}") { #expect(loads == !isWrong, "the loader on \(value)") }
        }
        #expect(try await SchemaChecker().refused(files, schema: schema) == wrong)
    }

    private static let types: [String: ValueType] = [
        "integer": .integer, "number": .number, "boolean": .boolean, "url": .url, "size": .size, "color": .color,
        "duration": .duration, "choice": .choice(["image", "video"]), "list": .list(.string), "map": .map,
        "file": .file, "any": .any, "string": .string,
        "object": .object([Parameter("word", .string, required: true, "A word"), Parameter("size", .integer, "A size")]
        ),
    ]
}
