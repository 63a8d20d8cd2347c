/// A graph of steps as it is drawn: what waits for what, with a line or two of text each.
public struct DrawnGraph: Sendable, Hashable {
    /// What has become of a step in a run.
    public enum State: String, Sendable, Hashable, CaseIterable {
        case pending, ready, running, succeeded, failed, skipped, paused, waiting, canceled
    }

    public struct Node: Sendable, Hashable {
        public let title: String
        /// What kind of step it is.
        public let kind: String
        /// Further remarks: "writes, once", "for each of inputs.rows".
        public let remark: String
        /// Nil without a run.
        public let state: State?
        /// Whether it writes to a service.
        public let writes: Bool
        /// The names of the parts that it belongs to, from the outermost: some drawings put a frame around each.
        public let parts: [String]

        public init(
            _ title: String, kind: String, remark: String = "", state: State? = nil, writes: Bool = false,
            parts: [String] = []
        ) {
            self.title = title
            self.kind = kind
            self.remark = remark
            self.state = state
            self.writes = writes
            self.parts = parts
        }
    }

    public let name: String
    public let nodes: [Node]
    /// For each node those that it waits for, ascending.
    public let dependencies: [[Int]]
    /// An order in which each node comes after all that it waits for.
    public let order: [Int]

    public init(name: String, nodes: [Node], dependencies: [[Int]], order: [Int]) {
        self.name = name
        self.nodes = nodes
        self.dependencies = dependencies
        self.order = order
    }

    /// The graph without the edges that follow from others: where `post` waits for `card` and `card` for `photo`, the edge
    /// from `photo` to `post` says nothing new.
    public var reduced: DrawnGraph {
        var place = [Int](repeating: 0, count: nodes.count)
        for (index, node) in order.enumerated() { place[node] = index }
        var reduced = dependencies
        // The latest first: whoever is reached through it is no neighbour.
        var mark = [Int](repeating: -1, count: nodes.count)
        for node in nodes.indices where dependencies[node].count > 1 {
            var kept: [Int] = []
            for candidate in dependencies[node].sorted(by: { place[$0] > place[$1] }) where mark[candidate] != node {
                kept.append(candidate)
                var open = [candidate]
                while let next = open.popLast() {
                    for before in dependencies[next] where mark[before] != node {
                        mark[before] = node
                        open.append(before)
                    }
                }
            }
            reduced[node] = kept.sorted()
        }
        return DrawnGraph(name: name, nodes: nodes, dependencies: reduced, order: order)
    }

    /// The graph without some nodes: what waits for such a one waits for what that waits for.
    public func without(_ isLeftOut: (Int) -> Bool) -> DrawnGraph {
        let kept = nodes.indices.filter { !isLeftOut($0) }
        var places = [Int?](repeating: nil, count: nodes.count)
        for (place, node) in kept.enumerated() { places[node] = place }
        // For each node what stands in its place where it is waited for.
        var stand = nodes.indices.map { places[$0].map { [$0] } ?? [] }
        var before = [[Int]](repeating: [], count: kept.count)
        for node in order {
            let all = Set(dependencies[node].flatMap { stand[$0] }).sorted()
            if let place = places[node] { before[place] = all } else { stand[node] = all }
        }
        return DrawnGraph(
            name: name, nodes: kept.map { nodes[$0] }, dependencies: before, order: order.compactMap { places[$0] })
    }

    /// For each node those that wait for it, ascending.
    var dependents: [[Int]] {
        var dependents = [[Int]](repeating: [], count: nodes.count)
        for (node, before) in dependencies.enumerated() {
            for other in before { dependents[other].append(node) }
        }
        return dependents
    }
}
