import TestSupport
import Testing

/// Keeps tests that compute for long off the shared pool; see `computeAlone`.
struct ComputingTrait: TestTrait, SuiteTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await computeAlone(function)
    }
}

extension Trait where Self == ComputingTrait {
    static var computing: Self { Self() }
}
