internal import Glibc
// In optimised builds the compiler takes timespec for a declaration of this module, whose headers include the same one.
internal import SwiftOverlayShims

/// An instant, in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Timestamp: Sendable, Hashable, Comparable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// - Parameter seconds: what is beyond the reach of milliseconds becomes the first or the last instant, and so do sums.
    public init(seconds: Int64) {
        let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1000)
        self.init(milliseconds: isOver ? (seconds < 0 ? .min : .max) : whole)
    }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0) }

    /// The wall clock now. Only the program's entry should ask; everything else is handed a clock.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    public static func < (one: Timestamp, other: Timestamp) -> Bool { one.milliseconds < other.milliseconds }
    public static func + (instant: Timestamp, duration: Duration) -> Timestamp {
        let (sum, isOver) = instant.milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        return Timestamp(milliseconds: isOver ? (instant.milliseconds < 0 ? .min : .max) : sum)
    }
    public static func - (instant: Timestamp, duration: Duration) -> Timestamp { instant + (.zero - duration) }
    public static func - (one: Timestamp, other: Timestamp) -> Duration {
        let (difference, isOver) = one.milliseconds.subtractingReportingOverflow(other.milliseconds)
        return .milliseconds(isOver ? (one < other ? .min : .max) : difference)
    }

    /// ISO 8601 in UTC: "2026-11-30T08:15:00Z", with three decimals when they are not zero.
    public var iso8601: String {
        var parts = tm()
        var time = time_t(seconds)
        gmtime_r(&time, &parts)
        let fraction = Int((milliseconds % 1000 + 1000) % 1000)
        let second = padded(parts.tm_sec, 2) + (fraction == 0 ? "" : "." + padded(Int32(fraction), 3))
        return "\(dateText(parts))T\(minuteText(parts)):\(second)Z"
    }

    /// "2026-11-30 11:15 MSK" in the machine's zone, for people.
    public var localText: String {
        var parts = tm()
        var time = time_t(seconds)
        localtime_r(&time, &parts)
        let zone = parts.tm_zone.map { " " + String(cString: $0) } ?? ""
        return "\(dateText(parts)) \(minuteText(parts))\(zone)"
    }

    /// Reads ISO 8601 with a zone: "2019-09-26T22:36:43+0000" as Instagram writes it, "…+03:00", "…Z", with or without
    /// decimals of a second. Nil for anything else, rubbish at the end included.
    public init?(iso8601 text: String) {
        var rest = Substring(text)
        func number(_ digits: Int) -> Int? {
            let part = rest.prefix(digits)
            guard part.utf8.count == digits, part.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            rest.removeFirst(digits)
            return Int(part)
        }
        func skip(_ character: Character) -> Bool {
            guard rest.first == character else { return false }
            rest.removeFirst()
            return true
        }
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            skip("T") || skip(" "), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
            let second = number(2), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second < 61
        else { return nil }
        var fraction = 0
        if skip(".") {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, digits.utf8.count <= 9 else { return nil }
            fraction = Int((digits + "00").prefix(3))!
            rest.removeFirst(digits.count)
        }
        var offset = 0
        if !skip("Z") {
            let sign: Int
            if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
            guard let hours = number(2), hours < 24 else { return nil }
            _ = skip(":")
            guard let minutes = number(2), minutes < 60 else { return nil }
            offset = sign * (hours * 3600 + minutes * 60)
        }
        guard rest.isEmpty else { return nil }
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        parts.tm_sec = Int32(second)
        let time = timegm(&parts)
        guard parts.tm_mday == Int32(day) else { return nil }
        self.init(milliseconds: (Int64(time) - Int64(offset)) * 1000 + Int64(fraction))
    }
}

private func dateText(_ parts: tm) -> String {
    "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
}

private func minuteText(_ parts: tm) -> String { "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2))" }

private func padded(_ number: Int32, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}
