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
            CommandSpec.Option("--quiet", "Prints only results and what needs attention."),
            CommandSpec.Option("--sandbox", "Looks among the runs of the sandbox, and starts it again."),
            CommandSpec.Option("--faults", value: "FILE", "With --sandbox: faults that the stand-in plays, as JSON."),
        ],
        notes: [
            "What has succeeded is kept: a finished upload is not made again, and a finished post never. The run keeps its "
                + "id\nand its own copy of the workflow. A write that failed in doubt is looked for before it is sent again.",
            "A run that is paused, waiting, stopped or interrupted goes on with 'pasteup resume'.",
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let state = try StateFolder(arguments, session, isSandbox: arguments.has("--sandbox"))
        guard state.exists else { throw RunLookup.noRuns(state) }
        let store = try await state.open()
        let source = WorkflowSource(session)
        do {
            let found = try await RunLookup(state, store).run(arguments.positionals[0])
            let continuation = RunContinuation(session, state, store, source, arguments)
            let code = try await continuation.go(on: found.id, retries: true)
            await RunCommand.close(store, source.client)
            return code
        } catch {
            await RunCommand.close(store, source.client)
            throw error
        }
    }
}
