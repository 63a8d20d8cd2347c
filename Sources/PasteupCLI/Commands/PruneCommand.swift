internal import Journal
internal import SQLiteJournal
internal import Values

/// `pasteup prune --older-than 30d`.
enum PruneCommand: Command {
    static let spec = CommandSpec(
        "prune", "Removes old runs that are over, with their photos, cards and journals.",
        example: "pasteup prune --older-than 30d --dry-run",
        options: [
            CommandSpec.Option("--older-than", value: "TIME", "How long a run must have been over: 12h, 30d."),
            CommandSpec.Option("--dry-run", "Only says what would be removed."),
            CommandSpec.Option("--json", "Prints what was removed as one JSON object."),
            CommandSpec.Option("--sandbox", "Removes runs of the sandbox."),
        ],
        notes: [
            "Runs that are paused, waiting, stopped, interrupted or running stay, however old; so does what 'once' remembers,\n"
                + "and a run whose write is in doubt. Folders that no run belongs to are removed, too."
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let age = try age(arguments)
        let state = try StateFolder(arguments, session, isSandbox: arguments.has("--sandbox"))
        let removes = !arguments.has("--dry-run")
        var report = Pruning.Report()
        if try state.hasJournal() {
            let store = try await state.open(forReading: !removes)
            do {
                report = try await Pruning(state, store).prune(
                    olderThan: Timestamp(milliseconds: session.now.milliseconds - age.wholeMilliseconds),
                    removes: removes)
                await store.close()
            } catch {
                await store.close()
                throw error
            }
        }
        let view = PruneView(report, removes: removes)
        session.output.result(arguments.has("--json") ? view.json : view.text)
        for failure in report.failures { session.tell(error: failure, fix: "Remove that folder by hand.") }
        return report.failures.isEmpty ? .done : .failed
    }

    private static func age(_ arguments: ParsedArguments) throws -> Duration {
        guard let text = arguments.value("--older-than") else {
            throw UsageError("'pasteup prune' needs --older-than", fix: "For example: pasteup prune --older-than 30d")
        }
        guard let age = Duration(text: text) else {
            throw UsageError(
                "'--older-than \(text)' is no length of time", fix: "Write a whole number and its unit: 12h, 30d.")
        }
        return age
    }
}
