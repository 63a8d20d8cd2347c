internal import Engine
internal import Journal

/// Shows a run as it goes. Called from any task.
protocol RunView: Sendable {
    func show(_ event: RunEvent)

    /// - Parameter holders: the runs that hold `once` keys for which steps were skipped, by id.
    func finish(_ outcome: RunOutcome, holders: [String: RunRecord])
}
