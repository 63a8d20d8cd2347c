internal import Files
internal import Journal
internal import SQLiteJournal
internal import StepKit
internal import Values

/// `pasteup paused`.
enum PausedCommand: Command {
    static let spec = CommandSpec(
        "paused", "Lists what waits for a person, each with the command that answers it.", example: "pasteup paused",
        options: [
            CommandSpec.Option("--json", "Prints one question a line, as JSON."),
            CommandSpec.Option("--sandbox", "Looks among the runs of the sandbox."),
        ])

    static func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let state = try StateFolder(arguments, session, isSandbox: arguments.has("--sandbox"))
        guard try state.hasJournal() else {
            if !arguments.has("--json") { session.output.note("Nothing is paused.\n") }
            return .done
        }
        let store = try await state.open(forReading: true)
        var runs: [(record: RunRecord, history: RunHistory)] = []
        for record in try await store.runs(in: [.paused], file: nil, limit: 1000).reversed() {
            runs.append((record, RunHistory(try await store.entries(of: record.id))))
        }
        await store.close()
        var isAny = false
        for (record, history) in runs {
            var paused = history.paused
            if let pause = history.runPause { paused.append(("", pause)) }
            for (address, pause) in paused {
                isAny = true
                let waiting = runs.filter { run in
                    run.record.id != record.id
                        && run.history.held.contains { $0.hold.run == record.id && $0.hold.address == address }
                }
                let question = QuestionView(
                    record, address, pause, state, isOneOfSeveral: paused.count > 1, waiting: waiting.map(\.record.id))
                session.output.result(arguments.has("--json") ? question.json : question.text)
            }
        }
        for (record, history) in runs {
            // Those that wait for a question above are named there.
            let asked = { (hold: AccountHold) in
                runs.contains { $0.record.id == hold.run && $0.history.paused.contains { $0.address == hold.address } }
            }
            for (address, hold) in history.held where !asked(hold) {
                isAny = true
                let question = HeldView(record, address, hold, state)
                session.output.result(arguments.has("--json") ? question.json : question.text)
            }
        }
        if !isAny, !arguments.has("--json") { session.output.note("Nothing is paused.\n") }
        return .done
    }
}
