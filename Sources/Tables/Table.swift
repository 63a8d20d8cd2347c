public import Diagnostics
public import Values

/// The rows of a table's file, each with the place where it is written.
///
/// | form | a row | a cell |
/// |---|---|---|
/// | CSV, TSV | an object of all columns of the first line | text, as it is written |
/// | JSON, YAML | an element of the list: all are objects, or none is | any value |
///
/// Rows of CSV and TSV in which every cell is empty are left out: spreadsheets append them.
public struct Table: Sendable {
    public let file: TableFile
    /// In the order of the first line; in JSON and YAML as they come up. Empty for a list of plain values.
    public let columns: [String]
    /// In the order of the file.
    public let rows: [Value]
    /// What the reader may want to know of the file, such as the encoding it was converted from.
    public let notes: [Diagnostic]

    /// Of each row: its number and place, and the places of its members in their order.
    private let places: [RowPlace]

    /// More rows are refused: every one becomes a step's item.
    public static let maxRows = 100_000

    /// Reads a table's content.
    ///
    /// - Throws: the problems of the file in order of place, fifty at most.
    public init(_ file: TableFile) throws(DiagnosticsError) {
        guard file.bytes.count <= TableFile.maxBytes else {
            throw DiagnosticsError([
                Diagnostic(
                    at: file.range(line: 1, column: 1),
                    "the table has \(file.bytes.count) bytes, more than \(TableFile.maxBytes >> 20) MiB",
                    fix: "Split it into several files")
            ])
        }
        let content: TableContent =
            switch file.format {
            case .csv, .tsv: try SeparatedTable(file).read()
            case .json: try readJSONTable(file)
            case .yaml: try readYAMLTable(file)
            }
        self.init(file, content)
    }

    init(_ file: TableFile, _ content: TableContent) {
        self.file = file
        columns = content.columns
        rows = content.rows
        places = content.places
        notes = content.notes
    }

    /// Reads a table's file.
    ///
    /// - Parameters:
    ///   - path: where it is; its ending tells the form.
    ///   - name: how messages call it; the path when left out.
    /// - Throws: what `TableFile.read` and `init` throw. To show lines beside the errors, call them one by one.
    public static func read(path: String, name: String? = nil) throws(DiagnosticsError) -> Table {
        try Table(try TableFile.read(path: path, name: name))
    }

    /// The rows as a list.
    public var value: Value { .array(rows) }

    /// The number by which a person finds the row: in CSV and TSV that of the spreadsheet, whose first row holds the
    /// names of the columns; in JSON and YAML its position from 1.
    ///
    /// - Parameter row: an index of `rows`.
    public func rowNumber(_ row: Int) -> Int { places[row].number }

    /// Where a cell is written; the row's own place where it has no such cell or no column is asked for.
    ///
    /// - Parameter row: an index of `rows`.
    public func range(row: Int, column: String? = nil) -> SourceRange {
        let place = places[row]
        guard let column,
            let index = rows[row].object?.keys.firstIndex(where: { $0.utf8.elementsEqual(column.utf8) }),
            index < place.cells.count
        else { return file.range(place.row) }
        return file.range(place.cells[index])
    }

    /// Its lines, for showing diagnostics.
    public var source: SourceText { file.source }
}

/// A stretch of a line; line and column from 1, the length in Unicode scalars.
struct Place: Sendable, Hashable {
    var line: Int32
    var column: Int32
    var length: Int32 = 1
}

struct RowPlace: Sendable {
    let number: Int
    let row: Place
    /// In the order of the row's members.
    var cells: [Place] = []
}

/// What a reader makes of a file.
struct TableContent {
    var columns: [String] = []
    var rows: [Value] = []
    var places: [RowPlace] = []
    var notes: [Diagnostic] = []

    /// Adds a row of JSON or YAML, whose members may differ from those of the others.
    mutating func add(_ row: Value, _ place: RowPlace, knownColumns: inout Set<[UInt8]>) {
        for key in row.object?.keys ?? [] where knownColumns.insert(Array(key.utf8)).inserted { columns.append(key) }
        rows.append(row)
        places.append(place)
    }
}

extension TableFile {
    func range(_ place: Place) -> SourceRange {
        range(line: Int(place.line), column: Int(place.column), length: Int(place.length))
    }

    func range(line: Int, column: Int, length: Int = 1) -> SourceRange {
        SourceRange(start: SourceLocation(file: name, line: line, column: column), length: max(1, length))
    }

    /// What every form says of too many rows.
    func tooManyRows(at place: Place) -> Diagnostic {
        Diagnostic(
            at: range(place), "the table has more than \(Table.maxRows) rows",
            why: "Every row becomes an item of a step", fix: "Split it into several files")
    }

    func empty() -> Diagnostic {
        let fix =
            switch format {
            case .csv, .tsv: "Write the names of the columns into its first line, and a row into each line after it"
            case .json: "Write a list of rows: [{\"wall\": -12, \"text\": \"Hello\"}]"
            case .yaml: "Write a list of rows: '- { wall: -12, text: Hello }'"
            }
        return Diagnostic(at: range(line: 1, column: 1), "the table is empty", fix: fix)
    }
}
