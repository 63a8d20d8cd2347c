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
    /// The step's id, with the item's row.
    let address: String
    /// Where the item is written.
    let origin: ItemOrigin?
    let folder: String
    let paths: ArtifactPaths
    private(set) var account: Account?
    /// Puts a fresh token in place of one that ends; nil when nobody does.
    let renew: (@Sendable (Account) async -> Account)?
    /// Finds another token in place of one that was refused; nil when nobody does.
    let replace: (@Sendable (Account) async -> Account?)?
    /// Says how a person gets another; nil when nobody does.
    let advise: (@Sendable (Account) -> String?)?
    /// The members of `with`, evaluated when the attempt began.
    let given: Result<ValueObject, StepError>
    /// Whether that is what the write in doubt was sent with, as far as is known.
    var isAsSent = true
    private(set) var redactor: Redactor
    let run: String
    let number: Int
    let idempotencyKey: String
    let keyFirstSent: Timestamp?
    let resumption: Resumption?
    /// What the step has finished; what it keeps is redacted by the redactor that is given.
    let parts: @Sendable (Redactor) -> any StepParts
    /// What the run's other writes have made, for a look.
    let others: [ValueObject]
    let clock: any EngineClock
    /// The keys of `once` with a beginning.
    let postedKeys: @Sendable (String) async throws -> [PostedKey]
    let observe: @Sendable (RunEvent) -> Void

    /// Carries the call out and says what came of it.
    ///
    /// - Throws: `JournalError` when a part of it could not be kept: nothing more may be sent then.
    func carryOut() async throws(JournalError) -> SchedulerEvent {
        let attempt = await renewed()
        let event = try await attempt.carriedOut()
        guard event.isRefusedToken, let account = attempt.account else { return event }
        guard let other = await replace?(account) else { return event.advised(by: advise?(account)) }
        // The call was refused, and so not carried out; what the step had finished before it is kept.
        return try await attempt.with(other).carriedOut().advised(by: advise?(other))
    }

    /// Looks whether the write happened.
    func look(since intent: Timestamp) async -> SchedulerEvent { await renewed().looked(since: intent) }

    /// The attempt with a token that is good now.
    private func renewed() async -> Attempt {
        guard let renew, let account else { return self }
        return with(await renew(account))
    }

    private func with(_ account: Account) -> Attempt {
        var attempt = self
        attempt.account = account
        attempt.redactor = redactor.hiding(account.token)
        return attempt
    }

    private func carriedOut() async throws(JournalError) -> SchedulerEvent {
        do {
            let call = try call()
            let limit = step.timeout + step.kind.extraTime(for: call) + grace
            switch try await bounded(by: limit, { try await step.kind.run(call) }) {
            case .succeeded(let outputs)?: return .succeeded(index, stored(outputs))
            case .skipped(let reason)?: return .nothingToDo(index, reason: redactor.redact(reason))
            case .paused(let pause)?: return .paused(index, redactor.redact(paths.stored(pause)))
            case nil:
                let what = "it took longer than its timeout of \(step.timeout.text)"
                return .failed(index, StepError(step.effect == .write ? .inDoubt : .timeout, what))
            }
        } catch is CancellationError where Task.isCancelled {
            return .cancelled(index)
        } catch is CancellationError {
            let what = "it was broken off by something outside of the run"
            return .failed(index, StepError(step.effect == .write ? .inDoubt : .network, what))
        } catch let error as JournalError {
            throw error
        } catch {
            return .failed(index, stepError(error))
        }
    }

    private func looked(since intent: Timestamp) async -> SchedulerEvent {
        do {
            let call = try call()
            guard
                let sighting = try await bounded(
                    by: step.timeout + grace, { try await step.kind.look(for: call, since: intent) })
            else {
                return .lookFailed(index, StepError(.timeout, "looking took longer than \(step.timeout.text)"))
            }
            switch sighting {
            case .found(let outputs): return .looked(index, .found(stored(outputs)))
            case .absent where !isAsSent:
                // A variable of the environment may have changed: this looked for something that was never sent.
                return .looked(index, .unreadable(reason: "what it would send now is not what it sent then"))
            case .absent: return .looked(index, .absent)
            case .several(let candidates): return .looked(index, .several(candidates.map(redactor.redact)))
            case .unreadable(let reason): return .looked(index, .unreadable(reason: redactor.redact(reason)))
            case .neverSent: return .looked(index, .neverSent)
            case .tooEarly(let left): return .looked(index, .tooEarly(left))
            }
        } catch is CancellationError where Task.isCancelled {
            return .cancelled(index)
        } catch is CancellationError {
            return .lookFailed(index, StepError(.network, "it was broken off by something outside of the run"))
        } catch {
            return .lookFailed(index, stepError(error))
        }
    }

    /// The step kind's own limits come first: they know whether anything was sent.
    private var grace: Duration { .seconds(1) }

    /// - Throws: `StepError` when a parameter has no value that fits.
    func call() throws -> StepCall {
        let address = address
        let observe = observe
        let redactor = redactor
        let clock = clock
        return StepCall(
            run: run, address: address, attempt: number, parameters: try fit(given.get()), effect: step.effect,
            account: account, idempotencyKey: idempotencyKey, keyFirstSent: keyFirstSent, timeout: step.timeout,
            folder: folder, artifacts: paths.artifacts, resumption: resumption, parts: parts(redactor),
            others: others,
            warn: { observe(.warning(address: address, redactor.redact($0))) }, redact: { redactor.redact($0) },
            wait: { try await clock.sleep(for: $0, purpose: .pause) }, postedKeys: postedKeys)
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
                fitted[parameter.name] = parameter.type.changingPaths(in: value) { FileSystem.join(folder, $0) }
            }
            for (name, value) in others { fitted[name] = value }
            return fitted
        } catch {
            // The problem quotes the value, and cut short: too late for the redactor to know it.
            let problem = isSecret(error) ? "comes from a secret that does not fit" : error.problem
            throw StepError(
                .invalid, "'\(error.pathText)' \(problem)", why: cell(of: error),
                fix: "It is set under 'with' of step '\(step.id)' (\(step.range.start.file):\(step.range.start.line)).")
        }
    }

    private func isSecret(_ mismatch: TypeMismatch) -> Bool {
        guard case .member(let name)? = mismatch.path.first else { return false }
        return step.arguments.contains { $0.name == name && $0.value.references.contains(where: \.mentionsSecret) }
    }

    /// The cell of a table that the parameter is taken from, as a sentence; nil when it is made of anything else.
    private func cell(of mismatch: TypeMismatch) -> String? {
        guard let origin, case .member(let name)? = mismatch.path.first,
            case .template(let template, _)? = step.arguments.first(where: { $0.name == name })?.value,
            let column = template.whole?.itemMember, let place = origin.location(column: column)
        else { return nil }
        return "It is column '\(column)' at \(place.file):\(place.line):\(place.column)."
    }

    private func stored(_ outputs: ValueObject) -> ValueObject {
        redactor.redact(paths.stored(outputs, of: step.kind.declaration))
    }

    private func stepError(_ error: any Error) -> StepError {
        guard var error = error as? StepError else {
            return StepError(step.effect == .write ? .inDoubt : .invalid, redactor.redact("\(error)"))
        }
        error.pause = error.pause.map(paths.stored)
        return redactor.redact(error)
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

extension Expression {
    /// The member of the item that it reads and nothing else: `item.wall`.
    fileprivate var itemMember: String? {
        guard references.count == 1, let reference = references.first, reference.root == "item", reference.isExact,
            reference.path.count == 1, reference.length == length
        else { return nil }
        return reference.path[0]
    }
}

extension SchedulerEvent {
    fileprivate var isRefusedToken: Bool {
        if case .failed(_, let error) = self { error.errorClass == .auth } else { false }
    }

    /// A refused token's failure, with what a person can do about it.
    fileprivate func advised(by advice: String?) -> SchedulerEvent {
        guard let advice, isRefusedToken, case .failed(let index, var error) = self else { return self }
        error.fix = [error.fix, advice].compactMap { $0 }.joined(separator: " ")
        error.pause?.message += " " + advice
        return .failed(index, error)
    }
}
