internal import Journal
internal import StepKit
internal import Workflows

/// A step with `for-each` as a whole: what its items add up to.
///
/// | items | the step |
/// |---|---|
/// | one failed, or was kept from running by a failure in its row or by `fail-fast` | `failed` |
/// | else one succeeded | `succeeded` |
/// | else one was canceled | `canceled` |
/// | else, also without items | `skipped` |
struct StepGroup: Sendable {
    /// How the ended items ended.
    struct Tally: Sendable, Hashable {
        var succeeded = 0
        var failed = 0
        /// Skipped because something failed.
        var missing = 0
        /// Skipped because of a `once`.
        var done = 0
        var skipped = 0
        var canceled = 0
    }

    var tally = Tally()
    /// Items that have not ended.
    var left = 0
    /// Something in one of its rows has failed, up to its item.
    var hasRowFailure = false
    /// Its list is needed.
    var isListWanted = false
    /// Its items are skipped for this as soon as they are known.
    var deferredSkip: SkipReason?
    /// What is outside of the batch and waits for it was skipped because of a `once`.
    var servesOnlySkipped = false
    /// The first failure has kept the items that had not started.
    var hasFailedFast = false

    /// Items under way, between their first attempt and a pause, a wait or their end.
    var slots = 0
    /// Items that could start but for `max-parallel`.
    var parked = StepQueue()
    /// Items that could start but for what is outside of the batch.
    var blocked: [Int] = []

    /// Items whose key of `once` waits for what is outside of the batch.
    var keyless: [Int] = []

    /// Where writes go in the order of the items: the first row that may still come to its turn.
    var turn = 0
    /// Rows after that one that could go.
    var early: Set<Int> = []

    var phase: StepProgress.Phase {
        if tally.failed + tally.missing > 0 {
            let what =
                tally.failed > 0
                ? "\(tally.failed) of its items failed" : "\(tally.missing) of its items could not be carried out"
            return .failed(StepError(.invalid, what))
        }
        if tally.succeeded > 0 { return .succeeded }
        if tally.canceled > 0 { return .canceled }
        return .skipped(.itemsSkipped(isOnce: tally.done > 0 && tally.skipped == 0))
    }
}
