internal import Engine
internal import Expressions
internal import Files
internal import HTTP
internal import Journal
internal import Processes
internal import ServiceKit
internal import StepKit
internal import Values
internal import Workflows

/// Tells a workflow's hooks how this process leaves a run. What a hook does is no part of the run: its failure is a warning.
struct HookCalls {
    let session: Session
    let client: any HTTPClient
    let workflow: Workflow
    let record: RunRecord
    let preparation: RunPreparation
    let state: StateFolder

    private var timeout: Duration { session.faults.hookTimeout }

    /// Calls the hooks that this outcome is for.
    func tell(_ outcome: RunOutcome, _ holders: Holders) async {
        guard let event = Hook.Event(outcome.state) else { return }
        for hook in workflow.hooks where hook.event == event {
            do {
                let text = self.text(event, outcome, holders)
                let isOver = try await bounded { try await call(hook, text) }
                if !isOver { warn(hook, "it took longer than \(timeout.text)") }
            } catch let error as HookFailure {
                warn(hook, error.what)
            } catch is CancellationError {
                return
            } catch {
                warn(hook, "\(error)")
            }
        }
    }

    private func warn(_ hook: Hook, _ what: String) {
        session.tell(warning: "hook '\(hook.event.rawValue)': \(what). The run is not touched by that.")
    }

    /// - Returns: whether the call ended in time.
    private func bounded(_ call: @escaping @Sendable () async throws -> Void) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await call()
                return true
            }
            group.addTask {
                try await Task.sleep(for: timeout)
                return false
            }
            let isOver = try await group.next() ?? true
            group.cancelAll()
            return isOver
        }
    }

    // MARK: Calls

    private func call(_ hook: Hook, _ text: String) async throws {
        let environment = session.environment
        let secrets = preparation.secrets
        let values = RunValues(
            inputs: record.inputs,
            run: [
                "id": .string(record.id), "started-at": .string(record.startedAt.iso8601),
                "workflow": .string(workflow.name), "attempt": .integer(Int64(record.processes)),
            ],
            secret: { secrets[$0] }, environment: { environment[$0] })
        switch hook.action {
        case .run(let command, let variables):
            try await run(value(command, values), try variables.map { try value($0, values) }, text)
        case .post(let url, let headers):
            try await post(value(url, values), try headers.map { try value($0, values) }, hook, text)
        }
    }

    private func value(_ argument: Argument, _ values: RunValues) throws(HookFailure) -> Value {
        do { return try argument.value(in: values) } catch { throw HookFailure(what: error.what) }
    }

    private func run(_ command: Value, _ variables: Value?, _ text: String) async throws {
        var environment = ChildProcess.inherited(session.environment)
        for (name, value) in variables?.object ?? [:] where !value.isNull { environment[name] = plainText(value) }
        let words = (command.array ?? []).map(plainText)
        let process = ChildProcess(
            words, environment: environment, folder: workflow.folder, input: Array(text.utf8),
            maxOutputBytes: 64 << 10)
        let result = try await process.run()
        let name = "'\(words.first ?? "")'"
        let said = serviceWords(session.output.redact(String(decoding: result.errors, as: UTF8.self)), hiding: [])
        let reason = said.map { ": \($0)" } ?? ""
        switch result.ending {
        case .exited(0): break
        case .exited(let code): throw HookFailure(what: "\(name) ended with exit code \(code)\(reason)")
        case .killed(let signal): throw HookFailure(what: "\(name) was killed by signal \(signal)\(reason)")
        }
    }

    private func post(_ url: Value, _ headers: Value?, _ hook: Hook, _ text: String) async throws {
        let address = plainText(url)
        guard let parts = URLParts(address) else { throw HookFailure(what: "its 'url' is no address") }
        let holdsSecret = hook.arguments.contains { $0.references.contains(where: \.mentionsSecret) }
        guard !holdsSecret || parts.maySendCredentials else {
            throw HookFailure(
                what: "a secret would travel in the clear to \(redactedAddress(address)); write https://…")
        }
        let fields = (headers?.object ?? [:]).filter { !$0.value.isNull }.map { ($0.key, plainText($0.value)) }
        let response = try await client.send(
            HTTPRequest(
                .post, address, headers: fields, body: .bytes(Array(text.utf8), contentType: "application/json"),
                limits: HTTPLimits(total: timeout + .seconds(1)), isWrite: true, label: redactedAddress(address)))
        guard (200..<300).contains(response.status) else {
            throw HookFailure(what: "\(redactedAddress(address)) answered with HTTP \(response.status)")
        }
    }

    // MARK: The event

    /// The event as JSON; the names are promises.
    private func text(_ event: Hook.Event, _ outcome: RunOutcome, _ holders: Holders) -> String {
        let steps = outcome.steps.map { step -> Value in
            var members: ValueObject = [
                "step": .string(step.address), "kind": .string(step.kind), "state": .string(step.state.rawValue),
            ]
            members["error"] = step.error.map(\.journalValue)
            members["skipped-because"] = step.skipReason.map { .string($0.text) }
            return .object(members)
        }
        let questions = outcome.steps.compactMap { step in
            step.pause.map { pause -> Value in
                var members: ValueObject = [
                    "step": .string(step.address), "kind": .string(pause.kind.rawValue),
                    "message": .string(pause.message),
                    "command": .string(NextCommand.answers(pause, run: record.id, options: state.options)[0]),
                ]
                let folder = state.runFolder(record.id)
                members["picture"] = pause.picture.map { .string(FileSystem.join(folder, $0)) }
                members["link-file"] = pause.linkFile.map { .string(FileSystem.join(folder, $0)) }
                return .object(members)
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
        let members: ValueObject = [
            "event": .string(event.word), "workflow": .string(workflow.name), "run": .string(record.id),
            "state": .string(outcome.state.rawValue), "at": .string(session.now.iso8601), "steps": .array(steps),
            "questions": .array(questions), "held": .array(held),
            "outputs": .object(ValueObject(outcome.outputs.map { ($0.name, $0.value) })),
        ]
        return session.output.redact(Value.object(members).json()) + "\n"
    }
}

/// Why a hook failed, as a clause.
private struct HookFailure: Error {
    let what: String
}

private func plainText(_ value: Value) -> String { value.string ?? (value.isNull ? "" : value.json()) }

extension Hook.Event {
    /// Nil when there is nothing to tell: the run goes on by itself, or somebody has stopped it.
    fileprivate init?(_ state: RunState) {
        switch state {
        case .paused: self = .pause
        case .failed: self = .failure
        case .succeeded: self = .success
        case .running, .waiting, .canceled, .stopped, .interrupted: return nil
        }
    }

    fileprivate var word: String {
        switch self {
        case .pause: "pause"
        case .failure: "failure"
        case .success: "success"
        }
    }
}
