internal import Diagnostics
internal import GraphDrawing

/// A graph for terminals: rails, and beside each step what it is.
struct GraphTextView {
    let graph: DrawnGraph
    let style: Style

    var text: String {
        let lines = graph.textLines
        let railWidth = lines.map { TerminalWidth.of($0.rails) }.max() ?? 0
        let titleWidth = graph.nodes.map { TerminalWidth.of($0.title) }.max() ?? 0
        let stateWidth = graph.nodes.compactMap { $0.state?.rawValue.count }.max() ?? 0
        let kindWidth = graph.nodes.map { TerminalWidth.of($0.kind) }.max() ?? 0
        return lines.map { line in
            guard let index = line.node else { return line.rails + "\n" }
            let node = graph.nodes[index]
            var cells = [pad(line.rails, railWidth), style.bold(pad(node.title, titleWidth))]
            if let state = node.state { cells.append(paint(pad(state.rawValue, stateWidth), state)) }
            cells += node.remark.isEmpty ? [node.kind] : [pad(node.kind, kindWidth), style.dim(node.remark)]
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TerminalWidth.of(text)))
    }

    private func paint(_ text: String, _ state: DrawnGraph.State) -> String {
        switch state {
        case .succeeded: style.green(text)
        case .failed: style.red(text)
        case .paused, .waiting, .running: style.yellow(text)
        case .pending, .ready, .skipped, .canceled: style.dim(text)
        }
    }
}
