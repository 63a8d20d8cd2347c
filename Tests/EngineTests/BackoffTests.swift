import TestSupport
import Testing
import Values
import Workflows

@testable import Engine

@Suite struct BackoffTests {
    struct Bound: Sendable, CustomTestStringConvertible {
        let attempt: Int
        let policy: RetryPolicy
        let milliseconds: Int64
        init(_ attempt: Int, _ milliseconds: Int64, _ policy: RetryPolicy = RetryPolicy()) {
            self.attempt = attempt
            self.milliseconds = milliseconds
            self.policy = policy
        }
        var testDescription: String { "attempt \(attempt): \(milliseconds) ms" }
    }

    /// By hand: initial × factor^(attempt − 1), no more than max.
    static let bounds = [
        Bound(1, 1000), Bound(2, 2000), Bound(3, 4000), Bound(4, 8000), Bound(5, 16_000), Bound(6, 32_000),
        Bound(7, 64_000), Bound(8, 120_000), Bound(9, 120_000), Bound(5000, 120_000), Bound(.max, 120_000),
        Bound(1, 500, RetryPolicy(initial: .milliseconds(500), factor: 3)),
        Bound(3, 4500, RetryPolicy(initial: .milliseconds(500), factor: 3)),
        Bound(3, 2250, RetryPolicy(factor: 1.5)), Bound(9, 1000, RetryPolicy(factor: 1)),
        Bound(1, 100, RetryPolicy(initial: .seconds(9), max: .milliseconds(100))),
    ]

    @Test(arguments: bounds) func boundGrowsUpToTheLargest(_ bound: Bound) {
        var policy = bound.policy
        policy.jitter = .none
        #expect(
            policy.backoff(after: bound.attempt, draw: 0.3, retryAfter: nil) == .milliseconds(bound.milliseconds))
    }

    @Test(arguments: bounds) func fullJitterStaysWithinTheBound(_ bound: Bound) {
        let limit = Duration.milliseconds(bound.milliseconds)
        #expect(bound.policy.backoff(after: bound.attempt, draw: 0, retryAfter: nil) == .zero)
        #expect(bound.policy.backoff(after: bound.attempt, draw: 0.5, retryAfter: nil) == limit / 2)
        #expect(bound.policy.backoff(after: bound.attempt, draw: 1.0.nextDown, retryAfter: nil) <= limit)
    }

    @Test(arguments: [(0, 1000), (500, 1000), (1001, 1001), (3_600_000, 3_600_000)])
    func longerRetryAfterWins(retryAfter: Int, expected: Int) {
        let policy = RetryPolicy(jitter: .none)
        #expect(
            policy.backoff(after: 1, draw: 0, retryAfter: .milliseconds(retryAfter)) == .milliseconds(expected))
    }

    @Test func absurdPoliciesGiveDurationsThatCanBeWaitedFor() {
        let eternity = Duration.seconds(Int64.max)
        let longest = Duration.seconds(36_500 * 86_400)
        #expect(
            RetryPolicy(initial: eternity, max: eternity, jitter: .none).backoff(after: 9, draw: 0, retryAfter: nil)
                == longest)
        #expect(RetryPolicy(initial: .zero, jitter: .none).backoff(after: 5000, draw: 0, retryAfter: nil) == .zero)
        #expect(
            RetryPolicy(initial: .seconds(-1), jitter: .none).backoff(after: 2, draw: 0, retryAfter: nil) == .zero)
        #expect(RetryPolicy(factor: .nan, jitter: .none).backoff(after: 3, draw: 0, retryAfter: nil) == .seconds(1))
        #expect(RetryPolicy(factor: -2, jitter: .none).backoff(after: 2, draw: 0, retryAfter: nil) == .seconds(1))
        #expect(RetryPolicy(jitter: .none).backoff(after: -3, draw: 0, retryAfter: nil) == .seconds(1))
    }
}
