internal import Diagnostics
internal import Values

/// Reads CSV and TSV: RFC 4180, with what spreadsheets do besides.
///
/// - Lines end at CRLF, LF or CR; a line break inside quotes is part of the cell, as LF.
/// - CSV: a first line `sep=;` names the separator. Else it is the first of tab, semicolon and comma that stands in the
///   first line outside quotes.
/// - A quote is written twice inside quotes; one inside an unquoted cell stands for itself.
/// - The first line names the columns; blanks around a name do not count.
struct SeparatedTable {
    private let file: TableFile
    private var content = TableContent()
    private var problems = Problems()

    private static let maxProblems = 50

    init(_ file: TableFile) { self.file = file }

    consuming func read() throws(DiagnosticsError) -> TableContent {
        let text = try TableText(file)
        content.notes = text.notes
        var scanner = CellScanner(text.bytes, separator: UInt8(ascii: "\t"))
        if file.format == .csv { scanner.separator = Self.separator(&scanner) }
        guard let header = try nextLine(&scanner, where: { !$0.allSatisfy(\.isBlank) }) else {
            throw DiagnosticsError([file.empty()])
        }
        readColumns(header)
        try problems.throwIfErrors()

        // The first row of a spreadsheet is the header.
        var number = scanner.rowNumber
        while let cells = try nextLine(&scanner, where: { !$0.allSatisfy(\.text.isEmpty) }) {
            number = scanner.rowNumber
            guard content.rows.count < Table.maxRows else {
                throw DiagnosticsError(problems.diagnostics + [file.tooManyRows(at: cells[0].place)])
            }
            add(cells, number: number)
            if problems.count >= Self.maxProblems { break }
        }
        try problems.throwIfErrors()
        return content
    }

    /// The next line that has something in it.
    private func nextLine(
        _ scanner: inout CellScanner, where isWanted: ([Cell]) -> Bool
    ) throws(DiagnosticsError) -> [Cell]? {
        do throws(CellFault) {
            while let cells = try scanner.nextRow() {
                if isWanted(cells) { return cells }
            }
            return nil
        } catch {
            throw DiagnosticsError(problems.diagnostics + [diagnostic(error)])
        }
    }

    /// Takes a `sep=` line, else looks into the first line that is not empty.
    private static func separator(_ scanner: inout CellScanner) -> UInt8 {
        if let named = scanner.takeSeparatorLine() { return named }
        let present = scanner.separatorsOfFirstLine()
        return [UInt8(ascii: "\t"), UInt8(ascii: ";")].first(where: present.contains) ?? UInt8(ascii: ",")
    }

    private mutating func readColumns(_ header: [Cell]) {
        var first: [[UInt8]: Cell] = [:]
        for (index, cell) in header.enumerated() {
            let name = cell.trimmed
            content.columns.append(name)
            if name.isEmpty {
                problems.error(
                    at: file.range(cell.place), "column \(index + 1) has no name",
                    why: "The first line names every column", fix: "Name it, or remove the column")
            } else if let other = first.updateValue(cell, forKey: Array(name.utf8)) {
                problems.error(
                    at: file.range(cell.place), "there are two columns '\(name)'", fix: "Rename one of them",
                    notes: [Diagnostic(.note, at: file.range(other.place), "the other one is here")])
            }
            if problems.count >= Self.maxProblems { return }
        }
    }

    private mutating func add(_ cells: [Cell], number: Int) {
        var cells = cells
        let wanted = content.columns.count
        while cells.count > wanted, cells.last?.text.isEmpty == true { cells.removeLast() }
        guard cells.count == wanted else {
            report(cells, number: number)
            return
        }
        content.rows.append(
            .object(ValueObject(zip(content.columns, cells.lazy.map { .string($0.text) }))))
        content.places.append(RowPlace(number: number, row: cells[0].place, cells: cells.map(\.place)))
    }

    /// Tells of a row with too few or too many cells.
    private mutating func report(_ cells: [Cell], number: Int) {
        let columns = content.columns
        let counts = "row \(number) has \(cellCount(cells.count)), the first line has \(columns.count)"
        if cells.count > columns.count {
            problems.error(
                at: file.range(cells[columns.count].place), counts,
                fix: "Put a cell that holds a separator into quotes: \"a, b\"")
        } else {
            problems.error(
                at: file.range(cells[0].place), counts,
                why: "Nothing is given for '\(columns[cells.count])'"
                    + (cells.count + 1 < columns.count ? " and what follows it" : ""),
                fix: "Add the missing cells; an empty one is written as nothing between two separators")
        }
    }

    private func cellCount(_ count: Int) -> String { count == 1 ? "1 cell" : "\(count) cells" }

    private func diagnostic(_ fault: CellFault) -> Diagnostic {
        let range = file.range(fault.place)
        switch fault.kind {
        case .unclosedQuote:
            return Diagnostic(
                at: range, "the quote that begins here is not closed",
                why: "All lines after it are taken for one cell",
                fix: "Close it at the end of the cell; a quote inside a quoted cell is written twice")
        case .textAfterQuote:
            return Diagnostic(
                at: range, "there is text after the closing quote of the cell",
                fix: "Write quotes inside a quoted cell twice: \"the \"\"Spring\"\" café\"")
        case .quoteAfterBlank:
            return Diagnostic(
                at: range, "there is a blank before the quote that opens the cell",
                why: "Blanks belong to the cell, and so would the quotes", fix: "Remove the blank")
        }
    }
}
