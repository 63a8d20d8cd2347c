/// Which step waits for which, by position in the file. It has no cycles.
public struct StepGraph: Sendable, Hashable {
    /// For each step what it waits for: what its expressions mention and `needs`, ascending, each once.
    public let dependencies: [[Int]]
    /// For each step what waits for it, ascending.
    public let dependents: [[Int]]
    /// For each step what its `with` mentions: where its inputs come from.
    public let sources: [[Int]]
    /// For each step with `once` what the key mentions.
    public let onceSources: [[Int]]
    /// For each step with `if` what that mentions.
    public let conditionSources: [[Int]]
    /// For each step with `for-each` what its list mentions.
    public let listSources: [[Int]]
    /// For each step with `for-each` the step whose list it goes over, itself or another one: steps with the same root are
    /// a batch. Nil for steps that are carried out once.
    public let roots: [Int?]
    /// An order in which each step comes after all that it waits for; of two that could come next, the one that stands
    /// first in the file.
    public let order: [Int]

    /// - Parameters:
    ///   - conditionSources: empty when no step has `if`.
    ///   - listSources: empty when no step has `for-each`, and so is `roots`.
    /// - Throws: `Cycle` when steps wait for one another.
    public init(
        dependencies: [[Int]], sources: [[Int]], onceSources: [[Int]], conditionSources: [[Int]] = [],
        listSources: [[Int]] = [], roots: [Int?] = []
    ) throws(Cycle) {
        var dependents = [[Int]](repeating: [], count: dependencies.count)
        for (step, needed) in dependencies.enumerated() {
            for other in needed { dependents[other].append(step) }
        }
        self.dependencies = dependencies
        self.sources = sources
        self.onceSources = onceSources
        self.conditionSources = conditionSources.isEmpty ? dependencies.map { _ in [] } : conditionSources
        self.listSources = listSources.isEmpty ? dependencies.map { _ in [] } : listSources
        self.roots = roots.isEmpty ? dependencies.map { _ in nil } : roots
        self.dependents = dependents
        order = try StepGraph.order(dependencies: dependencies, dependents: dependents)
    }

    /// Whether the two go over the same list, item by item.
    public func areRows(_ one: Int, _ other: Int) -> Bool { roots[one] != nil && roots[one] == roots[other] }

    /// Steps that wait for one another, each for the next and the last for the first.
    public struct Cycle: Error, Sendable, Hashable {
        public let steps: [Int]
    }

    /// Kahn's algorithm with a heap in place of the queue, so that the file's order decides ties.
    private static func order(dependencies: [[Int]], dependents: [[Int]]) throws(Cycle) -> [Int] {
        var missing = dependencies.map(\.count)
        var ready = StepQueue()
        for (step, count) in missing.enumerated() where count == 0 { ready.insert(step) }
        var order: [Int] = []
        order.reserveCapacity(missing.count)
        while let step = ready.removeFirst() {
            order.append(step)
            for next in dependents[step] {
                missing[next] -= 1
                if missing[next] == 0 { ready.insert(next) }
            }
        }
        guard order.count == missing.count else { throw cycle(dependencies: dependencies, missing: missing) }
        return order
    }

    /// Follows unfinished dependencies from the first unfinished step until one comes again.
    private static func cycle(dependencies: [[Int]], missing: [Int]) -> Cycle {
        var path: [Int] = []
        var place: [Int: Int] = [:]
        var step = missing.firstIndex { $0 > 0 }!
        while place[step] == nil {
            place[step] = path.count
            path.append(step)
            step = dependencies[step].first { missing[$0] > 0 }!
        }
        let ring = path[place[step]!...]
        let first = ring.min()!
        let start = ring.firstIndex(of: first)!
        return Cycle(steps: Array(ring[start...] + ring[..<start]))
    }
}
