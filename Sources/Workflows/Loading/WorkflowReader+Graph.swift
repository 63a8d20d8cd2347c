internal import Diagnostics
internal import YAML

extension WorkflowReader {
    /// How many rings are told of.
    private static let maxRings = 10

    /// The graph of the steps; nil when they wait for one another.
    mutating func makeGraph() -> StepGraph? {
        var dependencies = steps.map { $0.mentions.targets }
        let sources = steps.map { $0.sourceMentions.targets }
        let onceSources = steps.map { $0.onceMentions.targets }
        let conditionSources = steps.map { $0.conditionMentions.targets }
        let listSources = steps.map { $0.listMentions.targets }
        let roots = steps.map(\.root)
        for ringsBefore in 0..<Self.maxRings {
            do {
                let graph = try StepGraph(
                    dependencies: dependencies, sources: sources, onceSources: onceSources,
                    conditionSources: conditionSources, listSources: listSources, roots: roots)
                return ringsBefore == 0 ? graph : nil
            } catch {
                report(error)
                // Steps of the ring let go of one another, so that other rings come to light.
                let ring = Set(error.steps)
                for step in error.steps { dependencies[step].removeAll { ring.contains($0) } }
            }
        }
        return nil
    }

    private mutating func report(_ cycle: StepGraph.Cycle) {
        let ring = cycle.steps
        let edges = zip(ring, ring.dropFirst() + ring.prefix(1))
        let shown = ring.count > 8 ? Array(ring.prefix(7)) : ring
        let path = shown.map { steps[$0].id } + (ring.count > 8 ? ["…"] : []) + [steps[ring[0]].id]
        let places = edges.prefix(8).map { (step: $0, target: $1, place: place(of: $1, in: steps[$0])) }
        problems.error(
            at: places.first?.place ?? steps[ring[0]].range,
            "steps wait for one another: \(path.joined(separator: " -> "))",
            why: "None of them could ever begin", fix: "Take one of these mentions or 'needs' away",
            notes: places.dropFirst().map {
                Diagnostic(.note, at: $0.place, "'\(steps[$0.step].id)' waits for '\(steps[$0.target].id)' here")
            }, code: .ring)
    }

    /// Where a step first names another one.
    private func place(of target: Int, in draft: StepDraft) -> SourceRange? {
        draft.mentions.filter { $0.target == target }.map { mention in
            switch mention.place {
            case .range(let range): range
            case .piece(let node, let piece): document.range(ofScalars: piece, in: node)
            }
        }.min { $0.start < $1.start }
    }
}
