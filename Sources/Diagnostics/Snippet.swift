/// A line of a file as it is shown, and the underline of a stretch in it.
struct Snippet {
    /// Without trailing blanks.
    let text: String
    /// Blanks, then `^~~~`.
    let indent: Int
    let underlineWidth: Int

    /// What stands between two places where a caret may stand.
    private struct Cell {
        let text: String
        let width: Int
        /// In scalars, from 1.
        let column: Int
        /// The terminal column where it begins, from 0.
        let start: Int
    }

    private static let tabStop = 4

    /// - Parameters:
    ///   - range: a stretch of `line`; one beyond its end is shown right after it.
    ///   - maxWidth: in terminal columns; a longer line is cut around the start of the stretch.
    init(line: Substring, range: SourceRange, maxWidth: Int) {
        let cells = Self.cells(of: line)
        let total = cells.last.map { $0.start + $0.width } ?? 0
        let firstColumn = range.start.column
        let lastColumn = firstColumn + max(1, range.length) - 1
        let first = cells.lastIndex { $0.column <= firstColumn && Self.scalarCount(line) >= firstColumn } ?? cells.count
        let last = max(first, cells.lastIndex { $0.column <= lastColumn } ?? first)
        let from = first < cells.count ? cells[first].start : total
        let to = last < cells.count ? cells[last].start + cells[last].width : from + 1

        let window = Self.window(cells: cells, total: total, from: from, maxWidth: maxWidth)
        let shown = cells[window]
        let cutLeft = window.lowerBound > 0
        let cutRight = window.upperBound < cells.count
        var text = (cutLeft ? "…" : "") + shown.map(\.text).joined() + (cutRight ? "…" : "")
        while text.last == " " { text.removeLast() }
        self.text = text
        let left = (shown.first?.start ?? 0) - (cutLeft ? 1 : 0)
        let right = cutRight ? shown.last.map { $0.start + $0.width } ?? to : to
        indent = from - left
        underlineWidth = max(1, min(to, right) - from)
    }

    private static func scalarCount(_ line: Substring) -> Int { line.unicodeScalars.count }

    private static func cells(of line: Substring) -> [Cell] {
        var cells: [Cell] = []
        var column = 1
        var start = 0
        for character in line {
            let text: String
            let width: Int
            if character == "\t" {
                width = tabStop - start % tabStop
                text = String(repeating: " ", count: width)
            } else {
                text = VisibleText.of(String(character))
                width = text.reduce(0) { $0 + TerminalWidth.of($1) }
            }
            cells.append(Cell(text: text, width: width, column: column, start: start))
            column += character.unicodeScalars.count
            start += width
        }
        return cells
    }

    /// The cells to show: all that fit, else the head of the line, else what surrounds the stretch.
    private static func window(cells: [Cell], total: Int, from: Int, maxWidth: Int) -> Range<Int> {
        guard total > maxWidth else { return 0..<cells.count }
        let context = maxWidth / 3
        let left: Int
        if from < maxWidth - context {
            left = 0
        } else {
            left = min(from - context, total - maxWidth + 1)
        }
        let lower = left == 0 ? 0 : cells.firstIndex { $0.start >= left } ?? cells.count
        let base = lower < cells.count ? cells[lower].start : total
        // One column for each ellipsis.
        let room = maxWidth - (lower > 0 ? 1 : 0)
        if total - base <= room { return lower..<cells.count }
        let upper = cells[lower...].firstIndex { $0.start + $0.width - base > room - 1 } ?? cells.count
        return lower..<max(lower, upper)
    }
}
