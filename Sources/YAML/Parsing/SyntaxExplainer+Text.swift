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
}
