internal import StepKit
internal import Threading
internal import Values

/// Spaces out the calls of each token, evenly: with 3 calls a second there is a third of a second between two.
final class TokenLimiter: CallLimiter {
    private let nextTurns = Locked<[Secret: ContinuousClock.Instant]>([:])

    func waitForTurn(of token: Secret, perSecond: Double) async throws {
        let now = ContinuousClock.now
        let spacing = Duration.seconds(1 / max(perSecond, 0.001))
        let turn = nextTurns.withLock { turns in
            let turn = max(turns[token] ?? now, now)
            turns[token] = turn + spacing
            return turn
        }
        if turn > now { try await Task.sleep(until: turn) }
    }
}
