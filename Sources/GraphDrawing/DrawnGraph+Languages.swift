/// The graph in the languages of other drawing programs.
extension DrawnGraph {
    /// Mermaid's flowchart, as Markdown on GitHub shows it.
    public var mermaid: String {
        var lines = ["flowchart TD"]
        var frames = 0
        lines += framed { index in
            let node = nodes[index]
            let texts = [node.title, node.kind, node.remark] + (node.state.map { [$0.rawValue] } ?? [])
            let label = texts.filter { !$0.isEmpty }.map(DrawnGraph.mermaidText).joined(separator: "<br/>")
            let style = node.state?.rawValue ?? (node.writes ? "writes" : nil)
            return "s\(index)[\"\(label)\"]" + (style.map { ":::\($0)" } ?? "")
        } opening: { part in
            frames += 1
            return ["subgraph p\(frames)[\"\(DrawnGraph.mermaidText(part))\"]"]
        } closing: {
            "end"
        }
        for (node, before) in dependencies.enumerated() {
            for other in before { lines.append("    s\(other) --> s\(node)") }
        }
        let used = Set(nodes.map { $0.state?.rawValue ?? ($0.writes ? "writes" : "") })
        for (name, colors) in Palette.styles where used.contains(name) {
            lines.append("    classDef \(name) fill:\(colors.fill),stroke:\(colors.stroke),color:\(colors.text)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Graphviz's language.
    public var dot: String {
        var lines = [
            "digraph \(DrawnGraph.dotText(name)) {", "    rankdir=TB;",
            "    node [shape=box, style=\"rounded,filled\", fillcolor=\"#f6f8fa\", color=\"#57606a\", fontname=\"sans-serif\"];",
        ]
        var frames = 0
        lines += framed { index in
            let node = nodes[index]
            let texts = [node.title, node.kind, node.remark] + (node.state.map { [$0.rawValue] } ?? [])
            var attributes = "label=" + DrawnGraph.dotText(texts.filter { !$0.isEmpty }.joined(separator: "\n"))
            let style = node.state?.rawValue ?? (node.writes ? "writes" : "")
            if let colors = Palette.styles.first(where: { $0.name == style })?.colors {
                attributes +=
                    ", fillcolor=\"\(colors.fill)\", color=\"\(colors.stroke)\", fontcolor=\"\(colors.text)\""
            }
            return "s\(index) [\(attributes)];"
        } opening: { part in
            frames += 1
            return [
                "subgraph cluster_p\(frames) {",
                "    label=\(DrawnGraph.dotText(part)); style=rounded; color=\"#8c959f\"; fontname=\"sans-serif\";",
            ]
        } closing: {
            "}"
        }
        for (node, before) in dependencies.enumerated() {
            for other in before { lines.append("    s\(other) -> s\(node);") }
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// A line for each node, those of a part together inside of a frame, indented.
    private func framed(
        _ line: (Int) -> String, opening: (String) -> [String], closing: () -> String
    ) -> [String] {
        var lines: [String] = []
        func add(_ members: [Int], depth: Int) {
            let margin = String(repeating: "    ", count: depth + 1)
            var isDone: Set<String> = []
            for index in members {
                guard nodes[index].parts.count > depth else {
                    lines.append(margin + line(index))
                    continue
                }
                let part = nodes[index].parts[depth]
                guard isDone.insert(part).inserted else { continue }
                lines += opening(part).map { margin + $0 }
                add(
                    members.filter { nodes[$0].parts.count > depth && nodes[$0].parts[depth] == part }, depth: depth + 1
                )
                lines.append(margin + closing())
            }
        }
        add(Array(nodes.indices), depth: 0)
        return lines
    }

    /// Mermaid writes characters that mean something as `#` and a name or number.
    private static func mermaidText(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "#", "<", ">", "&", "`", "\\": escaped += "#\(scalar.value);"
            case "\n", "\r", "\t": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A text in quotes; a line break as `\n`.
    private static func dotText(_ text: String) -> String {
        var escaped = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\r": break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped + "\""
    }
}

/// Colours that are read on bright and on dark pages, since each box has its own ground.
enum Palette {
    struct Colors: Sendable {
        let fill: String
        let stroke: String
        let text: String
    }

    static let plain = Colors(fill: "#f6f8fa", stroke: "#57606a", text: "#1f2328")

    /// By state, and for steps that write where there is no run.
    static let styles: [(name: String, colors: Colors)] = [
        ("writes", Colors(fill: "#fff1e5", stroke: "#bc4c00", text: "#1f2328")),
        ("pending", plain), ("ready", plain),
        ("running", Colors(fill: "#ddf4ff", stroke: "#0969da", text: "#1f2328")),
        ("succeeded", Colors(fill: "#dafbe1", stroke: "#1a7f37", text: "#1f2328")),
        ("failed", Colors(fill: "#ffebe9", stroke: "#cf222e", text: "#1f2328")),
        ("skipped", Colors(fill: "#eaeef2", stroke: "#8c959f", text: "#57606a")),
        ("paused", Colors(fill: "#fff8c5", stroke: "#9a6700", text: "#1f2328")),
        ("waiting", Colors(fill: "#fbefff", stroke: "#8250df", text: "#1f2328")),
        ("canceled", Colors(fill: "#eaeef2", stroke: "#57606a", text: "#57606a")),
    ]

    static func colors(of node: DrawnGraph.Node) -> Colors {
        let name = node.state?.rawValue ?? (node.writes ? "writes" : "")
        return styles.first { $0.name == name }?.colors ?? plain
    }
}
