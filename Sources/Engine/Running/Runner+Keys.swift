internal import Expressions
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// Keys of `once`.
extension Runner {
    mutating func reserve(_ index: Int) async throws(JournalError) -> SchedulerEvent {
        let key: LedgerKey
        if scheduler.hadKey(index), let kept = keys[index] {
            // Another text, made of a variable that has changed, would leave that key reserved for nothing.
            key = kept
        } else {
            do { key = try onceKey(of: step(index), values(for: index)) } catch { return .onceFailed(index, error) }
        }
        keys[index] = nil
        if !services.ignoresOnce {
            let address = scheduler.address(of: index)
            let held = try await services.journal.reserve(
                key, run: record.id, address: address, at: services.clock.now.wall)
            if let held, held.run == record.id, held.address != address {
                return .onceTaken(index, key: key.text, by: held.address)
            }
            if let held { return .onceHeld(index, held) }
        }
        keys[index] = key
        return .onceGranted(index)
    }

    /// - Throws: `StepError` when a part of the key is null or empty: such a key would fit too much.
    private func onceKey(of step: Step, _ values: RunValues) throws(StepError) -> LedgerKey {
        guard let once = step.once else { throw StepError(.invalid, "step '\(step.id)' has no 'once'") }
        if case .template(let template, _) = once.key {
            for expression in template.expressions {
                let context = try values.context(for: expression.references)
                guard let part = try? expression.evaluate(in: context), !part.text.isEmpty else {
                    throw StepError(
                        .invalid, "a part of its 'once' key is empty: '\(expression.source)'",
                        why: "A key with an empty part would be the same for different posts.",
                        fix: "Give it another value, as with default(…, 'none').")
                }
            }
        }
        let text = try once.key.value(in: values).text
        guard !text.isEmpty else { throw StepError(.invalid, "its 'once' key is empty") }
        return LedgerKey(scope: once.isGlobal ? "" : workflow.name, text: text)
    }
}

extension LedgerKey {
    var journalValue: Value { ["scope": .string(scope), "key": .string(text)] }

    /// Nil when a member is missing.
    init?(journalValue value: Value) {
        guard let scope = value["scope"]?.string, let text = value["key"]?.string else { return nil }
        self.init(scope: scope, text: text)
    }
}
