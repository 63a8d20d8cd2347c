import Diagnostics
import Glibc
import Testing
import Values

@testable import Expressions

/// A case of the reference implementation's own test data (MIT, see Fixtures/LICENSE).
struct FixtureCase: Sendable, CustomTestStringConvertible {
    let file: String
    let group: String
    let expression: String
    let contexts: [String: Value]
    let result: Value?
    let error: String?

    var testDescription: String { "\(file)/\(group): \(expression.prefix(80))" }

    static let all: [FixtureCase] = [
        "basic", "coerce_boolean", "contains", "format", "fromJSON", "number", "op_and", "op_dot", "op_eq", "op_gt",
        "op_idx", "op_not", "op_or", "operators_precedence", "startsWith", "syntax-errors",
    ].flatMap(read)

    private static func read(_ file: String) -> [FixtureCase] {
        guard let groups = try? Value(json: fixtureBytes("\(file).json")).object else { return [] }
        return groups.flatMap { group, cases in
            (cases.array ?? []).map { item in
                FixtureCase(
                    file: file, group: group, expression: item["expr"]?.string ?? "",
                    contexts: Dictionary(
                        uniqueKeysWithValues: (item["contexts"]?.object ?? [:]).map { ($0.key, $0.value) }),
                    result: item["result"], error: item["err"]?["value"]?.string)
            }
        }
    }
}

func fixtureBytes(_ name: String, from file: String = #filePath) -> [UInt8] {
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    let descriptor = open("/\(folder)/Fixtures/\(name)", O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
    }
}

@Suite struct FixtureTests {
    /// Counted with `jq '[.[][]] | length'` over the files.
    @Test func everyCaseIsRead() { #expect(FixtureCase.all.count == 528) }

    @Test(arguments: FixtureCase.all.filter { $0.result != nil })
    func givesTheReferenceResult(_ item: FixtureCase) throws {
        let value = try Expression.parse(item.expression).evaluate(in: EvaluationContext(item.contexts))
        #expect(kind(value) == item.result?["kind"]?.string)
        #expect(same(value, item.result?["value"] ?? .null), "\(value)")
    }

    @Test(arguments: FixtureCase.all.filter { $0.error != nil })
    func refusesWhatTheReferenceRefuses(_ item: FixtureCase) throws {
        let scope = Scope(item.contexts.mapValues { _ in .any })
        let problems = Expression.problems(in: item.expression, scope: scope) { _, _ in nil }
        let errors = problems.filter { $0.severity == .error }
        if errors.isEmpty {
            #expect(throws: ExpressionError.self) {
                try Expression.parse(item.expression).evaluate(in: EvaluationContext(item.contexts))
            }
        } else if let place = position(in: item.error ?? "") {
            // Without the words behind it the reference tests the beginning of its message, so of the number as well.
            let found = errors.map { String($0.offset + 1) }
            #expect(found.contains { place.isWhole ? $0 == place.digits : $0.hasPrefix(place.digits) }, "\(found)")
        }
    }

    private func position(in message: String) -> (digits: String, isWhole: Bool)? {
        let words = message.split(separator: " ")
        guard let index = words.firstIndex(of: "position"), index + 1 < words.count else { return nil }
        return (String(words[index + 1]), index + 2 < words.count)
    }

    private func kind(_ value: Value) -> String {
        switch value {
        case .null: "Null"
        case .bool: "Boolean"
        case .integer, .double: "Number"
        case .string: "String"
        case .array: "Array"
        case .object: "Object"
        }
    }

    private func same(_ one: Value, _ other: Value) -> Bool {
        switch (one, other) {
        case (.array(let one), .array(let other)): one.count == other.count && zip(one, other).allSatisfy(same)
        case (.object(let one), .object(let other)):
            one.keys.sorted() == other.keys.sorted() && one.keys.allSatisfy { same(one[$0]!, other[$0]!) }
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        default: one.double != nil ? one.double == other.double : one == other
        }
    }
}
