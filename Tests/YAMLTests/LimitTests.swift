internal import Diagnostics
internal import Testing

@testable import YAML

@Suite struct LimitTests {
    private func firstError(_ text: String) -> String? {
        do {
            _ = try load(text)
            return nil
        } catch {
            return (error as? DiagnosticsError)?.diagnostics.first?.what
        }
    }

    /// The classic: ten levels of nine aliases each are more than three billion values.
    @Test func refusesABillionLaughs() {
        var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
        for level in 1...9 {
            let alias = "*a\(level - 1)"
            text += "a\(level): &a\(level) [" + Array(repeating: alias, count: 9).joined(separator: ", ") + "]\n"
        }
        #expect(firstError(text) == "with its aliases written out the file has more than 1,000,000 values")
    }

    @Test func refusesMergesThatGrowWithoutBound() {
        var text = "a0: &a0 { k: [1, 2, 3, 4, 5, 6, 7, 8] }\n"
        for level in 1...30 { text += "a\(level): &a\(level) { x: *a\(level - 1), <<: *a\(level - 1) }\n" }
        #expect(firstError(text) == "with its aliases written out the file has more than 1,000,000 values")
    }

    @Test func allows200LevelsAndNoMore() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(firstError(nested(200)) == nil)
        #expect(firstError(nested(201)) == "lists and mappings lie more than 200 levels deep")
        #expect(
            firstError(String(repeating: "[", count: 1_000_000)) == "lists and mappings lie more than 200 levels deep")
        #expect(
            firstError(String(repeating: "- ", count: 100_000)) == "lists and mappings lie more than 200 levels deep")
        #expect(
            firstError(String(repeating: "{a: ", count: 100_000)) == "lists and mappings lie more than 200 levels deep")
    }

    @Test func countsTheDepthThroughAliases() {
        var text = "a0: &a0 [1]\n"
        for level in 1...300 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        #expect(firstError(text) == "lists and mappings lie more than 200 levels deep")
    }

    @Test func refusesMoreThan16MiB() {
        let text = String(repeating: "#", count: (16 << 20) + 1)
        #expect(firstError(text) == "the file has 16777217 bytes, more than 16 MiB")
    }

    @Test func stopsAfterFiftyErrors() {
        var text = ""
        for _ in 0..<1000 { text += "a: 1\n" }
        let error = #expect(throws: DiagnosticsError.self) { try load(text) }
        #expect(error?.diagnostics.count == 50)
    }

    @Test func anAnchorMayBeUsedAgain() throws {
        let root = try load("a: &x 1\nb: *x\nc: &x 2\nd: *x\n").root
        #expect(root["b"]?.integer == 1)
        #expect(root["d"]?.integer == 2)
    }
}
