internal import Expressions
internal import Workflows

/// Which references of a plan have a value.
struct Knowledge {
    /// The addresses of what was carried out for the plan, in lower case.
    private let known: Set<String>
    /// The addresses of which it is known what became of them, in lower case.
    private let outcomes: Set<String>
    private let workflow: Workflow
    /// The steps' places by their ids in lower case.
    private let places: [String: Int]

    init(_ fetched: FetchedSteps?, _ workflow: Workflow) {
        known = Set((fetched?.outputs ?? [:]).keys.map { $0.lowercased() })
        outcomes = Set((fetched?.states ?? [:]).keys.map { $0.lowercased() })
        self.workflow = workflow
        places = Dictionary(workflow.steps.enumerated().map { ($1.id.lowercased(), $0) }) { first, _ in first }
    }

    /// - Parameters:
    ///   - step: the step whose value it is; nil for an output of the workflow.
    ///   - index: the item's.
    func isKnown(_ reference: Reference, to step: Int?, _ index: Int?) -> Bool {
        isKnown(reference, in: step.flatMap { workflow.steps[$0].scope }, to: step, index)
    }

    /// - Parameter scope: of the part in which the reference stands.
    func isKnown(_ reference: Reference, in scope: StepScope?, to step: Int?, _ index: Int?) -> Bool {
        switch reference.root {
        case "inputs":
            return arguments(reference, scope).allSatisfy { argument in
                argument.references.allSatisfy { isKnown($0, in: scope?.outer, to: step, index) }
            }
        case "steps":
            guard !known.isEmpty, let id = reference.path.first.map({ ((scope?.prefix ?? "") + $0).lowercased() }),
                let target = places[id]
            else { return false }
            let isOutcome = reference.path.count < 2 || reference.path[1].lowercased() != "outputs"
            func isBrought(_ address: String, of step: String) -> Bool {
                known.contains(address) && (!isOutcome || outcomes.contains(step))
            }
            guard workflow.graph.roots[target] != nil else { return isBrought(id, of: id) }
            guard let step, workflow.graph.areRows(step, target) else {
                // A list is known when something of it is: what has failed has its place in it.
                return isBrought("\(id)[0]", of: id)
            }
            return index.map { isBrought("\(id)[\($0)]", of: "\(id)[\($0)]") } ?? false
        case "run": return ["workflow", "attempt"].contains(reference.path.first?.lowercased() ?? "")
        case "item", "index": return index != nil
        default: return true
        }
    }

    /// The steps that a reference waits for, by their ids in the workflow.
    func steps(_ reference: Reference, in scope: StepScope?) -> [String] {
        switch reference.root {
        case "steps": reference.path.first.map { [(scope?.prefix ?? "") + $0] } ?? []
        case "inputs":
            arguments(reference, scope).flatMap { $0.references.flatMap { steps($0, in: scope?.outer) } }
        default: []
        }
    }

    /// What stands behind the inputs of a part that a reference reads.
    private func arguments(_ reference: Reference, _ scope: StepScope?) -> [Argument] {
        guard let scope else { return [] }
        guard let name = reference.path.first else { return scope.inputs.compactMap(\.argument) }
        return [scope.input(name)?.argument].compactMap(\.self)
    }
}
