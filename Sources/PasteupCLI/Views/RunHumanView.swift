internal import Engine
internal import Files
internal import Journal
internal import StepKit
internal import Threading
internal import Values
internal import Workflows

/// A run for people: a line for each thing that happens, on a terminal what runs at this moment below them, and at the
/// end a summary with the next command.
final class RunHumanView: RunView {
    private let record: RunRecord
    private let workflow: Workflow
    private let output: Output
    private let style: Style
    private let state: StateFolder
    private let isQuiet: Bool
    private let width: Int
    private let running = Locked<[String]>([])

    init(_ record: RunRecord, _ workflow: Workflow, _ session: Session, _ state: StateFolder, isQuiet: Bool) {
        self.record = record
        self.workflow = workflow
        output = session.output
        style = session.style
        self.state = state
        self.isQuiet = isQuiet
        width = workflow.steps.map(\.id.count).max() ?? 0
    }

    func show(_ event: RunEvent) {
        switch event {
        case .began(let record, let isResumed):
            let place = record.options["sandbox"] == true ? " in the sandbox" : ""
            line("\(isResumed ? "resuming run" : "run") \(record.id) of \(workflow.name)\(place)")
        case .entry(let entry): show(entry)
        case .retrying(let address, let delay, let error):
            step(address, style.yellow("failed") + ", next try in \(delay.text): \(error.sentence)")
        case .looking(let address): step(address, style.yellow("in doubt") + ": looking whether it happened")
        case .warning(let address, let text): output.note("\(style.yellow("warning:")) step '\(address)': \(text)\n")
        }
    }

    private func show(_ entry: JournalEntry) {
        switch entry.kind {
        case .attemptStarted: setRunning(entry.address, true)
        case .attemptFailed: setRunning(entry.address, false)
        case .stepSucceeded:
            setRunning(entry.address, false)
            step(entry.address, style.green("succeeded") + detail(entry))
        case .stepSkipped:
            step(entry.address, style.dim("skipped") + ": " + SkipReason(journalValue: entry.data, at: entry.at).text)
        case .stepFailed:
            setRunning(entry.address, false)
            step(entry.address, style.red("failed"))
        case .stepPaused:
            setRunning(entry.address, false)
            step(entry.address, style.yellow("paused") + " (\(entry.data["pause"]?["kind"]?.string ?? ""))")
        case .stepHeld:
            setRunning(entry.address, false)
            let run = entry.data["hold"]?["run"]?.string ?? ""
            step(entry.address, style.yellow("paused") + ": run \(run) asks about its account")
        case .stepWaiting:
            let until = entry.data["until"]?.string.flatMap { Timestamp(iso8601: $0) }
            let why = entry.data["why"]?.string.map { ": \($0)" } ?? ""
            step(entry.address, style.yellow("waiting") + (until.map { " until \($0.localText)" } ?? "") + why)
        case .stepReset: step(entry.address, "goes again: what it was made from has died")
        default: break
        }
    }

    /// An address or a file that the step has made.
    private func detail(_ entry: JournalEntry) -> String {
        guard let outputs = entry.data["outputs"]?.object, let step = workflow.step(entry.address) else { return "" }
        let shown = step.kind.declaration.outputs.filter { !$0.isSensitive }
        for output in shown where output.type == .url || output.name == "url" {
            if let url = outputs[output.name]?.string { return "  " + url }
        }
        for output in shown where output.type == .file {
            if let path = outputs[output.name]?.string {
                return "  " + style.dim(FileSystem.join(state.runFolder(record.id), path))
            }
        }
        return ""
    }

    func finish(_ outcome: RunOutcome, holders: Holders) {
        for name in workflow.outputs.map(\.name) {
            guard let value = outcome.outputs.first(where: { $0.name == name })?.value else { continue }
            output.result("\(name): \(value.string ?? value.json())\n")
        }
        for text in RunSummary(outcome, of: workflow, record, state, holders).lines(style) {
            output.note(text + "\n")
        }
    }

    // MARK: Lines

    private func step(_ address: String, _ text: String) {
        line("  " + address + String(repeating: " ", count: max(0, width - address.count) + 2) + text)
    }

    private func line(_ text: String) {
        guard !isQuiet else { return }
        output.note(text + "\n")
    }

    private func setRunning(_ address: String, _ isRunning: Bool) {
        guard output.isTerminal, !isQuiet else { return }
        let names = running.withLock { running in
            running.removeAll { $0 == address }
            if isRunning { running.append(address) }
            return running
        }
        output.show(status: names.isEmpty ? "" : style.dim("  running: " + names.joined(separator: ", ")))
    }
}
