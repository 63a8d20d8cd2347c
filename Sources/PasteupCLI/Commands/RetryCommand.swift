internal import Journal
internal import SQLiteJournal

/// `pasteup retry RUN`.
enum RetryCommand: Command {
    static let spec = CommandSpec(
        "retry", "Runs the failed steps of a failed run again, and those that were skipped because of them.",
        example: "pasteup retry 1v9k2f7q",
        arguments: [CommandSpec.Argument("RUN", "The run's id or its beginning.")],
        options: [
            CommandSpec.Option("--json", "Prints one event a line, as JSON."),
            CommandSpec.Option("-q, --quiet", "Prints only results and what needs attention."),
            CommandSpec.Option("--sandbox", "Looks among the runs of the sandbox, and starts it again."),
            CommandSpec.Option("--faults", value: "FILE", "With --sandbox: faults that the stand-in plays, as JSON."),
        ],
        notes: [
            "What has succeeded is kept: a finished upload is not made again, and a finished post never. The run keeps its "
                + "id\nand its own copy of the workflow. A write that failed in doubt is looked for before it is sent again.",
            "A run that is paused, waiting, stopped or interrupted goes on with 'pasteup resume'.",
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let source = WorkflowSource(session)
        do {
            let code = try await NamedRun.with(arguments, session) { run in
                try await RunContinuation(session, run.state, run.store, source, arguments)
                    .go(on: run.record.id, retries: true)
            }
            await source.client.shutdown()
            return code
        } catch {
            await source.client.shutdown()
            throw error
        }
    }
}
