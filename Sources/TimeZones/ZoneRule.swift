/// How clocks are set for good: the value of the variable `TZ` as POSIX.1-2017 has it (Base Definitions, section 8.3),
/// with the hours from −167 to 167 of RFC 9636, section 3.3.1. "CET-1CEST,M3.5.0,M10.5.0/3".
struct ZoneRule: Sendable, Hashable {
    private let standard: TimeKind
    private let summer: Summer?

    private struct Summer: Sendable, Hashable {
        let kind: TimeKind
        let start: YearDay
        let end: YearDay
    }

    /// A moment of every year.
    private struct YearDay: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// From 1 to 365; February 29 is never counted.
            case julian(Int)
            /// From 0 to 365.
            case zeroBased(Int)
            /// The week from 1, 5 for the last one, and the weekday from 0 for Sunday.
            case weekday(month: Int, week: Int, day: Int)
        }

        let day: Day
        /// Seconds after midnight, in the time that holds until then.
        let time: Int

        /// Seconds since 1970 on the zone's clock.
        func seconds(in year: Int) -> Int64 { Int64(dayNumber(in: year)) * 86400 + Int64(time) }

        private func dayNumber(in year: Int) -> Int {
            let newYear = CivilTime.dayNumber(year, 1, 1)
            switch day {
            case .julian(let day): return newYear + day - 1 + (CivilTime.isLeap(year) && day >= 60 ? 1 : 0)
            case .zeroBased(let day): return newYear + day
            case .weekday(let month, let week, let day):
                let first = CivilTime.dayNumber(year, month, 1)
                let offset = (day - CivilTime.weekday(ofDay: first) + 7) % 7 + (week - 1) * 7
                return first + (offset < CivilTime.days(inMonth: month, of: year) ? offset : offset - 7)
            }
        }
    }

    func kind(at seconds: Int64) -> TimeKind {
        guard let summer else { return standard }
        let year = CivilTime.date(ofDay: Int((seconds + Int64(standard.offset)).floored(by: 86400))).year
        // A rule may begin or end in the neighbouring year as the zone counts it.
        for year in [year + 1, year, year - 1] {
            let start = (summer.start.seconds(in: year) - Int64(standard.offset), summer.kind)
            let end = (summer.end.seconds(in: year) - Int64(summer.kind.offset), standard)
            for (moment, kind) in [start, end].sorted(by: { $0.0 > $1.0 }) where moment <= seconds { return kind }
        }
        return standard
    }
}

extension ZoneRule {
    init?(_ text: String) {
        var reader = RuleReader(text)
        guard let name = reader.name(), let offset = reader.time(maxHours: 24) else { return nil }
        standard = TimeKind(offset: -offset, isSummer: false, abbreviation: name)
        guard !reader.isAtEnd else {
            summer = nil
            return
        }
        guard let summerName = reader.name() else { return nil }
        var summerOffset = -offset + 3600
        if !reader.isNext(",") {
            guard let written = reader.time(maxHours: 24) else { return nil }
            summerOffset = -written
        }
        guard reader.skip(","), let start = ZoneRule.moment(&reader), reader.skip(","),
            let end = ZoneRule.moment(&reader), reader.isAtEnd
        else { return nil }
        summer = Summer(
            kind: TimeKind(offset: summerOffset, isSummer: true, abbreviation: summerName), start: start, end: end)
    }

    private static func moment(_ reader: inout RuleReader) -> YearDay? {
        let day: YearDay.Day
        if reader.skip("J") {
            guard let number = reader.number(), (1...365).contains(number) else { return nil }
            day = .julian(number)
        } else if reader.skip("M") {
            guard let month = reader.number(), (1...12).contains(month), reader.skip("."),
                let week = reader.number(), (1...5).contains(week), reader.skip("."),
                let weekday = reader.number(), (0...6).contains(weekday)
            else { return nil }
            day = .weekday(month: month, week: week, day: weekday)
        } else {
            guard let number = reader.number(), (0...365).contains(number) else { return nil }
            day = .zeroBased(number)
        }
        guard reader.skip("/") else { return YearDay(day: day, time: 7200) }
        return reader.time(maxHours: 167).map { YearDay(day: day, time: $0) }
    }
}

private struct RuleReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    func isNext(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard isNext(character) else { return false }
        rest.removeFirst()
        return true
    }

    /// At least three letters, or anything between `<` and `>`.
    mutating func name() -> String? {
        if skip("<") {
            let part = rest.prefix { $0 != UInt8(ascii: ">") }
            rest.removeFirst(part.count)
            return skip(">") ? String(Substring(part)) : nil
        }
        let part = rest.prefix { (0x61...0x7A).contains($0 | 0x20) }
        rest.removeFirst(part.count)
        return part.count >= 3 ? String(Substring(part)) : nil
    }

    mutating func number() -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest.removeFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func time(maxHours: Int) -> Int? {
        let sign = skip("-") ? -1 : 1
        if sign == 1 { _ = skip("+") }
        guard let hours = number(), hours <= maxHours else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where skip(":") {
            guard let part = number(), part < 60 else { return nil }
            seconds += part * unit
        }
        return sign * seconds
    }
}

extension Int64 {
    fileprivate func floored(by divisor: Int64) -> Int64 { self >= 0 ? self / divisor : (self - divisor + 1) / divisor }
}
