/// A date and a time of day as a calendar and a clock show them, without a zone: proleptic Gregorian, years 1 to 9999.
public struct CivilTime: Sendable, Hashable {
    public let year: Int
    /// From 1.
    public let month: Int
    /// From 1.
    public let day: Int
    public let hour: Int
    public let minute: Int
    public let second: Int

    /// Nil for a day that no calendar and a time that no clock has.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...CivilTime.days(inMonth: month, of: year)).contains(day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// What a clock shows that many seconds after 1970-01-01T00:00:00; nil outside the years 1 to 9999.
    public init?(seconds: Int64) {
        let range: Range<Int64> = -62_135_596_800..<253_402_300_800
        guard range.contains(seconds) else { return nil }
        let days = Int(seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400)
        let rest = Int(seconds) - days * 86400
        (year, month, day) = CivilTime.date(ofDay: days)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    /// The seconds since 1970-01-01T00:00:00 on the same clock.
    public var seconds: Int64 {
        Int64(CivilTime.dayNumber(year, month, day)) * 86400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// 0 for Sunday to 6 for Saturday.
    public var weekday: Int { CivilTime.weekday(ofDay: CivilTime.dayNumber(year, month, day)) }

    /// From 1.
    public var dayOfYear: Int { CivilTime.dayNumber(year, month, day) - CivilTime.dayNumber(year, 1, 1) + 1 }

    /// Week and year of ISO 8601: weeks begin on Monday, and the first has the year's first Thursday.
    public var isoWeek: (year: Int, week: Int) {
        let today = CivilTime.dayNumber(year, month, day)
        let thursday = today - (weekday + 6) % 7 + 3
        let year = CivilTime.date(ofDay: thursday).year
        return (year, (thursday - CivilTime.dayNumber(year, 1, 1)) / 7 + 1)
    }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// 0 for Sunday; day 0 was a Thursday.
    static func weekday(ofDay day: Int) -> Int { ((day + 4) % 7 + 7) % 7 }

    /// Days since 1970-01-01 (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2021: `days_from_civil`).
    static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date of a day since 1970-01-01 (the same: `civil_from_days`).
    static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}
