internal import Diagnostics

extension DrawnGraph {
    private static let boxHeight = 52.0
    /// Of a monospaced letter of 13 pixels, at most: 0.6 em is usual.
    private static let columnWidth = 8.0
    private static let maxColumns = 44

    /// A picture of the graph, fit for bright and dark pages: boxes have their own ground, and lines are grey.
    public var svg: String {
        let texts = nodes.map { node in
            let second = [node.kind, node.remark, node.state?.rawValue ?? ""].filter { !$0.isEmpty }
            return (title: DrawnGraph.cut(node.title), second: DrawnGraph.cut(second.joined(separator: " · ")))
        }
        let widths = texts.map {
            Double(max(TerminalWidth.of($0.title), TerminalWidth.of($0.second))) * Self.columnWidth + 28
        }
        let layout = LayeredLayout(self, widths: widths, boxHeight: Self.boxHeight)
        let size = "\(Self.number(layout.width)) \(Self.number(layout.height))"
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" width=\"\(Self.number(layout.width))\" "
                + "height=\"\(Self.number(layout.height))\" role=\"img\">",
            "<title>\(Self.escape(name))</title>",
            "<style>text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, \"DejaVu Sans Mono\", "
                + "\"Noto Sans Mono\", monospace; text-anchor: middle } .title { font-weight: bold }</style>",
            "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
                + "orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#8c959f\"/></marker></defs>",
        ]
        for edge in layout.edges {
            lines.append(
                "<path d=\"\(Self.curve(edge.points))\" fill=\"none\" stroke=\"#8c959f\" stroke-width=\"1.5\" "
                    + "marker-end=\"url(#arrow)\"/>")
        }
        for (index, node) in nodes.enumerated() {
            let corner = layout.corners[index]
            let colors = Palette.colors(of: node)
            let middle = Self.number(corner.x + widths[index] / 2)
            lines.append(
                "<g><title>\(Self.escape([node.title, node.kind, node.remark].filter { !$0.isEmpty }.joined(separator: ", ")))"
                    + "</title><rect x=\"\(Self.number(corner.x))\" y=\"\(Self.number(corner.y))\" "
                    + "width=\"\(Self.number(widths[index]))\" height=\"\(Self.number(Self.boxHeight))\" rx=\"8\" "
                    + "fill=\"\(colors.fill)\" stroke=\"\(colors.stroke)\" stroke-width=\"1.5\"/>"
                    + "<text class=\"title\" x=\"\(middle)\" y=\"\(Self.number(corner.y + 22))\" fill=\"\(colors.text)\">"
                    + "\(Self.escape(texts[index].title))</text>"
                    + "<text x=\"\(middle)\" y=\"\(Self.number(corner.y + 40))\" fill=\"\(colors.text)\">"
                    + "\(Self.escape(texts[index].second))</text></g>")
        }
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    /// Straight down out of a box, and straight down into the next.
    private static func curve(_ points: [LayeredLayout.Point]) -> String {
        var path = "M\(number(points[0].x)) \(number(points[0].y))"
        for (from, to) in zip(points, points.dropFirst()) {
            if from.x == to.x {
                path += "L\(number(to.x)) \(number(to.y))"
                continue
            }
            let half = (to.y - from.y) / 2
            path += "C\(number(from.x)) \(number(from.y + half)) \(number(to.x)) \(number(to.y - half)) "
            path += "\(number(to.x)) \(number(to.y))"
        }
        return path
    }

    /// With one decimal at most.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0
            ? String(tenths / 10) : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    private static func cut(_ text: String) -> String {
        guard TerminalWidth.of(text) > maxColumns else { return text }
        var cut = ""
        var columns = 0
        for character in text {
            columns += TerminalWidth.of(character)
            if columns >= maxColumns { break }
            cut.append(character)
        }
        return cut + "…"
    }

    /// Characters that XML 1.0 (section 2.2) has no place for become U+FFFD.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += " "
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
