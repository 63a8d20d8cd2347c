internal import Values
public import Workflows

extension RetryPolicy {
    /// The pause before the next attempt.
    ///
    /// `min(max, initial × factor^(attempt − 1))`, then a uniform draw from zero to that: "full jitter" (M. Brooker, AWS
    /// Architecture Blog, 2015). With the defaults the bounds are 1 s, 2 s, 4 s, 8 s. A longer `Retry-After` wins.
    ///
    /// - Parameters:
    ///   - attempt: the attempt that has just failed, from 1.
    ///   - draw: a random number from 0 up to 1.
    ///   - retryAfter: what the service asked for; nil for nothing.
    public func backoff(after attempt: Int, draw: Double, retryAfter: Duration?) -> Duration {
        let initialMs = RetryPolicy.milliseconds(initial)
        let maxMs = RetryPolicy.milliseconds(self.max)
        // Beyond some hundred attempts the power is infinite, and min() makes it the largest bound; zero stays zero.
        let bound = initialMs == 0 ? 0 : Swift.min(maxMs, initialMs * power(Swift.max(1, factor), attempt - 1))
        let pause = Duration.milliseconds(Int64((jitter == .full ? bound * draw : bound).rounded(.up)))
        guard let retryAfter else { return pause }
        return Swift.max(pause, retryAfter)
    }

    /// From zero to 36,500 days, the longest duration that a file can name.
    private static func milliseconds(_ duration: Duration) -> Double {
        let longest = Duration.seconds(36_500 * 86_400)
        return Double(Swift.min(Swift.max(duration, .zero), longest).wholeMilliseconds)
    }

    private func power(_ base: Double, _ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<Swift.max(0, exponent) {
            result *= base
            if result.isInfinite { break }
        }
        return result
    }
}

/// A small generator with a seed (SplitMix64, S. Vigna 2015), so that a scheduler's draws can be repeated.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
