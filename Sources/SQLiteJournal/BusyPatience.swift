internal import Glibc

/// How long a connection waits for a lock that another one holds.
///
/// SQLite's own handler soon sleeps 100 ms between tries, and then seldom meets the short gaps that a busy writer
/// leaves. This one never sleeps longer than 10 ms.
final class BusyPatience {
    let limit: Duration
    private var start = ContinuousClock.now

    init(limit: Duration) { self.limit = limit }

    /// Sleeps, and says whether to try once more.
    ///
    /// - Parameter tries: how often this lock was tried after the first time, from 0.
    func wait(tries: Int) -> Bool {
        if tries == 0 { start = .now }
        guard ContinuousClock.now - start < limit else { return false }
        usleep(tries < 10 ? 500 : tries < 30 ? 2_000 : 10_000)
        return true
    }
}
