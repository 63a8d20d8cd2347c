internal import Diagnostics

/// Looking at the lines around a fault.
extension SyntaxExplainer {
    func substring(_ line: Int) -> Substring { source.line(line) ?? "" }

    func scalars(_ line: Int) -> [Unicode.Scalar] { Array(substring(line).unicodeScalars) }

    /// Nil at the end of a line.
    func scalar(at place: Mark) -> Unicode.Scalar? { scalars(place.line).dropFirst(place.column - 1).first }

    func range(_ place: Mark, _ length: Int) -> SourceRange {
        SourceRange(
            start: SourceLocation(file: source.file, line: place.line, column: place.column), length: max(1, length))
    }

    func error(
        _ place: Mark, _ length: Int, _ what: String, why: String? = nil, fix: String? = nil, notes: [Diagnostic] = []
    ) -> Diagnostic {
        Diagnostic(.error, at: range(place, length), what, why: why, fix: fix, notes: notes)
    }

    /// The index where the first value of the line begins, behind "key: ", when that is before the column.
    func valueStart(in line: [Unicode.Scalar], before column: Int) -> Int? {
        for index in line.indices.dropLast() where line[index] == ":" && line[index + 1] == " " {
            guard index < column - 1 else { return nil }
            return line[index...].firstIndex { $0 != ":" && $0 != " " }
        }
        return nil
    }

    func firstUnquotedExpression(in line: [Unicode.Scalar]) -> Int? {
        var quote: Unicode.Scalar?
        for index in line.indices {
            let scalar = line[index]
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "$", line[index...].starts(with: Array("${{".unicodeScalars)) {
                return index
            } else if scalar == "\"" || scalar == "'", startsValue(line, index) {
                quote = scalar
            }
        }
        return nil
    }

    /// A quotation mark opens a quoted text only where a value may begin.
    private func startsValue(_ line: [Unicode.Scalar], _ index: Int) -> Bool {
        guard let before = line[..<index].last(where: { $0 != " " }) else { return true }
        return [":", "-", ",", "[", "{", "?"].contains(before)
    }

    /// To the closing braces, or else to the end of the line.
    func expressionLength(in line: [Unicode.Scalar], from start: Int) -> Int {
        for index in line.indices.dropLast() where index > start + 2 && line[index] == "}" && line[index + 1] == "}" {
            return index + 2 - start
        }
        return line.count - start
    }

    /// The nearest line above with anything but a comment.
    func lineAbove(_ line: Int) -> Int? {
        stride(from: line - 1, to: 0, by: -1).first { number in
            guard let first = scalars(number).first(where: { $0 != " " && $0 != "\t" }) else { return false }
            return first != "#"
        }
    }

    /// Whether the line has a colon that separates a key from its value.
    func hasColon(_ line: Int) -> Bool {
        let text = Quoting.rest(substring(line), from: 1)
        return text.hasSuffix(":") || text.contains(": ")
    }

    /// Where a comment begins that looks like a value, so that brackets after it are not read: `{ top: #FF9500 }`.
    func commentsForValues() -> [Diagnostic] {
        let last = fault.place.line
        let first = min(fault.contextPlace?.line ?? last, lineAbove(last) ?? last, last)
        for number in first...last {
            let line = scalars(number)
            guard
                let mark = line.indices.dropFirst().first(where: { index in
                    line[index] == "#" && line[index - 1] == " " && index + 1 < line.count
                        && !line[index + 1].properties.isWhitespace
                        && line[..<index].contains { ":,[{".unicodeScalars.contains($0) }
                        && isOutsideQuotes(line, index)
                })
            else { continue }
            return [
                Diagnostic(
                    .note, at: range(Mark(line: number, column: mark + 1), line.count - mark),
                    "all from this '#' on is a comment", fix: "Put the value in quotes: \"#FF9500\"")
            ]
        }
        return []
    }

    private func isOutsideQuotes(_ line: [Unicode.Scalar], _ end: Int) -> Bool {
        var quote: Unicode.Scalar?
        for index in line.indices.prefix(end) {
            if let open = quote {
                if line[index] == open { quote = nil }
            } else if line[index] == "\"" || line[index] == "'", startsValue(line, index) {
                quote = line[index]
            }
        }
        return quote == nil
    }
}
