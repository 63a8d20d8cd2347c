public import Journal
internal import StepKit
internal import Values
public import Workflows

extension Workflow {
    /// The part of the workflow that only reads and computes, and needs nothing else: what `plan --fetch` carries out.
    ///
    /// `once` and `if` are left out: the plan shows what a run would do.
    public func onlyFetching() -> Workflow {
        var kept: [Int] = []
        var places: [Int: Int] = [:]
        for index in graph.order
        where steps[index].runsInPlan && graph.dependencies[index].allSatisfy({ places[$0] != nil }) {
            places[index] = 0
            kept.append(index)
        }
        kept.sort()
        for (place, index) in kept.enumerated() { places[index] = place }
        let moved = { (steps: [Int]) in steps.compactMap { places[$0] } }
        let part = kept.map { steps[$0].withoutConditions() }
        // A part of a graph without cycles has none either.
        let reduced = try? StepGraph(
            dependencies: kept.map { moved(graph.dependencies[$0]) }, sources: kept.map { moved(graph.sources[$0]) },
            onceSources: kept.map { _ in [] },
            conditionSources: kept.map { _ in [] }, listSources: kept.map { moved(graph.listSources[$0]) },
            roots: kept.map { graph.roots[$0].flatMap { places[$0] } })
        guard let reduced else { return self }
        return Workflow(
            name: name, description: description, file: file, folder: folder, inputs: inputs, accounts: accounts,
            concurrency: concurrency, steps: part, outputs: [], graph: reduced)
    }
}

extension RunOutcome {
    /// What the steps have brought, for a plan.
    ///
    /// - Parameter entries: the run's journal.
    public func fetched(entries: [JournalEntry], of workflow: Workflow, folder: String) -> FetchedSteps {
        let paths = ArtifactPaths(folder: folder)
        var outputs: [String: ValueObject] = [:]
        for entry in entries where entry.kind == .stepSucceeded {
            guard let step = workflow.step(at: entry.address) else { continue }
            outputs[entry.address] = paths.restored(entry.data["outputs"]?.object ?? [:], of: step.kind.declaration)
        }
        var states: [String: StepState] = [:]
        var remarks: [String: String] = [:]
        for step in steps {
            states[step.address] = step.state
            remarks[step.address] = step.error?.sentence ?? step.skipReason?.text
        }
        var items: [String: [Value]] = [:]
        for entry in entries where entry.kind == .itemsKnown { items[entry.address] = paths.restoredItems(entry.data) }
        return FetchedSteps(outputs: outputs, states: states, remarks: remarks, items: items)
    }
}
