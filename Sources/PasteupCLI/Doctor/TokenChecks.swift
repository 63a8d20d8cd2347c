internal import StepKit
internal import VK
internal import Values
internal import Workflows

/// What the tokens of a workflow's accounts may do, as the services themselves say.
struct TokenChecks {
    let session: Session
    /// Nil when no file was given: then no token is looked at.
    let workflow: Workflow?

    func findings() async throws -> [Finding] {
        guard let workflow, var preparation = try? RunPreparation(workflow, inputs: [:], session) else { return [] }
        let source = WorkflowSource(session)
        source.client.fill(allowedHosts: nil)
        await preparation.renew(session, source.client)
        var findings: [Finding] = []
        let check = AccountCheck(vk: source.vk, session: session)
        for account in preparation.accounts.values.sorted(by: { $0.name < $1.name })
        where account.type == VKAccount.type.name {
            let uses = check.uses(of: account.name, in: workflow, [:])
            let name = "token \(account.name)"
            guard let report = try await source.vk.checkToken(of: account, for: uses) else {
                findings.append(
                    Finding(
                        name, .warning, "VK does not say whose it is",
                        fix: "Check the token, and that this machine reaches \(account.baseURL)."))
                continue
            }
            findings.append(Finding(name, .ok, report.summary))
            findings += report.findings.map { finding in
                let fix = [finding.why, finding.fix].compactMap { $0 }.joined(separator: " ")
                return Finding(
                    name, finding.isWarning ? .warning : .error, "step '\(finding.address)': \(finding.what)",
                    fix: fix.isEmpty ? nil : fix)
            }
        }
        await source.client.shutdown()
        return findings
    }
}
