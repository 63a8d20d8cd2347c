import Testing
import Values

@testable import Expressions

@Suite struct TemplateTests {
    private let context = EvaluationContext([
        "n": nil, "t": true, "i": 12, "d": 2.5, "w": 3.0, "s": "é", "l": [1, 2], "o": ["a": 1],
        "big": 9_071_234_567_890_123_456,
    ])

    @Test(
        arguments: [
            ("${{ i }}", 12), ("  ${{ l }}\n", [1, 2]), ("${{ n }}", nil), ("${{ o.a }}", 1), ("${{ s }}", "é"),
        ] as [(String, Value)])
    func aWholeExpressionKeepsItsType(text: String, expected: Value) throws {
        let template = try Template.parse(text)
        #expect(template.isWhole)
        #expect(try template.evaluate(in: context) == expected)
    }

    @Test(
        arguments: [
            ("", ""), ("plain", "plain"), ("a ${{ n }} b", "a  b"), ("${{ t }}${{ i }}", "true12"),
            ("x${{ d }}/${{ w }}", "x2.5/3"), ("№${{ big }}", "№9071234567890123456"), ("-${{ l }}", "-Array"),
            ("-${{ o }}", "-Object"), ("${{ '}}' }}!", "}}!"), ("${{ 'it''s }}' }}!", "it's }}!"),
            ("${{ '${{' }} x", "${{ x"), ("$ {{ x }} }}", "$ {{ x }} }}"), ("$${{ i }}", "$12"),
        ] as [(String, String)])
    func expressionsInsideATextBecomeText(text: String, expected: String) throws {
        let template = try Template.parse(text)
        #expect(!template.isWhole)
        #expect(try template.evaluate(in: context) == .string(expected))
    }

    @Test func aTextThatDoublesStopsBeforeItFillsTheMemory() throws {
        let half = Value.string(String(repeating: "x", count: 8 << 20))
        let context = EvaluationContext(["half": half])
        #expect(try Template.parse("${{ half }}${{ half }}").evaluate(in: context).string?.utf8.count == 16 << 20)
        let error = #expect(throws: ExpressionError.self) {
            try Template.parse("${{ half }} and ${{ half }}").evaluate(in: context)
        }
        #expect(error?.message == "the text becomes longer than 16 MiB here")
        #expect(error?.offset == 20)
    }

    @Test func constantsAreRecognised() throws {
        #expect(try Template.parse("plain").constant == "plain")
        #expect(try Template.parse("${{ i }}").constant == nil)
    }

    @Test(
        arguments: [
            ("a ${{ b", 2, 3, "'${{' without its '}}'"), ("📷 ж ${{ b", 4, 3, "'${{' without its '}}'"),
            ("ok ${{ i }} ${{", 12, 3, "'${{' without its '}}'"),
            ("a ${{ }}", 2, 6, "there is no expression in '${{ }}'"),
            ("a ${{ 'b }}", 6, 1, "the text that begins here is not closed"),
            ("📷 ${{ i + 1 }}", 8, 1, "unexpected '+'"), ("👩‍🚀${{ i }} ${{ i i }}", 18, 1, "unexpected 'i'"),
            ("${{ i }", 0, 3, "'${{' without its '}}'"),
        ] as [(String, Int, Int, String)])
    func errorsCountFromTheStartOfTheText(text: String, offset: Int, length: Int, message: String) {
        let error = #expect(throws: ExpressionError.self) { try Template.parse(text) }
        #expect(error?.offset == offset)
        #expect(error?.length == length)
        #expect(error?.message == message)
    }

    @Test func referencesCountFromTheStartOfTheText() throws {
        let template = try Template.parse("🎉 ${{ steps.a.outputs.x }} и ${{ secrets.T }}")
        #expect(template.references.map(\.offset) == [6, 33])
        #expect(template.references.map(\.description) == ["steps.a.outputs.x", "secrets.T"])
        #expect(template.mentionsSecret)
        #expect(try !Template.parse("secrets.T ${{ inputs.x }}").mentionsSecret)
    }

    @Test func aPlanSeesTheKnownPieces() throws {
        let evaluated = try Template.parse("@${{ steps.latest.outputs.username }} на ${{ i }}!").evaluate(in: context) {
            $0.root == "steps"
        }
        #expect(evaluated.missing.map(\.description) == ["steps.latest.outputs.username"])
        guard case .partial(let pieces) = evaluated else {
            Issue.record("is known")
            return
        }
        #expect(pieces.count == 3)
        #expect(pieces.first == .text("@"))
        #expect(pieces.last == .text(" на 12!"))
    }

    @Test func aPlanSeesKnownTemplatesAsValues() throws {
        #expect(try Template.parse("${{ i }}").evaluate(in: context) { _ in false } == .known(12))
        #expect(try Template.parse("a${{ i }}").evaluate(in: context) { _ in false } == .known("a12"))
        #expect(try Template.parse("").evaluate(in: context) { _ in true } == .known(""))
        guard
            case .partial(let pieces) = try Template.parse(" ${{ i }} ").evaluate(in: context, isUnknown: { _ in true })
        else {
            Issue.record("is known")
            return
        }
        #expect(pieces.count == 1)
    }
}
