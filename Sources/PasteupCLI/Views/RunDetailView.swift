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
        history = RunHistory(entries)
        style = session.style
        workflow = try? StoredWorkflow.load(record, state, WorkflowSource(session))
    }

    var text: String {
        var lines = [
            "run       \(record.id)", "workflow  \(record.workflow)", "file      \(record.file)",
            "state     \(record.state.rawValue)", "started   \(record.startedAt.localText)",
            "changed   \(record.changedAt.localText)",
        ]
        if let wakes = record.wakesAt { lines.append("wakes     \(wakes.localText)") }
        for (name, value) in record.inputs where !value.isNull {
            lines.append("input     \(name) = \(value.string ?? value.json())")
        }
        lines.append("folder    \(state.runFolder(record.id))")
        lines.append("")
        let rows = history.steps.map { step in
            [step.address, step.state.rawValue, step.attempts == 0 ? "" : "\(step.attempts)", remark(step)]
        }
        lines += columns([["STEP", "STATE", "ATTEMPTS", ""]] + rows).split(separator: "\n").map {
            String($0.reversed().drop { $0 == " " }.reversed())
        }
        let paused = history.paused
        for (address, pause) in paused {
            let options = state.options + (paused.count > 1 ? " --step \(address)" : "")
            lines += ["", "\(address) is paused: \(pause.message)"]
            if let picture = pause.picture {
                lines.append("Picture: \(FileSystem.join(state.runFolder(record.id), picture))")
            }
            lines.append("Answer with: " + NextCommand.answer(pause, run: record.id, options: options))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func remark(_ step: RunHistory.Step) -> String {
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
