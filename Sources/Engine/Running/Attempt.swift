internal import Diagnostics
internal import Expressions
internal import Files
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// One call of a step's kind, with everything it needs: what is left to do is to carry it out.
struct Attempt: Sendable {
    let index: Int
    let step: Step
    let folder: String
    let paths: ArtifactPaths
    let account: Account?
    let values: RunValues
    let run: String
    let number: Int
    let idempotencyKey: String
    let keyFirstSent: Timestamp?
    let resumption: Resumption?
    let clock: any EngineClock
    let observe: @Sendable (RunEvent) -> Void

    /// Carries the call out and says what came of it.
    func carryOut() async -> SchedulerEvent {
        do {
            let call = try call()
            let limit = step.timeout + step.kind.extraTime(for: call) + grace
            switch try await bounded(by: limit, { try await step.kind.run(call) }) {
            case .succeeded(let outputs)?:
                return .succeeded(index, paths.stored(outputs, of: step.kind.declaration))
            case .skipped(let reason)?: return .nothingToDo(index, reason: reason)
            case nil:
                let what = "it took longer than its timeout of \(step.timeout.text)"
                return .failed(index, StepError(step.effect == .write ? .inDoubt : .timeout, what))
            }
        } catch is CancellationError {
            return .cancelled(index)
        } catch {
            return .failed(index, stepError(error))
        }
    }

    /// Looks whether the write happened.
    func look(since intent: Timestamp) async -> SchedulerEvent {
        do {
            let call = try call()
            guard
                let sighting = try await bounded(
                    by: step.timeout + grace, { try await step.kind.look(for: call, since: intent) })
            else {
                return .lookFailed(index, StepError(.timeout, "looking took longer than \(step.timeout.text)"))
            }
            guard case .found(let outputs) = sighting else { return .looked(index, sighting) }
            return .looked(index, .found(paths.stored(outputs, of: step.kind.declaration)))
        } catch is CancellationError {
            return .cancelled(index)
        } catch {
            return .lookFailed(index, stepError(error))
        }
    }

    /// The step kind's own limits come first: they know whether anything was sent.
    private var grace: Duration { .seconds(1) }

    /// - Throws: `StepError` when a parameter has no value that fits.
    func call() throws -> StepCall {
        var given = ValueObject()
        for argument in step.arguments { given[argument.name] = try argument.value.value(in: values) }
        let address = step.id
        let observe = observe
        return StepCall(
            run: run, address: address, attempt: number, parameters: try fit(given), account: account,
            idempotencyKey: idempotencyKey, keyFirstSent: keyFirstSent, timeout: step.timeout,
            artifacts: paths.artifacts, resumption: resumption,
            warn: { observe(.warning(address: address, $0)) })
    }

    private func fit(_ given: ValueObject) throws(StepError) -> ValueObject {
        let declaration = step.kind.declaration
        let known = Set(declaration.parameters.map(\.name))
        var declared = ValueObject()
        var others = ValueObject()
        for (name, value) in given {
            if known.contains(name) || !declaration.hasOpenParameters {
                declared[name] = value
            } else {
                others[name] = value
            }
        }
        do {
            var fitted = try declaration.parameters.fit(declared)
            for parameter in declaration.parameters {
                guard let value = fitted[parameter.name] else { continue }
                fitted[parameter.name] = parameter.type.resolvingPaths(of: value, in: folder)
            }
            for (name, value) in others { fitted[name] = value }
            return fitted
        } catch {
            throw StepError(
                .invalid, "'\(error.pathText)' \(error.problem)",
                fix: "It is set under 'with' of step '\(step.id)' (\(step.range.start.file):\(step.range.start.line)).")
        }
    }

    private func stepError(_ error: any Error) -> StepError {
        guard var error = error as? StepError else {
            return StepError(step.effect == .write ? .inDoubt : .invalid, "\(error)")
        }
        error.pause = error.pause.map(paths.stored)
        return error
    }

    /// The result, or nil when the time was over first. What the body still brings after that counts, too.
    private func bounded<Result: Sendable>(
        by limit: Duration, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result? {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask { [clock] in
                do { try await clock.sleep(for: limit, purpose: .timeout) } catch { return nil }
                return nil
            }
            var isOver = false
            do {
                while let result = try await group.next() {
                    if let result {
                        group.cancelAll()
                        return result
                    }
                    isOver = !Task.isCancelled
                    group.cancelAll()
                }
            } catch is CancellationError where isOver {
                return nil
            }
            return nil
        }
    }
}

extension ValueType {
    /// The value with every relative path in it taken from the folder.
    func resolvingPaths(of value: Value, in folder: String) -> Value {
        switch (self, value) {
        case (.file, .string(let path)): return .string(FileSystem.join(folder, path))
        case (.list(let element), .array(let values)):
            return .array(values.map { element.resolvingPaths(of: $0, in: folder) })
        case (.object(let parameters), .object(var object)):
            for parameter in parameters {
                object[parameter.name] = object[parameter.name].map {
                    parameter.type.resolvingPaths(of: $0, in: folder)
                }
            }
            return .object(object)
        default: return value
        }
    }
}
