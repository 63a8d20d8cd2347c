internal import Accounts
internal import Files
internal import Instagram
internal import StepKit
internal import VK
internal import Values
internal import Workflows

/// `pasteup login`.
enum LoginCommand: Command {
    static let spec = CommandSpec(
        "login", "Signs in to a service, and keeps the token where only you can read it.",
        example: "pasteup login instagram",
        arguments: [CommandSpec.Argument("SERVICE", choices: ["instagram", "vk"], "instagram or vk.")],
        options: [
            CommandSpec.Option(
                "--name", value: "NAME",
                "The account's name, and NAME_TOKEN among the secrets; the service's unless given."),
            CommandSpec.Option("--token", value: "-", "Reads the token from stdin instead of asking for it."),
            CommandSpec.Option("--client-id", value: "ID", "Signs in by the page of this application of yours."),
            CommandSpec.Option(
                "--redirect", value: "ADDRESS",
                "Where the page ends, as registered with the application. One on this machine is listened at."),
            CommandSpec.Option("--scope", value: "LIST", "The rights to ask for, joined by commas."),
            CommandSpec.Option("--classic", "VK: the classic link, which ends at blank.html, in place of VK ID."),
            CommandSpec.Option("--base-url", value: "URL", "Another address of the service; https, or this machine."),
            CommandSpec.Option("--open", "Opens the page in the browser by itself."),
            CommandSpec.Option("--json", "Prints the account as one JSON object, without its token."),
        ],
        notes: [
            "Instagram: make a token in Meta's dashboard (Instagram > API setup > Generate token) and paste it; it is "
                + "refreshed by\nitself. With --client-id and --redirect the page of your application is used; its secret is "
                + "the secret\nINSTAGRAM_APP_SECRET, or is asked for.",
            "VK: paste a token, or the address at which the classic page ended (blank.html#access_token=…); or use "
                + "--client-id.",
            "A token that is set as NAME_TOKEN in the environment or in secrets.yaml goes before the one kept here.",
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let service = try ServiceName(arguments.positionals[0])
        let name = arguments.value("--name") ?? service.rawValue
        guard AccountFolder.isName(name) else {
            throw UsageError(
                "'\(name)' cannot be the name of an account",
                fix: "Names have letters, digits, '-' and '_', and begin with a letter.")
        }
        guard arguments.value("--token").map({ $0 == "-" }) ?? true else {
            throw UsageError(
                "'--token' takes '-' only: what stands on a command line is seen by all users of the machine",
                fix: "Write '--token -', and give the token on stdin.")
        }
        guard service == .vk || !arguments.has("--classic") else { throw UsageError("'--classic' goes with 'vk' only") }
        guard let folder = AccountFolder(environment: session.environment) else {
            throw CommandFailure(
                "there is no place for the account", why: "Neither XDG_CONFIG_HOME nor HOME is set.", fix: "Set HOME.")
        }
        if let other = try read(folder, name), other.type != service.rawValue {
            throw UsageError("'\(name)' is an account of type '\(other.type)'", fix: "Choose another --name.")
        }
        let base = try arguments.value("--base-url").map(checkedBase)
        let client = ClientSlot(session.faults)
        client.fill(allowedHosts: nil)
        do {
            // A sign-in that cannot be kept would be spent for nothing.
            try await checkRoom(folder, name)
            let request = LoginRequest(arguments, session: session, client: client, base: base)
            var record = try await service == .instagram ? request.instagram() : request.vk()
            record.name = name
            record.baseURL = base
            let lock = try await folder.lock(name)
            defer { withExtendedLifetime(lock) {} }
            try folder.save(record)
            tell(record, request, session, showsJSON: arguments.has("--json"))
            await client.shutdown()
            return .done
        } catch let error as StepError {
            await client.shutdown()
            throw CommandFailure(error.what, why: error.why, fix: error.fix)
        } catch let error as FileError {
            await client.shutdown()
            throw CommandFailure(
                "the account cannot be kept: \(error)".withoutFullStop,
                fix: "Make its folder one that you can write to, or set XDG_CONFIG_HOME.")
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// - Throws: `FileError` when nothing can be written there.
    private static func checkRoom(_ folder: AccountFolder, _ name: String) async throws {
        _ = try await folder.lock(name)
    }

    static func read(_ folder: AccountFolder, _ name: String) throws -> TokenRecord? {
        do { return try folder.record(named: name) } catch { throw CommandFailure("\(error)".withoutFullStop) }
    }

    private static func checkedBase(_ text: String) throws -> String {
        do { return try BaseURL.check(text) } catch {
            throw UsageError(
                "'--base-url \(text)' is \(error.problem)" + (error.why.map { ". \($0)" } ?? ""),
                fix: error.fix.map { $0 + "." })
        }
    }

    private static func tell(_ record: TokenRecord, _ request: LoginRequest, _ session: Session, showsJSON: Bool) {
        let view = AccountView(record, now: session.now)
        session.output.result(
            showsJSON ? view.json : "signed in: account '\(record.name)', \(view.who)\n\(view.details)")
        if let rights = record.rights {
            let missing = request.rights.filter { !rights.contains($0) && $0 != "offline" }
            if !missing.isEmpty {
                session.tell(
                    warning: "\(view.service) did not grant \(missing.map { "'\($0)'" }.joined(separator: ", ")). "
                        + "Steps that need it will be refused.")
            }
        }
        let secret = AccountFolder.secretName(of: record.name)
        if let other = try? SecretStore(environment: session.environment).secretSetByUser(secret), other != record.token
        {
            session.tell(
                warning: "\(secret) is set elsewhere, and goes before this account where a workflow says "
                    + "'secrets.\(secret)'. Take it out there.")
        }
    }
}

/// A service that one can sign in to.
enum ServiceName: String, CaseIterable {
    case instagram, vk

    init(_ text: String) throws {
        guard let found = ServiceName(rawValue: text) else {
            throw UsageError("there is no service '\(text)'", fix: "Write 'instagram' or 'vk'.")
        }
        self = found
    }
}
