public import Values

/// An open question about an account: until it is answered, no run writes with that account.
public struct AccountHold: Sendable, Hashable {
    /// Which account: a hash, the same for all that use its token.
    public let account: String
    /// Who was asked, and tries the answer first.
    public let run: String
    public let address: String
    public let at: Timestamp

    public init(account: String, run: String, address: String, at: Timestamp) {
        self.account = account
        self.run = run
        self.address = address
        self.at = at
    }
}

extension AccountHold {
    /// As an entry of the run that is held keeps it.
    public var journalValue: Value {
        ["account": .string(account), "run": .string(run), "step": .string(address), "since": .string(at.iso8601)]
    }

    /// Nil when a member is missing.
    public init?(journalValue value: Value) {
        guard let account = value["account"]?.string, let run = value["run"]?.string,
            let address = value["step"]?.string, let at = value["since"]?.string.flatMap({ Timestamp(iso8601: $0) })
        else { return nil }
        self.init(account: account, run: run, address: address, at: at)
    }
}
