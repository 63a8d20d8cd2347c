internal import Engine
internal import Expressions
internal import StepKit
internal import VK
internal import Values
internal import Workflows

/// Looks before the first step whether the accounts' tokens can do what the steps ask of them.
struct AccountCheck {
    let vk: VKConnector
    let session: Session

    /// Tells what cannot work.
    ///
    /// - Returns: whether the workflow can succeed, as far as anyone knows.
    /// - Throws: `CancellationError`.
    func passes(_ workflow: Workflow, _ accounts: [String: Account], inputs: ValueObject) async throws -> Bool {
        var passes = true
        for account in accounts.values.sorted(by: { $0.name < $1.name }) where account.type == VKAccount.type.name {
            let uses = uses(of: account.name, in: workflow, inputs)
            guard VKConnector.checksTokens(for: uses),
                let report = try await vk.checkToken(of: account, for: uses)
            else { continue }
            for finding in report.findings {
                let sentence = "step '\(finding.address)': \(finding.what)"
                if finding.isWarning {
                    session.tell(
                        warning: [sentence + ".", finding.why, finding.fix].compactMap { $0 }.joined(separator: " "))
                } else {
                    passes = false
                    session.tell(error: sentence, why: finding.why, fix: finding.fix)
                }
            }
        }
        return passes
    }

    /// The steps of an account with what is known of their parameters; a step with `for-each` once more for each wall that
    /// its rows name.
    func uses(of account: String, in workflow: Workflow, _ inputs: ValueObject) -> [StepUse] {
        let environment = session.environment
        let values = RunValues(inputs: inputs, run: [:], secret: { _ in nil }, environment: { environment[$0] })
        return workflow.steps.indices.filter { workflow.steps[$0].account == account }.flatMap { position in
            let step = workflow.steps[position]
            let kind = step.kind.declaration.name
            var known = ValueObject()
            for argument in step.arguments {
                known[argument.name] = value(argument, of: step, in: values, knows: ["inputs"])
            }
            return [StepUse(address: step.id, kind: kind, parameters: known)]
                + walls(ofItemsOf: position, in: workflow, values).map { index, owner in
                    var parameters = known
                    parameters["owner_id"] = owner
                    let address = StepAddress(step: step.id, index: index).description
                    return StepUse(address: address, kind: kind, parameters: parameters)
                }
        }
    }

    /// The walls of a step's items, each with the first item that goes there, where the list is one of the workflow's own.
    private func walls(
        ofItemsOf position: Int, in workflow: Workflow, _ values: RunValues
    ) -> [(index: Int, owner: Value)] {
        let step = workflow.steps[position]
        guard let argument = step.arguments.first(where: { $0.name == "owner_id" }),
            argument.value.references.contains(where: { $0.root == "item" }),
            let root = workflow.graph.roots[position], workflow.steps[root].scope == nil, step.scope == nil,
            let list = workflow.steps[root].forEach, list.references.allSatisfy({ $0.root == "inputs" }),
            let items = try? list.items(in: values)
        else { return [] }
        var rows = values
        rows.set(items: items, of: [step.id], root: workflow.steps[root].id)
        var seen: Set<Value> = []
        return items.indices.compactMap { index in
            let owner = value(
                argument, of: step, in: rows.inRow(index, of: step.id), knows: ["inputs", "item", "index"])
            return owner.flatMap { seen.insert($0).inserted ? (index, $0) : nil }
        }
    }

    private func value(
        _ argument: (name: String, value: Argument), of step: Step, in values: RunValues, knows roots: Set<String>
    ) -> Value? {
        guard case .known(let value) = argument.value.planned(in: values, isKnown: { roots.contains($0.root) }) else {
            return nil
        }
        let type = step.kind.declaration.parameters.first { $0.name == argument.name }?.type ?? .any
        return (try? type.fit(value)) ?? value
    }
}
