internal import StepKit
internal import Values
internal import Workflows

/// The list of a step before the run.
enum PlannedList {
    case known([Value])
    case after([String])
    case impossible(String)

    init(_ step: Step, _ values: RunValues, _ fetched: [String: [Value]]?, _ knowledge: Knowledge) {
        if let items = fetched?[step.id] {
            self = .known(items)
            return
        }
        let missing = (step.forEach?.references ?? []).filter { !knowledge.isKnown($0, in: step.scope, to: nil, nil) }
        guard missing.isEmpty else {
            var seen: Set<String> = []
            self = .after(
                missing.flatMap { knowledge.steps($0, in: step.scope) }.filter { seen.insert($0).inserted })
            return
        }
        do throws(StepError) { self = .known(try step.forEach?.items(in: values.scoped(to: step.scope)) ?? []) } catch {
            self = .impossible(error.sentence)
        }
    }
}
