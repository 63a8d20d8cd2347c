internal import Diagnostics
internal import Testing

@testable import YAML

@Suite struct PlacesInScalarsTests {
    /// The scalar under `k`, a piece of its text, and where the file has it: line, column, length.
    @Test(arguments: [
        ("k: ab ${{ x }}", "${{", 1, 7, 3),
        ("k: ${{ x }} ${{ y }}", "${{ y }}", 1, 13, 8),
        ("k: &anchor !!str ab cd", "cd", 1, 21, 2),
        ("k: \"ab ${{ x }}\"", "x", 1, 12, 1),
        ("k: \"\\u00e9\\t\\\"${{ x }}\"", "${{", 1, 15, 3),
        ("k: \"\\u00e9z\"", "\u{E9}", 1, 5, 6),
        ("k: '${{ f(''a'', b) }}'", "b", 1, 18, 1),
        ("k: '👋🏽 ${{ x }}'", "x", 1, 12, 1),
        ("k: one\n   two\n\n   three", "three", 4, 4, 5),
        ("k: one\n   two\n\n   three", "two", 2, 4, 3),
        ("k: 'one\n\n\n  two'", "two", 4, 3, 3),
        ("k: \"one \\\n     two\\\n     three\"", "three", 3, 6, 5),
        ("k: \"one \\\n     two\\\n     three\"", "two", 2, 6, 3),
        ("k: \"a\\n   b\"", "b", 1, 11, 1),
        ("k: |\n  one\n  ${{ x }}\n", "x", 3, 7, 1),
        ("k: |\n  one\n\n    two\n", "two", 4, 5, 3),
        ("k: | # note x\n  one\n  x\n", "x", 3, 3, 1),
        ("k: >-\n  one\n  two ${{ x }}\n\n  three\n", "x", 3, 11, 1),
        ("k: >-\n  one\n  two ${{ x }}\n\n  three\n", "three", 5, 3, 5),
        ("k: |2\n    a\n  b\n", "a", 2, 5, 1),
        ("k: |\r\n  one\r\n  two\r\n", "two", 3, 3, 3),
        ("k: |\n\n  two\n", "two", 3, 3, 3),
    ])
    func areFoundInTheFile(file: String, piece: String, line: Int, column: Int, length: Int) throws {
        let document = try load(file)
        let node = try #require(document.root["k"])
        let text = Array(try #require(node.string).unicodeScalars)
        let wanted = Array(piece.unicodeScalars)
        let start = try #require(text.indices.last { text[$0...].starts(with: wanted) })
        let place = document.range(ofScalars: start..<(start + wanted.count), in: node)
        #expect([place.start.line, place.start.column, place.length] == [line, column, length])
    }

    @Test func takeStringIndicesToo() throws {
        let document = try load("k: 'it''s ${{ x }}'")
        let node = try #require(document.root["k"])
        let text = try #require(node.string)
        let index = try #require(text.firstIndex(of: "$"))
        #expect(document.range(of: index..<text.endIndex, in: node).start.column == 11)
        #expect(document.range(of: index..<text.endIndex, in: node).length == 8)
    }

    @Test func fallBackToTheScalar() throws {
        let document = try load("k: abc\nl: [1]")
        let node = try #require(document.root["k"])
        #expect(document.range(ofScalars: 7..<9, in: node) == node.range)
        let list = try #require(document.root["l"])
        #expect(document.range(ofScalars: 0..<1, in: list) == list.range)
    }

    /// Every scalar that is not blank and not escaped stands in the file exactly where it is said to be.
    @Test(arguments: Fixture.all(in: "documents"))
    func areExactInWholeDocuments(fixture: Fixture) throws {
        let document = try YAMLDocument.load(bytes: #require(fixture.bytes(".yaml")), file: fixture.name)
        var nodes = [document.root]
        while let node = nodes.popLast() {
            nodes += node.sequence ?? []
            nodes += node.mapping?.pairs.flatMap { [$0.key, $0.value] } ?? []
            for (offset, scalar) in (node.scalar?.text ?? "").unicodeScalars.enumerated() {
                let place = document.range(ofScalars: offset..<(offset + 1), in: node)
                let line = try #require(document.source.line(place.start.line))
                let written = line.unicodeScalars.dropFirst(place.start.column - 1).first
                if scalar.properties.isWhitespace || written == "\\" { continue }
                #expect(written == scalar, "\(node.scalar?.text ?? "") at \(place.start)")
            }
        }
    }
}
