import Diagnostics
import Expressions
import StepKit
import Testing
import Threading
import Values
import Workflows

@testable import Engine

/// What the inputs of parts are made of, and how often: for a batch of many rows it counts.
@Suite struct PartInputsTests {
    private static let range = SourceRange(start: SourceLocation(file: "test.yaml", line: 1, column: 1))
    private let lookups = Locked(0)

    /// Values whose variables are counted, with the three rows of 'post'.
    private var values: RunValues {
        let lookups = lookups
        var values = RunValues(
            inputs: ["greeting": "Hi"], run: [:], secret: { _ in nil },
            environment: { _ in
                lookups.withLock { $0 += 1 }
                return "Riga"
            })
        values.set(items: ["a", "b", "c"], of: ["post/say", "post/shape", "post"], root: "post")
        return values
    }

    /// A part whose one input 'text' is given as this template.
    private func part(_ text: String, prefix: String = "post/", in outer: StepScope? = nil) throws -> StepScope {
        StepScope(
            prefix: prefix, file: "part.yaml", folder: "/",
            inputs: [
                ScopedInput(
                    declaration: InputDeclaration(
                        name: "text", type: .string, isRequired: true, defaultValue: .null, description: nil,
                        range: Self.range),
                    argument: .template(try Template.parse(text), Self.range))
            ], outer: outer, use: Self.range, useFolder: "/", timezone: nil)
    }

    /// The part's input as the items of 'post' see it.
    private func seen(_ part: StepScope, _ values: RunValues, rows: Range<Int> = 0..<3) throws -> [Value?] {
        let expression = try Expression.parse("inputs.text")
        return try rows.map { row in
            let values = values.scoped(to: part).inRow(row, of: "post/say")
            return try expression.evaluate(in: values.context(for: expression.references))
        }
    }

    @Test func inputThatIsTheSameForAllRowsIsMadeOnce() throws {
        let part = try part("${{ env.CITY }}")
        #expect(try seen(part, values) == ["Riga", "Riga", "Riga"])
        #expect(lookups.withLock { $0 } == 1)
    }

    @Test func inputOfPartInPartIsMadeOnce() throws {
        let inner = try part("${{ inputs.text }}!", prefix: "post/in/", in: part("${{ env.CITY }}"))
        #expect(try seen(inner, values) == ["Riga!", "Riga!", "Riga!"])
        #expect(lookups.withLock { $0 } == 1)
    }

    @Test(arguments: ["${{ item }}${{ env.CITY }}", "${{ fromJSON('[\"a\",\"b\",\"c\"]')[index] }}${{ env.CITY }}"])
    func inputThatAnItemIsInIsMadeForEachRow(text: String) throws {
        let inner = try part("${{ inputs.text }}!", prefix: "post/in/", in: part(text))
        #expect(try seen(inner, values) == ["aRiga!", "bRiga!", "cRiga!"])
        #expect(lookups.withLock { $0 } == 3)
    }

    @Test func inputThatIsMadeOfTheRowsStepIsThatOfEachRow() throws {
        var values = values
        for (row, text) in ["x", "y", "z"].enumerated() {
            values.set(["text": .string(text)], of: "post/shape", index: row)
        }
        let inner = try part("${{ steps.shape.outputs.text }}", prefix: "post/in/", in: part("${{ item }}"))
        #expect(try seen(inner, values) == ["x", "y", "z"])
    }

    @Test func inputFollowsTheStepThatItIsMadeOf() throws {
        var values = values
        let part = try part("${{ steps.latest.outputs.text }} ${{ env.CITY }}")
        values.set(["text": "old"], of: "latest")
        let before = values
        #expect(try seen(part, values) == ["old Riga", "old Riga", "old Riga"])
        values.set(["text": "new"], of: "latest")
        #expect(try seen(part, values) == ["new Riga", "new Riga", "new Riga"])
        #expect(lookups.withLock { $0 } == 2)
        #expect(try seen(part, before, rows: 0..<1) == ["old Riga"], "a copy keeps what it had")
    }
}
