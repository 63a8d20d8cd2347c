import Diagnostics
import Testing
import Values

@testable import Expressions

@Suite struct CheckerTests {
    private let scope = Scope([
        "inputs": .object(members: ["wall": .integer, "link": .string], open: false),
        "steps": .object(
            members: [
                "latest": .object(
                    members: [
                        "outputs": .object(members: ["file": .string, "tags": .list(of: .string)], open: false),
                        "outcome": .oneOf(["succeeded", "failed", "skipped"]),
                    ], open: false),
                "posts": .object(
                    members: ["outputs": .list(of: .object(members: ["id": .integer], open: false))], open: false),
            ], open: false),
        "env": .object(members: [:], open: true), "item": .any,
    ])

    /// The first candidate that begins with the same letter.
    private func suggest(_ word: String, _ candidates: [String]) -> String? {
        candidates.first { $0.first == word.first }
    }

    @Test(
        arguments: [
            ("nowhere", 0, 7, "unknown context 'nowhere'", "There are env, inputs, item, steps."),
            ("step.latest", 0, 4, "unknown context 'step'", "Did you mean 'steps'?"),
            ("success", 0, 7, "unknown context 'success'", "It is a function: write success()."),
            ("Lower", 0, 5, "unknown context 'Lower'", "It is a function: write lower(…)."),
            ("True", 0, 4, "unknown context 'True'", "Write true."),
            ("inputs.wall == NULL", 15, 4, "unknown context 'NULL'", "Write null."),
            ("inputs.link == photo", 15, 5, "unknown context 'photo'", "A text stands in quotes: 'photo'."),
            ("photo != inputs.link", 0, 5, "unknown context 'photo'", "A text stands in quotes: 'photo'."),
            ("steps.latst.outputs", 6, 5, "'steps' has no 'latst'", "Did you mean 'latest'?"),
            ("steps.latest.outputs.fle", 21, 3, "'steps.latest.outputs' has no 'fle'", "Did you mean 'file'?"),
            ("steps['xy'].outputs", 6, 4, "'steps' has no 'xy'", "There are latest, posts."),
            ("inputs.wall.x", 12, 1, "'inputs.wall' is an integer and has no 'x'", nil),
            (
                "steps.posts.outputs.id", 20, 2, "'steps.posts.outputs' is a list and has no 'id'",
                "Write [0].id for the first item's, or .*.id for a list of every item's."
            ),
            ("steps.posts.outputs.*.no", 22, 2, "'steps.posts.outputs.*' has no 'no'", "There is id."),
            ("inputs.link.*", 12, 1, "'inputs.link' is a string and has no members", nil),
            ("shout(1)", 0, 5, "unknown function 'shout'", "Did you mean 'startsWith'?"),
            (
                "1 == contains('a')", 5, 13, "contains takes 2 arguments, not 1", "It is contains(search, item)."
            ),
            ("steps.latest.outcome == 'success'", 24, 9, "this is never 'success'", "Did you mean 'succeeded'?"),
            ("'ok' != steps.latest.outcome", 0, 4, "this is never 'ok'", "There are succeeded, failed, skipped."),
            ("item[nowhere]", 5, 7, "unknown context 'nowhere'", "There are env, inputs, item, steps."),
        ] as [(String, Int, Int, String, String?)])
    func mistakesAreErrorsAtTheirPlace(
        text: String, offset: Int, length: Int, message: String, hint: String?
    ) throws {
        let problems = try Expression.parse(text).check(in: scope, suggest: suggest)
        #expect(
            problems == [
                ExpressionProblem(severity: .error, offset: offset, length: length, message: message, hint: hint)
            ])
    }

    @Test(arguments: [
        "steps.LATEST.outputs.File", "Inputs.Wall < 0", "env.ANYTHING", "item.a.b[0]", "steps.posts.outputs.*.id",
        "steps.posts.outputs[0].id", "steps.latest.outcome == 'Failed'", "steps[inputs.link].outputs",
        "success() && contains(steps.latest.outputs.tags, 'x')", "", "fromJSON(inputs.link).a.b",
        "join(steps.latest.outputs.tags)", "steps.*.outcome",
    ])
    func whatIsRightPasses(text: String) throws {
        #expect(try Expression.parse(text).check(in: scope, suggest: suggest) == [])
    }

    @Test func nearNamesAreSuggestedUnlessToldOtherwise() throws {
        let problems = try Template.parse("x ${{ stpes.latest }}").check(in: scope)
        #expect(problems.map(\.hint) == ["Did you mean 'steps'?"])
    }

    @Test func everyMistakeIsReportedInOrderOfPlace() throws {
        let problems = try Expression.parse("f(a, g(b)) == c.d").check(in: scope) { _, _ in nil }
        #expect(problems.map(\.offset) == [0, 2, 5, 7, 14])
    }

    @Test func namesBeforeASyntaxErrorAreReportedToo() {
        let problems = Expression.problems(in: "nowhere.x == f(steps.a", scope: scope) { _, _ in nil }
        #expect(problems.map(\.offset) == [0, 13, 21])
    }

    @Test(
        arguments: [
            (
                "steps.latest.outputs.tags == 'x'", 0, 32, "a list is compared, and equals nothing but itself"
            ),
            (
                "startsWith(steps.latest.outputs.tags, 'x')", 11, 25,
                "startsWith wants a string as 'text', and this is a list"
            ),
        ] as [(String, Int, Int, String)])
    func whatIsAlwaysFalseIsAWarning(text: String, offset: Int, length: Int, message: String) throws {
        let problems = try Expression.parse(text).check(in: scope, suggest: suggest)
        #expect(problems.map(\.severity) == [.warning])
        #expect(problems.map(\.offset) == [offset])
        #expect(problems.map(\.length) == [length])
        #expect(problems.map(\.message) == [message])
    }

    @Test func aListInsideATextIsAWarning() throws {
        let problems = try Template.parse("# ${{ steps.latest.outputs.tags }} ${{ steps.latest }}").check(
            in: scope, suggest: suggest)
        #expect(problems.map(\.severity) == [.warning, .warning])
        #expect(problems.map(\.offset) == [6, 39])
        #expect(problems.first?.message == "a list inside a text becomes the word 'Array'")
        #expect(try Template.parse("${{ steps.latest.outputs.tags }}").check(in: scope, suggest: suggest) == [])
    }

    @Test(
        arguments: [
            ("inputs.wall", .integer), ("inputs.wall < 0", .boolean), ("!inputs.link", .boolean), ("null", .null),
            ("1", .integer), ("1.5", .number), ("'a'", .string), ("steps.latest.outputs.tags", .list(of: .string)),
            ("steps.latest.outputs.tags[0]", .string), ("steps.posts.outputs.*.id", .list(of: .integer)),
            ("steps.posts.outputs[0].id", .integer), ("default(inputs.wall, 'own')", .any),
            ("default(null, 1)", .integer),
            ("default(inputs.wall, 0.5)", .number), ("community(inputs.wall)", .integer),
            ("inputs.link || 'x'", .string),
            ("join(item)", .string), ("fromJSON(item)", .any), ("item.x", .any), ("env.HOME", .any),
            ("steps.latest.outcome", .oneOf(["succeeded", "failed", "skipped"])), ("nowhere.x", .any),
        ] as [(String, ValueShape)])
    func shapesAreInferred(text: String, expected: ValueShape) throws {
        #expect(try Expression.parse(text).shape(in: scope) == expected)
    }

    @Test func aTemplateIsAStringUnlessItIsWhole() throws {
        #expect(try Template.parse("${{ inputs.wall }}").shape(in: scope) == .integer)
        #expect(try Template.parse("#${{ inputs.wall }}").shape(in: scope) == .string)
        #expect(try Template.parse("x").shape(in: scope) == .string)
    }
}
