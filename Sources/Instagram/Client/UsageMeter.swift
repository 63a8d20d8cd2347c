internal import HTTP
internal import ServiceKit
internal import Threading
internal import Values

/// How much of its limits a token has used, by what Instagram said last.
final class UsageMeter: Sendable {
    private let readings = Locked<[Secret: Usage]>([:])

    /// Remembers the answer's headers. They come only after enough calls: without them nothing changes.
    func note(_ response: HTTPResponse, of token: Secret) {
        guard let usage = Usage(response) else { return }
        readings.withLock { $0[token] = usage }
    }

    /// The last reading, which counts for one call.
    func take(_ token: Secret) -> Usage? { readings.withLock { $0.removeValue(forKey: token) } }
}

/// A reading of `X-App-Usage` and `X-Business-Use-Case-Usage` (Graph API, "Rate limits").
struct Usage: Sendable, Hashable {
    /// The highest of all counts; at 100 calls are refused.
    let percent: Int64
    /// When calls are free again; nil when Instagram does not say.
    let regain: Duration?

    /// Nil when there are no such headers, or none that can be read.
    init?(_ response: HTTPResponse) {
        func object(_ header: String) -> ValueObject? {
            response.header(header).flatMap { try? Value(json: $0) }?.object
        }
        let cases = (object("X-Business-Use-Case-Usage") ?? [:]).values.flatMap { $0.array ?? [] }
        let all = (object("X-App-Usage").map { [Value.object($0)] } ?? []) + cases
        // "total_cpu_time" is how some clients spell it.
        let names = ["call_count", "total_cputime", "total_cpu_time", "total_time"]
        let counts = all.flatMap { usage in names.compactMap { usage[$0].flatMap(percentage) } }
        let minutes = cases.compactMap { $0["estimated_time_to_regain_access"]?.looseInteger }.max() ?? 0
        guard !counts.isEmpty || minutes > 0 else { return nil }
        percent = counts.max() ?? 0
        regain = minutes > 0 ? .seconds(min(minutes, 1440) * 60) : nil
    }

    /// The pause before the next call: above 80 % it grows by 1.5 s with each percent, to a quarter of the call's timeout
    /// at most. Nil up to 80 %.
    func pause(within timeout: Duration) -> Duration? {
        guard percent > 80 else { return nil }
        return min(.milliseconds(1500 * (percent - 80)), timeout / 4)
    }
}

private func percentage(_ value: Value) -> Int64? {
    if let whole = value.looseInteger { return whole }
    guard let share = value.double, share.isFinite, abs(share) < 1e9 else { return nil }
    return Int64(share.rounded(.down))
}
