internal import Engine
internal import Files
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// A run as JSON: one event a line on standard output.
///
/// Every line has `event`, `run` and `at`; the names are promises. Outputs that work like keys are left out.
struct RunJSONView: RunView {
    let record: RunRecord
    let workflow: Workflow
    let output: Output
    let state: StateFolder

    func show(_ event: RunEvent) {
        switch event {
        case .began(let record, let isResumed):
            write(
                isResumed ? "run-resumed" : "run-started", at: isResumed ? .now : record.startedAt,
                ["workflow": .string(record.workflow), "file": .string(record.file)])
        case .entry(let entry): show(entry)
        case .retrying(let address, let delay, let error):
            write(
                "step-retrying", at: .now,
                ["step": .string(address), "after-ms": .integer(delay.wholeMilliseconds), "error": error.journalValue])
        case .looking(let address): write("step-in-doubt", at: .now, ["step": .string(address)])
        case .warning(let address, let text):
            write("warning", at: .now, ["step": .string(address), "message": .string(text)])
        }
    }

    private func show(_ entry: JournalEntry) {
        guard entry.kind != .runEnded else { return }
        var members: ValueObject = ["step": .string(entry.address), "attempt": .integer(Int64(entry.attempt))]
        for (name, value) in PublicEntry(entry, workflow, folder: state.runFolder(record.id)).data {
            members[name] = value
        }
        write(entry.kind.rawValue, at: entry.at, members)
    }

    func finish(_ outcome: RunOutcome, holders: Holders) {
        var members: ValueObject = [
            "state": .string(outcome.state.rawValue), "exit-code": .integer(Int64(ExitCode(outcome.state).rawValue)),
            "outputs": .object(ValueObject(outcome.outputs.map { ($0.name, $0.value) })),
        ]
        members["wakes-at"] = outcome.wakesAt.map { .string($0.iso8601) }
        let paused = outcome.steps.filter { $0.pause != nil }
        let questions = paused.compactMap { step in
            step.pause.map { pause -> Value in
                let options = state.options + (paused.count > 1 ? NextCommand.option(step: step.address) : "")
                return [
                    "step": .string(step.address), "kind": .string(pause.kind.rawValue),
                    "command": .string(NextCommand.answers(pause, run: record.id, options: options)[0]),
                ]
            }
        }
        let held = outcome.steps.compactMap { step in
            step.hold.map { hold -> Value in
                [
                    "step": .string(step.address), "run": .string(hold.run),
                    "command": .string(holders.command(hold, options: state.options)),
                ]
            }
        }
        if !held.isEmpty { members["held"] = .array(held) }
        let skipped = SkippedSteps(outcome.steps.map { (address: $0.address, skipReason: $0.skipReason) })
        if !skipped.groups.isEmpty { members["skipped"] = skipped.value }
        if !questions.isEmpty { members["questions"] = .array(questions) }
        write("run-ended", at: .now, members)
    }

    private func write(_ event: String, at instant: Timestamp, _ members: ValueObject) {
        var object: ValueObject = [
            "event": .string(event), "run": .string(record.id), "at": .string(instant.iso8601),
        ]
        for (name, value) in members { object[name] = value }
        output.result(Value.object(object).json() + "\n")
    }
}

/// What of a journal entry may be shown: no continuation of a pause, no output that works like a key, files absolute.
struct PublicEntry {
    let data: ValueObject

    init(_ entry: JournalEntry, _ workflow: Workflow, folder: String) {
        var data = entry.data.object ?? [:]
        let declaration = workflow.step(at: entry.address)?.kind.declaration
        // The items themselves may be long, and hold what opens things.
        if entry.kind == .itemsKnown { data = ["count": .integer(Int64(data["items"]?.array?.count ?? 0))] }
        // What came of a part is between the step kind and the journal: hashes of uploads, whole answers.
        if entry.kind == .partKept { data = ["part": data["part"] ?? .null] }
        // Says nothing to anybody but the process that looks for the write.
        if entry.kind == .attemptStarted { data["sent"] = nil }
        for name in ["outputs"] {
            guard let outputs = data[name]?.object else { continue }
            data[name] = .object(PublicEntry.shown(outputs, declaration, folder))
        }
        if var pause = data["pause"]?.object {
            pause["continuation"] = nil
            for name in ["picture", "link-file"] {
                pause[name] = pause[name]?.string.map { .string(FileSystem.join(folder, $0)) }
            }
            pause["show"] = pause["show"]?.array.map {
                .array($0.map { .string(place(of: $0.string ?? "", in: folder)) })
            }
            data["pause"] = .object(pause)
        }
        if let hold = data["hold"] {
            data["hold"] = nil
            data["by-run"] = hold["run"]
            data["by-step"] = hold["step"]
        }
        self.data = data
    }

    private static func shown(
        _ outputs: ValueObject, _ declaration: StepDeclaration?, _ folder: String
    ) -> ValueObject {
        var shown = ValueObject()
        for (name, value) in outputs {
            let output = declaration?.outputs.first { $0.name == name }
            if output?.isSensitive ?? ["response", "access_key"].contains(name) { continue }
            if output?.type == .file, let path = value.string {
                shown[name] = .string(FileSystem.join(folder, path))
            } else {
                shown[name] = output?.type == .url ? value : PublicEntry.withoutKeys(value)
            }
        }
        return shown
    }

    /// The value without what opens things: the keys of media, and the queries of addresses, which a service's answer
    /// may hold at any depth.
    private static func withoutKeys(_ value: Value) -> Value {
        switch value {
        case .string(let text):
            guard text.hasPrefix("https://") || text.hasPrefix("http://"),
                let query = text.utf8.firstIndex(of: UInt8(ascii: "?"))
            else { return value }
            return .string(text[..<query] + "?…")
        case .array(let elements): return .array(elements.map(withoutKeys))
        case .object(let members):
            return .object(
                ValueObject(members.filter { $0.key != "access_key" }.map { ($0.key, withoutKeys($0.value)) }))
        default: return value
        }
    }
}
