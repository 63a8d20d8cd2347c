internal import Engine
internal import Files
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// One run in full.
struct RunDetailView {
    private let record: RunRecord
    private let entries: [JournalEntry]
    private let history: RunHistory
    private let state: StateFolder
    private let style: Style
    /// Nil when the run's copy of its workflow cannot be read any more.
    private let workflow: Workflow?

    init(_ record: RunRecord, _ entries: [JournalEntry], _ state: StateFolder, _ session: Session) {
        self.record = record
        self.entries = entries
        self.state = state
        style = session.style
        workflow = try? StoredWorkflow.load(record, state, WorkflowSource(session))
        history = RunHistory(entries, order: workflow?.steps.map(\.id) ?? [])
    }

    var text: String {
        var lines = [
            "run       \(record.id)", "workflow  \(record.workflow)", "file      \(record.file)",
            "state     \(record.state.rawValue)", "started   \(record.startedAt.localText)",
            "changed   \(record.changedAt.localText)",
        ]
        if let wakes = record.wakesAt { lines.append("wakes     \(wakes.localText)") }
        for (name, value) in record.inputs where !value.isNull {
            lines.append("input     \(name) = \(value.string ?? value["from"]?.string ?? value.json())")
        }
        lines.append("folder    \(state.runFolder(record.id))")
        lines.append("")
        let rows = shownSteps.map { step in
            [
                step.address, step.state.rawValue, step.attempts == 0 ? "" : "\(step.attempts)", duration(of: step),
                remark(step),
            ]
        }
        lines += columns([["STEP", "STATE", "ATTEMPTS", "TOOK", ""]] + rows).split(separator: "\n").map {
            String($0.reversed().drop { $0 == " " }.reversed())
        }
        let paused = history.paused
        for (address, pause) in paused {
            let options = state.options + (paused.count > 1 ? NextCommand.option(step: address) : "")
            lines += ["", "\(address) is paused: \(pause.message)"]
            if let picture = pause.picture {
                lines.append("Picture: \(FileSystem.join(state.runFolder(record.id), picture))")
            }
            if let link = pause.linkFile {
                lines.append("The page's address is in: \(FileSystem.join(state.runFolder(record.id), link))")
            }
            lines.append("Answer with: " + NextCommand.answer(pause, run: record.id, options: options))
        }
        if let next { lines += ["", next] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The command that goes on with the run; nil where there is none, or an answer is due.
    private var next: String? {
        switch record.state {
        case .stopped, .interrupted, .waiting: "Go on with: pasteup resume \(record.id)\(state.options)"
        case .failed: "Run the failed steps again with: \(NextCommand.retry(run: record.id, options: state.options))"
        case .running, .paused, .succeeded, .canceled: nil
        }
    }

    /// All steps; of many items those that have not simply succeeded or been skipped, up to a limit.
    private var shownSteps: [RunHistory.Step] {
        var counts: [String: Int] = [:]
        for step in history.steps { counts[StepAddress(step.address).step, default: 0] += 1 }
        var shown: [String: Int] = [:]
        return history.steps.filter { step in
            let address = StepAddress(step.address)
            guard address.index != nil, counts[address.step, default: 0] > 21 else { return true }
            guard step.state != .succeeded, step.state != .skipped else { return false }
            shown[address.step, default: 0] += 1
            return shown[address.step, default: 0] <= 50
        }
    }

    /// From the beginning of the first attempt to the end, waits and pauses included.
    private func duration(of step: RunHistory.Step) -> String {
        // A clock that was set back in between tells nothing.
        guard step.attempts > 0, let start = step.startedAt, let end = step.endedAt, end >= start else { return "" }
        return (end - start).text
    }

    private func remark(_ step: RunHistory.Step) -> String {
        if let items = step.items { return "\(counted(items, "item")): \(history.tally(of: step))" }
        switch step.state {
        case .succeeded:
            let shown = shownOutputs(step)
            return shown["url"]?.string ?? shown["file"]?.string ?? ""
        case .skipped: return step.skipReason?.text ?? ""
        case .paused where step.hold != nil: return "waits for run \(step.hold?.run ?? "")"
        case .waiting: return step.until.map { "until \($0.localText)" } ?? ""
        default: return step.error?.sentence ?? ""
        }
    }

    private func shownOutputs(_ step: RunHistory.Step) -> ValueObject {
        guard let workflow, let outputs = step.outputs else { return [:] }
        let entry = JournalEntry(
            .stepSucceeded, step.address, at: record.startedAt, data: ["outputs": .object(outputs)])
        return PublicEntry(entry, workflow, folder: state.runFolder(record.id)).data["outputs"]?.object ?? [:]
    }

    /// The names are promises.
    var json: String {
        var object = record.publicValue.object ?? [:]
        object["folder"] = .string(state.runFolder(record.id))
        let pauses = history.paused.count
        object["steps"] = .array(
            history.steps.map { step in
                var members: ValueObject = [
                    "step": .string(step.address), "state": .string(step.state.rawValue),
                    "attempts": .integer(Int64(step.attempts)),
                ]
                members["items"] = step.items.map { .integer(Int64($0)) }
                members["started-at"] = step.startedAt.map { .string($0.iso8601) }
                members["ended-at"] = step.endedAt.map { .string($0.iso8601) }
                members["error"] = step.error?.journalValue
                members["held-by"] = step.hold.map { ["run": .string($0.run), "step": .string($0.address)] }
                members["skipped-because"] = step.skipReason?.journalValue
                members["until"] = step.until.map { .string($0.iso8601) }
                if step.outputs != nil { members["outputs"] = .object(shownOutputs(step)) }
                if step.state == .paused, let pause = step.pause {
                    let question = QuestionView(record, step.address, pause, state, isOneOfSeveral: pauses > 1)
                    members["pause"] = .object(question.members)
                }
                return .object(members)
            })
        return Value.object(object).json(.indented) + "\n"
    }
}
