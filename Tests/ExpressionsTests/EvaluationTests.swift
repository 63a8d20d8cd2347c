import Testing
import Values

@testable import Expressions

@Suite struct EvaluationTests {
    private let context = EvaluationContext([
        "big": 9_071_234_567_890_123_456, "text": "9071234567890123456", "list": ["a", ["x": 1], ["x": 2, "y": [3]]],
        "Steps": ["Latest": ["id": "42"]], "nothing": nil, "wall": -12, "person": 12,
    ])

    private func evaluate(_ text: String) throws -> Value { try Expression.parse(text).evaluate(in: context) }

    @Test(
        arguments: [
            ("9071234567890123456", 9_071_234_567_890_123_456), ("big", 9_071_234_567_890_123_456),
            ("big == 9071234567890123456", true), ("big == 9071234567890123457", false),
            ("big < 9071234567890123457", true), ("big == text", true), ("text == '9071234567890123457'", false),
            ("format('{0}', big)", "9071234567890123456"), ("fromJSON(toJSON(big)) == big", true),
            ("-9223372036854775808 < -9223372036854775807", true), ("big > 1.5", true), ("1.5 < big", true),
            ("9223372036854775807 < 9223372036854775808.0", true),
            ("9223372036854775807 == 9223372036854775808.0", false),
            ("99999999999999999999 > big", true),
        ] as [(String, Value)])
    func wholeNumbersStayExact(text: String, expected: Value) throws { #expect(try evaluate(text) == expected) }

    @Test(
        arguments: [
            ("steps.latest.ID", "42"), ("list.*.x", [1, 2]), ("list[*].y[0]", [3]), ("list.*.y.*", [3]),
            ("join(list.*.x, '-')", "1-2"), ("list[1.9].x", 1), ("list.*.z", []), ("nothing.a.b", nil), ("wall.a", nil),
            ("list == list", true), ("list != list", false), ("list[1] == list[1]", true),
            ("list[1] == list[2]", false),
            ("list >= list", true), ("null >= null", true), ("null > null", false), ("'b' >= 'A'", true),
            ("'ё' == 'Ё'", true), ("2 >= 3 || 3 <= 3", true), ("!(1 == 1)", false),
        ] as [(String, Value)])
    func membersElementsAndComparisons(text: String, expected: Value) throws {
        #expect(try evaluate(text) == expected)
    }

    @Test(
        arguments: [
            ("community(wall)", 12), ("community('-12')", 12), ("community(person)", nil), ("community(nothing)", nil),
            ("community(0)", nil), ("community(-9071234567890123456)", 9_071_234_567_890_123_456),
            ("default(nothing, 'own')", "own"), ("default(wall, 'own')", -12), ("default('', 'own')", ""),
            ("default(steps.none.id, steps.latest.id)", "42"), ("default(wall, fromJSON('rubbish'))", -12),
            ("endsWith('Photo.JPG', '.jpg')", true), ("endsWith('a', 'ba')", false), ("endsWith(list, 'a')", false),
            ("contains('Привет, мир', 'МИР')", true), ("contains('aabaab', 'aabb')", false),
            ("contains('ababac', 'abac')", true), ("contains(list, 'A')", true),
            ("contains(fromJSON('{}'), 'a')", false),
            ("join(list)", "a,Object,Object"), ("join('a', '-')", "a"), ("join(fromJSON('[]'))", ""),
            ("join(fromJSON('[1,null,true]'), ' ')", "1  true"), ("join(fromJSON('[1,2]'), list)", "1,2"),
            ("toJSON(null)", "null"), ("toJSON('a\"')", "\"a\\\"\""),
            ("toJSON(fromJSON('{\"b\":1.50,\"a\":[]}'))", "{\n  \"b\": 1.5,\n  \"a\": []\n}"),
            ("format('{0}{{{1}}}', 1, true)", "1{true}"),
            ("SUCCESS() && !failure() && !cancelled() && always()", true),
        ] as [(String, Value)])
    func functionsGive(text: String, expected: Value) throws { #expect(try evaluate(text) == expected) }

    @Test(
        arguments: [
            (RunStatus.succeeded, [true, false, false, true]), (.failed, [false, true, false, true]),
            (.canceled, [false, false, true, true]),
        ] as [(RunStatus, [Bool])])
    func statusFunctionsFollowTheStatus(status: RunStatus, expected: [Bool]) throws {
        let values = try ["success()", "failure()", "cancelled()", "always()"].map {
            try Expression.parse($0).evaluate(in: EvaluationContext(status: status))
        }
        #expect(values == expected.map { .bool($0) })
    }

    @Test(
        arguments: [
            ("nowhere.x", 0, 7, "unknown context 'nowhere'"), ("1 == shout('x')", 5, 5, "unknown function 'shout'"),
            ("contains('a')", 0, 13, "contains takes 2 arguments, not 1"),
            ("join()", 0, 6, "join takes 1 to 2 arguments, not 0"),
            ("success(1)", 0, 10, "success takes no arguments, not 1"),
            ("fromJSON('{\"a\": }')", 9, 9, "fromJSON was given a text that is not JSON at its line 1, column 7"),
            ("format('{0', 1)", 7, 4, "format was given a text with a brace that stands alone"),
            ("format('{1}', 1)", 7, 5, "format's text names {1}, but there is 1 value after it"),
            ("community('club12')", 10, 8, "community wants an owner id, a whole number"),
            ("community(-1.5)", 10, 4, "community wants an owner id, a whole number"),
            ("community(list)", 10, 4, "community wants an owner id, a whole number"),
            ("community(true)", 10, 4, "community wants an owner id, a whole number"),
        ] as [(String, Int, Int, String)])
    func refusalsNameThePlace(text: String, offset: Int, length: Int, message: String) throws {
        let error = #expect(throws: ExpressionError.self) { try evaluate(text) }
        #expect(error?.offset == offset)
        #expect(error?.length == length)
        #expect(error?.message == message)
    }

    @Test func aRefusalNeverQuotesAValue() throws {
        let context = EvaluationContext(["secrets": ["t": "s3cr3t-value"]])
        for text in ["fromJSON(secrets.t)", "community(secrets.t)", "format(format('{0}', secrets.t), fromJSON('{'))"] {
            let error = #expect(throws: ExpressionError.self) { try Expression.parse(text).evaluate(in: context) }
            #expect(error.map { !"\($0)".contains("s3cr3t") } == true)
        }
    }

    @Test(arguments: [("false && nowhere", false), ("1 || nowhere", 1), ("'' && f()", "")] as [(String, Value)])
    func whatIsNotNeededIsNotEvaluated(text: String, expected: Value) throws { #expect(try evaluate(text) == expected) }

    @Test func memoryIsFreedWhenACallIsOver() throws {
        // Each format makes 600,000 bytes, and startsWith leaves 24: both together fit one after the other only.
        let context = EvaluationContext(["text": .string(String(repeating: "x", count: 300_000))])
        let half = "startsWith(format('{0}', text), 'x')"
        #expect(try Expression.parse("\(half) && \(half)").evaluate(in: context) == true)
        #expect(throws: ExpressionError.self) {
            try Expression.parse("startsWith(format('{0}', text), format('{0}', text))").evaluate(in: context)
        }
        #expect(throws: ExpressionError.self) { try Expression.parse("format('{0}{0}', text)").evaluate(in: context) }
        #expect(throws: ExpressionError.self) {
            try Expression.parse("join(fromJSON('[1,2,3]'), text)").evaluate(in: context)
        }
        #expect(throws: ExpressionError.self) {
            try Expression.parse("toJSON(fromJSON(format('[{0}]', join(l))))").evaluate(
                in: EvaluationContext(["l": .array(Array(repeating: 1, count: 50_000))]))
        }
    }
}

