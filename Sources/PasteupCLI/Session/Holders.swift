internal import Engine
internal import Journal
internal import StepKit

/// The runs that keep steps of another one back, and what they are asked: they hold keys of `once`, or an account.
struct Holders: Sendable {
    /// By id.
    private(set) var runs: [String: RunRecord] = [:]
    /// What the runs that hold an account are paused on, by run.
    private var questions: [String: [(address: String, pause: PauseRequest)]] = [:]

    init(_ runs: [RunRecord] = [], questions: [String: [(address: String, pause: PauseRequest)]] = [:]) {
        self.runs = Dictionary(uniqueKeysWithValues: runs.map { ($0.id, $0) })
        self.questions = questions
    }

    /// Those that the outcome names, as they stand now.
    init(of outcome: RunOutcome, _ lookup: RunLookup) async {
        await add(outcome.steps.compactMap(\.hold), lookup)
        for step in outcome.steps {
            guard case .once(let entry)? = step.skipReason, runs[entry.run] == nil else { continue }
            runs[entry.run] = (try? await lookup.store.run(entry.run)).map { lookup.living($0) }
        }
    }

    private mutating func add(_ holds: [AccountHold], _ lookup: RunLookup) async {
        for hold in holds where runs[hold.run] == nil {
            runs[hold.run] = (try? await lookup.store.run(hold.run)).map { lookup.living($0) }
            questions[hold.run] = (try? await lookup.store.entries(of: hold.run)).map { RunHistory($0).paused }
        }
    }

    /// Who is asked about the account, as a clause: "run 1v9k2f7q asks about its account (captcha)".
    func reason(_ hold: AccountHold) -> String {
        guard let pause = pause(of: hold) else { return "run \(hold.run) holds its account" }
        return "run \(hold.run) asks about its account (\(pause.kind.rawValue))"
    }

    /// The command that answers the question, or goes on with the run that has met it.
    func command(_ hold: AccountHold, options: String) -> String {
        switch runs[hold.run]?.state {
        case .paused:
            guard let pause = pause(of: hold) else { return "pasteup resume \(hold.run)\(options)" }
            let isOneOfSeveral = (questions[hold.run]?.count ?? 0) > 1
            return NextCommand.answer(
                pause, run: hold.run, options: options + (isOneOfSeveral ? NextCommand.option(step: hold.address) : ""))
        case .stopped, .interrupted: return "pasteup resume \(hold.run)\(options)"
        case .waiting: return NextCommand.due(options: options)
        default: return "pasteup show \(hold.run)\(options)"
        }
    }

    private func pause(of hold: AccountHold) -> PauseRequest? {
        questions[hold.run]?.first { $0.address == hold.address }?.pause
    }
}
