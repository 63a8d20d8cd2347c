internal import Diagnostics
internal import Values

/// Reads a JSON table: a list of objects, or of plain values.
func readJSONTable(_ file: TableFile) throws(DiagnosticsError) -> TableContent {
    let text = try TableText(file)
    guard !text.bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
        throw DiagnosticsError([file.empty()])
    }
    let value: Value
    do throws(JSONError) {
        value = try Value(json: text.bytes)
    } catch {
        throw DiagnosticsError([
            Diagnostic(
                at: file.range(line: max(1, error.line), column: max(1, error.column)), "the table is not JSON",
                why: error.message)
        ])
    }
    guard let elements = value.array else {
        throw DiagnosticsError([
            notAList(
                file, value.isNull ? "null" : value.object == nil ? "a \(value.typeName)" : "an object",
                at: Place(line: 1, column: 1))
        ])
    }
    var builder = ElementTable(file, notes: text.notes)
    var places = JSONPlaces(text.bytes).read()
    // The lists fit: both readers have found the same elements.
    for (number, element) in elements.enumerated() {
        let place = number < places.count ? places[number] : JSONPlaces.Element(place: Place(line: 1, column: 1))
        try builder.add(element, at: place.place, cells: place.cells)
    }
    places = []
    return try builder.finish()
}

func notAList(_ file: TableFile, _ found: String, at place: Place) -> Diagnostic {
    let fix =
        file.format == .json
        ? "Write [{\"wall\": -12}, {\"wall\": -13}], or [\"one\", \"two\"]" : "Begin every row with '- '"
    return Diagnostic(at: file.range(place), "the table is \(found), not a list of rows", fix: fix)
}

/// Collects the rows of forms whose rows are elements of a list.
struct ElementTable {
    private let file: TableFile
    private var content = TableContent()
    private var problems = Problems()
    private var knownColumns: Set<[UInt8]> = []
    private var firstIsObject: Bool?

    init(_ file: TableFile, notes: [Diagnostic] = []) {
        self.file = file
        content.notes = notes
    }

    /// - Parameter cells: in the order of the row's members.
    mutating func add(_ row: Value, at place: Place, cells: [Place]) throws(DiagnosticsError) {
        let number = content.rows.count + 1
        guard number <= Table.maxRows else {
            throw DiagnosticsError(problems.diagnostics + [file.tooManyRows(at: place)])
        }
        let isObject = row.object != nil
        if firstIsObject == nil { firstIsObject = isObject }
        if row.isNull {
            problems.error(at: file.range(place), "row \(number) is null", fix: "Remove it, or write what it holds")
        } else if isObject != firstIsObject {
            problems.error(
                at: file.range(place),
                "row \(number) is \(isObject ? "an object" : "no object"), the first row is \(isObject ? "none" : "one")",
                why: "The rows of a table are alike: all have named cells, or none has")
        } else if row.object?.keys.contains("") == true {
            problems.error(at: file.range(place), "row \(number) has a cell without a name", fix: "Name it")
        }
        content.add(row, RowPlace(number: number, row: place, cells: cells), knownColumns: &knownColumns)
        if problems.count >= 50 { try problems.throwIfErrors() }
    }

    consuming func finish() throws(DiagnosticsError) -> TableContent {
        try problems.throwIfErrors()
        return content
    }
}
