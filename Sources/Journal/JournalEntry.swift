public import Values

/// Something that happened in a run. Entries are only ever added; the state of a run is what they add up to.
public struct JournalEntry: Sendable, Hashable {
    /// What happened. The raw values are stored.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A process began to work on the run.
        case runResumed = "run-resumed"
        /// The list of a step with `for-each` is known; the items are in the data, and never change in this run.
        case itemsKnown = "items-known"
        /// An attempt is about to be made. Before a write this is the intent: it is on disk before the first byte goes.
        case attemptStarted = "attempt-started"
        /// An attempt failed, and the step goes on: a retry, a look, a pause.
        case attemptFailed = "attempt-failed"
        case stepSucceeded = "step-succeeded"
        case stepFailed = "step-failed"
        case stepSkipped = "step-skipped"
        case stepPaused = "step-paused"
        case stepWaiting = "step-waiting"
        /// The step waits until another run's question about their account is answered.
        case stepHeld = "step-held"
        /// A paused or waiting step goes on.
        case stepResumed = "step-resumed"
        case stepCanceled = "step-canceled"
        /// The key of `once` was reserved for this step.
        case onceReserved = "once-reserved"
        /// A look for a write in doubt.
        case looked = "looked"
        /// The step will run again from the start, because what it made has died.
        case stepReset = "step-reset"
        /// A person said that a write did not happen and is to be sent again under a new key.
        case generationRaised = "generation-raised"
        /// A part of a step of several calls is done, or about to be sent; on disk before the next call.
        case partKept = "part-kept"
        case runEnded = "run-ended"
        /// The run as a whole waits for a person: it was interrupted too long ago to go on by itself.
        case runPaused = "run-paused"
    }

    public let kind: Kind
    /// The step's address; empty for entries of the run as a whole.
    public let address: String
    /// From 1; 0 for entries that belong to no attempt.
    public let attempt: Int
    public let at: Timestamp
    /// What belongs to the kind: outputs, an error, a pause. Never a secret's text.
    public let data: Value

    public init(_ kind: Kind, _ address: String = "", attempt: Int = 0, at: Timestamp, data: Value = .null) {
        self.kind = kind
        self.address = address
        self.attempt = attempt
        self.at = at
        self.data = data
    }
}
