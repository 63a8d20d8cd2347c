import TestSupport
import Testing

@testable import GraphDrawing

@Suite struct LanguageTests {
    private static let odd = DrawnGraph(
        name: "a \"b\"",
        nodes: [
            DrawnGraph.Node("say \"hi\" <b>#1\\", kind: "text.render"),
            DrawnGraph.Node("end", kind: "vk.wall.post", remark: "writes", state: .failed, writes: true),
        ], dependencies: [[], [0]], order: [0, 1])

    /// Mermaid: entity codes are `#` and a number ("Flowcharts – Basic Syntax", "Entity codes to escape characters").
    @Test func mermaidEscapesWhatMeansSomething() {
        #expect(
            Self.odd.mermaid == """
                flowchart TD
                    s0["say #34;hi#34; #60;b#62;#35;1#92;<br/>text.render"]
                    s1["end<br/>vk.wall.post<br/>writes<br/>failed"]:::failed
                    s0 --> s1
                    classDef failed fill:#ffebe9,stroke:#cf222e,color:#1f2328

                """)
    }

    /// The DOT language: in a quoted text `"` and `\` are escaped.
    @Test func dotQuotesEveryText() {
        let dot = Self.odd.dot
        #expect(dot.hasPrefix("digraph \"a \\\"b\\\"\" {\n"))
        #expect(dot.contains("s0 [label=\"say \\\"hi\\\" <b>#1\\\\\\ntext.render\"];"))
        #expect(dot.contains("    s0 -> s1;\n"))
        #expect(dot.hasSuffix("}\n"))
    }

    /// A part in a part, whose steps do not all stand together in the file.
    private static let parts = DrawnGraph(
        name: "parts",
        nodes: [
            DrawnGraph.Node("a/x", kind: "k", parts: ["a"]), DrawnGraph.Node("a/b/y", kind: "k", parts: ["a", "a/b"]),
            DrawnGraph.Node("z", kind: "k"), DrawnGraph.Node("a", kind: "./\"a\".yaml", parts: ["a"]),
        ], dependencies: [[], [0], [], [1]], order: [0, 1, 2, 3])

    /// "Flowcharts – Basic Syntax", "Subgraphs".
    @Test func mermaidFramesParts() {
        #expect(
            Self.parts.mermaid == """
                flowchart TD
                    subgraph p1["a"]
                        s0["a/x<br/>k"]
                        subgraph p2["a/b"]
                            s1["a/b/y<br/>k"]
                        end
                        s3["a<br/>./#34;a#34;.yaml"]
                    end
                    s2["z<br/>k"]
                    s0 --> s1
                    s1 --> s3

                """)
    }

    /// The DOT language: a subgraph whose name begins with `cluster` is drawn as a frame.
    @Test func dotFramesParts() {
        let lines = Self.parts.dot.split(separator: "\n").map { $0.drop { $0 == " " } }
        let frames = lines.compactMap { line in
            line.hasPrefix("subgraph") || line == "}"
                ? String(line) : line.hasPrefix("s") ? String(line.prefix(2)) : nil
        }
        #expect(
            frames == [
                "subgraph cluster_p1 {", "s0", "subgraph cluster_p2 {", "s1", "}", "s3", "}", "s2", "s0", "s1", "}",
            ])
        #expect(Self.parts.dot.contains("label=\"a/b\";"))
    }

    @Test func svgEscapesTextsAndKeepsBoxesApart() throws {
        let svg = Self.odd.svg
        #expect(svg.contains(">say &quot;hi&quot; &lt;b&gt;#1\\</text>"))
        #expect(!svg.contains("<b>"))
        let wide = graph("a\nb:a\nc:a\nd:a\ne:b c d\nf:a e")
        let boxes = wide.svg.matches(of: /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/).map {
            (x: Double($0.1)!, y: Double($0.2)!, width: Double($0.3)!, height: Double($0.4)!)
        }
        #expect(boxes.count == 6)
        for (index, one) in boxes.enumerated() {
            for other in boxes.dropFirst(index + 1) {
                let isApart =
                    one.x + one.width < other.x || other.x + other.width < one.x || one.y + one.height < other.y
                    || other.y + other.height < one.y
                #expect(isApart, "\(one) and \(other)")
            }
        }
        let view = try #require(wide.svg.firstMatch(of: /viewBox="0 0 ([\d.]+) ([\d.]+)"/))
        #expect(boxes.allSatisfy { $0.x >= 0 && $0.x + $0.width <= Double(view.1)! })
        #expect(boxes.allSatisfy { $0.y >= 0 && $0.y + $0.height <= Double(view.2)! })
        // Each step stands below all that it waits for.
        #expect(boxes[0].y < boxes[1].y && boxes[3].y < boxes[4].y && boxes[4].y < boxes[5].y)
    }

    @Test func longTextsAreCut() {
        let long = DrawnGraph(
            name: "x", nodes: [DrawnGraph.Node(String(repeating: "ж", count: 200), kind: "k")], dependencies: [[]],
            order: [0])
        #expect(long.svg.contains(String(repeating: "ж", count: 43) + "…</text>"))
        #expect(long.svg.contains("<title>\(String(repeating: "ж", count: 200)), k</title>"))
    }
}
