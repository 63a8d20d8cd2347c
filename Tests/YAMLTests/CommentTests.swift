import Diagnostics
import Testing
import YAML

@Suite struct CommentTests {
    /// `top: #FF9500` inside braces is a comment to the end of the line, closing brace and all.
    @Test(arguments: [
        ("card: { top: #FF9500, bottom: \"#fff\" }\n", 14), ("card: { tops: [\"#fff\", #000] }\nnext: 1\n", 24),
    ])
    func aCommentThatSwallowsABraceIsPointedAt(text: String, column: Int) throws {
        let error = #expect(throws: DiagnosticsError.self) { try YAMLDocument.load(text: text, file: "a.yaml") }
        let notes = try #require(error).diagnostics.flatMap(\.notes)
        let note = try #require(notes.first { $0.what.contains("comment") })
        #expect(note.range?.start == SourceLocation(file: "a.yaml", line: 1, column: column))
    }

    @Test func aCommentAfterAValueIsNotBlamed() throws {
        let text = "card: { top: \"#FF9500\" # the upper colour\n"
        let error = #expect(throws: DiagnosticsError.self) { try YAMLDocument.load(text: text, file: "a.yaml") }
        #expect(try #require(error).diagnostics.flatMap(\.notes).allSatisfy { !$0.what.contains("comment") })
    }
}
