internal import Diagnostics
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
    /// Whether more than one step is paused.
    private let isOneOfSeveral: Bool
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
        isOneOfSeveral = outcome.steps.count { $0.pause != nil } > 1
    }

    func lines(_ style: Style) -> [String] { details(style) + [lastLine] }

    /// What somebody must know of: nothing, when all went as it should.
    func attention(_ style: Style) -> [String] {
        details(style) + (outcome.state == .succeeded ? [] : [lastLine])
    }

    private func details(_ style: Style) -> [String] {
        var lines: [String] = []
        var told = Told()
        for step in outcome.steps {
            if let error = step.error, told.isShown("failed", step) { lines.append(failure(step, error, style)) }
            if let pause = step.pause, told.isShown("paused", step) { lines += question(step, pause, style) }
            if let until = step.waitsUntil, told.isShown("waiting", step) { lines.append(wait(step, until, style)) }
            if case .once(let entry)? = step.skipReason, let line = held(entry), told.isShown("held", step) {
                lines.append(line)
            }
            if let hold = step.hold, told.isShown("held back", step) { lines += held(step, hold, style) }
        }
        lines += told.rest.map {
            "and \($0.count) more items of '\($0.step)' \($0.what): pasteup show \(record.id)\(state.options)"
        }
        return lines + skipped.lines
    }

    private var skipped: SkippedSteps {
        SkippedSteps(outcome.steps.map { (address: $0.address, skipReason: $0.skipReason) })
    }

    /// Which lines are shown of the items of a step: the first twenty of each sort.
    private struct Told {
        private struct Sort: Hashable {
            let what: String
            let step: String
        }
        private var counts: [Sort: Int] = [:]
        private var order: [Sort] = []

        mutating func isShown(_ what: String, _ report: StepReport) -> Bool {
            let address = StepAddress(report.address)
            guard address.index != nil else { return true }
            let sort = Sort(what: what, step: address.step)
            if counts[sort] == nil { order.append(sort) }
            counts[sort, default: 0] += 1
            return counts[sort, default: 0] <= 20
        }

        var rest: [(what: String, step: String, count: Int)] {
            order.compactMap { sort in
                let count = (counts[sort] ?? 0) - 20
                return count > 0 ? (sort.what, sort.step, count) : nil
            }
        }
    }

    /// With the row of the table in front, as compilers name places.
    private func failure(_ step: StepReport, _ error: StepError, _ style: Style) -> String {
        let mark = step.continuesOnError ? style.yellow("warning:") : style.red("error:")
        let place = step.origin.map { "\($0.file):\($0.line): " } ?? ""
        return "\(place)\(mark) step '\(step.address)'\(attempts(step)): \(error.sentence)"
    }

    private func attempts(_ step: StepReport) -> String {
        step.attempts > 1 ? ", after \(step.attempts) attempts" : ""
    }

    private func wait(_ step: StepReport, _ until: Timestamp, _ style: Style) -> String {
        "\(style.yellow("waiting:")) step '\(step.address)' until \(until.localText)"
            + (step.waitsAfter.map { ": \($0.sentence)" } ?? ".")
    }

    /// What a person is asked, and with which command to answer.
    private func question(_ step: StepReport, _ pause: PauseRequest, _ style: Style) -> [String] {
        let folder = state.runFolder(record.id)
        var lines = ["\(style.yellow("paused:")) step '\(step.address)' (\(pause.kind.rawValue)): \(pause.message)"]
        if let picture = pause.picture { lines.append("  Picture: \(FileSystem.join(folder, picture))") }
        if let link = pause.linkFile { lines.append("  The page's address is in: \(FileSystem.join(folder, link))") }
        if pause.kind == .auth, let name = workflow.tokenSecret(of: step.address) {
            lines.append("  Its token is the secret '\(name)'.")
        }
        lines += pause.show.map { "  Look at: \(place(of: $0, in: folder))" }
        if let expires = pause.expires { lines.append("  It is good until \(expires.localText).") }
        lines.append(
            "  Answer with: " + NextCommand.answer(pause, run: record.id, options: state.options + chosen(step)))
        return lines
    }

    /// Names the step when more than one is paused.
    private func chosen(_ step: StepReport) -> String {
        isOneOfSeveral ? NextCommand.option(step: step.address) : ""
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
            return "\(name) is waiting\(until). Go on then with: \(NextCommand.due(options: state.options))"
        case .stopped: return "\(name) was stopped. Go on with: pasteup resume \(record.id)\(state.options)"
        case .interrupted: return "\(name) was interrupted. Go on with: pasteup resume \(record.id)\(state.options)"
        default:
            let skipped = outcome.steps.count { $0.state == .skipped }
            return
                "\(name) failed: \(count(.failed, "step")) failed, \(skipped) skipped. "
                + "Run them again with: \(NextCommand.retry(run: record.id, options: state.options))"
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
        let failed = outcome.steps.count { $0.state == .failed }
        if failed == 0, done == 0 || (posts == 0 && outcome.steps.contains(where: hasFoundNothing)) {
            return "run \(record.id): nothing to do."
        }
        if done == 0 { return "run \(record.id) succeeded, and what may fail has failed." }
        let items = outcome.steps.count { $0.state == .succeeded && StepAddress($0.address).index != nil }
        let parts = [
            done > items ? counted(done - items, "step") : nil, items > 0 ? counted(items, "item") : nil,
        ].compactMap { $0 }
        return "run \(record.id) succeeded: \(parts.joined(separator: ", "))."
    }

    /// A step that has found nothing to do, or has a list without items; a single item says nothing of the run.
    private func hasFoundNothing(_ step: StepReport) -> Bool {
        switch step.skipReason {
        case .nothingToDo: StepAddress(step.address).index == nil
        case .emptyList: true
        default: false
        }
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
        let name = step(at: address)?.account
        let references = name.flatMap(account)?.token?.references.filter { $0.root == "secrets" } ?? []
        return references.count == 1 ? references.first?.path.first : nil
    }
}
