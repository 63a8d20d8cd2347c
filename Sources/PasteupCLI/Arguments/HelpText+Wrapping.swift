/// Help for a terminal with fewer columns than its lines have.
///
/// Lines are broken at blanks and go on under their own beginning, those of a table under its second column. A paragraph
/// whose first line is broken is filled anew.
///
/// - Parameter columns: of the terminal; nil leaves the text as it is.
func wrapped(_ text: String, columns: Int?) -> String {
    guard let columns, columns >= 30 else { return text }
    var result: [Substring] = []
    var paragraph: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if let begun = paragraph {
            if let first = line.first, first != " " {
                paragraph = begun + " " + line
                continue
            }
            result += broken(begun[...], columns)
            paragraph = nil
        }
        if line.count <= columns {
            result.append(line)
        } else if line.first == " " {
            result += broken(line, columns)
        } else {
            paragraph = String(line)
        }
    }
    if let paragraph { result += broken(paragraph[...], columns) }
    return result.joined(separator: "\n")
}

private func broken(_ line: Substring, _ columns: Int) -> [Substring] {
    let indent = indent(of: line, columns)
    var lines: [Substring] = []
    var rest = line
    while rest.count > columns {
        let start = rest.index(rest.startIndex, offsetBy: lines.isEmpty ? indent : indent + 1)
        let limit = rest.index(rest.startIndex, offsetBy: columns)
        // A word that is longer than the line stays whole.
        guard
            let end = rest[start...limit].lastIndex(of: " ") ?? rest[limit...].firstIndex(of: " ")
        else { break }
        lines.append(rest[..<end])
        rest = Substring(String(repeating: " ", count: indent) + rest[rest.index(after: end)...])
    }
    return lines + [rest]
}

/// Where the lines after the first begin: under the second column of a table, else under the text itself.
private func indent(of line: Substring, _ columns: Int) -> Int {
    let blanks = line.prefix { $0 == " " }.count
    var column = blanks
    var gap = 0
    if blanks > 0 {
        for character in line.dropFirst(blanks) {
            if character != " ", gap > 1 { return column <= columns - 20 ? column : blanks + 4 }
            gap = character == " " ? gap + 1 : 0
            column += 1
        }
    }
    return blanks
}
