internal import Diagnostics
internal import Expressions
internal import Journal
internal import StepKit
internal import Threading
internal import Values
internal import Workflows

/// Carrying out what was decided.
extension Runner {
    mutating func carryOut(
        _ action: SchedulerAction, _ group: inout ThrowingTaskGroup<SchedulerEvent?, any Error>,
        _ events: inout [SchedulerEvent]
    ) async throws(JournalError) {
        switch action {
        case .evaluateCondition(let index, let status): events.append(condition(index, status))
        case .makeList(let root): events.append(makeList(root))
        case .conclude(let index): events.append(conclude(index))
        case .reserve(let index): events.append(try await reserve(index))
        case .checkAccount(let index): events.append(try await checkAccount(index))
        case .start(let index, let number, let resumption):
            let isWrite = step(index).effect == .write
            let attempt = attempt(
                index, number: number, resumption: resumption, given: isWrite ? sent[index] : nil)
            guard isWrite else {
                group.addTask { try await attempt.carryOut() }
                return
            }
            guard let turns = services.turns, let account = attempt.account else {
                group.addTask { try await attempt.carryOut() }
                return
            }
            ready[index] = attempt
            // A write waits until no other process writes with the same account.
            group.addTask { [taken] in
                do {
                    let turn = try await turns.take(for: account)
                    taken.withLock { $0[index] = turn }
                    return .turnTaken(index)
                } catch {
                    return .notSent(index)
                }
            }
        case .send(let index):
            guard let attempt = ready.removeValue(forKey: index) else { return }
            group.addTask { [taken] in
                defer { taken.withLock { $0[index] = nil } }
                return try await attempt.carryOut()
            }
        case .look(let index, let since):
            services.observe(.looking(address: scheduler.address(of: index)))
            var attempt = attempt(
                index, number: scheduler.attempts(of: index), resumption: nil, given: sent[index],
                others: others(besides: index))
            attempt.isAsSent = isAsSent(index, attempt.given)
            group.addTask { [attempt] in await attempt.look(since: since) }
        case .timer(let index, let delay):
            if !scheduler.isLooking(index), let error = lastErrors[index] {
                services.observe(.retrying(address: scheduler.address(of: index), after: delay, error: error))
            }
            group.addTask { [clock = services.clock] in
                do { try await clock.sleep(for: delay, purpose: .pause) } catch { return nil }
                return .timerFired(index)
            }
        case .ask(let index, let pause, let refusals):
            guard let interviewer = services.interviewer else { return }
            let question = StepQuestion(
                address: scheduler.address(of: index), account: step(index).account, pause: paths.restored(pause),
                refusals: refusals)
            group.addTask { .answered(index, await interviewer.ask(question)) }
        }
    }

    func attempt(
        _ index: Int, number: Int, resumption: Resumption?, given: Result<ValueObject, StepError>? = nil,
        others: [ValueObject] = []
    ) -> Attempt {
        let step = step(index)
        let address = scheduler.address(of: index)
        let key = idempotencyKey(run: record.id, address: address, generation: scheduler.generation(of: index))
        return Attempt(
            index: index, step: step, address: address, origin: origin(of: index),
            folder: step.scope?.folder ?? workflow.folder,
            paths: paths,
            account: step.account.flatMap { services.accounts[$0] }, renew: services.renew,
            replace: services.replace, advise: services.advise,
            given: given ?? arguments(of: step, values(for: index)),
            redactor: redactor, run: record.id, number: number,
            idempotencyKey: key, keyFirstSent: scheduler.keyFirstSent(of: index), resumption: resumption,
            parts: { [parts] in parts.parts(of: address, attempt: number, key: key, $0) }, others: others,
            clock: services.clock,
            postedKeys: postedKeys, observe: order.report)
    }

    /// What the run's other writes have made, that of the step under another key included.
    private func others(besides index: Int) -> [ValueObject] {
        let address = scheduler.address(of: index)
        let key = idempotencyKey(run: record.id, address: address, generation: scheduler.generation(of: index))
        return made.filter { $0.key != index }.map(\.value) + parts.objects(besides: address, key: key)
    }

    /// Asks the ledger, unless it is passed over.
    private var postedKeys: @Sendable (String) async throws -> [PostedKey] {
        guard !services.ignoresOnce else { return { _ in [] } }
        let ledger = services.ledger
        let scopes = ["", workflow.name]
        return { prefix in
            try await ledger.ledger(withPrefix: prefix, limit: .max)
                .filter { entry in scopes.contains { $0.utf8.elementsEqual(entry.key.scope.utf8) } }
                .map { PostedKey(text: $0.key.text, begun: startOfRun($0.run) ?? $0.at) }
        }
    }

    func arguments(of step: Step, _ values: RunValues) -> Result<ValueObject, StepError> {
        Result { () throws(StepError) in
            var given = ValueObject()
            for argument in step.arguments { given[argument.name] = try argument.value.value(in: values) }
            return given
        }
    }
}
