/// How a time is written: the letters of `strftime` (C17, section 7.27.3.5), with English names whatever the machine's
/// language is.
///
/// | letters | give |
/// |---|---|
/// | `%Y %m %d`, `%y`, `%e`, `%j` | year, month, day; year of two digits; day with a blank; day of the year |
/// | `%H %M %S`, `%I %p` | hour, minute, second; hour of twelve, AM or PM |
/// | `%A %a %B %b` | weekday and month, long and short |
/// | `%u %w %V %G` | weekday from Monday 1, from Sunday 0; week and year of ISO 8601 |
/// | `%F %T %R %D` | `%Y-%m-%d`, `%H:%M:%S`, `%H:%M`, `%m/%d/%y` |
/// | `%z %:z %Z %s` | `+0300`, `+03:00`, the zone's abbreviation, seconds since 1970 |
/// | `%n %t %%` | line break, tab, percent sign |
///
/// A minus leaves out the zeros in front, as GNU has it: `%-d.%-m.%Y`.
public struct TimeFormat: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
        case text(String)
        case letter(Unicode.Scalar, isShort: Bool)
    }

    private let pieces: [Piece]

    /// What is wrong with a format.
    public struct Fault: Error, Sendable, Hashable {
        /// As a clause: "the format has the unknown letter '%Q'".
        public let message: String
        /// From 0, in Unicode scalars of the format.
        public let offset: Int
    }

    private static let letters = Set("YmdyejHMSIpAaBbuwVGFTRDzZsnt%".unicodeScalars)
    private static let numbers = Set("YmdyejHMSIuwVG".unicodeScalars)

    public init(_ text: String) throws(Fault) {
        var pieces: [Piece] = []
        let scalars = Array(text.unicodeScalars)
        var literal = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            guard scalars[index] == "%" else {
                literal.append(scalars[index])
                index += 1
                continue
            }
            let start = index
            index += 1
            var isShort = false
            var isColon = false
            if index < scalars.count, scalars[index] == "-" || scalars[index] == ":" {
                isShort = scalars[index] == "-"
                isColon = !isShort
                index += 1
            }
            guard index < scalars.count else {
                throw Fault(message: "the format ends within a letter", offset: start)
            }
            let letter = scalars[index]
            index += 1
            let isKnown =
                isShort ? Self.numbers.contains(letter) : isColon ? letter == "z" : Self.letters.contains(letter)
            guard isKnown else {
                let written = String(String.UnicodeScalarView(scalars[start..<index]))
                throw Fault(message: "the format has the unknown letter '\(written)'", offset: start)
            }
            if !literal.isEmpty { pieces.append(.text(String(literal))) }
            literal = .init()
            pieces.append(.letter(isColon ? ":" : letter, isShort: isShort))
        }
        if !literal.isEmpty { pieces.append(.text(String(literal))) }
        self.pieces = pieces
    }

    /// The time of an instant in a zone; nil outside the years 1 to 9999.
    public func text(at seconds: Int64, in zone: TimeZone) -> String? {
        let kind = zone.kind(at: seconds)
        return zone.time(at: seconds).map { text(of: $0, kind, seconds) }
    }

    /// The time that a clock shows, in a zone of a fixed offset.
    public func text(of time: CivilTime, offset: Int) -> String {
        let kind = TimeKind(
            offset: offset, isSummer: false, abbreviation: offset == 0 ? "UTC" : Self.offset(offset, ":"))
        return text(of: time, kind, time.seconds - Int64(offset))
    }

    private func text(of time: CivilTime, _ kind: TimeKind, _ seconds: Int64) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .letter(let letter, let isShort): Self.text(letter, isShort, time, kind, seconds)
            }
        }.joined()
    }

    private static func text(
        _ letter: Unicode.Scalar, _ isShort: Bool, _ time: CivilTime, _ kind: TimeKind, _ seconds: Int64
    ) -> String {
        func number(_ value: Int, _ width: Int, _ fill: Character = "0") -> String {
            let digits = String(value)
            return isShort ? digits : String(repeating: fill, count: max(0, width - digits.count)) + digits
        }
        func part(_ letter: Unicode.Scalar) -> String { text(letter, false, time, kind, seconds) }
        switch letter {
        case "Y": return number(time.year, 4)
        case "m": return number(time.month, 2)
        case "d": return number(time.day, 2)
        case "e": return number(time.day, 2, " ")
        case "y": return number(time.year % 100, 2)
        case "j": return number(time.dayOfYear, 3)
        case "H": return number(time.hour, 2)
        case "I": return number((time.hour + 11) % 12 + 1, 2)
        case "M": return number(time.minute, 2)
        case "S": return number(time.second, 2)
        case "p": return time.hour < 12 ? "AM" : "PM"
        case "A": return weekdays[time.weekday]
        case "a": return String(weekdays[time.weekday].prefix(3))
        case "B": return months[time.month - 1]
        case "b": return String(months[time.month - 1].prefix(3))
        case "u": return number((time.weekday + 6) % 7 + 1, 1)
        case "w": return number(time.weekday, 1)
        case "V": return number(time.isoWeek.week, 2)
        case "G": return number(time.isoWeek.year, 4)
        case "F": return "\(part("Y"))-\(part("m"))-\(part("d"))"
        case "T": return "\(part("H")):\(part("M")):\(part("S"))"
        case "R": return "\(part("H")):\(part("M"))"
        case "D": return "\(part("m"))/\(part("d"))/\(part("y"))"
        case "z": return offset(kind.offset, "")
        case ":": return offset(kind.offset, ":")
        case "Z": return kind.abbreviation
        case "s": return String(seconds)
        case "n": return "\n"
        case "t": return "\t"
        default: return String(letter)
        }
    }

    /// "+03:00"; with seconds where local time had some, before zones were agreed upon.
    private static func offset(_ seconds: Int, _ separator: String) -> String {
        func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
        let length = abs(seconds)
        let rest = length % 60 == 0 ? "" : separator + two(length % 60)
        return (seconds < 0 ? "-" : "+") + two(length / 3600) + separator + two(length / 60 % 60) + rest
    }

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
