import TestSupport
import Testing
import Values

@testable import Engine

@Suite struct IdentifiersTests {
    /// The alphabet's first letter stands for 0, its last for 31; 2025-01-01T00:00:00Z is second 1,735,689,600.
    @Test(arguments: [
        (0, "000000"), (31, "00000z"), (32, "000010"), (1_073_741_823, "zzzzzz"), (-5, "000000"),
    ])
    func runIDsBeginWithTheSecond(second: Int, prefix: String) {
        var random = SeededRandom(seed: 1)
        let id = newRunID(at: Timestamp(seconds: 1_735_689_600 + Int64(second)), using: &random)
        #expect(id.count == 8 && id.hasPrefix(prefix))
        #expect(id.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".contains($0) })
    }

    @Test(
        arguments: [
            ("000000zz", 0), ("00000z00", 31), ("000010ab", 32), ("zzzzzz7k", 1_073_741_823), ("r7k2", nil),
            ("00000i00", nil),
        ] as [(String, Int64?)])
    func runIDTellsWhenItWasMade(id: String, second: Int64?) {
        #expect(startOfRun(id) == second.map { Timestamp(seconds: 1_735_689_600 + $0) })
    }

    @Test func idempotencyKeyIsTheSameForTheSameCall() {
        // printf 'r7k2\npost[3]\n1' | sha256sum | cut -c1-32
        #expect(idempotencyKey(run: "r7k2", address: "post[3]", generation: 1) == "054c1cda42700a4304ca3b1bd88a93be")
        #expect(
            idempotencyKey(run: "r7k2", address: "post[3]", generation: 1)
                != idempotencyKey(run: "r7k2", address: "post[3]", generation: 2))
    }

    @Test func lockKeyDoesNotDependOnTheOrderOfInputs() {
        let one = lockKey(file: "/a.yaml", inputs: ["a": 1, "b": "x"])
        #expect(one == lockKey(file: "/a.yaml", inputs: ["b": "x", "a": 1]))
        #expect(one != lockKey(file: "/b.yaml", inputs: ["a": 1, "b": "x"]))
        #expect(one != lockKey(file: "/a.yaml", inputs: ["a": 2, "b": "x"]))
    }
}
