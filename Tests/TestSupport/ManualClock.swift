internal import Threading
public import Values

/// A clock that stands still but for what sleeps on it: no test waits for real time.
///
/// A *pause* costs nothing: when everything else has had its turn, time jumps to the end of the pause that is due first.
/// A *timeout* stays where it is until it is cancelled or a test says that it is over.
public final class ManualClock: Sendable {
    private struct State: Sendable {
        var elapsed = Duration.zero
        var next = 0
        /// Ends of pauses by ticket.
        var pauses: [Int: Duration] = [:]
        var timeouts: [Int: (length: Duration, continuation: CheckedContinuation<Bool, Never>)] = [:]
        /// Timeouts that were cancelled before they began.
        var cancelled: Set<Int> = []
        var slept: [Duration] = []
    }

    /// How often others may run before a pause is over.
    private static let turns = 20

    private let start: Timestamp
    private let state = Locked(State())

    public init(start: Timestamp = Timestamp(seconds: 1_800_000_000)) { self.start = start }

    public var wall: Timestamp { start + elapsed }
    public var elapsed: Duration { state.withLock { $0.elapsed } }
    /// The lengths of all pauses that came to their end, in that order.
    public var slept: [Duration] { state.withLock { $0.slept } }

    public func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

    /// - Throws: `CancellationError`.
    public func pause(for duration: Duration) async throws {
        let ticket = state.withLock { state in
            state.next += 1
            state.pauses[state.next] = state.elapsed + max(duration, .zero)
            return state.next
        }
        var turns = 0
        while true {
            if Task.isCancelled {
                state.withLock { _ = $0.pauses.removeValue(forKey: ticket) }
                throw CancellationError()
            }
            let isFirst = state.withLock { state in
                state.pauses.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key == ticket
            }
            turns = isFirst ? turns + 1 : 0
            if turns > ManualClock.turns { break }
            await Task.yield()
        }
        state.withLock { state in
            guard let end = state.pauses.removeValue(forKey: ticket) else { return }
            state.elapsed = max(state.elapsed, end)
            state.slept.append(duration)
        }
    }

    /// - Throws: `CancellationError`.
    public func timeout(after duration: Duration) async throws {
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(ticket) != nil { return true }
                    state.timeouts[ticket] = (duration, continuation)
                    return false
                }
                if isCancelled { continuation.resume(returning: false) }
            }
        } onCancel: {
            let parked = state.withLock { state in
                let parked = state.timeouts.removeValue(forKey: ticket)
                if parked == nil { state.cancelled.insert(ticket) }
                return parked?.continuation
            }
            parked?.resume(returning: false)
        }
        guard isOver else { throw CancellationError() }
    }

    /// Ends the timeout that began first, as soon as there is one, and moves the time on by its length.
    public func endFirstTimeout() async {
        while true {
            let first = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let ticket = state.timeouts.keys.min(), let parked = state.timeouts.removeValue(forKey: ticket)
                else { return nil }
                state.elapsed += parked.length
                return parked.continuation
            }
            if let first { return first.resume(returning: true) }
            await Task.yield()
        }
    }

    /// Never comes back but by cancellation: a call that hangs.
    ///
    /// - Throws: `CancellationError`.
    public func hang() async throws {
        while !Task.isCancelled { await Task.yield() }
        throw CancellationError()
    }
}
