internal import Files
internal import Glibc
internal import StepKit
// In optimised builds the compiler takes timespec for a declaration of this module, whose headers include the same one.
internal import SwiftOverlayShims
internal import Threading
internal import Values

/// Spaces out the calls of each token evenly, over all processes of this user: with 3 calls a second there is a third of a
/// second between two.
///
/// A file for each token holds the time of the next free turn, in nanoseconds since the machine started; it is changed
/// under a kernel lock, for microseconds.
final class SharedLimiter: CallLimiter {
    private let folder: RuntimeFolder
    /// For tokens whose file cannot be used.
    private let ownTurns = Locked<[Secret: Int64]>([:])

    init(_ folder: RuntimeFolder) { self.folder = folder }

    func waitForTurn(of token: Secret, perSecond: Double) async throws {
        let spacing = Int64(1e9 / max(perSecond, 0.001))
        let now = SharedLimiter.now
        let turn = sharedTurn(token, now, spacing) ?? ownTurn(token, now, spacing)
        if turn > now { try await Task.sleep(for: .nanoseconds(turn - now)) }
        try Task.checkCancellation()
    }

    private func ownTurn(_ token: Secret, _ now: Int64, _ spacing: Int64) -> Int64 {
        ownTurns.withLock { turns in
            let turn = max(turns[token] ?? now, now)
            turns[token] = turn + spacing
            return turn
        }
    }

    /// - Returns: nil when the file cannot be used.
    private func sharedTurn(_ token: Secret, _ now: Int64, _ spacing: Int64) -> Int64? {
        guard let path = folder.file("rate", for: token) else { return nil }
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 { if errno != EINTR { return nil } }
        var next: Int64 = 0
        let count = pread(file, &next, 8, 0)
        // A turn that is further off than a long queue can make it is left over from another boot.
        if count != 8 || next > now + 600_000_000_000 { next = now }
        let turn = max(next, now)
        var following = turn + spacing
        guard pwrite(file, &following, 8, 0) == 8 else { return nil }
        return turn
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
