internal import Accounts
internal import Expressions
internal import StepKit
internal import Values
internal import Workflows

/// Whether the secrets are where they are looked for. None is ever shown.
struct SecretChecks {
    let environment: [String: String]
    /// Whose secrets must be there; nil when no file was given.
    let workflow: Workflow?

    var findings: [Finding] { [file] + secrets }

    private var store: SecretStore { SecretStore(environment: environment) }

    private var file: Finding {
        let path = store.secretsPath
        do throws(AccountsError) {
            guard let path, try store.checkSecretsFile() else {
                return Finding(
                    "secrets file", .ok, path.map { "there is none at '\($0)'" } ?? "there is no place for one")
            }
            return Finding("secrets file", .ok, "'\(path)' is yours alone")
        } catch {
            return Finding("secrets file", .error, "\(error)".withoutFullStop)
        }
    }

    private var secrets: [Finding] {
        guard let workflow else { return [] }
        var findings = workflow.usedAccounts.filter { $0.token != nil }.map { account in
            finding(
                "account \(account.name)", workflow.secrets(of: account),
                ok: "\(account.type.service), its secrets are set")
        }
        let others = Set(workflow.mentionedSecrets).subtracting(workflow.usedAccounts.flatMap(workflow.secrets(of:)))
        if !others.isEmpty { findings.append(finding("secrets", others.sorted(), ok: "those of the steps are set")) }
        return findings
    }

    private func finding(_ check: String, _ names: [String], ok: String) -> Finding {
        var missing: [String] = []
        for name in names {
            do throws(AccountsError) {
                let secret = try store.secret(name)
                if secret?.isEmpty ?? true { missing.append(name) }
            } catch {
                return Finding(check, .error, "\(error)".withoutFullStop)
            }
        }
        guard let first = missing.first else { return Finding(check, .ok, ok) }
        let list = missing.map { "'\($0)'" }.joined(separator: " and ")
        let file = store.secretsPath.map { ", or add it to \($0) (mode 0600)" } ?? ""
        return Finding(
            check, .error, "\(list) \(missing.count == 1 ? "is" : "are") not set",
            fix: "Set the environment variable \(first)\(file).")
    }
}

extension Workflow {
    fileprivate func secrets(of account: AccountDeclaration) -> [String] {
        let references = (account.token?.references ?? []) + (account.baseURL?.references ?? [])
        return Set(references.filter { $0.root == "secrets" }.compactMap(\.path.first)).sorted()
    }
}
