internal import Journal
internal import SQLiteJournal
internal import Values

/// `pasteup ledger`.
enum LedgerCommand: Command {
    static let spec = CommandSpec(
        "ledger", "Shows what 'once' remembers as posted, and makes it forget.",
        example: "pasteup ledger list -123/", verbs: [list, forget])

    private static let list = CommandSpec(
        "ledger list", "Lists the keys of 'once': what was posted, and what a run has reserved.",
        example: "pasteup ledger list own/ --limit 20",
        arguments: [CommandSpec.Argument("PREFIX", isRequired: false, "Only keys that begin so.")],
        options: [
            CommandSpec.Option("--limit", value: "N", "How many at most; 100 unless given."),
            CommandSpec.Option("--json", "Prints one key a line, as JSON."),
            CommandSpec.Option("--sandbox", "Looks into the ledger of the sandbox."),
        ])

    private static let forget = CommandSpec(
        "ledger forget", "Forgets a key of 'once': the next run posts it again.",
        example: "pasteup ledger forget own/18042713969215733",
        arguments: [CommandSpec.Argument("KEY", "The whole key, as 'pasteup ledger list' shows it.")],
        options: [
            CommandSpec.Option("--scope", value: "WORKFLOW", "The workflow whose key it is, when several have it."),
            CommandSpec.Option("--global", "The key of 'scope: global', when workflows have the same."),
            CommandSpec.Option("--json", "Prints what was forgotten as one JSON object."),
            CommandSpec.Option("--sandbox", "Looks into the ledger of the sandbox."),
        ],
        notes: [
            "To post a photo again, forget its key, then run the workflow. The post that is on the wall stays there."
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let limit = try arguments.count("--limit", "keys") ?? 100
        let choice = try LedgerScope(arguments)
        let state = try StateFolder(arguments, session, isSandbox: arguments.has("--sandbox"))
        let isList = arguments.verb == list.word
        guard try state.hasJournal() else {
            guard isList else { throw unknown(arguments.positionals[0], choice, state) }
            if !arguments.has("--json") { session.output.note("The ledger is empty.\n") }
            return .done
        }
        let store = try await state.open(forReading: isList)
        do {
            if isList {
                try await showList(arguments, limit: limit, session, store)
            } else {
                let gone = try await forget(arguments.positionals[0], choice, session, state, store)
                session.output.result(arguments.has("--json") ? LedgerText.json([gone]) : LedgerText.forgotten(gone))
            }
            await store.close()
            return .done
        } catch {
            await store.close()
            throw error
        }
    }

    private static func showList(
        _ arguments: ParsedArguments, limit: Int, _ session: Session, _ store: any JournalStore
    ) async throws {
        let prefix = arguments.positionals.first ?? ""
        let most = limit == .max ? limit : limit + 1
        let found = try await store.ledger(withPrefix: prefix, limit: most)
        let entries = Array(found.prefix(limit))
        guard !arguments.has("--json") else { return session.output.result(LedgerText.json(entries)) }
        session.output.result(LedgerText.table(entries))
        if found.isEmpty {
            session.output.note(
                prefix.isEmpty ? "The ledger is empty.\n" : "No key begins with '\(shown(prefix))'.\n")
        } else if found.count > limit {
            session.output.note("There are more. Give the beginning of a key, or a larger --limit.\n")
        }
    }

    private static func forget(
        _ text: String, _ choice: LedgerScope, _ session: Session, _ state: StateFolder, _ store: any JournalStore
    ) async throws -> LedgerEntry {
        let found = try await store.ledger(withPrefix: text, limit: .max)
            .filter { $0.key == LedgerKey(scope: $0.key.scope, text: text) && choice.takes($0.key.scope) }
        guard let entry = found.first else { throw unknown(text, choice, state) }
        guard found.count == 1 else {
            throw CommandFailure(
                "'\(shown(text))' is a key of \(found.map { LedgerText.scope($0.key) }.joined(separator: " and of "))",
                fix: "Name one: " + found.map { LedgerText.forget($0.key, state) }.joined(separator: "; "), code: .usage
            )
        }
        guard let gone = try await store.forget(entry.key) else { throw unknown(text, choice, state) }
        if case .reserved = gone.state, let warning = try await warning(gone, state, store) {
            session.tell(warning: warning)
        }
        return gone
    }

    /// What follows when the run that had reserved the key is not over.
    private static func warning(
        _ entry: LedgerEntry, _ state: StateFolder, _ store: any JournalStore
    ) async throws -> String? {
        guard let record = try await store.run(entry.run) else { return nil }
        let holder = RunLookup(state, store).living(record)
        guard !holder.state.isFinal else { return nil }
        return
            "run \(holder.id), which is \(holder.state.rawValue), had reserved '\(shown(entry.key.text))' for its step "
            + "'\(entry.address)', and may still post it: with another run in between it would be there twice. "
            + "To give that run up: pasteup cancel \(holder.id)\(state.options)"
    }

    private static func unknown(_ text: String, _ choice: LedgerScope, _ state: StateFolder) -> CommandFailure {
        CommandFailure(
            "the ledger has no key '\(shown(text))'\(choice.clause)",
            why: "Keys are compared as a whole, byte for byte.",
            fix: "See: pasteup ledger list\(state.options)", code: .usage)
    }
}

/// Whose key is meant.
private enum LedgerScope {
    case any
    case workflow(String)
    case global

    init(_ arguments: ParsedArguments) throws {
        switch (arguments.value("--scope"), arguments.has("--global")) {
        case (nil, false): self = .any
        case (nil, true): self = .global
        case (let name?, false): self = .workflow(name)
        case (_?, true):
            throw UsageError("'--scope' and '--global' do not go together", fix: "Give one of them.")
        }
    }

    func takes(_ scope: String) -> Bool {
        switch self {
        case .any: true
        case .workflow(let name): scope.utf8.elementsEqual(name.utf8)
        case .global: scope.isEmpty
        }
    }

    var clause: String {
        switch self {
        case .any: ""
        case .workflow(let name): " of workflow '\(shown(name))'"
        case .global: " of all workflows"
        }
    }
}

extension ParsedArguments {
    /// The number that an option gives, from 1.
    ///
    /// - Parameter noun: what is counted, for the error.
    func count(_ option: String, _ noun: String) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), number > 0 else {
            throw UsageError("'\(option) \(text)' is no number of \(noun)", fix: "Give a whole number from 1.")
        }
        return number
    }
}
