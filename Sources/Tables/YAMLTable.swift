public import Diagnostics
internal import Values
public import YAML

/// Reads a YAML table: a list of mappings, or of plain values.
func readYAMLTable(_ file: TableFile) throws(DiagnosticsError) -> TableContent {
    guard file.bytes.count <= 16 << 20 else {
        throw DiagnosticsError([
            Diagnostic(
                at: file.range(line: 1, column: 1), "the table has \(file.bytes.count) bytes, more than 16 MiB",
                why: "YAML is slow to read", fix: "Save it as CSV or JSON")
        ])
    }
    let root = try YAMLDocument.load(bytes: file.bytes, file: file.name).root
    if root.isNull { throw DiagnosticsError([file.empty()]) }
    return try rowsOfTable(root, file)
}

/// The rows of a list that stands in a file.
func rowsOfTable(_ root: YAMLNode, _ file: TableFile) throws(DiagnosticsError) -> TableContent {
    guard let elements = root.sequence else {
        throw DiagnosticsError([notAList(file, root.typeName, at: root.useRange.place)])
    }
    var builder = ElementTable(file)
    for element in elements {
        let cells = element.mapping?.pairs.map { $0.value.isNull ? $0.key.useRange.place : $0.value.useRange.place }
        try builder.add(element.value, at: element.useRange.place, cells: cells ?? [])
    }
    return try builder.finish()
}

extension SourceRange {
    fileprivate var place: Place {
        Place(line: Int32(start.line), column: Int32(start.column), length: Int32(length))
    }
}

extension Table {
    /// The rows that a file of another kind lists in one of its values.
    ///
    /// - Parameters:
    ///   - node: the list.
    ///   - file: as messages name it.
    public init(elements node: YAMLNode, file: String) throws(DiagnosticsError) {
        let file = TableFile(name: file, format: .yaml, bytes: [])
        self.init(file, try rowsOfTable(node, file))
    }
}
