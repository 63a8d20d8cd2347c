internal import Engine
internal import Journal
internal import StepKit
internal import Values
internal import Workflows

/// What the journal of a run adds up to, for looking at it.
struct RunHistory {
    struct Step {
        let address: String
        var state: StepState
        var attempts: Int
        var startedAt: Timestamp?
        var endedAt: Timestamp?
        var pause: PauseRequest?
        var until: Timestamp?
        /// Of the last failed attempt.
        var error: StepError?
        /// The other run's question about the account that the step waits for.
        var hold: AccountHold?
        var skipReason: SkipReason?
        var outputs: ValueObject?
        /// How many items a step with `for-each` has; nil while they are not known, and for all others.
        var items: Int?
    }

    private(set) var steps: [Step] = []

    /// Set when the run as a whole waits for a person.
    private(set) var runPause: PauseRequest?

    /// - Parameter order: the addresses of the workflow's steps; those that the journal does not name yet are pending.
    ///   Others follow in the order in which the journal names them.
    init(_ entries: [JournalEntry], order: [String] = []) {
        var places: [String: Int] = [:]
        for address in order where places[address] == nil && !StepAddress(address).isPartBegin {
            places[address] = steps.count
            steps.append(Step(address: address, state: .pending, attempts: 0))
        }
        for entry in entries {
            guard !entry.address.isEmpty else {
                runPause = entry.kind == .runPaused ? PauseRequest(journalValue: entry.data["pause"] ?? .null) : nil
                continue
            }
            runPause = nil
            let place = places[entry.address] ?? steps.count
            if place == steps.count {
                places[entry.address] = place
                steps.append(Step(address: entry.address, state: .pending, attempts: 0))
            }
            RunHistory.apply(entry, to: &steps[place])
        }
        if steps.contains(where: { $0.items != nil }) { arrangeItems() }
        steps.removeAll { StepAddress($0.address).isPartBegin && $0.state != .failed }
    }

    /// Puts items behind their step, and gives the step the state that they add up to.
    private mutating func arrangeItems() {
        var items: [String: [(index: Int, step: Step)]] = [:]
        var others: [Step] = []
        for step in steps {
            let address = StepAddress(step.address)
            guard let index = address.index else {
                others.append(step)
                continue
            }
            // A step that goes over another's list has no entry of its own.
            if items[address.step] == nil, !steps.contains(where: { $0.address == address.step }) {
                others.append(Step(address: address.step, state: .pending, attempts: 0))
            }
            items[address.step, default: []].append((index, step))
        }
        steps = others.flatMap { step -> [Step] in
            guard let rows = items[step.address]?.sorted(by: { $0.index < $1.index }).map(\.step) else { return [step] }
            var whole = step
            whole.items = step.items ?? rows.count
            whole.state = RunHistory.state(of: rows)
            return [whole] + rows
        }
    }

    /// What needs attention first.
    private static func state(of items: [Step]) -> StepState {
        let states = Set(items.map(\.state))
        return [.paused, .waiting, .running, .ready, .pending, .failed, .succeeded, .canceled]
            .first(where: states.contains) ?? .skipped
    }

    /// How many items of a step are in which state: "10 succeeded, 2 failed".
    func tally(of step: Step) -> String {
        var counts: [StepState: Int] = [:]
        for other in steps where StepAddress(other.address).step == step.address && other.items == nil {
            counts[other.state, default: 0] += 1
        }
        return StepState.allCases.compactMap { state in counts[state].map { "\($0) \(state.rawValue)" } }
            .joined(separator: ", ")
    }

    /// The steps that a person must answer.
    var paused: [(address: String, pause: PauseRequest)] {
        steps.compactMap { step in
            step.state == .paused ? step.pause.map { (step.address, $0) } : nil
        }
    }

    /// The steps that wait for another run's answer.
    var held: [(address: String, hold: AccountHold)] {
        steps.compactMap { step in step.hold.map { (step.address, $0) } }
    }

    private static func apply(_ entry: JournalEntry, to step: inout Step) {
        step.attempts = max(step.attempts, entry.attempt)
        step.hold = nil
        switch entry.kind {
        case .attemptStarted:
            step.state = .running
            step.startedAt = step.startedAt ?? entry.at
        case .attemptFailed: step.error = entry.data["error"].flatMap(StepError.init(journalValue:))
        case .stepSucceeded:
            step.state = .succeeded
            step.error = nil
            step.outputs = entry.data["outputs"]?.object
        case .stepFailed:
            step.state = .failed
            step.error = entry.data["error"].flatMap(StepError.init(journalValue:))
        case .stepSkipped:
            step.state = .skipped
            step.skipReason = SkipReason(journalValue: entry.data, at: entry.at)
        case .stepPaused:
            step.state = .paused
            step.pause = entry.data["pause"].flatMap(PauseRequest.init(journalValue:))
        case .stepHeld:
            step.state = .paused
            step.pause = nil
            step.hold = entry.data["hold"].flatMap(AccountHold.init(journalValue:))
        case .stepWaiting:
            step.state = .waiting
            step.until = entry.data["until"]?.string.flatMap { Timestamp(iso8601: $0) }
        case .stepResumed: step.state = .ready
        // What it came to before is void.
        case .stepReset:
            step.state = .ready
            step.startedAt = nil
            step.pause = nil
            step.until = nil
            step.error = nil
            step.skipReason = nil
            step.outputs = nil
        case .stepCanceled: step.state = .canceled
        case .itemsKnown: step.items = entry.data["items"]?.array?.count
        case .onceReserved, .looked, .partKept, .generationRaised, .runResumed, .runEnded, .runPaused: break
        }
        step.endedAt = step.state.isFinal ? entry.at : nil
    }
}
