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
    /// Of steps with `for-each`: how many items there are, and how many have ended.
    private let progress = Locked(Progress())
    /// Items that were skipped, not told yet: those of one step for one reason are told together.
    private let skips = Locked<[(step: String, reason: String, addresses: [String])]>([])

    private struct Progress {
        var items: [String: (count: Int, ended: Int)] = [:]
        /// The steps of which items are still to come, in the order of the file.
        var steps: [String] = []
    }

    init(_ record: RunRecord, _ workflow: Workflow, _ session: Session, _ state: StateFolder, isQuiet: Bool) {
        self.record = record
        self.workflow = workflow
        output = session.output
        style = session.style
        self.state = state
        self.isQuiet = isQuiet
        // An index with its brackets takes four columns for up to a hundred items.
        width = workflow.steps.filter(\.role.isShown).map { $0.id.count + ($0.forEach == nil ? 0 : 4) }.max() ?? 0
    }

    func show(_ event: RunEvent) {
        if !isSkippedItem(event) { tellSkips() }
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
        if StepAddress(entry.address).isPartBegin, ![.itemsKnown, .stepFailed].contains(entry.kind) { return }
        switch entry.kind {
        case .attemptStarted: setRunning(entry.address, true)
        case .attemptFailed: setRunning(entry.address, false)
        case .itemsKnown: setItems(entry)
        case .stepSucceeded:
            setEnded(entry.address)
            step(entry.address, style.green("succeeded") + detail(entry))
        case .stepSkipped:
            let reason = SkipReason(journalValue: entry.data, at: entry.at).text
            setEnded(entry.address)
            if StepAddress(entry.address).index == nil {
                step(entry.address, style.dim("skipped") + ": " + reason)
            } else {
                addSkip(entry.address, reason)
            }
        case .stepFailed:
            setEnded(entry.address)
            let isAllowed = workflow.step(at: entry.address).map { $0.continueOnError || $0.isForgiven } ?? false
            step(
                entry.address,
                isAllowed ? style.yellow("failed") + ", as it may ('continue-on-error')" : style.red("failed"))
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
        guard let outputs = entry.data["outputs"]?.object,
            let step = workflow.step(at: entry.address)
        else { return "" }
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
        tellSkips()
        // Those of a run that goes on later come then.
        for name in outcome.state.isFinal ? workflow.outputs.map(\.name) : [] {
            guard let value = outcome.outputs.first(where: { $0.name == name })?.value else { continue }
            output.result("\(name): \(value.string ?? value.json())\n")
        }
        let summary = RunSummary(outcome, of: workflow, record, state, holders)
        for text in isQuiet ? summary.attention(style) : summary.lines(style) {
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
        let running = running.withLock { running in
            running.removeAll { $0 == address }
            if isRunning { running.append(address) }
            return running
        }
        let items = progress.withLock { progress in
            progress.steps.compactMap { step in
                progress.items[step].map { "\(step) \($0.ended) of \($0.count)" }
            }
        }
        let parts = [running.isEmpty ? nil : "running: " + names(running)].compactMap { $0 } + items
        let status = output.cut(status: "  " + parts.joined(separator: "; "))
        output.show(status: running.isEmpty ? "" : style.dim(status))
    }

    // MARK: Items

    private func setItems(_ entry: JournalEntry) {
        let count = entry.data["items"]?.array?.count ?? 0
        progress.withLock { progress in
            for step in workflow.members(of: entry.address) where step.role.isShown {
                progress.items[step.id] = (count, 0)
                if count > 0 { progress.steps.append(step.id) }
            }
            progress.steps.sort { (workflow.place(of: $0) ?? 0) < (workflow.place(of: $1) ?? 0) }
        }
        // People know the part, not what stands before its steps.
        let address = StepAddress(entry.address).isPartBegin ? StepAddress.part(of: entry.address) : entry.address
        step(address, style.dim(counted(count, "item")))
    }

    private func setEnded(_ address: String) {
        let parts = StepAddress(address)
        if parts.index != nil {
            progress.withLock { progress in
                progress.items[parts.step]?.ended += 1
                guard let items = progress.items[parts.step], items.ended == items.count else { return }
                progress.steps.removeAll { $0 == parts.step }
            }
        }
        setRunning(address, false)
    }

    private func isSkippedItem(_ event: RunEvent) -> Bool {
        guard case .entry(let entry) = event, entry.kind == .stepSkipped else { return false }
        return StepAddress(entry.address).index != nil
    }

    private func addSkip(_ address: String, _ reason: String) {
        let step = StepAddress(address).step
        skips.withLock { skips in
            if let place = skips.firstIndex(where: { $0.step == step && $0.reason == reason }) {
                skips[place].addresses.append(address)
            } else {
                skips.append((step, reason, [address]))
            }
        }
    }

    private func tellSkips() {
        let told = skips.withLock { skips in
            defer { skips = [] }
            return skips
        }
        for skip in told {
            let address = skip.addresses.count == 1 ? skip.addresses[0] : skip.step
            let items = skip.addresses.count == 1 ? "" : " (\(names(skip.addresses)))"
            step(address, style.dim("skipped") + ": " + skip.reason + items)
        }
    }
}

extension Workflow {
    /// The steps that go over the list of this one.
    func members(of root: String) -> [Step] {
        guard let root = steps.firstIndex(where: { $0.id == root }) else { return [] }
        return steps.indices.filter { graph.roots[$0] == root }.map { steps[$0] }
    }
}
