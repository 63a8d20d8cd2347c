/// A date as people and services write it.
///
/// | form | example |
/// |---|---|
/// | a day | `2026-12-01`, `1.12.2026` |
/// | a day and a time | `2026-12-01T10:00`, `2026-12-01 10:00:30`, `01.12.2026 10:00` |
/// | an instant | `2026-12-01T10:00:00Z`, `…+03:00`, `…+0300` |
///
/// Decimals of a second are read and dropped.
public struct DateText: Sendable, Hashable {
    public let time: CivilTime
    /// Whether a time of day was written; midnight otherwise.
    public let hasTime: Bool
    /// Seconds east of Greenwich; nil where none was written.
    public let offset: Int?

    /// Nil for any other text, and for days and times that do not exist.
    public init?(_ text: String) {
        var reader = Reader(text)
        guard let date = reader.readDate() else { return nil }
        var clock = (hour: 0, minute: 0, second: 0)
        hasTime = !reader.isAtEnd
        var offset: Int?
        if hasTime {
            guard reader.skip(UInt8(ascii: "T")) || reader.skip(UInt8(ascii: " ")), let read = reader.readClock() else {
                return nil
            }
            clock = read
            if !reader.isAtEnd {
                guard let read = reader.readOffset() else { return nil }
                offset = read
            }
        }
        guard reader.isAtEnd,
            let time = CivilTime(
                year: date.year, month: date.month, day: date.day, hour: clock.hour, minute: clock.minute,
                second: clock.second)
        else { return nil }
        self.time = time
        self.offset = offset
    }

    /// The seconds since 1970 in UTC.
    ///
    /// - Parameter zone: where the clock hangs that shows the time, unless the text says it.
    public func seconds(in zone: TimeZone) -> Int64 {
        offset.map { time.seconds - Int64($0) } ?? zone.seconds(of: time)
    }
}

private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ digits: ClosedRange<Int>) -> Int? {
        let part = rest.prefix { (0x30...0x39).contains($0) }.prefix(digits.upperBound)
        guard part.count >= digits.lowerBound else { return nil }
        rest.removeFirst(part.count)
        return part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// "2026-12-01" or "1.12.2026".
    mutating func readDate() -> (year: Int, month: Int, day: Int)? {
        let start = rest
        if let year = number(4...4), skip(UInt8(ascii: "-")), let month = number(2...2), skip(UInt8(ascii: "-")),
            let day = number(2...2)
        {
            return (year, month, day)
        }
        rest = start
        guard let day = number(1...2), skip(UInt8(ascii: ".")), let month = number(1...2), skip(UInt8(ascii: ".")),
            let year = number(4...4)
        else { return nil }
        return (year, month, day)
    }

    mutating func readClock() -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = number(1...2), skip(UInt8(ascii: ":")), let minute = number(2...2) else { return nil }
        guard skip(UInt8(ascii: ":")) else { return (hour, minute, 0) }
        guard let second = number(2...2) else { return nil }
        if skip(UInt8(ascii: ".")), number(1...9) == nil { return nil }
        return (hour, minute, second)
    }

    mutating func readOffset() -> Int? {
        if skip(UInt8(ascii: "Z")) { return 0 }
        let sign: Int
        if skip(UInt8(ascii: "+")) { sign = 1 } else if skip(UInt8(ascii: "-")) { sign = -1 } else { return nil }
        guard let hours = number(2...2), hours < 24 else { return nil }
        if isAtEnd { return sign * hours * 3600 }
        _ = skip(UInt8(ascii: ":"))
        guard let minutes = number(2...2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
