internal import Diagnostics

/// A scalar as it stands in the file, from its first mark to its last.
struct WrittenText {
    /// Where a scalar of the text is written.
    struct Place: Hashable {
        let line: Int
        let column: Int
        /// More than 1 for an escape.
        var length = 1
    }

    private struct Unit {
        let scalar: Unicode.Scalar
        let place: Place

        var isBreak: Bool { scalar == "\n" }
        var isBlank: Bool { scalar == " " || scalar == "\t" || scalar == "\n" }
    }

    private let style: YAMLScalar.Style
    private var units: [Unit] = []

    init(source: SourceText, start: Mark, end: Mark, style: YAMLScalar.Style) {
        self.style = style
        for line in start.line...max(start.line, end.line) {
            guard let text = source.line(line) else { break }
            let first = line == start.line ? start.column : 1
            let limit = line == end.line ? end.column - 1 : Int.max
            for (offset, scalar) in text.unicodeScalars.enumerated() where offset + 1 >= first && offset < limit {
                units.append(Unit(scalar: scalar, place: Place(line: line, column: offset + 1)))
            }
            if line < end.line {
                units.append(
                    Unit(scalar: "\n", place: Place(line: line, column: max(first, text.unicodeScalars.count + 1))))
            }
        }
    }

    /// The place of each scalar of the text that was read; nil when text and file do not match.
    func places(of text: String) -> [Place]? {
        guard var at = contentStart() else { return nil }
        let text = Array(text.unicodeScalars)
        var places: [Place] = []
        places.reserveCapacity(text.count)
        var afterEscapedBreak = false
        while places.count < text.count {
            guard at < units.count else { return nil }
            let unit = units[at]
            if style == .doubleQuoted, unit.scalar == "\\" {
                guard at + 1 < units.count else { return nil }
                if units[at + 1].isBreak {
                    at += 2
                    afterEscapedBreak = true
                } else {
                    let length = escapeLength(units[at + 1].scalar)
                    var place = unit.place
                    place.length = length
                    places.append(place)
                    at += length
                }
            } else if unit.isBlank {
                let run = units[at...].prefix { $0.isBlank }
                guard let wanted = count(of: run, text[places.count...], afterEscapedBreak) else { return nil }
                appendBlanks(run, wanted, to: &places)
                at += run.count
                afterEscapedBreak = false
            } else {
                guard unit.scalar == text[places.count] else { return nil }
                places.append(unit.place)
                at += style == .singleQuoted && unit.scalar == "'" ? 2 : 1
                afterEscapedBreak = false
            }
        }
        return places
    }

    /// Behind anchor, tag, opening quote or the block's first line.
    private func contentStart() -> Int? {
        var at = 0
        while at < units.count, units[at].scalar == "&" || units[at].scalar == "!" {
            while at < units.count, !units[at].isBlank { at += 1 }
            while at < units.count, units[at].isBlank { at += 1 }
        }
        switch style {
        case .plain: return at
        case .singleQuoted, .doubleQuoted: return at + 1
        case .literal, .folded: return units[at...].firstIndex { $0.isBreak }.map { $0 + 1 }
        }
    }

    /// How many scalars of the text a run of blanks and breaks in the file has become.
    private func count(of run: ArraySlice<Unit>, _ text: ArraySlice<Unicode.Scalar>, _ afterEscapedBreak: Bool) -> Int?
    {
        let breaks = run.count { $0.isBreak }
        let blanks = text.prefix { $0 == " " || $0 == "\t" || $0 == "\n" }.count
        switch style {
        case .literal, .folded: return blanks
        case .plain, .singleQuoted, .doubleQuoted:
            let count = afterEscapedBreak ? breaks : breaks == 0 ? run.count : max(1, breaks - 1)
            return count <= blanks ? count : nil
        }
    }

    /// Blanks are matched from the end: what precedes are folded breaks and indentation.
    private func appendBlanks(_ run: ArraySlice<Unit>, _ count: Int, to places: inout [Place]) {
        let missing = max(0, count - run.count)
        places.append(contentsOf: repeatElement(run[run.startIndex].place, count: missing))
        places.append(contentsOf: run.suffix(count - missing).map(\.place))
    }

    private func escapeLength(_ scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "x": 4
        case "u": 6
        case "U": 10
        default: 2
        }
    }
}
