import Diagnostics
import Values

@testable import Tables

/// Reads a table from text.
func table(_ text: String, _ name: String = "rows.csv") throws -> Table { try table(Array(text.utf8), name) }

func table(_ bytes: [UInt8], _ name: String = "rows.csv") throws -> Table {
    try Table(TableFile(name: name, format: TableFormat(ofFile: name)!, bytes: bytes))
}

/// What a reader sees of a table's errors; nil when there are none.
func renderedErrors(_ text: String, _ name: String = "rows.csv") -> String? {
    renderedErrors(Array(text.utf8), name)
}

func renderedErrors(_ bytes: [UInt8], _ name: String = "rows.csv") -> String? {
    let file = TableFile(name: name, format: TableFormat(ofFile: name)!, bytes: bytes)
    do {
        _ = try Table(file)
        return nil
    } catch {
        return DiagnosticRenderer(sources: [file.source]).render(error)
    }
}

/// The rows as JSON, without blanks.
func json(_ table: Table) -> String { table.value.json() }
