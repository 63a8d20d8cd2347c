internal import Testing

@testable import Diagnostics

@Suite struct ProblemsTests {
    private func place(_ line: Int, _ column: Int = 1, file: String = "a.yaml") -> SourceRange {
        SourceRange(start: SourceLocation(file: file, line: line, column: column))
    }

    @Test func sortsByPlaceAndKeepsTheOrderAtOnePlace() {
        var problems = Problems()
        problems.error(at: nil, "nowhere")
        problems.error(at: place(9), "late")
        problems.error(at: place(2, 5), "second")
        problems.warning(at: place(2, 5), "third")
        problems.error(at: place(2, 1), "first")
        problems.error(at: place(1, file: "b.yaml"), "other file")
        #expect(
            problems.diagnostics.map(\.what) == ["first", "second", "third", "late", "other file", "nowhere"])
    }

    @Test func dropsExactRepeatsOnly() {
        var problems = Problems()
        problems.error(at: place(1), "x")
        problems.error(at: place(1), "x")
        problems.error(at: place(1), "x", fix: "Write y")
        #expect(problems.count == 2)
    }

    @Test func throwsOnlyForErrors() throws {
        var problems = Problems()
        problems.warning(at: place(1), "w")
        try problems.throwIfErrors()
        problems.error(at: place(2), "e")
        let error = #expect(throws: DiagnosticsError.self) { try problems.throwIfErrors() }
        #expect(error?.diagnostics.map(\.what) == ["w", "e"])
    }
}
