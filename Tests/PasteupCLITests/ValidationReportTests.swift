import Diagnostics
import Testing
import Values

@testable import PasteupCLI

/// The forms of a report for programs.
@Suite struct ValidationReportTests {
    private static func report(_ diagnostics: [Diagnostic], isStrict: Bool = false, name: String = "a b.yaml")
        -> ValidationReport
    {
        var report = ValidationReport()
        report.files.append(
            ValidationReport.File(name: name, diagnostics: diagnostics, sources: [], isStrict: isStrict))
        return report
    }

    private static func range(_ line: Int, _ column: Int, _ length: Int) -> SourceRange {
        SourceRange(start: SourceLocation(file: "a b.yaml", line: line, column: column), length: length)
    }

    private static let error = Diagnostic(
        .error, at: range(7, 5, 4), "unknown key 'need', 100 % wrong", why: "It: is\r\nwrong", fix: "Write 'needs'",
        notes: [Diagnostic(.note, at: range(9, 1, 2), "first here")], code: .unknownKey)
    private static let warning = Diagnostic(.warning, at: range(2, 3, 1), "it is odd")

    @Test func jsonHasOneObjectALine() throws {
        let lines = Self.report([Self.warning, Self.error]).json.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            try Value(json: Array(lines[0].utf8)) == [
                "file": "a b.yaml", "line": 2, "column": 3, "end": 4, "severity": "warning", "code": "doubtful",
                "message": "it is odd.",
            ])
        #expect(
            try Value(json: Array(lines[1].utf8)) == [
                "file": "a b.yaml", "line": 7, "column": 5, "end": 9, "severity": "error", "code": "unknown-key",
                "message": "unknown key 'need', 100 % wrong. It: is\r\nwrong. Write 'needs'.",
                "notes": [
                    [
                        "file": "a b.yaml", "line": 9, "column": 1, "end": 3, "severity": "note",
                        "message": "first here.",
                    ]
                ],
            ])
    }

    /// The escapes are those of GitHub's toolkit: `%25 %0D %0A`, in properties `%3A %2C` as well.
    @Test func githubCommandsAreEscaped() {
        #expect(
            Self.report([Self.error], name: "x").github
                == "::error file=a b.yaml,line=7,endLine=7,col=5,endColumn=9,title=unknown-key::"
                + "unknown key 'need', 100 %25 wrong. It: is%0D%0Awrong. Write 'needs'.\n")
        let place = SourceRange(start: SourceLocation(file: "c:,%.yaml", line: 1, column: 1))
        #expect(
            Self.report([Diagnostic(.warning, at: place, "a::b")]).github
                == "::warning file=c%3A%2C%25.yaml,line=1,endLine=1,col=1,endColumn=2,title=doubtful::a::b.\n")
        #expect(
            Self.report([Diagnostic(at: nil, "gone", code: .unreadable)]).github
                == "::error file=a b.yaml,title=unreadable::gone.\n")
    }

    /// What SARIF 2.1.0 requires: §3.13 `version` and `runs`, §3.14 `tool`, §3.18 `driver`, §3.19 `name`, §3.27 `message`,
    /// §3.49 `id`; lines and columns from 1, `endColumn` one after the last (§3.30).
    @Test func sarifHasWhatItsSpecificationRequires() throws {
        let log = try Value(json: Array(Self.report([Self.warning, Self.error]).sarif.utf8))
        #expect(log["version"] == "2.1.0")
        #expect(log["runs"]?.array?.count == 1)
        let run = try #require(log["runs"]?[0])
        #expect(run["columnKind"] == "unicodeCodePoints")
        let driver = try #require(run["tool"]?["driver"])
        #expect(driver["name"] == "pasteup")
        let rules = try #require(driver["rules"]?.array)
        let results = try #require(run["results"]?.array)
        #expect(results.count == 2)
        for result in results {
            let index = try #require(result["ruleIndex"]?.integer)
            #expect(rules[Int(index)]["id"] == result["ruleId"])
            #expect(rules[Int(index)]["shortDescription"]?["text"]?.string?.isEmpty == false)
        }
        #expect(results.map { $0["level"] } == ["warning", "error"])
        let place = try #require(results[1]["locations"]?[0]?["physicalLocation"])
        #expect(place["artifactLocation"]?["uri"] == "a%20b.yaml")
        #expect(place["region"] == ["startLine": 7, "startColumn": 5, "endColumn": 9])
        #expect(results[1]["relatedLocations"]?[0]?["message"]?["text"] == "first here.")
        let absolute = Self.report([Diagnostic(at: nil, "gone")], name: "/tmp/ü.yaml").sarif
        #expect(absolute.contains("\"file:///tmp/%C3%BC.yaml\""))
        #expect(try Value(json: Array(Self.report([]).sarif.utf8))["runs"]?[0]?["results"] == [])
    }

    @Test func strictMakesErrorsOfWarnings() {
        #expect(!Self.report([Self.warning]).hasErrors)
        #expect(Self.report([Self.warning], isStrict: true).hasErrors)
        #expect(Self.report([Self.warning], isStrict: true).json.contains("\"severity\":\"error\""))
    }
}
