internal import Threading
internal import Values

/// Time, as the engine sees it.
public protocol EngineClock: Sendable {
    var now: Moment { get }

    /// - Throws: `CancellationError`.
    func sleep(for duration: Duration, purpose: SleepPurpose) async throws
}

/// What is being waited for.
public enum SleepPurpose: Sendable, Hashable {
    /// The time itself: a backoff, a pause between two looks.
    case pause
    /// The end of what an attempt may take.
    case timeout
}

/// The machine's clocks.
public struct SystemClock: EngineClock {
    private let start = ContinuousClock.now

    public init() {}

    public var now: Moment { Moment(wall: .now, monotonic: start.duration(to: .now)) }

    public func sleep(for duration: Duration, purpose: SleepPurpose) async throws {
        try await Alarm.sleep(for: duration)
    }
}
