internal import Accounts
internal import Files
internal import Instagram
internal import StepKit
internal import VK
internal import Values

/// `pasteup accounts`.
enum AccountsCommand: Command {
    static let spec = CommandSpec(
        "accounts", "Shows who has signed in, what each may do and when it ends, and refreshes tokens.",
        example: "pasteup accounts refresh", verbs: [list, refresh], standardVerb: "list")

    private static let list = CommandSpec(
        "accounts list", "Lists the accounts of 'pasteup login'; no token is shown.",
        example: "pasteup accounts list --json",
        options: [CommandSpec.Option("--json", "Prints one account a line, as JSON.")])

    private static let refresh = CommandSpec(
        "accounts refresh", "Gets new tokens now, where the service gives them.",
        example: "pasteup accounts refresh instagram",
        arguments: [CommandSpec.Argument("NAME", isRequired: false, "The account's name; all of them unless given.")],
        options: [CommandSpec.Option("--json", "Prints what became of each as one JSON object a line.")])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        guard let folder = AccountFolder(environment: session.environment) else {
            throw CommandFailure(
                "there is no place for accounts", why: "Neither XDG_CONFIG_HOME nor HOME is set.", fix: "Set HOME.")
        }
        let records: [TokenRecord]
        do { records = try folder.records() } catch { throw CommandFailure("\(error)".withoutFullStop) }
        if arguments.verb == refresh.word {
            return try await refreshAll(
                try chosen(arguments.positionals.first, records), folder, session, showsJSON: arguments.has("--json"))
        }
        let views = records.map { AccountView($0, now: session.now) }
        if arguments.has("--json") {
            session.output.result(views.map(\.json).joined())
        } else if views.isEmpty {
            session.output.note("Nobody has signed in. Write: pasteup login instagram, or: pasteup login vk\n")
        } else {
            session.output.result(views.map { "\($0.record.name): \($0.who)\n\($0.details)" }.joined())
        }
        return .done
    }

    private static func chosen(_ name: String?, _ records: [TokenRecord]) throws -> [TokenRecord] {
        guard let name else { return records }
        guard let found = records.first(where: { $0.name == name }) else {
            throw UsageError("there is no account '\(name)'", fix: "See: pasteup accounts")
        }
        return [found]
    }

    private static func refreshAll(
        _ records: [TokenRecord], _ folder: AccountFolder, _ session: Session, showsJSON: Bool
    ) async throws -> ExitCode {
        /// The names are promises.
        func tell(_ record: TokenRecord, refreshed: Bool, _ text: (AccountView) -> String) {
            let view = AccountView(record, now: session.now)
            guard showsJSON else { return session.output.result("\(record.name): \(text(view))\n") }
            var members = view.members
            members["refreshed"] = .bool(refreshed)
            session.output.result(Value.object(members).json() + "\n")
        }

        let client = ClientSlot(session.faults)
        client.fill(allowedHosts: nil)
        let refreshers = TokenUpkeep.refreshers(client, now: { session.now })
        var code = ExitCode.done
        for seen in records {
            let refresher = refreshers.first { $0.accountType == seen.type }
            guard let refresher, refresher.due(seen) != nil else {
                tell(seen, refreshed: false) { _ in "its token is not refreshed; it ends when the service says so." }
                continue
            }
            do {
                let lock = try await folder.lock(seen.name)
                defer { withExtendedLifetime(lock) {} }
                guard let record = try folder.record(named: seen.name) else { continue }
                session.output.hide(adding: [record.token] + [record.refreshToken].compactMap { $0 })
                if let asked = record.asked, let expires = record.expires, expires > session.now {
                    session.tell(
                        error: "account '\(seen.name)' is not refreshed: the answer to the last refresh, on "
                            + "\(asked.localText), was lost",
                        why: "Its refresh token may be void, and a sign-in ends when one comes twice.",
                        fix:
                            "The token goes on until \(expires.localText), and is refreshed once more then; or sign in "
                            + "anew: \(AccountView(record, now: session.now).signIn)")
                    code = .failed
                    continue
                }
                // A refresh token is good once: what cannot be kept is not asked for, and that it was is known beforehand.
                var asked = record
                if record.refreshToken != nil { asked.asked = session.now }
                try folder.save(asked)
                let fresh: TokenRecord
                do {
                    fresh = try await refresher.refresh(record, baseURL: record.baseURL ?? publicBase(of: record.type))
                } catch let error as StepError where error.errorClass != .inDoubt {
                    try folder.save(record)
                    throw error
                }
                session.output.hide(adding: [fresh.token] + [fresh.refreshToken].compactMap { $0 })
                try folder.save(fresh)
                tell(fresh, refreshed: true) { "refreshed, ends \($0.end)." }
            } catch let error as StepError where isTooYoung(seen, error, session.now) {
                tell(seen, refreshed: false) { _ in
                    "its token is good, and too young: Instagram refreshes tokens from their second day on."
                }
            } catch let error as StepError {
                let kept = (try? folder.record(named: seen.name)) ?? seen
                let failure = RefreshFailure(error, of: kept, "account '\(seen.name)'", now: session.now)
                let reasons = [error.why, failure.why].compactMap { $0 }
                session.tell(
                    error: "account '\(seen.name)' could not be refreshed: \(error.what)",
                    why: reasons.isEmpty ? nil : reasons.joined(separator: " "),
                    fix: [error.fix, failure.fix].compactMap { $0 }.joined(separator: " "))
                code = .failed
            } catch {
                session.tell(error: "account '\(seen.name)' could not be refreshed: \("\(error)".withoutFullStop)")
                code = .failed
            }
        }
        await client.shutdown()
        if records.isEmpty, !showsJSON { session.output.note("Nobody has signed in.\n") }
        return code
    }
}

/// Whether Instagram has refused a refresh (100) of a token that it gave less than a day ago; the hour is for its clock.
private func isTooYoung(_ record: TokenRecord, _ error: StepError, _ now: Timestamp) -> Bool {
    record.type == InstagramAccount.type.name && error.code == "100" && now - record.obtained < .seconds(90_000)
}

/// Where a service is for everybody.
func publicBase(of type: String) -> String {
    type == VKAccount.type.name ? VKAccount.type.baseURL : InstagramAccount.type.baseURL
}
