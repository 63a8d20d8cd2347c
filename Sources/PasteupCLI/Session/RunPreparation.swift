internal import Accounts
internal import Engine
internal import Expressions
internal import HTTP
internal import StepKit
internal import Values
internal import Workflows

/// The accounts and secrets of a run, read before its first step.
struct RunPreparation {
    private(set) var accounts: [String: Account]
    /// The tokens as the user has set them, by account.
    private(set) var origins: [String: Secret] = [:]
    let secrets: [String: Secret]

    /// Reads what the workflow's steps need.
    ///
    /// - Throws: `CommandFailure` that names every secret that is missing, and the accounts that need it.
    init(_ workflow: Workflow, inputs: ValueObject, _ session: Session) throws {
        let used = workflow.usedAccounts
        let store = SecretStore(environment: session.environment)
        var secrets: [String: Secret] = [:]
        var missing: [String] = []
        for name in workflow.mentionedSecrets {
            do {
                if let secret = try store.secret(name), !secret.isEmpty {
                    secrets[name] = secret
                } else {
                    missing.append(name)
                }
            } catch {
                throw CommandFailure("\(error)")
            }
        }
        guard missing.isEmpty else { throw RunPreparation.missing(missing, used, store) }
        session.output.hide(Array(secrets.values) + session.secretVariables)
        let environment = session.environment
        let values = RunValues(
            inputs: inputs, run: [:], secret: { [secrets] in secrets[$0] }, environment: { environment[$0] })
        var accounts: [String: Account] = [:]
        for declaration in used {
            let account = try RunPreparation.account(declaration, values, session)
            origins[account.name] = account.token
            accounts[account.name] = try RunPreparation.replacement(of: account, session)
        }
        session.output.hide(Array(secrets.values) + accounts.values.map(\.token) + session.secretVariables)
        self.secrets = secrets
        self.accounts = accounts
    }

    /// Puts fresh tokens in place of those that end.
    mutating func renew(_ session: Session, _ client: any HTTPClient) async {
        let upkeep = TokenUpkeep(session, client, self)
        for (name, account) in accounts where origins[name] != nil { accounts[name] = await upkeep.renewal(account) }
    }

    /// Gives a step's account a new token, and keeps it for later runs.
    mutating func replaceToken(
        of address: String?, in workflow: Workflow, by token: Secret, _ session: Session
    ) throws {
        guard let name = address.flatMap(workflow.step(at:))?.account, let account = accounts[name],
            let origin = origins[name]
        else { return }
        guard
            let place = TokenPlace(
                of: origin, token: account.token, type: account.type, environment: session.environment)
        else {
            throw CommandFailure(
                "the new token cannot be kept", why: "Neither XDG_CONFIG_HOME nor HOME is set.", fix: "Set HOME.")
        }
        do {
            var record =
                try place.read() ?? TokenRecord(type: account.type, token: token, obtained: session.now)
            record.token = token
            record.obtained = session.now
            record.tried = nil
            try place.write(record)
        } catch {
            throw CommandFailure("the new token cannot be kept: \(error)", fix: "Mend that, and give it again.")
        }
        for other in origins where other.value == origin {
            accounts[other.key] = accounts[other.key].map { $0.with(token: token) }
        }
        session.output.hide(
            Array(secrets.values) + origins.values + accounts.values.map(\.token) + [account.token]
                + session.secretVariables)
    }

