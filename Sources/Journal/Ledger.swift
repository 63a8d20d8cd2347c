public import Values

/// The key of a `once`, as the ledger remembers it. Keys are compared byte for byte: "é" as one scalar and as two are
/// different keys, as they are in a database.
public struct LedgerKey: Sendable, Hashable {
    /// The workflow's name; empty for `scope: global`.
    public let scope: String
    /// The rendered text.
    public let text: String

    public init(scope: String, text: String) {
        self.scope = scope
        self.text = text
    }

    public static func == (one: LedgerKey, other: LedgerKey) -> Bool {
        one.scope.utf8.elementsEqual(other.scope.utf8) && one.text.utf8.elementsEqual(other.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in scope.utf8 { hasher.combine(byte) }
        hasher.combine(0 as UInt8)
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension LedgerKey: Comparable {
    /// By scope, then by text, each by its bytes.
    public static func < (one: LedgerKey, other: LedgerKey) -> Bool {
        if !one.scope.utf8.elementsEqual(other.scope.utf8) {
            return one.scope.utf8.lexicographicallyPrecedes(other.scope.utf8)
        }
        return one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}

/// What the ledger remembers of a key.
public struct LedgerEntry: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        /// A step is on its way to it, or its fate is in doubt.
        case reserved
        /// It happened; these are the step's outputs.
        case done(ValueObject)
    }

    public let key: LedgerKey
    public let run: String
    public let address: String
    public let state: State
    public let at: Timestamp

    public init(key: LedgerKey, run: String, address: String, state: State, at: Timestamp) {
        self.key = key
        self.run = run
        self.address = address
        self.state = state
        self.at = at
    }
}

/// A change of the ledger that is committed together with entries.
public enum LedgerChange: Sendable, Hashable {
    /// The write happened.
    case complete(LedgerKey, outputs: ValueObject)
    /// The write certainly did not happen and will not: the key is free again. Nothing changes when another run holds it, or
    /// another step than this one; nil means whichever step of the run has it.
    case release(LedgerKey, heldBy: String? = nil)
}
