import Expressions
import Journal
import StepKit
import Testing
import Values

@testable import Engine

@Suite struct RunValuesTests {
    static func values() -> RunValues {
        var values = RunValues(
            inputs: ["Wall": -5], run: ["id": "r1"], secret: { $0 == "KEY" ? Secret("s3cret") : nil },
            environment: { $0 == "CITY" ? "Riga" : nil })
        values.set(["File": "/a"], of: "Latest")
        values.set(.succeeded, of: "Latest")
        return values
    }

    static let texts: [(String, Value)] = [
        ("steps.latest.outputs.file", "/a"), ("steps.LATEST.OUTPUTS.FILE", "/a"),
        ("Steps['Latest'].outputs.File", "/a"),
        ("steps.latest.outcome", "succeeded"), ("inputs.wall", -5), ("run.id", "r1"), ("env.CITY", "Riga"),
        ("env.NONE", nil), ("secrets.KEY", "s3cret"), ("secrets.NONE", nil), ("steps.other.outputs.x", nil),
        ("steps.latest.outputs.file == steps.LATEST.outputs.file", true),
    ]

    /// Names are compared ignoring case, whichever way the file and the step kind write them.
    @Test(arguments: texts)
    func contextsAreRead(text: String, expected: Value) throws {
        let expression = try Expression.parse(text)
        let context = try Self.values().context(for: expression.references)
        #expect(try expression.evaluate(in: context) == expected)
    }

    @Test func onlyWhatIsMentionedIsInTheContext() throws {
        let mentioned = try Expression.parse("env.CITY").references
        let all = try Expression.parse("toJSON(env)")
        #expect(try all.evaluate(in: Self.values().context(for: mentioned)) == "{\n  \"CITY\": \"Riga\"\n}")
    }

    @Test func newOutputsReplaceOldOnesAndNoneVoidsThem() throws {
        var values = Self.values()
        let expression = try Expression.parse("steps.latest.outputs.file")
        values.set(["File": "/b"], of: "latest")
        #expect(try expression.evaluate(in: values.context(for: expression.references)) == "/b")
        values.set(ValueObject?.none, of: "LATEST")
        #expect(try expression.evaluate(in: values.context(for: expression.references)) == nil)
    }
}
