internal import Testing

@testable import Diagnostics

@Suite struct NearestTests {
    /// The table of terraform's `internal/didyoumean/name_suggestion_test.go`.
    @Test(arguments: [
        ("true", "true"), ("false", "false"), ("null", "null"), ("bananas", nil), ("NaN", nil), ("Inf", nil),
        ("Infinity", nil), ("void", nil), ("undefined", nil), ("ture", "true"), ("tru", "true"), ("tre", "true"),
        ("treu", "true"), ("rtue", "true"), ("flase", "false"), ("fales", "false"), ("flse", "false"),
        ("fasle", "false"), ("fasel", "false"), ("flue", "false"), ("nil", "null"), ("nul", "null"),
        ("unll", "null"), ("nll", "null"),
    ])
    func suggestsAsTerraformDoes(word: String, wanted: String?) {
        #expect(nearest(word, among: ["false", "true", "null"]) == wanted)
    }

    @Test(arguments: [
        ("maxAttempts", "max-attempts"), ("MAX_ATTEMPTS", "max-attempts"), ("need", "needs"), ("fi", "if"),
        ("Uses", "uses"), ("foreach", "for-each"), ("tiemout", "timeout"), ("x", nil), ("", nil), ("-", nil),
        ("continue-onerror", "continue-on-error"), ("pipeline", nil), ("of", nil),
    ])
    func caseAndSeparatorsCountLittle(word: String, wanted: String?) {
        let keys = ["uses", "with", "needs", "if", "for-each", "timeout", "continue-on-error", "max-attempts"]
        #expect(nearest(word, among: keys) == wanted)
    }

    @Test func prefersTheNearestThenTheFirst() {
        #expect(nearest("getById", among: ["getByIds", "get_by_id", "getByID"]) == "get_by_id")
        #expect(nearest("cat", among: ["bat", "hat"]) == "bat")
    }
}
