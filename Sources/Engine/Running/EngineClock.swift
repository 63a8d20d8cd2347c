public import Values

/// Time, as the engine sees it.
public protocol EngineClock: Sendable {
    var now: Moment { get }

    /// - Throws: `CancellationError`.
    func sleep(for duration: Duration) async throws
}

/// The machine's clocks.
public struct SystemClock: EngineClock {
    private let start = ContinuousClock.now

    public init() {}

    public var now: Moment { Moment(wall: .now, monotonic: start.duration(to: .now)) }

    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
