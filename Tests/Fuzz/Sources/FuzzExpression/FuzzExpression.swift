import CFuzzer
import Diagnostics
import Expressions
import Values

/// Bytes as an expression and as a text with expressions in it: parsed, checked, evaluated. Nothing may crash or hang.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExpression(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let problems = Expression.problems(in: text, scope: scope) { nearest($0, among: $1) }
    if let expression = try? Expression.parse(text) {
        precondition(problems.allSatisfy { $0.offset >= 0 && $0.offset <= text.unicodeScalars.count })
        _ = try? expression.evaluate(in: context)
    }
    if let template = try? Template.parse(text) { _ = try? template.evaluate(in: context) }
    return 0
}

@main struct FuzzExpression {
    static func main() { _ = pasteup_fuzz(CommandLine.argc, CommandLine.unsafeArgv) }
}

private let scope = Scope([
    "inputs": .object(members: ["wall": .integer, "link": .string], open: false),
    "steps": .object(
        members: [
            "a": .object(members: ["outcome": .oneOf(["succeeded", "failed"]), "outputs": .any], open: false)
        ], open: false),
    "item": .any, "env": .object(members: [:], open: true),
])

private let context = EvaluationContext([
    "inputs": ["wall": -1, "link": "https://example.com/?a=b"],
    "steps": [
        "a": ["outcome": "succeeded", "outputs": ["tags": ["один", "two", "📷"], "id": "17841400000000000001"]]
    ],
    "item": ["row": [1, 2.5, nil, ["x": true]]], "env": ["LANG": "C.UTF-8"],
])
