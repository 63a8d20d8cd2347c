internal import Engine
internal import Files
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// `pasteup run FILE`.
enum RunCommand: Command {
    static let spec = CommandSpec(
        "run", "Runs a workflow.", example: "pasteup run workflows/instagram-to-vk.yaml -i wall=-123",
        arguments: [CommandSpec.Argument("FILE", "The workflow file.")],
        options: WorkflowSource.inputOptions + [
            CommandSpec.Option("--dry-run", "Prints the plan and sends nothing; the same as 'pasteup plan'."),
            CommandSpec.Option("--json", "Prints one event a line, as JSON."),
            CommandSpec.Option("-q, --quiet", "Prints only results and what needs attention."),
            CommandSpec.Option("--interactive", "Asks about captchas and approvals as they come."),
            CommandSpec.Option("--open", "Opens a captcha's page in the browser by itself."),
            CommandSpec.Option("--ignore-once", "Posts even what the ledger of 'once' knows as posted."),
            CommandSpec.Option("--no-recover", "Leaves interrupted and due runs of this workflow as they are."),
            CommandSpec.Option("--sandbox", "Runs against a local stand-in for the services: no account is needed."),
            CommandSpec.Option("--faults", value: "FILE", "With --sandbox: faults that the stand-in plays, as JSON."),
        ],
        notes: [
            "Exit codes: 0 done or nothing to do, 1 a step failed, 2 the file or the command line is wrong, 3 paused for a "
                + "person,\n4 waiting until a time, 5 another run holds the lock ('overlap: fail'), 130 and 143 stopped by Ctrl-C or a "
                + "signal\n(go on with 'pasteup resume')."
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        if arguments.has("--dry-run") { return try await PlanCommand.plan(arguments, session) }
        let isSandbox = arguments.has("--sandbox")
        guard isSandbox || arguments.value("--faults") == nil else {
            throw UsageError("'--faults' goes with '--sandbox' only")
        }
        let source = WorkflowSource(session)
        let file = try source.load(arguments.positionals[0])
        let inputs = try source.inputs(of: file.workflow, arguments)
        let state = try StateFolder(arguments, session, isSandbox: isSandbox)
        let store = try await state.open()
        do {
            let code = try await run(file, inputs, state, store, source, arguments)
            await close(store, source.client)
            return code
        } catch {
            await close(store, source.client)
            throw error
        }
    }

    /// Recovers what an earlier process left, then makes a new run, while no other process runs the same.
    private static func run(
        _ file: WorkflowSource.File, _ inputs: ResolvedInputs, _ state: StateFolder, _ store: any JournalStore,
        _ source: WorkflowSource, _ arguments: ParsedArguments
    ) async throws -> ExitCode {
        let session = source.session
        let workflow = file.workflow
        let key = try overlapKey(workflow, file: file.realPath, inputs.values, session)
        guard let overlap = try await lock(key, workflow, state, store, session) else {
            return workflow.overlap == .wait ? .stopped : .done
        }
        defer { withExtendedLifetime(overlap) {} }
        let isSandbox = arguments.has("--sandbox")
        let sandbox = try isSandbox ? SandboxHost(folder: state.sandboxData, faults: arguments.value("--faults")) : nil
        defer { sandbox?.stop() }
        source.client.fill(allowedHosts: sandbox.map { [$0.authority] })
        var preparation =
            try sandbox.map { RunPreparation(workflow, sandbox: $0, session) }
            ?? RunPreparation(workflow, inputs: inputs.values, session)

        if sandbox == nil {
            await preparation.renew(session, source.client)
            let check = AccountCheck(vk: source.vk, session: session)
            guard try await check.passes(workflow, preparation.accounts, inputs: inputs.values) else {
                throw CommandFailure(
                    "the workflow cannot succeed with the tokens at hand; nothing was run", code: .failed)
            }
        }

        let questioner = Questioner(arguments, session, asksByItself: false)
        let continuation = RunContinuation(
            session, state, store, source, sandbox: sandbox, questioner: questioner, arguments)
        var codes: [ExitCode] = []
        if !arguments.has("--no-recover"), !arguments.has("--ignore-once") {
            codes = try await Recovery(continuation)
                .before(workflow, file: file.realPath, lockKey: key, overlap: overlap)
            if codes.contains(.stopped) || codes.contains(.terminated) { return ExitCode.worst(codes) }
        }
        let options: ValueObject = [
            "sandbox": .bool(isSandbox), "ignore-once": .bool(arguments.has("--ignore-once")),
            "shown-as": .string(arguments.positionals[0]),
        ]
        let (record, lock) = try await newRun(
            file, key, inputs: inputs, options: options, state, store, at: session.now)
        defer { withExtendedLifetime(lock) {} }
        let launcher = RunLauncher(
            session: session, state: state, store: store, client: source.client, questioner: questioner)
        codes.append(
            try await launcher.launch(
                workflow, record, preparation, view: continuation.view(record, workflow), tables: inputs.tables))
        return ExitCode.worst(codes)
    }

    /// - Returns: nil when another process has the lock and the workflow says to leave it at that.
    private static func lock(
        _ key: String, _ workflow: Workflow, _ state: StateFolder, _ store: any JournalStore, _ session: Session
    ) async throws -> FileLock? {
        if let lock = try OverlapLock.take(key, state) { return lock }
        let lookup = RunLookup(state, store)
        // Between two runs of one process, or before its first, there is none to name.
        let other = try await store.runs(in: [.running], file: nil, limit: 100)
            .first { $0.lockKey == key && lookup.living($0).state == .running }
        let name = other.map { "run \($0.id)" } ?? "another run"
        let going = "\(name) of '\(workflow.name)' with the same inputs is going"
        switch workflow.overlap {
        case .skip:
            session.output.note("\(going); this one is skipped ('overlap: skip').\n")
            return nil
        case .wait:
            session.output.note("\(going); waiting for it ('overlap: wait').\n")
            return try await OverlapLock.wait(key, state, session)
        case .fail:
            throw CommandFailure(going, why: "The workflow says 'overlap: fail'.", code: .locked)
        }
    }

    /// What runs are the same run: the file and its inputs, or the text of `overlap-key`.
    private static func overlapKey(
        _ workflow: Workflow, file: String, _ inputs: ValueObject, _ session: Session
    ) throws -> String {
        guard let argument = workflow.overlapKey else { return lockKey(file: file, inputs: inputs) }
        let environment = session.environment
        let values = RunValues(inputs: inputs, run: [:], secret: { _ in nil }, environment: { environment[$0] })
        do {
            return lockKey(file: workflow.name, inputs: ["overlap-key": try argument.value(in: values)])
        } catch {
            throw CommandFailure("'overlap-key' has no value: \(error.what)", fix: error.fix, code: .usage)
        }
    }

    static func close(_ store: any JournalStore, _ client: ClientSlot) async {
        await store.close()
        await client.shutdown()
    }

    /// Adds a run to the journal, with its folder, its copy of the workflow and its lock.
    private static func newRun(
        _ file: WorkflowSource.File, _ key: String, inputs: ResolvedInputs, options: ValueObject,
        _ state: StateFolder, _ store: any JournalStore, at now: Timestamp
    ) async throws -> (RunRecord, FileLock) {
        var generator = SystemRandomNumberGenerator()
        // Two characters are drawn at random: a second run in the same second hardly ever draws the same.
        for _ in 0..<100 {
            let id = newRunID(at: now, using: &generator)
            let folder = state.runFolder(id)
            if FileSystem.exists(folder) { continue }
            do {
                try FileSystem.makeFolder(FileSystem.join(folder, "inputs"))
                try FileSystem.makeFolder(FileSystem.join(folder, "artifacts"))
                try FileSystem.write(file.bytes, to: FileSystem.join(folder, "inputs/workflow.yaml"))
                try file.parts.store(in: folder)
                try FileCopies.store(
                    file.workflow.partFiles.filter(FileSystem.exists), in: folder, at: RunLauncher.partFiles)
                guard let lock = try FileLock.take(state.lockPath(id)) else { continue }
                let stored = try inputs.store(in: folder)
                var record = RunRecord(
                    id: id, workflow: file.workflow.name, file: file.realPath, lockKey: key, inputs: stored,
                    options: options, startedAt: now)
                try await store.add(record)
                record.inputs = try inputs.values(stored: stored, in: folder)
                return (record, lock)
            } catch let error as JournalError where error.kind == .exists {
                continue
            } catch let error as JournalError {
                throw CommandFailure(error.message, why: "Nothing was sent.", fix: error.fix)
            } catch let error as FileError where !error.path.hasPrefix(state.path) {
                throw CommandFailure("an input cannot be kept with the run: \(error)", why: "Nothing was sent.")
            } catch let error as FileError {
                throw CommandFailure(
                    "the state folder cannot be used: \(error)", why: "Nothing was sent.",
                    fix: error.isDiskFull ? "Make room on the disk." : "Choose another folder with --state DIR.")
            }
        }
        throw CommandFailure("no free run id was found", fix: "Try again.")
    }
}
