internal import Engine
internal import Journal

/// Shows a run as it goes. Called from any task.
protocol RunView: Sendable {
    func show(_ event: RunEvent)

    /// - Parameter holders: the runs that keep steps of this one back.
    func finish(_ outcome: RunOutcome, holders: Holders)
}
