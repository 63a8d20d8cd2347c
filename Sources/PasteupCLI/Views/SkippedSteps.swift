internal import Engine
internal import Journal
internal import Values

/// Which steps were skipped because of which failed one: each is put down to the failure that the chain of reasons leads
/// back to.
struct SkippedSteps {
    struct Group: Equatable {
        /// The step that failed.
        let cause: String
        /// In the order of the file.
        var steps: [String]
    }

    /// In the order of the causes' first skipped step.
    private(set) var groups: [Group] = []

    /// - Parameter steps: all steps of the run, in the order of the file.
    init(_ steps: [(address: String, skipReason: SkipReason?)]) {
        let reasons = Dictionary(steps.map { ($0.address, $0.skipReason) }, uniquingKeysWith: { first, _ in first })
        var places: [String: Int] = [:]
        for step in steps {
            guard let cause = SkippedSteps.cause(of: step.skipReason, reasons) else { continue }
            if let place = places[cause] {
                groups[place].steps.append(step.address)
            } else {
                places[cause] = groups.count
                groups.append(Group(cause: cause, steps: [step.address]))
            }
        }
    }

    private static func cause(of reason: SkipReason?, _ reasons: [String: SkipReason?]) -> String? {
        var reason = reason
        // A chain of reasons is never longer than there are steps.
        for _ in 0...reasons.count {
            if case .failFast(let address)? = reason { return address }
            guard case .dependency(let address, let state)? = reason else { return nil }
            if state == .failed { return address }
            reason = reasons[address] ?? nil
        }
        return nil
    }

    /// "2 steps skipped because 'upload' failed: saved, post"
    var lines: [String] {
        groups.map { "\(counted($0.steps.count, "step")) skipped because '\($0.cause)' failed: \(names($0.steps))" }
    }

    var value: Value {
        .array(
            groups.map {
                ["because": .string($0.cause), "steps": .array($0.steps.map(Value.string))]
            })
    }
}
