internal import Engine
internal import Journal
internal import StepKit
internal import Values

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
    }

    /// In the order in which the journal names them.
    private(set) var steps: [Step] = []

    /// Set when the run as a whole waits for a person.
    private(set) var runPause: PauseRequest?

    init(_ entries: [JournalEntry]) {
        var places: [String: Int] = [:]
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
        case .stepResumed, .stepReset: step.state = .ready
        case .stepCanceled: step.state = .canceled
        case .onceReserved, .looked, .generationRaised, .runResumed, .runEnded, .runPaused: break
        }
        step.endedAt = step.state.isFinal ? entry.at : nil
    }
}
