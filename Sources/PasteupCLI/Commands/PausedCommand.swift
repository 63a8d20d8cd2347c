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
        guard state.exists else {
            if !arguments.has("--json") { session.output.note("Nothing is paused.\n") }
            return .done
        }
        let store = try await state.open()
        var isAny = false
        for record in try await store.runs(in: [.paused], file: nil, limit: 1000).reversed() {
            let history = RunHistory(try await store.entries(of: record.id))
            var paused = history.paused
            if let pause = history.runPause { paused.append(("", pause)) }
            for (address, pause) in paused {
                isAny = true
                let question = QuestionView(record, address, pause, state, isOneOfSeveral: paused.count > 1)
                session.output.result(arguments.has("--json") ? question.json : question.text)
            }
        }
        await store.close()
        if !isAny, !arguments.has("--json") { session.output.note("Nothing is paused.\n") }
        return .done
    }
}
