internal import Diagnostics
internal import Engine
internal import Files
internal import Glibc
internal import Journal
internal import StepKit
internal import Tables
internal import Values
internal import Workflows

/// Works on a run in this process: prepares what it needs, carries it out, and says how it ended.
struct RunLauncher {
    /// Where a run keeps its copies of the files that inputs of parts name.
    static let partFiles = "inputs/parts.files"

    let session: Session
    let state: StateFolder
    let store: any JournalStore
    let client: ClientSlot
    /// Nil when nobody is there to be asked.
    let questioner: Questioner?

    /// - Parameters:
    ///   - entries: the journal of earlier processes; empty for a new run.
    ///   - answers: how paused steps go on, by address.
    ///   - tables: the tables among the inputs, so that messages can name their rows.
    func launch(
        _ workflow: Workflow, _ record: RunRecord, _ preparation: RunPreparation, view: any RunView,
        restoring entries: [JournalEntry] = [], answers: [String: PauseAnswer?] = [:], tables: [String: Table] = [:]
    ) async throws -> ExitCode {
        let environment = session.environment
        let isSandbox = record.options["sandbox"] == true
        var copies = FileCopies()
        do { try copies.restore(from: state.runFolder(record.id), at: RunLauncher.partFiles) } catch {
            throw CommandFailure("the run's copies of the files that it was given cannot be read: \(error)")
        }
        let upkeep = isSandbox ? nil : TokenUpkeep(session, client, preparation)
        let services = RunServices(
            journal: store, clock: session.faults.clock, folder: state.runFolder(record.id),
            accounts: preparation.accounts, renew: upkeep?.renewal, replace: upkeep?.replacement,
            advise: upkeep?.advice,
            secrets: preparation.secrets, environment: { environment[$0] }, seed: UInt64.random(in: 0 ... .max),
            ignoresOnce: record.options["ignore-once"] == true,
            turns: AccountTurns(folder: session.runtime),
            observe: { view.show($0) },
            stops: session.signals.stream(), interviewer: questioner?.interviewer(record, workflow),
            origins: tables.mapValues { table in
                ItemOrigins { row, column in
                    table.rows.indices.contains(row) ? table.range(row: row, column: column).start : nil
                }
            }, copies: copies)
        var runner = Runner(workflow, record: record, services: services)
        let outcome: RunOutcome
        do {
            outcome = try await runner.run(restoring: entries, answers: answers)
        } catch let error as JournalError {
            session.output.clearStatus()
            throw CommandFailure(
                error.message, why: "Run \(record.id) stops here; what was journalled is kept.",
                fix: [error.fix, "Then go on with: pasteup resume \(record.id)\(state.options)"]
                    .compactMap { $0 }.joined(separator: " "))
        }
        let holders = await Holders(of: outcome, RunLookup(state, store))
        session.output.clearStatus()
        view.finish(outcome, holders: holders)
        await HookCalls(
            session: session, client: client, workflow: workflow, record: record, preparation: preparation, state: state
        ).tell(outcome, holders)
        return ExitCode(outcome.state)
    }
}

extension ExitCode {
    init(_ state: RunState) {
        switch state {
        case .succeeded: self = .done
        case .failed, .canceled, .running: self = .failed
        case .paused: self = .paused
        case .waiting: self = .waiting
        case .stopped: self = .stopped
        case .interrupted: self = .terminated
        }
    }
}
