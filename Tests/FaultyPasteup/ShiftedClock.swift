internal import Engine
internal import Values

/// The machine's clocks with the time of day off by a constant.
struct ShiftedClock: EngineClock {
    private let clock = SystemClock()
    private let shift: Duration

    /// - Parameter text: a duration, with a minus for a clock that is behind.
    init(_ text: String) {
        let isBehind = text.hasPrefix("-")
        guard let duration = Duration(text: isBehind ? String(text.dropFirst()) : text) else {
            fatalError("FAULT_CLOCK: '\(text)' is no duration")
        }
        shift = isBehind ? .zero - duration : duration
    }

    var now: Moment {
        let moment = clock.now
        return Moment(wall: moment.wall + shift, monotonic: moment.monotonic)
    }

    func sleep(for duration: Duration, purpose: SleepPurpose) async throws {
        try await clock.sleep(for: duration, purpose: purpose)
    }
}
