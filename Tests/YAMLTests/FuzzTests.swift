internal import Diagnostics
internal import Testing

@testable import YAML

@Suite struct FuzzTests {
    /// SplitMix64 (S. Vigna, 2015).
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    /// Reads and, when there are errors, renders them; every scalar that was read is found again in the file.
    private func digest(_ bytes: [UInt8]) {
        guard renderedErrors(bytes, file: "f") == nil, let document = try? YAMLDocument.load(bytes: bytes, file: "f")
        else { return }
        locate(document.root, document)
    }

    private func locate(_ node: YAMLNode, _ document: YAMLDocument) {
        switch node.content {
        case .sequence(let elements): elements.forEach { locate($0, document) }
        case .mapping(let mapping): mapping.pairs.forEach { locate($0.value, document) }
        case .scalar(let scalar):
            let count = scalar.text.unicodeScalars.count
            _ = document.range(ofScalars: max(0, count - 1)..<max(1, count), in: node)
        }
    }

    @Test(arguments: 0..<8)
    func survivesAnyBytes(seed: UInt64) {
        var generator = Generator(state: seed)
        for _ in 0..<100 {
            let count = Int.random(in: 0...1000, using: &generator)
            digest((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
        digest((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    @Test(arguments: 0..<8)
    func survivesYAMLsOwnCharacters(seed: UInt64) {
        let pieces = [
            "a", "b: ", "- ", "\n", "\n  ", "\n    ", "[", "]", "{", "}", ",", ": ", "\"", "'", "&x ", "*x", "!t ",
            "|\n",
            ">-\n", "# c", "? ", "<<: ", "\t", "%", "@", "---\n", "...\n", "\\", "${{ x }}", "é", "👋🏽", "\r\n", "1",
            "!!int ", "~",
        ]
        var generator = Generator(state: seed &+ 1000)
        for _ in 0..<400 {
            let count = Int.random(in: 0...40, using: &generator)
            digest(Array((0..<count).map { _ in pieces.randomElement(using: &generator)! }.joined().utf8))
        }
    }

    @Test(arguments: Fixture.all(in: "documents"))
    func survivesDamagedFiles(fixture: Fixture) throws {
        let bytes = try #require(fixture.bytes(".yaml"))
        var generator = Generator(state: 7)
        for _ in 0..<100 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: damaged[index] = UInt8.random(in: 0...127, using: &generator)
                case 1: damaged.remove(at: index)
                default: damaged.removeSubrange(index...)
                }
                if damaged.isEmpty { break }
            }
            digest(damaged)
        }
    }
}
