internal import Engine
internal import Expressions
internal import Files
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// How a run ended, in sentences: what failed, what must be answered with which command, and one last line that sums up.
struct RunSummary {
    private let outcome: RunOutcome
    private let workflow: Workflow
    private let record: RunRecord
    private let state: StateFolder
    private let holders: Holders

    /// - Parameter holders: the runs that keep steps of this one back.
    init(
        _ outcome: RunOutcome, of workflow: Workflow, _ record: RunRecord, _ state: StateFolder,
        _ holders: Holders
    ) {
        self.outcome = outcome
        self.workflow = workflow
        self.record = record
        self.state = state
        self.holders = holders
    }

    func lines(_ style: Style) -> [String] {
        var lines: [String] = []
        let pauses = outcome.steps.count { $0.pause != nil }
        for step in outcome.steps {
            if let error = step.error {
                let mark = step.continuesOnError ? style.yellow("warning:") : style.red("error:")
                lines.append("\(mark) step '\(step.address)'\(attempts(step)): \(error.sentence)")
            }
            if let pause = step.pause { lines += question(step, pause, isOneOfSeveral: pauses > 1, style) }
            if let hold = step.hold { lines += held(step, hold, style) }
            if case .once(let entry)? = step.skipReason, let line = held(entry) { lines.append(line) }
        }
        lines += skipped.lines
        lines.append(lastLine)
        return lines
    }

    private var skipped: SkippedSteps {
        SkippedSteps(outcome.steps.map { (address: $0.address, skipReason: $0.skipReason) })
    }

    private func attempts(_ step: StepReport) -> String {
        step.attempts > 1 ? ", after \(step.attempts) attempts" : ""
    }

    /// What a person is asked, and with which command to answer.
    private func question(
        _ step: StepReport, _ pause: PauseRequest, isOneOfSeveral: Bool, _ style: Style
    ) -> [String] {
        let folder = state.runFolder(record.id)
        var lines = ["\(style.yellow("paused:")) step '\(step.address)' (\(pause.kind.rawValue)): \(pause.message)"]
        if let picture = pause.picture { lines.append("  Picture: \(FileSystem.join(folder, picture))") }
        if let link = pause.linkFile { lines.append("  The page's address is in: \(FileSystem.join(folder, link))") }
        if pause.kind == .auth, let name = workflow.tokenSecret(of: step.address) {
            lines.append("  Its token is the secret '\(name)'.")
        }
        lines += pause.show.map { "  Look at: \(place(of: $0, in: folder))" }
        if let expires = pause.expires { lines.append("  It is good until \(expires.localText).") }
        let options = state.options + (isOneOfSeveral ? " --step \(step.address)" : "")
        lines.append("  Answer with: " + NextCommand.answer(pause, run: record.id, options: options))
        return lines
    }

    /// Another run's question, which this one waits for.
    private func held(_ step: StepReport, _ hold: AccountHold, _ style: Style) -> [String] {
        [
            "\(style.yellow("paused:")) step '\(step.address)' waits: \(holders.reason(hold)).",
            "  Answer that with: " + holders.command(hold, options: state.options),
        ]
    }

    /// A key that another run holds: who, and how that run goes on.
    private func held(_ entry: LedgerEntry) -> String? {
        if case .done = entry.state { return nil }
        guard let holder = holders.runs[entry.run], holder.id != record.id else { return nil }
        let command =
            switch holder.state {
            case .paused: "paused"
            case .stopped, .interrupted: "resume \(holder.id)"
            default: "show \(holder.id)"
            }
        return "'\(entry.key.text)' is held by run \(holder.id), which is \(holder.state.rawValue). "
            + "See: pasteup \(command)\(state.options)"
    }

    private var lastLine: String {
        let name = "run \(record.id)"
        switch outcome.state {
        case .succeeded: return success
        case .paused: return paused
        case .waiting:
            let until = outcome.wakesAt.map { " until \($0.localText)" } ?? ""
            return "\(name) is waiting\(until). Go on then with: pasteup resume --due\(state.options)"
        case .stopped: return "\(name) was stopped. Go on with: pasteup resume \(record.id)\(state.options)"
        case .interrupted: return "\(name) was interrupted. Go on with: pasteup resume \(record.id)\(state.options)"
        default:
            let skipped = outcome.steps.count { $0.state == .skipped }
            return
                "\(name) failed: \(count(.failed, "step")) failed, \(skipped) skipped. "
                + "Run them again with: pasteup retry \(record.id)\(state.options)"
        }
    }

    private var paused: String {
        let questions = outcome.steps.count { $0.pause != nil }
        guard questions == 0, let hold = outcome.steps.lazy.compactMap(\.hold).first else {
            return "run \(record.id) is paused: \(counted(questions, "question")) to answer."
        }
        return "run \(record.id) is paused; it goes on by itself when run \(hold.run) has been answered."
    }

    private var success: String {
        let posts = outcome.steps.filter { $0.effect == .write && $0.state == .succeeded }.count
        let done = outcome.steps.count { $0.state == .succeeded }
        if posts == 0, let key = postedAlready {
            return "run \(record.id): nothing to do, '\(key.text)' was posted already."
        }
        if done == 0 || outcome.steps.contains(where: { if case .nothingToDo? = $0.skipReason { true } else { false } })
        {
            return "run \(record.id): nothing to do."
        }
        return "run \(record.id) succeeded: \(done == 1 ? "1 step" : "\(done) steps")."
    }

    private var postedAlready: LedgerKey? {
        for step in outcome.steps {
            if case .once(let entry)? = step.skipReason, case .done = entry.state { return entry.key }
        }
        return nil
    }

    private func count(_ state: StepState, _ noun: String) -> String {
        let number = outcome.steps.count { $0.state == state }
        return number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}

extension Workflow {
    /// The secret that holds the token of the step's account; nil when there is none, or several.
    fileprivate func tokenSecret(of address: String) -> String? {
        let name = step(address)?.account
        let references = name.flatMap(account)?.token.references.filter { $0.root == "secrets" } ?? []
        return references.count == 1 ? references.first?.path.first : nil
    }
}

/// The commands with which a person goes on.
enum NextCommand {
    /// One for each answer that there is.
    static func answers(_ pause: PauseRequest, run: String, options: String) -> [String] {
        let command = "pasteup resume \(run)\(options)"
        return switch pause.answer {
        case .captchaText: ["\(command) --captcha TEXT"]
        case .successToken: ["\(command) --success-token -"]
        case .approval: ["\(command) --approve", "\(command) --reject"]
        case .doubt: ["\(command) --posted ID", "\(command) --resend"]
        case .validated: ["\(command) --validated"]
        case .none: [command]
        }
    }

    /// The answers on one line.
    static func answer(_ pause: PauseRequest, run: String, options: String) -> String {
        answers(pause, run: run, options: options).joined(separator: "  or: ")
    }
}
