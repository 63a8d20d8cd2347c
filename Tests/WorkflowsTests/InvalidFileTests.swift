import Diagnostics
import Files
import StepKit
import TestSupport
import Testing
import Workflows

@Suite struct InvalidFileTests {
    static let folder = FileSystem.join(fixturesFolder(beside: #filePath), "invalid")
    static let cases = ((try? FileSystem.list(folder)) ?? []).filter { $0.hasSuffix(".yaml") }.map { $0.dropLast(5) }

    @Test func thereAreCases() { #expect(Self.cases.count >= 60) }

    @Test(arguments: cases)
    func tellsEveryErrorAtItsPlace(name: Substring) throws {
        let bytes = try FileSystem.read("\(Self.folder)/\(name).yaml")
        let source = SourceText(file: "\(name).yaml", bytes: bytes)
        let error = #expect(throws: DiagnosticsError.self) {
            try WorkflowLoader(catalog: .test).load(bytes: bytes, file: "\(name).yaml", folder: Self.folder)
        }
        let text = DiagnosticRenderer(sources: [source]).render(try #require(error))
        #expect(Snapshot.problem(text, at: "\(Self.folder)/\(name).errors.txt") == nil)
    }
}
