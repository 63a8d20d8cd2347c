import Engine
import Journal
import Testing
import Values

@testable import PasteupCLI

/// Who is to blame for a skipped step.
@Suite struct SkippedStepsTests {
    @Test func chainOfReasonsLeadsToTheFailure() {
        let skipped = SkippedSteps([
            (address: "latest", skipReason: nil), (address: "upload", skipReason: nil),
            (address: "saved", skipReason: .dependency("upload", .failed)),
            (address: "post", skipReason: .dependency("saved", .skipped)),
            (address: "alarm", skipReason: .conditionFalse), (address: "card", skipReason: .servesOnlySkipped),
        ])
        #expect(skipped.lines == ["2 steps skipped because 'upload' failed: saved, post"])
        #expect(skipped.value.json() == #"[{"because":"upload","steps":["saved","post"]}]"#)
    }

    @Test func eachFailureHasItsLine() {
        let skipped = SkippedSteps([
            (address: "b", skipReason: .dependency("a", .failed)),
            (address: "d", skipReason: .dependency("c", .failed)),
            (address: "e", skipReason: .dependency("b", .skipped)),
        ])
        #expect(
            skipped.lines == [
                "2 steps skipped because 'a' failed: b, e", "1 step skipped because 'c' failed: d",
            ])
    }

    @Test func noFailureNoLine() {
        let skipped = SkippedSteps([
            (address: "latest", skipReason: .nothingToDo("nothing new")),
            (address: "post", skipReason: .dependency("latest", .skipped)),
            (address: "odd", skipReason: .dependency("odd", .skipped)),
            (address: "hen", skipReason: .dependency("egg", .skipped)),
            (address: "egg", skipReason: .dependency("hen", .skipped)),
        ])
        #expect(skipped.lines.isEmpty)
    }

    @Test func manyNamesAreCutShort() {
        let skipped = SkippedSteps((0..<8).map { (address: "row[\($0)]", skipReason: .dependency("a", .failed)) })
        #expect(
            skipped.lines == ["8 steps skipped because 'a' failed: row[0], row[1], row[2], row[3], row[4] and 3 more"])
    }
}
