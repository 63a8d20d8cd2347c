public import Values

/// A key of `once` that the ledger remembers, for steps that look for what is new.
public struct PostedKey: Sendable, Hashable {
    /// The whole key, as `pasteup ledger list` shows it.
    public let text: String
    /// When it was taken, or done.
    public let at: Timestamp

    public init(text: String, at: Timestamp) {
        self.text = text
        self.at = at
    }
}
