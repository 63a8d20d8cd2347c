import Diagnostics
import Files
import StepKit
import TestSupport
import Testing
import Values
import Workflows

/// A kind that counts and finds fault.
private struct FussyKind: StepKind {
    let declaration = StepDeclaration(
        "test.fussy", "Finds fault.", effect: .pure,
        parameters: [
            Parameter("count", .integer, "How many"), Parameter("photo", .file, "A photo"),
            Parameter("copy", .file, namesNewFile: true, "Where it is copied to"),
            Parameter("color", .color, "A colour"), Parameter("text", .string, "A text"),
            Parameter("box", .object([Parameter("width", .number, "In pixels")]), "A box"),
            Parameter("boxes", .list(.object([Parameter("width", .number, "In pixels")])), "Boxes"),
        ])

    func run(_ call: StepCall) async throws -> StepResult { .succeeded([:]) }

    func problems(in call: PlannedCall) -> [ParameterProblem] {
        var problems: [ParameterProblem] = []
        if call.given("count") == nil { problems.append(ParameterProblem("nothing is counted", fix: "Give 'count'")) }
        if call.literal("count") == 0 { problems.append(ParameterProblem("count", "is 0", why: "It is 1 or more")) }
        for (index, box) in (call.given("boxes")?.elements ?? []).enumerated() {
            guard let width = box[member: "width"]?.literal?.double, width < 0 else { continue }
            problems.append(
                ParameterProblem(
                    at: [.member("boxes"), .index(index), .member("width")], "is negative", severity: .warning))
        }
        if let box = call.given("box"), box[member: "width"] == nil {
            problems.append(ParameterProblem(at: [.member("box"), .member("width")], "is missing"))
        }
        return problems
    }
}

@Suite struct KindProblemTests {
    private static let catalog = StepCatalog(kinds: [FussyKind()], accountTypes: [])

    private func diagnostics(_ parameters: String, folder: String = "/nonexistent") -> [String] {
        let lines = parameters.split(separator: "\n").map { "      \($0)\n" }.joined()
        let text = "name: test\nsteps:\n  one:\n    uses: test.fussy\n    with:\n" + lines
        let loader = WorkflowLoader(catalog: Self.catalog)
        let found: [Diagnostic]
        do {
            found = try loader.load(bytes: Array(text.utf8), file: "a.yaml", folder: folder).warnings
        } catch {
            found = error.diagnostics
        }
        return found.map { diagnostic in
            let start = diagnostic.range?.start
            return "\(start?.line ?? 0):\(start?.column ?? 0) \(diagnostic.severity.rawValue) "
                + "\(diagnostic.code?.rawValue ?? "") \(diagnostic.what)"
        }
    }

    @Test(
        arguments: [
            ("count: 1", []), ("count: 0", ["6:14 error parameter-value 'count' of step 'one' is 0"]),
            ("count: ~", ["5:5 error parameter-value step 'one': nothing is counted"]),
            ("text: a", ["4:11 error parameter-value step 'one': nothing is counted"]),
            ("count: ${{ 0 }}", []),
            ("count: 1\nbox: {}", ["7:7 error parameter-value 'box.width' of step 'one' is missing"]),
            (
                "count: 1\nboxes:\n  - { width: 3 }\n  - { width: -3 }",
                ["9:20 warning parameter-value 'boxes[1].width' of step 'one' is negative"]
            ),
            ("count: 1\nboxes: ${{ fromJSON('[]') }}", []),
        ] as [(String, [String])])
    func whatAKindSaysStandsAtItsPlace(parameters: String, expected: [String]) {
        let found = diagnostics(parameters)
        // Without a place of its own the whole step is meant: its 'with', or else its 'uses'.
        if expected.first?.contains("nothing is counted") == true {
            #expect(found.map { $0.drop { $0 != " " } } == expected.map { $0.drop { $0 != " " } })
        } else {
            #expect(found == expected)
        }
    }

    @Test(
        arguments: [
            (
                "count: 1\ncolor: #FF9500",
                ["7:14 error comment-for-value 'color' of step 'one' is empty: '#FF9500' is a comment"]
            ),
            (
                "count: 1\ntext: #coffee  ",
                ["7:13 warning comment-for-value 'text' of step 'one' is empty: '#coffee' is a comment"]
            ),
            ("count: 1\ntext: # later", []), ("count: 1\ntext: \"#coffee\"", []), ("count: 1\ntext:", []),
            ("count: 1 #one", []),
        ] as [(String, [String])])
    func aValueThatIsACommentIsExplained(parameters: String, expected: [String]) {
        #expect(diagnostics(parameters) == expected)
    }

    @Test func filesThatAreNotThereAreWarnedOf() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("photo.jpg", [])
        #expect(diagnostics("count: 1\nphoto: photo.jpg", folder: folder.path).isEmpty)
        #expect(
            diagnostics("count: 1\nphoto: foto.jpg", folder: folder.path)
                == ["7:14 warning missing-file 'photo' of step 'one' names a file that is not there"])
        #expect(diagnostics("count: 1\nphoto: new.jpg\ncopy: new.jpg", folder: folder.path).isEmpty)
        #expect(diagnostics("count: 1\ncopy: other.jpg", folder: folder.path).isEmpty)
    }
}