@Suite struct PartialEvaluationTests {
    private let context = EvaluationContext([
        "inputs": ["wall": -12, "which": "latest", "off": false], "steps": ["done": ["outputs": ["id": 7]]],
    ])

    private func evaluate(_ text: String) throws -> Evaluated {
        try Expression.parse(text).evaluate(in: context) { $0.root == "steps" && $0.path.first != "done" }
    }

    @Test(
        arguments: [
            ("inputs.wall < 0", true), ("steps.done.outputs.id", 7), ("inputs.off && steps.latest.outputs.id", false),
            ("inputs.wall || steps.latest.outputs.id", -12), ("default(inputs.wall, steps.latest.outputs.id)", -12),
            ("!(inputs.off && steps.latest.outcome)", true),
        ] as [(String, Value)])
    func knownValuesComeOut(text: String, expected: Value) throws { #expect(try evaluate(text) == .known(expected)) }

    @Test(
        arguments: [
            ("steps.latest.outputs.id", ["steps.latest.outputs.id"]),
            ("format('{0} {1}', steps.a.outputs.x, steps.b.outputs.y)", ["steps.a.outputs.x", "steps.b.outputs.y"]),
            ("steps[inputs.which].outputs.id", ["steps.latest.outputs.id"]),
            ("inputs.wall && steps.latest.outputs.id", ["steps.latest.outputs.id"]),
            ("steps.a.x || inputs.wall || steps.b.x", ["steps.a.x"]),
            ("steps.a.x && inputs.off && steps.b.x", ["steps.a.x"]),
            ("!steps.a.x", ["steps.a.x"]), ("steps.a.x == steps.b.x", ["steps.a.x", "steps.b.x"]),
            ("steps.a.x == 1 && steps.a.x", ["steps.a.x", "steps.a.x"]),
            ("default(steps.a.x, inputs.wall)", ["steps.a.x"]), ("default(inputs.none, steps.a.x)", ["steps.a.x"]),
            ("steps.*.outputs.id", ["steps"]), ("toJSON(steps)", ["steps"]), ("inputs[steps.a.x]", ["steps.a.x"]),
            ("fromJSON(steps.a.x).b", ["steps.a.x"]),
        ] as [(String, [String])])
    func unknownOnesNameWhatTheyWaitFor(text: String, expected: [String]) throws {
        guard case .unknown(let references) = try evaluate(text) else {
            Issue.record("is known")
            return
        }
        #expect(references.map(\.description) == expected)
    }
}
