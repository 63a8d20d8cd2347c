import Diagnostics
import Files
import TestSupport
import Testing

@testable import PasteupCLI

/// `Fixtures/cards/NAME.yaml` beside `NAME.errors.txt`: what an author is told.
@Suite struct CardMistakeTests {
    private static let folder = FileSystem.join(FileSystem.folder(of: #filePath), "Fixtures/cards")
    static let names = ((try? FileSystem.list(folder)) ?? []).filter { $0.hasSuffix(".errors.txt") }
        .map { String($0.dropLast(11)) }.sorted()

    @Test func thereAreMistakes() { #expect(CardMistakeTests.names.count >= 5) }

    @Test(arguments: names) func isToldWithItsPlace(name: String) throws {
        let path = FileSystem.join(CardMistakeTests.folder, name + ".yaml")
        let bytes = try FileSystem.read(path)
        let renderer = DiagnosticRenderer(sources: [SourceText(file: path, bytes: bytes)])
        let error = try #require(throws: DiagnosticsError.self) {
            _ = try CardPreview(bytes: bytes, path: path, output: .file("card.png", format: "png")).card(guides: false)
        }
        let text = renderer.render(error).replacing(CardMistakeTests.folder + "/", with: "")
        let problem = Snapshot.problem(text, at: FileSystem.join(CardMistakeTests.folder, name + ".errors.txt"))
        #expect(problem == nil, "\(problem ?? "")")
    }
}
