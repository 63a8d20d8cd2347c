internal import Diagnostics
internal import Expressions
internal import StepKit
internal import Values
internal import Workflows

/// The values that expressions see, and what is made of them at once: lists, conditions, the outputs of parts.
extension Runner {
    func step(_ node: Int) -> Step { workflow.steps[scheduler.nodes.step(of: node)] }

    /// The values as the node's expressions see them.
    func values(for node: Int) -> RunValues {
        let step = step(node)
        let values = step.scope.map { self.values.scoped(to: $0) } ?? self.values
        guard let index = scheduler.nodes.index(of: node) else { return values }
        return values.inRow(index, of: step.id)
    }

    /// The outputs of a part whose steps are over.
    func conclude(_ node: Int) -> SchedulerEvent {
        guard case .partEnd(let end) = step(node).role else { return .concluded(node, .success([:])) }
        let values = values(for: node).scoped(to: end.scope)
        var outputs = ValueObject()
        do throws(StepError) {
            for output in end.outputs { outputs[output.name] = try output.value.value(in: values) }
            return .concluded(node, .success(redactor.redact(outputs)))
        } catch {
            return .concluded(node, .failure(redactor.redact(error)))
        }
    }

    mutating func setItems(_ items: [Value], of root: Int) {
        let members = scheduler.nodes.members(of: root).map { workflow.steps[$0].id }
        values.set(items: items, of: members, root: workflow.steps[root].id)
    }

    mutating func makeList(_ root: Int) -> SchedulerEvent {
        let step = workflow.steps[root]
        do throws(StepError) {
            guard let forEach = step.forEach else { throw StepError(.invalid, "step '\(step.id)' has no 'for-each'") }
            // A later process reads the items from the journal: this one takes them as they stand there.
            let items = try forEach.items(in: values(for: root)).map { redactor.redact($0) }
            setItems(items, of: root)
            lists[root] = items
            return .listKnown(root, count: items.count)
        } catch {
            return .listFailed(root, redactor.redact(error))
        }
    }

    func origin(of node: Int) -> ItemOrigin? {
        guard let index = scheduler.nodes.index(of: node) else { return nil }
        let root = workflow.steps[scheduler.nodes.root(of: scheduler.nodes.step(of: node))]
        return root.forEach?.input.flatMap { services.origins[$0] }.map { ItemOrigin(table: $0, row: index) }
    }

    func condition(_ index: Int, _ status: RunStatus) -> SchedulerEvent {
        guard let condition = step(index).condition else { return .conditionKnown(index, true) }
        do {
            let context = try values(for: index).context(for: condition.references, status: status)
            return .conditionKnown(index, try condition.evaluate(in: context).isTruthy)
        } catch let error as StepError {
            return .conditionFailed(index, error)
        } catch let error as ExpressionError {
            return .conditionFailed(index, StepError(.invalid, "its condition has no value: \(error.message)"))
        } catch {
            return .conditionFailed(index, StepError(.invalid, "its condition has no value"))
        }
    }
}
