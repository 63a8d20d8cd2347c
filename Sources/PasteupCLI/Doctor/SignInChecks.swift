internal import Accounts
internal import Expressions
internal import StepKit
internal import Values
internal import Workflows

/// Whether the accounts of `pasteup login`, and the tokens that were refreshed for other places, are good for a while.
struct SignInChecks {
    let environment: [String: String]
    let workflow: Workflow?
    let now: Timestamp

    var findings: [Finding] { signedIn + standIns + withoutToken }

    private var folder: AccountFolder? { AccountFolder(environment: environment) }

    private var signedIn: [Finding] {
        do throws(AccountsError) {
            return try (folder?.records() ?? []).map { finding($0, "sign-in \($0.name)") }
        } catch {
            return [Finding("sign-ins", .error, "\(error)".withoutFullStop)]
        }
    }

    private func finding(_ record: TokenRecord, _ check: String) -> Finding {
        let view = AccountView(record, now: now)
        guard view.endsSoon, let expires = record.expires else { return Finding(check, .ok, view.who) }
        let isOver = expires <= now
        return Finding(
            check, isOver ? .error : .warning,
            "the token \(isOver ? "has ended" : "ends") on \(expires.localText)",
            fix: record.name.isEmpty
                ? "Put a new one in its place, or write: pasteup login \(record.type)" : "Write: \(view.signIn)")
    }

    /// Tokens that took the place of those that the workflow's accounts name.
    private var standIns: [Finding] {
        let store = SecretStore(environment: environment)
        guard let workflow, let tokens = TokenFolder(environment: environment) else { return [] }
        return workflow.usedAccounts.compactMap { account in
            let names = (account.token?.references ?? []).filter { $0.root == "secrets" }.compactMap(\.path.first)
            guard names.count == 1, let origin = try? store.secretSetByUser(names[0]),
                let record = try? tokens.record(inPlaceOf: origin), AccountView(record, now: now).endsSoon
            else { return nil }
            return finding(record, "token \(account.name)")
        }
    }

    /// The workflow's accounts that name no token.
    private var withoutToken: [Finding] {
        guard let workflow else { return [] }
        return workflow.usedAccounts.filter { $0.token == nil }.map { account in
            let check = "account \(account.name)"
            do throws(AccountsError) {
                if let record = try folder?.record(for: account.name, type: account.type.name) {
                    return Finding(check, .ok, "\(account.type.service), signed in as '\(record.name)'")
                }
                return Finding(
                    check, .error, "\(account.type.service), and nobody has signed in",
                    fix: "Write: pasteup login \(account.type.name)")
            } catch {
                return Finding(check, .error, "\(error)".withoutFullStop)
            }
        }
    }
}
