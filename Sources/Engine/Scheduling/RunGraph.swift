internal import Journal
internal import Workflows

/// Which node of a run waits for which.
///
/// The nodes below `stepCount` are the steps of the file. When the list of a batch is known, a node for each item of each
/// of its steps is added, row by row, so that of two nodes that could go first the one of the earlier row has the smaller
/// number. A step with `for-each` then stands for all its items: it ends with the last of them, and what is outside of
/// its batch waits for it.
///
/// Inside of a batch item waits for item of the same row (*inner*); what a step of a batch needs from outside (*outer*) all
/// its items wait for.
struct RunGraph: Sendable {
    private struct Batch: Sendable {
        let members: [Int]
        /// The node of the first row's first member; nil while the list is not known.
        var first: Int?
        var count = 0
    }

    private let steps: [SchedulerNode]
    let graph: StepGraph
    private let outerDependencies: [[Int]]
    private let outerDependents: [[Int]]
    private let innerDependencies: [[Int]]
    private let innerDependents: [[Int]]
    /// The place of each step among the members of its batch.
    private let ranks: [Int]
    /// By root.
    private var batches: [Int: Batch]
    /// For each node of an item its step and its row.
    private var items: [(step: Int, index: Int)] = []
    private let places: [String: Int]

    init(_ steps: [SchedulerNode], _ graph: StepGraph) {
        self.steps = steps
        self.graph = graph
        func split(_ neighbours: [[Int]], inner: Bool) -> [[Int]] {
            neighbours.indices.map { step in neighbours[step].filter { graph.areRows(step, $0) == inner } }
        }
        outerDependencies = split(graph.dependencies, inner: false)
        outerDependents = split(graph.dependents, inner: false)
        innerDependencies = split(graph.dependencies, inner: true)
        innerDependents = split(graph.dependents, inner: true)
        var members: [Int: [Int]] = [:]
        var ranks = [Int](repeating: 0, count: steps.count)
        for (step, root) in graph.roots.enumerated() {
            guard let root else { continue }
            ranks[step] = members[root, default: []].count
            members[root, default: []].append(step)
        }
        self.ranks = ranks
        batches = members.mapValues { Batch(members: $0) }
        places = Dictionary(uniqueKeysWithValues: steps.enumerated().map { ($1.address, $0) })
    }

    // MARK: Nodes

    var stepCount: Int { steps.count }
    var indices: Range<Int> { 0..<steps.count + items.count }

    /// The step's facts; those of an item are its step's, except for the address.
    subscript(node: Int) -> SchedulerNode { steps[step(of: node)] }

    func step(of node: Int) -> Int { node < steps.count ? node : items[node - steps.count].step }

    /// The row of an item; nil for a step.
    func index(of node: Int) -> Int? { node < steps.count ? nil : items[node - steps.count].index }

    func isItem(_ node: Int) -> Bool { node >= steps.count }

    /// Whether it is a step with `for-each`.
    func isGroup(_ node: Int) -> Bool { node < steps.count && graph.roots[node] != nil }

    /// Whether it is a step whose items are known.
    func isExpanded(_ node: Int) -> Bool {
        guard node < steps.count, let root = graph.roots[node] else { return false }
        return batches[root]?.first != nil
    }

    func address(of node: Int) -> String {
        StepAddress(step: self[node].address, index: index(of: node)).description
    }

    /// The node of an address; nil when there is none, or no such item yet.
    func node(at address: String) -> Int? {
        if let step = places[address] { return step }
        let parts = StepAddress(address)
        guard let step = places[parts.step], let index = parts.index, isExpanded(step), index < count(of: step) else {
            return nil
        }
        return item(step, index)
    }

    // MARK: Batches

    func root(of step: Int) -> Int { graph.roots[step] ?? step }

    /// The steps that go over the same list, in the order of the file.
    func members(of root: Int) -> [Int] { batches[root]?.members ?? [] }

    /// How many items the step has; 0 while that is not known.
    func count(of step: Int) -> Int { batches[root(of: step)]?.count ?? 0 }

    /// The node of an item of a step whose items are known.
    func item(_ step: Int, _ index: Int) -> Int {
        guard let batch = batches[root(of: step)], let first = batch.first else { return step }
        return first + index * batch.members.count + ranks[step]
    }

    /// The nodes of a step's items, by row; none while they are not known.
    func items(of step: Int) -> [Int] { (0..<count(of: step)).map { item(step, $0) } }

    /// Adds the rows of a batch.
    mutating func expand(_ root: Int, count: Int) {
        guard let members = batches[root]?.members, batches[root]?.first == nil else { return }
        let first = indices.upperBound
        batches[root]?.first = first
        batches[root]?.count = count
        items.reserveCapacity(items.count + count * members.count)
        for index in 0..<count {
            for step in members { items.append((step, index)) }
        }
    }

    /// Adds the rows that a journal speaks of.
    mutating func expand(_ entries: [JournalEntry]) {
        for entry in entries where entry.kind == .itemsKnown {
            if let root = node(at: entry.address) { expand(root, count: entry.itemCount) }
        }
    }

    // MARK: Edges

    /// What the node itself counts as not ended yet: for an item those of its row, else those outside of the batch.
    func awaited(by node: Int) -> [Int] {
        guard let index = index(of: node) else { return outerDependencies[node] }
        return innerDependencies[step(of: node)].map { item($0, index) }
    }

    /// The nodes that count this one; an item is counted by its step as well, in another way.
    func waiters(of node: Int) -> [Int] {
        guard let index = index(of: node) else { return outerDependents[node] }
        return innerDependents[step(of: node)].map { item($0, index) }
    }

    /// All that must end before the node can begin.
    func dependencies(of node: Int) -> [Int] {
        isItem(node) ? awaited(by: node) + outerDependencies[step(of: node)] : outerDependencies[node]
    }

    /// What a step waits for outside of its batch.
    func outer(of step: Int) -> [Int] { outerDependencies[step] }

    /// Steps of the same batch that wait for this one, row by row.
    func innerDependents(of step: Int) -> [Int] { innerDependents[step] }

    /// Whether nothing waits for the step.
    func isEnd(_ step: Int) -> Bool { outerDependents[step].isEmpty && innerDependents[step].isEmpty }

    /// All that waits for the node, in its row and outside of its batch.
    func followers(of node: Int) -> [Int] {
        if isItem(node) { return waiters(of: node) + outerDependents[step(of: node)] }
        return outerDependents[node] + innerDependents[node]
    }

    /// How many wait for the node: what is outside of the batch waits for all items, and counts as one.
    func waiterCount(of node: Int) -> Int {
        guard isItem(node) else { return outerDependents[node].count }
        let step = step(of: node)
        return innerDependents[step].count + (outerDependents[step].isEmpty ? 0 : 1)
    }

    /// Where the node's inputs come from.
    func sources(of node: Int) -> [Int] { placed(graph.sources[step(of: node)], node) }

    /// What its key of `once` mentions.
    func onceSources(of node: Int) -> [Int] { placed(graph.onceSources[step(of: node)], node) }

    /// What its `if` mentions.
    func conditionSources(of node: Int) -> [Int] { placed(graph.conditionSources[step(of: node)], node) }

    /// The nodes that these steps are for the node: those of its row where there are rows.
    private func placed(_ steps: [Int], _ node: Int) -> [Int] {
        guard let index = index(of: node) else { return steps }
        return steps.map { graph.areRows($0, step(of: node)) ? item($0, index) : $0 }
    }
}
