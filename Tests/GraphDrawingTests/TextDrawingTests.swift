import Testing

@testable import GraphDrawing

/// Graphs as `a: b c` says that `a` waits for `b` and `c`, in the order of drawing.
func graph(_ text: String) -> DrawnGraph {
    let lines = text.split(separator: "\n").map { line in
        let parts = line.split(separator: ":", omittingEmptySubsequences: false)
        return (name: String(parts[0]), before: parts.count > 1 ? parts[1].split(separator: " ").map(String.init) : [])
    }
    let names = lines.map(\.name)
    return DrawnGraph(
        name: "test", nodes: names.map { DrawnGraph.Node($0, kind: "test") },
        dependencies: lines.map { $0.before.compactMap { names.firstIndex(of: $0) }.sorted() },
        order: Array(names.indices))
}

@Suite struct TextDrawingTests {
    private func drawing(_ graph: DrawnGraph) -> [String] {
        graph.textLines.map { line in
            guard let node = line.node else { return line.rails }
            return line.rails + " " + graph.nodes[node].title
        }
    }

    @Test(
        arguments: [
            ("a", ["○ a"]), ("a\nb:a\nc:b", ["● a", "● b", "○ c"]), ("a\nb", ["○ a", "○ b"]),
            // A diamond.
            ("a\nb:a\nc:a\nd:b c", ["● a", "├─● b", "● │ c", "├─╯", "○ d"]),
            // The main job.
            (
                "latest\ncard:latest\nserver\nupload:card server\nsaved:upload\npost:saved",
                ["● latest", "● card", "│ ● server", "├─╯", "● upload", "● saved", "○ post"]
            ),
            // Two that have nothing to do with each other.
            ("a\nb\nc:a\nd:b", ["● a", "│ ● b", "○ │ c", "  ○ d"]),
            // One for many, and many for one, stay narrow.
            ("a\nb:a\nc:a\nd:a", ["● a", "├─○ b", "├─○ c", "○ d"]),
            ("a\nb\nc\nd:a b c", ["● a", "│ ● b", "├─╯", "│ ● c", "├─╯", "○ d"]),
            // A rail that another one passes.
            ("a\nb\nc:a\nd:a b\ne:c d", ["● a", "│ ● b", "├─│─● c", "├─╯ │", "●   │ d", "├───╯", "○ e"]),
        ] as [(String, [String])])
    func stepsHangOnRails(text: String, expected: [String]) {
        #expect(drawing(graph(text)) == expected)
    }

    /// Hundreds of posts of one photo, and a report of them all.
    @Test func wideGraphsStayNarrow() {
        var text = "photo\n"
        for index in 0..<300 { text += "post\(index):photo\n" }
        text += "report:" + (0..<300).map { "post\($0)" }.joined(separator: " ")
        let lines = graph(text).textLines
        #expect(lines.allSatisfy { $0.rails.count <= 5 })
        #expect(lines.compactMap(\.node) == Array(0...301))
    }

    @Test func longGraphsAreDrawnInNoTime() {
        let names = (0..<5000).map { "s\($0)" + ($0 == 0 ? "" : ":s\($0 / 2) s\($0 - 1)") }
        #expect(graph(names.joined(separator: "\n")).reduced.textLines.count >= 5000)
    }

    @Test func edgesThatFollowFromOthersAreLeftOut() {
        let reduced = graph("a\nb:a\nc:a b\nd:a c\ne:a b d").reduced
        #expect(reduced.dependencies == [[], [0], [1], [2], [3]])
        #expect(graph("a\nb:a\nc:a\nd:b c").reduced.dependencies == [[], [0], [0], [1, 2]])
    }

    @Test func whatWaitsForANodeThatIsLeftOutWaitsForWhatThatWaitsFor() {
        let shorter = graph("a\nb\nc:a b\nd:c\ne:b d").without { [2, 3].contains($0) }
        #expect(shorter.nodes.map(\.title) == ["a", "b", "e"])
        #expect(shorter.dependencies == [[], [], [0, 1]])
        #expect(shorter.order == [0, 1, 2])
        #expect(graph("a\nb:a").without { $0 == 0 }.dependencies == [[]])
    }
}
