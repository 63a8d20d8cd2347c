internal import Engine
internal import Files
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// Goes on with runs that are in the journal: for `resume`, `retry`, and the recovery that `run` begins with.
struct RunContinuation {
    let session: Session
    let state: StateFolder
    let store: any JournalStore
    let source: WorkflowSource
    /// The stand-in that sandbox runs ask; nil starts one for each.
    let sandbox: SandboxHost?
    let faults: String?
    let showsJSON: Bool
    let isQuiet: Bool
    /// Nil when nobody is there to be asked.
    let questioner: Questioner?

    init(
        _ session: Session, _ state: StateFolder, _ store: any JournalStore, _ source: WorkflowSource,
        sandbox: SandboxHost? = nil, questioner: Questioner? = nil, _ arguments: ParsedArguments
    ) {
        self.session = session
        self.state = state
        self.store = store
        self.source = source
        self.sandbox = sandbox
        self.questioner = questioner
        faults = arguments.value("--faults")
        showsJSON = arguments.has("--json")
        isQuiet = arguments.has("--quiet")
    }

    /// Takes the run's lock, reads its journal and its copy of the workflow, and works on it.
    ///
    /// - Parameters:
    ///   - answer: a person's answer; nil sends the paused calls again.
    ///   - step: the paused step that is meant, when there are several.
    ///   - tries: whether paused steps are sent again; false leaves them to a person.
    ///   - retries: whether it is a failed run whose failed steps run again.
    /// - Throws: `CommandFailure` with exit code 5 when another process works on the run or on the same workflow with the
    ///   same inputs.
    func go(
        on id: String, answer: Answer? = nil, step: String? = nil, tries: Bool = true, retries: Bool = false,
        overlap: FileLock? = nil
    ) async throws -> ExitCode {
        guard let lock = try FileLock.take(state.lockPath(id)) else {
            throw CommandFailure(
                "run \(id) is being worked on by another process", fix: "Wait until that one has ended.", code: .locked)
        }
        defer { withExtendedLifetime(lock) {} }
        // Another process may have had the lock until a moment ago.
        guard var record = try await store.run(id) else { throw RunLookup.unknown(id, state) }
        if retries { try checkFailed(record) }
        guard retries || !record.state.isFinal else {
            throw CommandFailure(
                "run \(id) is over: \(record.state.rawValue)",
                fix: record.state == .failed
                    ? "Run its failed steps again with: pasteup retry \(id)\(state.options)" : "Nothing is left to do.",
                code: .usage)
        }
        guard let shared = try overlap ?? OverlapLock.take(record.lockKey, state) else {
            throw CommandFailure(
                "another run of '\(record.workflow)' with the same inputs is going", fix: "Wait until it has ended.",
                code: .locked)
        }
        defer { withExtendedLifetime(shared) {} }
        let workflow = try StoredWorkflow.load(record, state, source)
        let inputs = try source.inputs(of: record, workflow, state)
        record.inputs = inputs.values
        tellIfChanged(record)
        var entries = try await store.entries(of: record.id)
        var answers =
            tries
            ? try Answer.spread(
                answer, over: RunHistory(entries).paused, step: step, record, options: state.options,
                isPersonThere: questioner != nil)
            : [:]

        let host =
            try record.options["sandbox"] == true
            ? sandbox ?? SandboxHost(folder: state.sandboxData, faults: faults) : nil
        defer { if sandbox == nil { host?.stop() } }
        source.client.fill(allowedHosts: host.map { [$0.authority] })
        var preparation =
            try host.map { RunPreparation(workflow, sandbox: $0, session) }
            ?? RunPreparation(workflow, inputs: record.inputs, session)

        if retries {
            let revival = try await revive(record, workflow, entries)
            entries += revival.entries
            answers = revival.answers
            record.state = .running
        }
        if let token = answer?.newToken, host == nil {
            try preparation.replaceToken(of: answers.keys.first, in: workflow, by: token, session)
        }
        try await store.reopen(record.id, at: session.now)
        record.processes += 1
        let launcher = RunLauncher(
            session: session, state: state, store: store, client: source.client, questioner: questioner)
        do {
            return try await launcher.launch(
                workflow, record, preparation, view: view(record, workflow), restoring: entries, answers: answers,
                tables: inputs.tables)
        } catch let error as StepError {
            // The answer does not fit: the run is as it was.
            try await store.commit(
                JournalBatch(run: id, entries: [], state: record.state, wakesAt: record.wakesAt, durability: .durable))
            throw CommandFailure(error.what, why: error.why, fix: error.fix, code: .usage)
        }
    }

    func view(_ record: RunRecord, _ workflow: Workflow) -> any RunView {
        showsJSON
            ? RunJSONView(record: record, workflow: workflow, output: session.output, state: state)
            : RunHumanView(record, workflow, session, state, isQuiet: isQuiet)
    }

    private func tellIfChanged(_ record: RunRecord) {
        var changed = PartFiles.changed(in: state.runFolder(record.id))
        let copy = try? FileSystem.read(StoredWorkflow.path(record, state))
        if let now = try? FileSystem.read(record.file), let copy, now != copy { changed.insert(record.file, at: 0) }
        for file in changed {
            session.output.note(
                "note: '\(file)' has changed since run \(record.id) began; the run goes on with its own copy.\n")
        }
    }
}

/// The copy of the workflow that a run started with, and goes on with.
enum StoredWorkflow {
    static func path(_ record: RunRecord, _ state: StateFolder) -> String {
        FileSystem.join(state.runFolder(record.id), "inputs/workflow.yaml")
    }

    static func load(_ record: RunRecord, _ state: StateFolder, _ source: WorkflowSource) throws -> Workflow {
        do {
            return try source.load(
                FileSystem.read(path(record, state)), shownAs: record.options["shown-as"]?.string ?? record.file,
                folder: FileSystem.folder(of: record.file), parts: PartFiles(of: state.runFolder(record.id)),
                showsWarnings: false)
        } catch let error as FileError {
            throw CommandFailure("the run's copy of its workflow cannot be read: \(error)")
        }
    }
}
