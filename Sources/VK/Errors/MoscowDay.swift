internal import Values

/// The time until it is next five past midnight in Moscow, where VK's days begin. Moscow is three hours ahead of UTC
/// all year.
func untilNextMoscowDay(from now: Timestamp) -> Duration {
    let day: Int64 = 86_400_000
    let sinceFivePast = now.milliseconds + 3 * 3_600_000 - 5 * 60_000
    return .milliseconds(day - (sinceFivePast % day + day) % day)
}
