internal import Engine
internal import Files
internal import Journal
internal import SQLiteJournal
internal import StepKit
internal import Values
internal import Workflows

/// `pasteup plan FILE`.
enum PlanCommand: Command {
    static let spec = CommandSpec(
        "plan", "Shows what a run would send to whom, in which order, and sends nothing.",
        example: "pasteup plan workflows/instagram-to-vk.yaml --fetch",
        arguments: [CommandSpec.Argument("FILE", "The workflow file.")],
        options: WorkflowSource.inputOptions + [
            CommandSpec.Option(
                "--fetch", "Carries out what only reads and computes, so that the plan shows the real card and text."),
            CommandSpec.Option("--json", "Prints the plan as one JSON object."),
            CommandSpec.Option("--sandbox", "With --fetch: reads from the local stand-in for the services."),
            CommandSpec.Option("--faults", value: "FILE", "With --sandbox: faults that the stand-in plays, as JSON."),
        ],
        notes: [
            "Without --fetch neither the network nor any secret is needed.",
            "With --json a value of more than 8 KB is written once; where it comes again, {\"same-as\": \"/steps/0/with/rows\"}\n"
                + "points to its first place (a JSON Pointer, RFC 6901).",
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        try await plan(arguments, session)
    }

    /// Also what `run --dry-run` does.
    static func plan(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        guard arguments.has("--sandbox") || arguments.value("--faults") == nil else {
            throw UsageError("'--faults' goes with '--sandbox' only")
        }
        let source = WorkflowSource(session)
        let path = arguments.positionals[0]
        let workflow = try source.load(path).workflow
        let inputs = try source.inputs(of: workflow, arguments).values
        let environment = session.environment
        var fetched: FetchedSteps?
        var code = ExitCode.done
        var baseURL: String?
        if arguments.has("--fetch") {
            let state = try StateFolder(arguments, session, isSandbox: arguments.has("--sandbox"))
            let sandbox =
                try arguments.has("--sandbox")
                ? SandboxHost(folder: state.sandboxData, faults: arguments.value("--faults")) : nil
            defer { sandbox?.stop() }
            baseURL = sandbox?.baseURL
            source.client.fill(allowedHosts: sandbox.map { [$0.authority] })
            // The reading part may need fewer secrets than the run: where one is missing, its token is not looked at.
            if sandbox == nil, var preparation = try? RunPreparation(workflow, inputs: inputs, session) {
                await preparation.renew(session, source.client)
                let check = AccountCheck(vk: source.vk, session: session)
                if try await !check.passes(workflow, preparation.accounts, inputs: inputs) { code = .failed }
            }
            let fetchCode: ExitCode
            (fetched, fetchCode) = try await fetch(workflow, inputs, sandbox, source, state)
            code = ExitCode.worst([code, fetchCode])
            await source.client.shutdown()
        }
        let plan = Plan(
            workflow, inputs: inputs, fetched: fetched, environment: { environment[$0] }, baseURL: baseURL)
        if arguments.has("--json") {
            PlanJSONView(plan, file: path).write(to: session.output.result)
        } else {
            session.output.result(PlanHumanView(plan, file: path, session.style).text)
        }
        return code
    }

    /// Runs the part of the workflow that only reads and computes, in a folder that stays for the person to look at.
    private static func fetch(
        _ workflow: Workflow, _ inputs: ValueObject, _ sandbox: SandboxHost?, _ source: WorkflowSource,
        _ state: StateFolder
    ) async throws -> (FetchedSteps, ExitCode) {
        let session = source.session
        let part = workflow.onlyFetching()
        var preparation =
            try sandbox.map { RunPreparation(part, sandbox: $0, session) }
            ?? RunPreparation(part, inputs: inputs, session)
        if sandbox == nil { await preparation.renew(session, source.client) }
        // What is new is told by the ledger of the runs.
        let ledger = try state.hasJournal() ? try await state.open(forReading: true) : nil
        let folder: PlanFolder
        do { folder = try PlanFolder(now: session.now) } catch {
            await ledger?.close()
            throw error
        }
        do {
            let result = try await fetch(part, of: workflow, inputs, preparation, folder.path, ledger, session)
            folder.removeIfEmpty()
            await ledger?.close()
            return result
        } catch {
            folder.remove()
            await ledger?.close()
            throw error
        }
    }

    private static func fetch(
        _ part: Workflow, of workflow: Workflow, _ inputs: ValueObject, _ preparation: RunPreparation,
        _ folder: String, _ ledger: (any JournalStore)?, _ session: Session
    ) async throws -> (FetchedSteps, ExitCode) {
        let journal = MemoryJournalStore()
        let record = RunRecord(
            id: "plan", workflow: workflow.name, file: workflow.file, lockKey: "", inputs: inputs, startedAt: .now)
        try await journal.add(record)
        let environment = session.environment
        var runner = Runner(
            part, record: record,
            services: RunServices(
                journal: journal, clock: SystemClock(), folder: folder, accounts: preparation.accounts,
                secrets: preparation.secrets,
                environment: { environment[$0] }, seed: UInt64.random(in: 0 ... .max),
                ledger: ledger,
                observe: { event in
                    if case .warning(let address, let text) = event {
                        session.tell(warning: "step '\(address)': \(text)")
                    }
                }, stops: session.signals.stream()))
        let outcome = try await runner.run()
        for step in outcome.steps {
            guard let error = step.error else { continue }
            session.tell(error: "step '\(step.address)': \(error.what)", why: error.why, fix: error.fix)
        }
        let entries = await journal.entries(of: record.id)
        return (outcome.fetched(entries: entries, of: part, folder: folder), ExitCode(outcome.state))
    }
}
