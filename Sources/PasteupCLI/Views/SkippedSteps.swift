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
        var causes: [String: String?] = [:]
        var places: [String: Int] = [:]
        for step in steps {
            guard let cause = SkippedSteps.cause(of: step.address, reasons, &causes) else { continue }
            if let place = places[cause] {
                groups[place].steps.append(step.address)
            } else {
                places[cause] = groups.count
                groups.append(Group(cause: cause, steps: [step.address]))
            }
        }
    }

    /// - Parameter causes: what is known already; a chain of reasons is walked once, however many steps are on it.
    private static func cause(
        of address: String, _ reasons: [String: SkipReason?], _ causes: inout [String: String?]
    ) -> String? {
        var chain: [String] = []
        var next: String? = address
        var found: String?
        while let step = next {
            if let known = causes[step] {
                found = known
                break
            }
            chain.append(step)
            // Until the end of the chain is known: reasons that lead in a circle lead nowhere.
            causes[step] = .some(nil)
            if case .failFast(let before)? = reasons[step] ?? nil {
                found = before
                break
            }
            guard case .dependency(let before, let state)? = reasons[step] ?? nil else { break }
            if state == .failed {
                found = before
                break
            }
            next = before
        }
        for step in chain { causes[step] = .some(found) }
        return found
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
