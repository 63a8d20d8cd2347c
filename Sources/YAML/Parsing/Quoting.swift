internal import Diagnostics

/// Texts in quotes, for suggestions.
enum Quoting {
    static func quoted(_ text: some StringProtocol) -> String {
        if text.contains("\"") || text.contains("\\") {
            return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        }
        return "\"\(text)\""
    }

    /// The rest of a line in quotes, without a comment; inside brackets, where the end of the value cannot be known, "it
    /// in quotes".
    static func restOfLine(_ source: SourceText, _ start: Mark, isInFlow: Bool) -> String {
        let text = rest(source.line(start.line) ?? "", from: start.column)
        return isInFlow || text.isEmpty ? "it in quotes" : quoted(text)
    }

    /// From a column to the end of the line, without trailing blanks and comment.
    static func rest(_ line: Substring, from column: Int) -> String {
        var text = String(String.UnicodeScalarView(line.unicodeScalars.dropFirst(column - 1)))
        var previous: Unicode.Scalar = "x"
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            if scalar == "#", previous == " " || previous == "\t" {
                text = String(text.unicodeScalars[..<index])
                break
            }
            previous = scalar
        }
        while let last = text.unicodeScalars.last, last == " " || last == "\t" { text.unicodeScalars.removeLast() }
        return text
    }
}
