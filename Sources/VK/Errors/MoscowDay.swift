internal import Values

/// The time until five past midnight in Moscow, where VK's days begin. Moscow is three hours ahead of UTC all year.
func untilNextMoscowDay(from now: Timestamp) -> Duration {
    let offset: Int64 = 3 * 3_600_000
    let day: Int64 = 86_400_000
    let local = now.milliseconds + offset
    let intoDay = (local % day + day) % day
    return .milliseconds(day - intoDay + 5 * 60_000)
}
