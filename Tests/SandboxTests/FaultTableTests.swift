import Files
import Testing

@testable import Sandbox

@Suite struct FaultTableTests {
    /// What stands in backquotes, without what a pair of brackets encloses.
    private func words(_ cell: Substring) -> [String] {
        let plain = cell.split(separator: "(").enumerated().map { index, piece in
            index == 0 ? piece : piece.split(separator: ")", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        }.joined()
        return plain.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The README's table names every type of fault with all of its keys, and no other.
    @Test func readmeNamesEveryFault() throws {
        let root = FileSystem.join(FileSystem.folder(of: #filePath), "../..")
        let text = String(decoding: try FileSystem.read(FileSystem.join(root, "README.md")), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "<!-- faults -->"))
        let end = try #require(lines.firstIndex(of: "<!-- /faults -->"))
        var told: [String: [String]] = [:]
        for line in lines[start + 3..<end] {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            told[try #require(words(cells[1]).first)] = words(cells[2])
        }
        let known = SandboxFault.Action.types
        #expect(told.keys.sorted() == known.map(\.name).sorted())
        for type in known { #expect(told[type.name]?.sorted() == type.keys.sorted(), "\(type.name)") }
    }
}
