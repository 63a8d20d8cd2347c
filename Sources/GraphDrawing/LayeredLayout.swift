/// Where the boxes of a graph lie: in layers, each below all that it waits for (K. Sugiyama and others, 1981).
///
/// Edges over several layers go through bends of their own. The order in a layer follows the middle of the neighbours, from
/// above and from below in turn; what is left of crossings is few for graphs that people write.
struct LayeredLayout {
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    struct Edge {
        /// From the lower side of a box through bends to the upper side of another.
        let points: [Point]
    }

    /// The upper left corners of the boxes.
    private(set) var corners: [Point] = []
    private(set) var edges: [Edge] = []
    private(set) var width: Double = 0
    private(set) var height: Double = 0

    private struct Cell {
        /// A node of the graph; nil for a bend of an edge.
        let node: Int?
        let width: Double
        var above: [Int] = []
        var below: [Int] = []
        var x: Double = 0
    }

    private static let gap = 28.0
    private static let layerGap = 44.0
    private static let margin = 16.0

    /// - Parameter widths: of the boxes, in pixels.
    init(_ graph: DrawnGraph, widths: [Double], boxHeight: Double) {
        guard !graph.nodes.isEmpty else { return }
        var layer = [Int](repeating: 0, count: graph.nodes.count)
        for node in graph.order { layer[node] = graph.dependencies[node].map { layer[$0] + 1 }.max() ?? 0 }
        // Whatever nothing precedes stands right above what waits for it.
        let dependents = graph.dependents
        for node in graph.order.reversed() where graph.dependencies[node].isEmpty {
            if let first = dependents[node].map({ layer[$0] }).min() { layer[node] = first - 1 }
        }
        var cells = graph.nodes.indices.map { Cell(node: $0, width: widths[$0]) }
        var layers = [[Int]](repeating: [], count: (layer.max() ?? 0) + 1)
        for node in graph.order { layers[layer[node]].append(node) }
        var chains: [[Int]] = []
        for (node, before) in graph.dependencies.enumerated() {
            for other in before {
                var chain = [other]
                for between in layer[other] + 1..<max(layer[other] + 1, layer[node]) {
                    layers[between].append(cells.count)
                    chain.append(cells.count)
                    cells.append(Cell(node: nil, width: 0))
                }
                chain.append(node)
                for (upper, lower) in zip(chain, chain.dropFirst()) {
                    cells[upper].below.append(lower)
                    cells[lower].above.append(upper)
                }
                chains.append(chain)
            }
        }
        Self.sort(&layers, cells)
        Self.spread(&layers, &cells)
        finish(graph, layers, cells, chains, boxHeight)
    }

    // MARK: Order

    private static func sort(_ layers: inout [[Int]], _ cells: [Cell]) {
        var place = [Double](repeating: 0, count: cells.count)
        func number(_ layer: [Int]) { for (index, cell) in layer.enumerated() { place[cell] = Double(index) } }
        for layer in layers { number(layer) }
        var best = layers
        var fewest = crossings(layers, cells)
        for round in 0..<8 where fewest > 0 {
            let goesDown = round % 2 == 0
            for index in goesDown ? Array(layers.indices) : layers.indices.reversed() {
                let keyed = layers[index].enumerated().map { position, cell -> (Double, Int, Int) in
                    let neighbours = goesDown ? cells[cell].above : cells[cell].below
                    guard !neighbours.isEmpty else { return (Double(position), position, cell) }
                    return (neighbours.map { place[$0] }.reduce(0, +) / Double(neighbours.count), position, cell)
                }
                layers[index] = keyed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
                number(layers[index])
            }
            let count = crossings(layers, cells)
            if count < fewest { (best, fewest) = (layers, count) }
        }
        layers = best
    }

    private static func crossings(_ layers: [[Int]], _ cells: [Cell]) -> Int {
        var count = 0
        for (upper, lower) in zip(layers, layers.dropFirst()) {
            var place: [Int: Int] = [:]
            for (index, cell) in lower.enumerated() { place[cell] = index }
            // From left to right: an edge crosses those before it that end further to the right.
            var ends: [Int] = []
            for cell in upper {
                let own = cells[cell].below.compactMap { place[$0] }.sorted()
                // A drawing with so many edges is not read one by one.
                guard ends.count < 5000 else { return count }
                for end in own { count += ends.count { $0 > end } }
                ends += own
            }
        }
        return count
    }

    // MARK: Places

    /// Each layer from left to right, then each cell towards the middle of its neighbours, as far as its own neighbours in
    /// the layer let it.
    private static func spread(_ layers: inout [[Int]], _ cells: inout [Cell]) {
        for layer in layers {
            var x = 0.0
            for cell in layer {
                cells[cell].x = x + cells[cell].width / 2
                x += cells[cell].width + gap
            }
        }
        for round in 0..<12 {
            let goesDown = round % 2 == 0
            for index in goesDown ? Array(layers.indices) : layers.indices.reversed() {
                let layer = layers[index]
                let wanted = layer.map { cell -> Double in
                    let neighbours = goesDown ? cells[cell].above : cells[cell].below
                    guard !neighbours.isEmpty else { return cells[cell].x }
                    return neighbours.map { cells[$0].x }.reduce(0, +) / Double(neighbours.count)
                }
                // The mean of what pushing from the left and pushing from the right would give.
                var fromLeft = wanted
                for place in layer.indices.dropFirst() {
                    let least =
                        fromLeft[place - 1] + (cells[layer[place - 1]].width + cells[layer[place]].width) / 2 + gap
                    fromLeft[place] = max(fromLeft[place], least)
                }
                var fromRight = wanted
                for place in layer.indices.dropLast().reversed() {
                    let most =
                        fromRight[place + 1] - (cells[layer[place + 1]].width + cells[layer[place]].width) / 2 - gap
                    fromRight[place] = min(fromRight[place], most)
                }
                for (place, cell) in layer.enumerated() { cells[cell].x = (fromLeft[place] + fromRight[place]) / 2 }
            }
        }
    }

    private mutating func finish(
        _ graph: DrawnGraph, _ layers: [[Int]], _ cells: [Cell], _ chains: [[Int]], _ boxHeight: Double
    ) {
        let left = cells.map { $0.x - $0.width / 2 }.min() ?? 0
        let right = cells.map { $0.x + $0.width / 2 }.max() ?? 0
        width = right - left + 2 * Self.margin
        height = Double(layers.count) * (boxHeight + Self.layerGap) - Self.layerGap + 2 * Self.margin
        var top = [Double](repeating: 0, count: cells.count)
        for (index, layer) in layers.enumerated() {
            for cell in layer { top[cell] = Self.margin + Double(index) * (boxHeight + Self.layerGap) }
        }
        func x(_ cell: Int) -> Double { cells[cell].x - left + Self.margin }
        corners = graph.nodes.indices.map { Point(x: x($0) - cells[$0].width / 2, y: top[$0]) }
        edges = chains.map { chain in
            var points = [Point(x: x(chain[0]), y: top[chain[0]] + boxHeight)]
            for bend in chain.dropFirst().dropLast() {
                points += [Point(x: x(bend), y: top[bend]), Point(x: x(bend), y: top[bend] + boxHeight)]
            }
            points.append(Point(x: x(chain[chain.count - 1]), y: top[chain[chain.count - 1]]))
            return Edge(points: points)
        }
    }
}