    /// The account with the token that has taken the place of the one that the user set, if one has.
    private static func replacement(of account: Account, _ session: Session) throws -> Account {
        do {
            let kept = try TokenFolder(environment: session.environment)?.token(inPlaceOf: account.token)
            return kept.map { account.with(token: $0, session: account.session ?? account.token) } ?? account
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Points every account at the sandbox; no secret is read.
    init(_ workflow: Workflow, sandbox: SandboxHost, _ session: Session) {
        var accounts: [String: Account] = [:]
        for declaration in workflow.usedAccounts {
            accounts[declaration.name] = Account(
                name: declaration.name, type: declaration.type.name,
                token: Secret(sandbox.token(for: declaration.type.name)), baseURL: sandbox.baseURL,
                settings: declaration.settings)
        }
        let standIn = Secret("sandbox-" + "secret")
        secrets = Dictionary(uniqueKeysWithValues: workflow.mentionedSecrets.map { ($0, standIn) })
        session.output.hide(accounts.values.map(\.token))
        self.accounts = accounts
    }

    private static func account(
        _ declaration: AccountDeclaration, _ values: RunValues, _ session: Session
    ) throws -> Account {
        func text(_ argument: Argument, _ what: String) throws -> String {
            let value: Value
            do { value = try argument.value(in: values) } catch {
                throw CommandFailure("\(what) of \(Account.phrase(declaration.name)) has no value: \(error.what)")
            }
            guard let text = value.string, !text.isEmpty else {
                throw CommandFailure("\(what) of \(Account.phrase(declaration.name)) is empty")
            }
            return text
        }
        let token =
            try declaration.token.map { try text($0, "the token") } ?? signedIn(declaration, session).token.reveal()
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure(
                "the token of \(Account.phrase(declaration.name)) has blanks or other characters that no token has",
                fix: "Copy it again, without quotes and line breaks.")
        }
        let record = stored(Secret(token), declaration, session)
        let given =
            try declaration.baseURL.map { try text($0, "the base-url") } ?? record?.baseURL ?? declaration.type.baseURL
        let address: String
        do { address = try BaseURL.check(given) } catch {
            throw CommandFailure(
                "the base-url of \(Account.phrase(declaration.name)) is '\(given)', \(error.problem)",
                why: error.why.map { $0 + "." },
                fix: error.fix.map { $0 + "." })
        }
        return Account(
            name: declaration.name, type: declaration.type.name, token: Secret(token), session: record?.session,
            baseURL: address, settings: declaration.settings)
    }

    /// The account of `pasteup login` that one without a token stands for.
    private static func signedIn(_ declaration: AccountDeclaration, _ session: Session) throws -> TokenRecord {
        let type = declaration.type
        let all: [TokenRecord]
        do throws(AccountsError) {
            let folder = AccountFolder(environment: session.environment)
            if let found = try folder?.record(for: declaration.name, type: type.name) { return found }
            all = try folder?.records().filter { $0.type == type.name } ?? []
        } catch {
            throw CommandFailure("\(error)".withoutFullStop)
        }
        throw CommandFailure(
            "\(Account.phrase(declaration.name)) has no token",
            why: all.isEmpty
                ? "The workflow names none, and nobody has signed in to \(type.service)."
                : "The workflow names none, and of the accounts that have signed in (\(all.map(\.name).joined(separator: ", "))) "
                    + "it could be any.",
            fix: all.isEmpty
                ? "Sign in: pasteup login \(type.name)"
                : "Give the workflow's account the name of one of them.")
    }

    /// The account of `pasteup login` whose token it is.
    private static func stored(
        _ token: Secret, _ declaration: AccountDeclaration, _ session: Session
    ) -> TokenRecord? {
        let records = (try? AccountFolder(environment: session.environment)?.records()) ?? []
        return records.first { $0.type == declaration.type.name && $0.token == token }
    }

    private static func missing(
        _ names: [String], _ accounts: [AccountDeclaration], _ store: SecretStore
    ) -> CommandFailure {
        let users = accounts.filter {
            ($0.token?.references ?? []).contains { $0.root == "secrets" && names.contains($0.path.first ?? "") }
        }
        let list = names.map { "'\($0)'" }.joined(separator: " and ")
        let needed =
            users.isEmpty
            ? nil
            : "The \(users.count == 1 ? "account" : "accounts") \(users.map { "'\($0.name)'" }.joined(separator: " and ")) "
                + "(\(users.map(\.type.service).joined(separator: ", "))) cannot work without."
        let file = store.secretsPath.map { ", or add it to \($0) (mode 0600)" } ?? ""
        // A token can be had by signing in, too.
        let signIn = users.lazy.compactMap { account -> String? in
            let names = (account.token?.references ?? []).compactMap(\.path.first)
            guard let name = names.first(where: { $0 == names[0] && $0.hasSuffix("_TOKEN") }) else { return nil }
            let plain = name.dropLast("_TOKEN".count).lowercased()
            return "pasteup login \(account.type.name)" + (plain == account.type.name ? "" : " --name \(plain)")
        }.first
        return CommandFailure(
            "\(names.count == 1 ? "secret" : "secrets") \(list) \(names.count == 1 ? "is" : "are") not set",
            why: needed,
            fix:
                "Set the environment variable \(names[0])\(file)\(signIn.map { ", or sign in: \($0)" } ?? ""). To try without an account, add --sandbox."
        )
    }
}

extension Account {
    /// - Parameter session: nil for the one that it has.
    func with(token: Secret, session: Secret? = nil) -> Account {
        Account(
            name: name, type: type, token: token, session: session ?? self.session, baseURL: baseURL, settings: settings
        )
    }
}

extension TokenRecord {
    /// What stays the same of a sign-in whose tokens replace one another.
    fileprivate var session: Secret? { refreshToken == nil ? nil : deviceID.map { Secret($0) } }
}

extension Workflow {
    /// The accounts that steps use, in the order of the file.
    var usedAccounts: [AccountDeclaration] {
        let names = Set(steps.compactMap(\.account))
        return accounts.filter { names.contains($0.name) }
    }

    /// The names of the secrets that steps, their accounts and hooks mention, sorted.
    var mentionedSecrets: [String] {
        let accounts = usedAccounts.flatMap { ($0.token?.references ?? []) + ($0.baseURL?.references ?? []) }
        let arguments = steps.flatMap(\.arguments).map(\.value) + hooks.flatMap(\.arguments)
        let references = accounts + arguments.flatMap(\.references)
        return Set(references.filter { $0.root == "secrets" }.compactMap(\.path.first)).sorted()
    }
}

extension Session {
    /// Variables whose names say that they are secret; whatever a run prints, they are not in it.
    var secretVariables: [Secret] {
        environment.filter { name, value in
            value.utf8.count >= 8
                && ["TOKEN", "SECRET", "PASSWORD", "KEY"].contains { name.uppercased().hasSuffix($0) }
        }.values.map { Secret($0) }
    }
}
