import Diagnostics
import Testing
import Values

@testable import Tables

/// Tables in JSON and YAML.
@Suite struct ElementTableTests {
    @Test(arguments: [
        ("rows.json", #"[{"wall": -12, "text": "a\"b"}, {"tags": ["x"], "wall": null}]"#),
        ("rows.yaml", "- { wall: -12, text: 'a\"b' }\n- tags: [x]\n  wall:\n"),
    ]) func objectsKeepTheirValues(_ name: String, _ text: String) throws {
        let rows = try table(text, name)
        #expect(rows.columns == ["wall", "text", "tags"])
        #expect(rows.rows == [["wall": -12, "text": "a\"b"], ["tags": ["x"], "wall": nil]])
        #expect((0..<2).map(rows.rowNumber) == [1, 2])
    }

    @Test(arguments: [("rows.json", #"["one", 2, true]"#), ("rows.yml", "- one\n- 2\n- true\n")])
    func plainValuesAreRows(_ name: String, _ text: String) throws {
        let rows = try table(text, name)
        #expect(rows.columns.isEmpty)
        #expect(rows.rows == ["one", 2, true])
    }

    @Test(
        arguments: [
            (
                "rows.json",
                "[\n  {\"wall\": -12,\r\n   \"п\\\"\": {\"a\": [1, \"]\"]}, \"text\" : \"hi\"},\n  {\"text\": \"you\"}\n]",
                [
                    (0, nil, 2, 3, 1), (0, "wall", 2, 12, 3), (0, "п\"", 3, 11, 15), (0, "text", 3, 37, 4),
                    (1, "text", 4, 12, 5), (1, "wall", 4, 3, 1),
                ]
            ),
            (
                "rows.yaml", "- wall: -12\n  text: \"hi\"\n- text: you\n",
                [(0, nil, 1, 3, 1), (0, "wall", 1, 9, 3), (0, "text", 2, 9, 4), (1, "text", 3, 9, 3)]
            ),
        ] as [(String, String, [(Int, String?, Int, Int, Int)])])
    func placesAreThoseOfTheFile(_ name: String, _ text: String, places: [(Int, String?, Int, Int, Int)]) throws {
        let rows = try table(text, name)
        for (row, column, line, start, length) in places {
            let range = rows.range(row: row, column: column)
            #expect((range.start.line, range.start.column, range.length) == (line, start, length))
        }
    }

    @Test(arguments: [
        ("rows.json", #"{"wall": 1}"#, "rows.json:1:1: error: the table is an object, not a list of rows."),
        ("rows.json", "[1,\n]", "rows.json:2:1: error: the table is not JSON. unexpected token near ']'."),
        (
            "rows.json", #"[{"a": 1, "a": 2}]"#,
            "rows.json:1:13: error: the table is not JSON. duplicate object key near"
        ),
        ("rows.json", "[{\"a\": 1}, 2]", "rows.json:1:12: error: row 2 is no object, the first row is one."),
        ("rows.json", "[1, {\"a\": 1}]", "rows.json:1:5: error: row 2 is an object, the first row is none."),
        ("rows.json", "[1, null]", "rows.json:1:5: error: row 2 is null."),
        ("rows.json", " \n", "rows.json:1:1: error: the table is empty."),
        ("rows.yaml", "a: 1\n", "rows.yaml:1:1: error: the table is a mapping, not a list of rows."),
        ("rows.yaml", "~\n", "rows.yaml:1:1: error: the table is empty."),
        ("rows.yaml", "- a: 1\n  a: 2\n", "rows.yaml:2:3: error: "),
    ]) func faultsAreToldWithTheirPlace(_ name: String, _ text: String, message: String) {
        let shown = renderedErrors(text, name) ?? "none"
        #expect(shown.hasPrefix(message), "\(shown)")
    }
}
