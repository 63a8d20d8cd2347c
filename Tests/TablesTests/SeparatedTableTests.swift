import Diagnostics
import Testing
import Values

@testable import Tables

/// Expected rows are those of Python's csv.DictReader (3.11), but for lines of empty cells, which it keeps.
@Suite struct SeparatedTableTests {
    @Test(arguments: [
        ("commas", "wall,text\n-12,Hello\n", #"[{"wall":"-12","text":"Hello"}]"#),
        ("no break at the end", "a,b\n1,2", #"[{"a":"1","b":"2"}]"#),
        ("semicolons", "wall;text\n-12;Hello, all\n", #"[{"wall":"-12","text":"Hello, all"}]"#),
        ("comma in a name between semicolons", "wall;\"a, b\"\n1;2\n", #"[{"wall":"1","a, b":"2"}]"#),
        ("tabs in a .csv", "a\tb\n1,5\t2\n", #"[{"a":"1,5","b":"2"}]"#),
        ("sep line", "sep=;\na;b\n1;2\n", #"[{"a":"1","b":"2"}]"#),
        ("sep line, comma, CRLF", "sep=,\r\na,b;c\r\n1,2\r\n", #"[{"a":"1","b;c":"2"}]"#),
        ("CRLF", "a,b\r\n1,2\r\n3,4\r\n", #"[{"a":"1","b":"2"},{"a":"3","b":"4"}]"#),
        ("CR", "a,b\r1,2\r", #"[{"a":"1","b":"2"}]"#),
        ("quotes", "a,b\n\"x, y\",\"say \"\"hi\"\"\"\n", #"[{"a":"x, y","b":"say \"hi\""}]"#),
        ("break inside quotes", "a,b\n\"one\r\ntwo\",3\n", #"[{"a":"one\ntwo","b":"3"}]"#),
        ("empty quotes", "a,b\n\"\",\"\"\n1,\n", #"[{"a":"1","b":""}]"#),
        ("quote inside", "a,b\nthe \"Spring\",2\n", #"[{"a":"the \"Spring\"","b":"2"}]"#),
        ("blanks stay", "a,b\n x , y\n", #"[{"a":" x ","b":" y"}]"#),
        ("blanks around names go", " a , b\u{A0}\n1,2\n", #"[{"a":"1","b":"2"}]"#),
        ("empty lines", "\na,b\n\n1,2\n,\n\n", #"[{"a":"1","b":"2"}]"#),
        ("trailing separators", "a,b\n1,2,,\n", #"[{"a":"1","b":"2"}]"#),
        ("one column", "text\nHello\nyou\n", #"[{"text":"Hello"},{"text":"you"}]"#),
        ("a header alone", "a,b\n", "[]"),
        ("byte order mark", "\u{FEFF}a,b\n1,2\n", #"[{"a":"1","b":"2"}]"#),
        ("byte order mark and quotes", "\u{FEFF}\"a\",b\n1,2\n", #"[{"a":"1","b":"2"}]"#),
    ]) func readsRows(_ name: String, _ text: String, rows: String) throws {
        #expect(json(try table(text)) == rows)
    }

    @Test func placesAreThoseOfTheFile() throws {
        let rows = try table("wall,text\n-12,\"one\ntwo\"\n\n-13,Привет\n")
        #expect(rows.columns == ["wall", "text"])
        #expect((0..<2).map(rows.rowNumber) == [2, 4])
        #expect(rows.range(row: 1) == rows.range(row: 1, column: "wall"))
        let cell = rows.range(row: 1, column: "text")
        #expect((cell.start.file, cell.start.line, cell.start.column, cell.length) == ("rows.csv", 5, 5, 6))
        #expect(rows.range(row: 0, column: "text").start == SourceLocation(file: "rows.csv", line: 2, column: 5))
    }

    @Test(arguments: [
        (
            "too many cells", "a,b\n1,2,3\n",
            """
            rows.csv:2:5: error: row 2 has 3 cells, the first line has 2. Put a cell that holds a separator into quotes: "a, b".
            2 | 1,2,3
              |     ^

            """
        ),
        (
            "too few cells", "a,b,c\n\"x\ny\",2,3\n1\n",
            """
            rows.csv:4:1: error: row 3 has 1 cell, the first line has 3. Nothing is given for 'b' and what follows it. \
            Add the missing cells; an empty one is written as nothing between two separators.
            4 | 1
              | ^

            """
        ),
        (
            "two columns of a name", "wall,text,wall\n",
            """
            rows.csv:1:11: error: there are two columns 'wall'. Rename one of them.
            1 | wall,text,wall
              |           ^~~~
            rows.csv:1:1: note: the other one is here.
            1 | wall,text,wall
              | ^~~~

            """
        ),
        (
            "a column without a name", "a,,c\n1,2,3\n",
            """
            rows.csv:1:3: error: column 2 has no name. The first line names every column. Name it, or remove the column.
            1 | a,,c
              |   ^

            """
        ),
        (
            "unclosed quote", "a,b\n1,\"two\n3,4\n",
            """
            rows.csv:2:3: error: the quote that begins here is not closed. All lines after it are taken for one cell. \
            Close it at the end of the cell; a quote inside a quoted cell is written twice.
            2 | 1,"two
              |   ^

            """
        ),
        (
            "text after a quote", "a,b\n\"the \"Spring\"\",2\n",
            """
            rows.csv:2:7: error: there is text after the closing quote of the cell. \
            Write quotes inside a quoted cell twice: "the ""Spring"" café".
            2 | "the "Spring"",2
              |       ^

            """
        ),
        (
            "blank before a quote", "a, \"b\"\n",
            """
            rows.csv:1:4: error: there is a blank before the quote that opens the cell. \
            Blanks belong to the cell, and so would the quotes. Remove the blank.
            1 | a, "b"
              |    ^

            """
        ),
        (
            "nothing", "",
            """
            rows.csv:1:1: error: the table is empty. \
            Write the names of the columns into its first line, and a row into each line after it.

            """
        ),
        (
            "a zero byte", "a,b\n1,\u{0}\n",
            """
            rows.csv:2:3: error: there is a zero byte, which no text has. \
            The file is damaged, of another kind, or UTF-16 without a byte order mark. Save it again as CSV UTF-8.
            2 | 1,\u{2400}
              |   ^

            """
        ),
    ]) func faultsAreToldWithTheirPlace(_ name: String, _ text: String, message: String) {
        #expect(renderedErrors(text) == message)
    }

    @Test func everyBadRowIsTold() throws {
        let message = try #require(renderedErrors("a,b\n1\n2,2\n3,3,3\n"))
        #expect(message.split(separator: "\n").filter { $0.contains("error:") }.count == 2)
    }

    @Test func fiftyBadRowsAreEnough() throws {
        let message = try #require(renderedErrors("a,b\n" + String(repeating: "1\n", count: 5000)))
        #expect(message.split(separator: "\n").filter { $0.contains("error:") }.count == 50)
    }

    @Test func moreRowsThanItemsAreRefused() throws {
        let message = try #require(renderedErrors("a\n" + String(repeating: "1\n", count: 100_001)))
        #expect(
            message.hasPrefix(
                "rows.csv:100002:1: error: the table has more than 100000 rows. Every row becomes an item of a step."))
        #expect(try table("a\n" + String(repeating: "1\n", count: 100_000)).rows.count == 100_000)
    }
}
