import TestSupport
import Testing

/// Has tests that start programs wait for their turn; see `startInTurn`.
struct ProgramsTrait: TestTrait, SuiteTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await startInTurn(function)
    }
}

extension Trait where Self == ProgramsTrait {
    static var programs: Self { Self() }
}
