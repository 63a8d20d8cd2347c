internal import Engine
internal import Files
internal import Journal
internal import Values
internal import Workflows

/// `pasteup run FILE`.
enum RunCommand: Command {
    static let spec = CommandSpec(
        "run", "Runs a workflow.", example: "pasteup run workflows/instagram-to-vk.yaml -i wall=-123",
        arguments: [CommandSpec.Argument("FILE", "The workflow file.")],
        options: [
            CommandSpec.Option("-i, --input", value: "NAME=VALUE", isRepeated: true, "Gives an input."),
            CommandSpec.Option("--dry-run", "Prints the plan and sends nothing; the same as 'pasteup plan'."),
            CommandSpec.Option("--json", "Prints one event a line, as JSON."),
            CommandSpec.Option("--quiet", "Prints only results and what needs attention."),
            CommandSpec.Option("--ignore-once", "Posts even what the ledger of 'once' knows as posted."),
            CommandSpec.Option("--sandbox", "Runs against a local stand-in for the services: no account is needed."),
            CommandSpec.Option("--faults", value: "FILE", "With --sandbox: faults that the stand-in plays, as JSON."),
        ],
        notes: [
            "Exit codes: 0 done or nothing to do, 1 a step failed, 2 the file or the command line is wrong, 3 paused for a "
                + "person,\n4 waiting until a time, 130 stopped by Ctrl-C (go on with 'pasteup resume')."
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        if arguments.has("--dry-run") { return try await PlanCommand.plan(arguments, session) }
        let isSandbox = arguments.has("--sandbox")
        guard isSandbox || arguments.value("--faults") == nil else {
            throw UsageError("'--faults' goes with '--sandbox' only")
        }
        let source = WorkflowSource(session)
        let (workflow, bytes, file) = try source.load(arguments.positionals[0])
        let inputs = try source.inputs(of: workflow, arguments.values["--input"] ?? [])
        let state = try StateFolder(arguments, session, isSandbox: isSandbox)
        let sandbox = try isSandbox ? SandboxHost(folder: state.sandboxData, faults: arguments.value("--faults")) : nil
        defer { sandbox?.stop() }
        source.client.fill(allowedHosts: sandbox.map { [$0.authority] })
        let preparation =
            try sandbox.map { RunPreparation(workflow, sandbox: $0, session) }
            ?? RunPreparation(workflow, inputs: inputs, session)

        let store = try await state.open()
        let options: ValueObject = [
            "sandbox": .bool(isSandbox), "ignore-once": .bool(arguments.has("--ignore-once")),
            "shown-as": .string(arguments.positionals[0]),
        ]
        let (record, lock) = try await newRun(
            workflow, bytes: bytes, file: file, inputs: inputs, options: options, state, store)
        defer { _ = lock }
        let view: any RunView =
            arguments.has("--json")
            ? RunJSONView(record: record, workflow: workflow, output: session.output, state: state)
            : RunHumanView(record, workflow, session, state, isQuiet: arguments.has("--quiet"))
        let launcher = RunLauncher(session: session, state: state, store: store, client: source.client)
        let code: ExitCode
        do { code = try await launcher.launch(workflow, record, preparation, view: view) } catch {
            await close(store, source.client)
            throw error
        }
        await close(store, source.client)
        return code
    }

    static func close(_ store: any JournalStore, _ client: ClientSlot) async {
        await store.close()
        await client.shutdown()
    }

    /// Adds a run to the journal, with its folder, its copy of the workflow and its lock.
    private static func newRun(
        _ workflow: Workflow, bytes: [UInt8], file: String, inputs: ValueObject, options: ValueObject,
        _ state: StateFolder, _ store: any JournalStore
    ) async throws -> (RunRecord, FileLock) {
        var generator = SystemRandomNumberGenerator()
        let now = Timestamp.now
        // Two characters are drawn at random: a second run in the same second hardly ever draws the same.
        for _ in 0..<100 {
            let id = newRunID(at: now, using: &generator)
            let folder = state.runFolder(id)
            if FileSystem.exists(folder) { continue }
            do {
                try FileSystem.makeFolder(FileSystem.join(folder, "inputs"))
                try FileSystem.makeFolder(FileSystem.join(folder, "artifacts"))
                try FileSystem.write(bytes, to: FileSystem.join(folder, "inputs/workflow.yaml"))
                guard let lock = try FileLock.take(state.lockPath(id)) else { continue }
                let record = RunRecord(
                    id: id, workflow: workflow.name, file: file, lockKey: lockKey(file: file, inputs: inputs),
                    inputs: inputs, options: options, startedAt: now)
                try await store.add(record)
                return (record, lock)
            } catch let error as JournalError where error.kind == .exists {
                continue
            } catch let error as JournalError {
                throw CommandFailure(error.message, why: "Nothing was sent.", fix: error.fix)
            } catch let error as FileError {
                throw CommandFailure(
                    "the state folder cannot be used: \(error)", why: "Nothing was sent.",
                    fix: error.isDiskFull ? "Make room on the disk." : "Choose another folder with --state DIR.")
            }
        }
        throw CommandFailure("no free run id was found", fix: "Try again.")
    }
}
