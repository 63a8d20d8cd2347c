public import Values

/// A key of `once` that the ledger remembers, for steps that look for what is new.
public struct PostedKey: Sendable, Hashable {
    /// The whole key, as `pasteup ledger list` shows it.
    public let text: String
    /// When the run began that took it: what a service shows that is younger was not there before that run.
    public let begun: Timestamp

    public init(text: String, begun: Timestamp) {
        self.text = text
        self.begun = begun
    }
}
