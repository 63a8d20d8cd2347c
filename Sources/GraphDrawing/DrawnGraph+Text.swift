extension DrawnGraph {
    /// A line of a drawing for terminals.
    public struct TextLine: Sendable, Hashable {
        /// The lines between the steps, the step's own place as `●`, or as `○` where nothing waits for it.
        public let rails: String
        /// The step that stands on the line; nil where lines only meet.
        public let node: Int?
    }

    /// The graph as lines of text, a step a line, in the manner of `git log --graph`: each after all that it waits for.
    ///
    /// A rail that goes down from a step ends at what waits for it, and goes on past it (`├`) while more does. Of two steps
    /// one right below the other, the lower one waits for the upper one unless that is a `○`.
    public var textLines: [TextLine] {
        var drawing = Rails(dependents: dependents)
        for node in order { drawing.place(node) }
        return drawing.lines
    }
}

/// Draws rails from the top to the bottom.
private struct Rails {
    private let dependents: [[Int]]
    /// For each column what the rail in it still leads to; empty for a free column.
    private var columns: [Set<Int>] = []
    private(set) var lines: [DrawnGraph.TextLine] = []

    init(dependents: [[Int]]) { self.dependents = dependents }

    mutating func place(_ node: Int) {
        let incoming = columns.indices.filter { columns[$0].contains(node) }
        for column in incoming { columns[column].remove(node) }
        let ending = incoming.filter { columns[$0].isEmpty }
        let column = ending.first ?? freeColumn(after: incoming.last ?? -1)
        if column == columns.count { columns.append([]) }
        draw(node, at: column, from: incoming, ending: ending)
        columns[column] = Set(dependents[node])
        join()
        while columns.last?.isEmpty == true { columns.removeLast() }
    }

    /// A free column, to the right of those that lead here where there is one.
    private func freeColumn(after last: Int) -> Int {
        columns.indices.first { $0 > last && columns[$0].isEmpty } ?? columns.count
    }

    private mutating func draw(_ node: Int, at own: Int, from incoming: [Int], ending: [Int]) {
        let left = min(own, incoming.first ?? own)
        let right = max(own, incoming.last ?? own)
        var text = ""
        for column in columns.indices {
            let isInside = left < column && column < right
            if column == own {
                text += dependents[node].isEmpty ? "○" : "●"
            } else if incoming.contains(column) {
                let isOver = ending.contains(column)
                switch column {
                case left: text += isOver ? "╰" : "├"
                case right: text += isOver ? "╯" : "┤"
                default: text += isOver ? "┴" : "┼"
                }
            } else if columns[column].isEmpty {
                text += isInside ? "─" : " "
            } else {
                text += "│"
            }
            text += left <= column && column < right ? "─" : " "
        }
        add(text, node)
    }

    /// Rails that lead to the same steps become one.
    private mutating func join() {
        var column = 0
        while column < columns.count {
            defer { column += 1 }
            guard !columns[column].isEmpty,
                let other = columns.indices.first(where: { $0 > column && columns[$0] == columns[column] })
            else { continue }
            var text = ""
            for place in columns.indices {
                switch place {
                case column: text += "├"
                case other: text += "╯"
                case _ where columns[place].isEmpty: text += column < place && place < other ? "─" : " "
                default: text += "│"
                }
                text += column <= place && place < other ? "─" : " "
            }
            add(text, nil)
            columns[other] = []
            column -= 1
        }
    }

    private mutating func add(_ text: String, _ node: Int?) {
        var text = text
        while text.last == " " { text.removeLast() }
        lines.append(DrawnGraph.TextLine(rails: text, node: node))
    }
}
