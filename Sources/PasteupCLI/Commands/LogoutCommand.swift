internal import Accounts
internal import Files
internal import StepKit
internal import VK
internal import Values

/// `pasteup logout`.
enum LogoutCommand: Command {
    static let spec = CommandSpec(
        "logout", "Ends a sign-in with the service where that can be done, and forgets the account.",
        example: "pasteup logout vk",
        arguments: [
            CommandSpec.Argument("SERVICE", choices: ["instagram", "vk"], "instagram or vk."),
            CommandSpec.Argument(
                "NAME", isRequired: false, "The account's name; may be left out when there is one of the service."),
        ],
        options: [CommandSpec.Option("--json", "Prints what became of the account as one JSON object.")])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let service = try ServiceName(arguments.positionals[0])
        let folder = AccountFolder(environment: session.environment)
        let all: [TokenRecord]
        do { all = try folder?.records().filter { $0.type == service.rawValue } ?? [] } catch {
            throw CommandFailure("\(error)".withoutFullStop)
        }
        guard let folder, let seen = try chosen(arguments.positionals.dropFirst().first, all, service) else {
            throw UsageError(
                "there is no account '\(arguments.positionals.dropFirst().first ?? service.rawValue)' of \(service.rawValue)",
                fix: "See: pasteup accounts")
        }
        let lock = try await folder.lock(seen.name)
        defer { withExtendedLifetime(lock) {} }
        // A run may have refreshed it meanwhile.
        let record = try LoginCommand.read(folder, seen.name) ?? seen
        session.output.hide(adding: [record.token] + [record.refreshToken].compactMap { $0 })
        let isRevoked = await revoke(record, session)
        do { try folder.remove(record.name) } catch { throw CommandFailure("the account cannot be removed: \(error)") }
        if arguments.has("--json") {
            let object: Value = [
                "name": .string(record.name), "type": .string(record.type), "revoked": .bool(isRevoked),
            ]
            session.output.result(object.json() + "\n")
            return .done
        }
        session.output.result("account '\(record.name)' is forgotten\(isRevoked ? ", its token revoked" : "").\n")
        if !isRevoked {
            session.output.note(
                service == .vk
                    ? "The token itself goes on until it ends: take the application out in VK's settings (Security > Apps).\n"
                    : "The token itself goes on until it ends: take the application out in Instagram's settings "
                        + "(Website permissions > Apps and websites).\n")
        }
        return .done
    }

    private static func chosen(_ name: String?, _ all: [TokenRecord], _ service: ServiceName) throws -> TokenRecord? {
        if let name { return all.first { $0.name == name } }
        guard all.count > 1 else { return all.first }
        throw UsageError(
            "there are several accounts of \(service.rawValue)",
            fix: "Name one of \(all.map(\.name).joined(separator: ", ")).")
    }

    /// - Returns: whether the service has ended the sign-in; only VK ID's can be ended.
    private static func revoke(_ record: TokenRecord, _ session: Session) async -> Bool {
        guard record.source == .vkID else { return false }
        let client = ClientSlot(session.faults)
        client.fill(allowedHosts: nil)
        let signIn = VKSignIn(
            client: client, addresses: VKSignIn.Addresses(base: record.baseURL), now: { session.now })
        do {
            // One that has ended cannot be revoked, its successor can.
            let isOver = record.expires.map { $0 <= session.now } ?? false
            let living =
                isOver
                ? try await VKTokens(client: client, now: { session.now }).refresh(
                    record, baseURL: record.baseURL ?? publicBase(of: record.type)) : record
            session.output.hide(adding: [living.token] + [living.refreshToken].compactMap { $0 })
            try await signIn.revoke(living)
            await client.shutdown()
            return true
        } catch {
            await client.shutdown()
            session.tell(warning: "the token could not be revoked: \(error)".withoutFullStop)
            return false
        }
    }
}
