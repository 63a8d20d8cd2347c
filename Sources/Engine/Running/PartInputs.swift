internal import Expressions
internal import StepKit
internal import Threading
internal import Values
internal import Workflows

/// Inputs of parts that are the same for every item, kept so that they are made once: a list of 10,000 rows that is handed
/// to a part would be fitted 10,000 times.
///
/// A value is kept with the stamps of the steps that it is made of, and counts only where they are still the same. So copies
/// of `RunValues` share one of these, whatever each of them learns.
final class PartInputs: Sendable {
    private struct Name: Hashable {
        let scope: ObjectIdentifier
        let input: String
    }

    private struct Kept {
        /// Keeps what `Name` tells apart from going away.
        let scope: StepScope
        /// What the input is made of; nil when an item is among it.
        let sources: Set<String>?
        var value: Value?
        var stamps: [String: Int] = [:]
    }

    private struct State {
        var kept: [Name: Kept] = [:]
        var stamp = 0
    }

    private let state = Locked(State())

    /// A number that no other has, for what a step has just brought.
    func stamp() -> Int {
        state.withLock { state in
            state.stamp += 1
            return state.stamp
        }
    }

    /// The ids of the steps, in lower case, that an input is made of, through the inputs of outer parts as well; nil when it
    /// is made of an item.
    func sources(of input: ScopedInput, in scope: StepScope) -> Set<String>? {
        let name = Name(scope: ObjectIdentifier(scope), input: input.declaration.name)
        if let kept = state.withLock({ $0.kept[name] }) { return kept.sources }
        var found: Set<String>? = []
        PartInputs.collect(input.argument?.references ?? [], in: scope.outer, &found)
        state.withLock { [found] state in state.kept[name] = Kept(scope: scope, sources: found) }
        return found
    }

    private static func collect(_ references: [Reference], in scope: StepScope?, _ found: inout Set<String>?) {
        for reference in references where found != nil {
            switch reference.root {
            case "item", "index": found = nil
            case "steps":
                guard let id = reference.path.first else { continue }
                found?.insert(((scope?.prefix ?? "") + id).lowercased())
            case "inputs":
                guard let scope else { continue }
                let inputs = reference.path.first.map { [scope.input($0)].compactMap(\.self) } ?? scope.inputs
                for input in inputs { collect(input.argument?.references ?? [], in: scope.outer, &found) }
            default: break
            }
        }
    }

    /// - Parameter stamps: of the input's sources.
    func value(of input: ScopedInput, in scope: StepScope, _ stamps: [String: Int]) -> Value? {
        let name = Name(scope: ObjectIdentifier(scope), input: input.declaration.name)
        return state.withLock { state in
            guard let kept = state.kept[name], kept.stamps == stamps else { return nil }
            return kept.value
        }
    }

    func keep(_ value: Value, of input: ScopedInput, in scope: StepScope, _ stamps: [String: Int]) {
        let name = Name(scope: ObjectIdentifier(scope), input: input.declaration.name)
        state.withLock { state in
            state.kept[name]?.value = value
            state.kept[name]?.stamps = stamps
        }
    }
}
