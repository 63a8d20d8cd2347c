import TestSupport
import Testing
import Values

@testable import Expressions

/// splitmix64 (S. Vigna), so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite struct FuzzTests {
    private static let words = [
        "(", ")", "[", "]", ",", ".", "*", "!", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "steps", "inputs", "x",
        "_a-b",
        "null", "true", "false", "NaN", "Infinity", "1", "-0", "9071234567890123456", "1e309", "0xff", ".5", "'a'",
        "''",
        "'it''s'", "'", "\"", "${{", "}}", "format", "contains", "fromJSON", "toJSON", "join", "default", "community",
        "success", "'{0}'", "'[[1]]'", "'{\"a\":[1,{}]}'", "📷", "ё", "=", "&", "@", "\n", "\u{0}", "secrets", "env",
    ]

    @Test func tokenSoupNeverCrashes() {
        onSmallStack {
            var generator = SeededGenerator(state: 20_261_130)
            let context = EvaluationContext([
                "steps": ["x": ["a", ["x": nil]], "_a-b": 1.5], "inputs": [1, [2, "three"], ["x": [:]]], "x": "text",
            ])
            let scope = Scope(["steps": .object(members: ["x": .list(of: .string)], open: false), "x": .any])
            var parsed = 0
            for _ in 0..<20_000 {
                let count = Int.random(in: 1...14, using: &generator)
                let soup = (0..<count).map { _ in
                    Self.words.randomElement(using: &generator)! + (Bool.random(using: &generator) ? " " : "")
                }.joined()
                let length = soup.unicodeScalars.count
                for problem in Expression.problems(in: soup, scope: scope, suggest: { _, _ in nil }) {
                    #expect(problem.offset >= 0 && problem.length >= 0 && problem.offset + problem.length <= length)
                }
                if let expression = try? Expression.parse(soup) {
                    parsed += 1
                    _ = try? expression.evaluate(in: context)
                    _ = try? expression.evaluate(in: context) { $0.path.isEmpty }
                }
                _ = try? Template.parse("a ${{ \(soup) }} b").evaluate(in: context)
            }
            #expect(parsed > 500)
        }
    }

    @Test func theDeepestTreesFitASmallStack() {
        onSmallStack {
            let context = EvaluationContext(["a": nil])
            for (open, close) in [
                ("!", ""), ("toJSON(", ")"), ("a[", "]"), ("1 < (", ")"), ("true && (false || (", "))"),
            ] {
                for count in [25, 49, 50, 5000] {
                    let text = String(repeating: open, count: count) + "a" + String(repeating: close, count: count)
                    guard let expression = try? Expression.parse(text) else { continue }
                    _ = try? expression.evaluate(in: context)
                    _ = expression.shape(in: Scope(["a": .any]))
                }
            }
            for chain in ["a < ", "a.", "a && ", "a || "] {
                _ = try? Expression.parse(String(repeating: chain, count: 4000) + "a").evaluate(in: context)
            }
            let deep = String(repeating: "[", count: 250) + String(repeating: "]", count: 250)
            _ = try? Expression.parse("toJSON(fromJSON('\(deep)')) == fromJSON('\(deep)')").evaluate(in: context)
            let tooDeep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
            #expect(throws: ExpressionError.self) {
                try Expression.parse("fromJSON('\(tooDeep)')").evaluate(in: context)
            }
        }
    }
}
