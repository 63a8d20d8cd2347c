internal import Diagnostics
internal import Expressions
internal import StepKit
internal import Values
internal import YAML

/// What a file says without effect, or may not have meant.
extension WorkflowReader {
    mutating func warnOfUnused() {
        if !usesAllInputs {
            for input in inputs where !usedInputs.contains(input.name) {
                problems.warning(
                    at: input.range, "input '\(input.name)' is not used",
                    fix: "Mention it as ${{ inputs.\(input.name) }}, or remove it", code: .unusedInput)
            }
        }
        for account in accounts where !account.isInherited && !usedAccounts.contains(account.name) {
            problems.warning(
                at: account.range, "account '\(account.name)' is not used", fix: "Remove it",
                code: .unusedAccount)
        }
    }

    /// Warns of steps that can never run, and of posts that a schedule would repeat.
    mutating func warnOfSteps(_ graph: StepGraph, isScheduled: Bool) {
        var blocked: [Int?] = Array(repeating: nil, count: steps.count)
        // Whether it, or what it waits for, has `once`: a repeat is then skipped with it.
        var isGuarded = Array(repeating: false, count: steps.count)
        for position in graph.order {
            guard let step = steps[position].step else { continue }
            isGuarded[position] = step.once != nil || graph.dependencies[position].contains { isGuarded[$0] }
            if step.condition?.isNeverTrue == true {
                blocked[position] = position
                warnOfUnreachable(position, "its condition is always false", fix: "Remove it, or change its 'if'")
            } else if step.condition?.readsStatus != true,
                let source = graph.dependencies[position].first(where: { blocked[$0] != nil })
            {
                blocked[position] = source
                warnOfUnreachable(
                    position, "it waits for '\(steps[source].id)', which never runs",
                    fix: "Take the mention away, or ask for the outcome with 'if: always()'")
            } else if isScheduled, !isGuarded[position], step.mayDouble {
                problems.warning(
                    at: steps[position].range, "step '\(step.id)' posts again in every scheduled run",
                    why: "The file has a 'schedule', and nothing says what makes a post the same",
                    fix: "Add 'once: ' with what is posted, such as ${{ steps.latest.outputs.id }}",
                    code: .missingOnce)
            }
        }
    }

    private mutating func warnOfUnreachable(_ position: Int, _ why: String, fix: String) {
        let place = steps[position].body?.pair("if")?.value.useRange
        problems.warning(
            at: place ?? steps[position].range, "step '\(steps[position].id)' never runs: \(why)", fix: fix,
            code: .unreachableStep)
    }
}

extension Expression {
    /// Whether it is false whatever happens: it mentions nothing, and comes out so.
    fileprivate var isNeverTrue: Bool {
        guard references.isEmpty, functions.isEmpty, let value = try? evaluate(in: EvaluationContext()) else {
            return false
        }
        return !value.isTruthy
    }
}

extension Step {
    /// Whether it writes to a service, where running it again makes a second one that people see.
    fileprivate var mayDouble: Bool {
        guard effect == .write, account != nil else { return false }
        if case .redoInputs = kind.declaration.doubtRule { return false }
        return true
    }
}
