internal import Engine
internal import Files
internal import Journal
internal import SQLiteJournal
internal import Values
internal import Workflows

/// `pasteup cancel RUN`.
enum CancelCommand: Command {
    static let spec = CommandSpec(
        "cancel", "Gives up a run that is paused, waiting, stopped or interrupted.",
        example: "pasteup cancel 1v9k2f7q",
        arguments: [CommandSpec.Argument("RUN", "The run's id or its beginning.")],
        options: [
            CommandSpec.Option("--json", "Prints what became of the run as one JSON object."),
            CommandSpec.Option("--sandbox", "Looks among the runs of the sandbox."),
        ],
        notes: [
            "What has been posted stays posted. The keys of 'once' that the run holds are free again, so that another run\n"
                + "can post; only a write of which nobody knows whether it happened keeps its key.",
            "A run that a process works on at this moment is stopped with Ctrl-C there first.",
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        try await NamedRun.with(arguments, session) { run in
            try await cancel(run.record.id, session, run.state, run.store, showsJSON: arguments.has("--json"))
        }
        return .done
    }

    private static func cancel(
        _ id: String, _ session: Session, _ state: StateFolder, _ store: any JournalStore, showsJSON: Bool
    ) async throws {
        let lock = try state.lock(id)
        defer { withExtendedLifetime(lock) {} }
        // Another process may have had the lock until a moment ago.
        guard let record = try await store.run(id) else { throw RunLookup.unknown(id, state) }
        guard !record.state.isFinal else {
            throw CommandFailure(
                "run \(id) is over: \(record.state.rawValue)", why: "There is nothing left to cancel.", code: .usage)
        }
        let cancellation = RunCancellation(
            try await store.entries(of: id), workflow: copy(record, state, session),
            reserved: try await store.reserved(by: id), at: session.now)
        try await store.commit(
            JournalBatch(
                run: id, entries: cancellation.entries, state: .canceled,
                ledger: cancellation.releases.map { .release($0) }, durability: .durable))
        let view = CancellationView(cancellation, record, state)
        for text in view.doubts { session.tell(warning: text) }
        session.output.result(showsJSON ? view.json : view.text)
    }

    /// The run's copy of its workflow; nil when it is gone, or a later version of pasteup does not take it any more.
    private static func copy(_ record: RunRecord, _ state: StateFolder, _ session: Session) -> Workflow? {
        guard let bytes = try? FileSystem.read(StoredWorkflow.path(record, state)) else { return nil }
        let parts = PartFiles(of: state.runFolder(record.id))
        let loader = WorkflowLoader(catalog: WorkflowSource(session).catalog, files: parts.reader)
        return try? loader.load(bytes: bytes, file: record.file, folder: FileSystem.folder(of: record.file)).workflow
    }
}
