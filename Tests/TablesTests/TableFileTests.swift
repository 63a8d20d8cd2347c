import Diagnostics
import Files
import TestSupport
import Testing

@testable import Tables

@Suite struct TableFileTests {
    @Test(
        arguments: [
            ("rows.csv", TableFormat.csv), ("a/b.TSV", .tsv), ("x.txt", .tsv), ("x.tab", .tsv), ("x.json", .json),
            ("x.yml", .yaml), ("x.yaml", .yaml), ("csv", nil), ("rows.xlsx", nil),
        ] as [(String, TableFormat?)]) func theEndingTellsTheForm(_ name: String, format: TableFormat?)
    {
        #expect(TableFormat(ofFile: name) == format)
    }

    @Test func readsAFileUnderAnotherName() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("rows.csv", Array("a\n1\n".utf8))
        let rows = try Table.read(path: path, name: "plan/rows.csv")
        #expect(json(rows) == #"[{"a":"1"}]"#)
        #expect(rows.range(row: 0).start.file == "plan/rows.csv")
    }

    @Test(arguments: [
        ("row.csv", "error: there is no file 'row.csv'. Is it 'rows.csv' in that folder?\n"),
        (
            "rows.xlsx",
            "error: 'rows.xlsx' has an ending that no table has. The ending tells how a table is written: "
                + ".csv, .tsv, .txt (with tabs), .json or .yaml. Rename it, or save it from the spreadsheet as CSV.\n"
        ),
        ("folder.csv", "error: 'folder.csv' is a folder, not a table. Name a file in it.\n"),
    ]) func whatCannotBeReadIsTold(_ name: String, message: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("rows.csv", [])
        try FileSystem.makeFolder(folder.file("folder.csv"))
        let error = #expect(throws: DiagnosticsError.self) { try TableFile.read(path: folder.file(name), name: name) }
        #expect(error.map { DiagnosticRenderer().render($0) } == message)
    }
}
