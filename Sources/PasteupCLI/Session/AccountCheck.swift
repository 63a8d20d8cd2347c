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
            // One mistake in the token makes several steps fail: it is told once.
            var told: Set<String> = []
            for finding in report.findings where told.insert(finding.what).inserted {
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

    /// The steps of an account with what is known of their parameters.
    func uses(of account: String, in workflow: Workflow, _ inputs: ValueObject) -> [StepUse] {
        let environment = session.environment
        let values = RunValues(inputs: inputs, run: [:], secret: { _ in nil }, environment: { environment[$0] })
        return workflow.steps.filter { $0.account == account }.map { step in
            var known = ValueObject()
            for argument in step.arguments {
                let planned = argument.value.planned(in: values, isKnown: { $0.root == "inputs" })
                if case .known(let value) = planned {
                    let type = step.kind.declaration.parameters.first { $0.name == argument.name }?.type ?? .any
                    known[argument.name] = (try? type.fit(value)) ?? value
                }
            }
            return StepUse(address: step.id, kind: step.kind.declaration.name, parameters: known)
        }
    }
}
