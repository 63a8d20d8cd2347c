/// The step kinds and account types that a program knows.
public struct StepCatalog: Sendable {
    private let kinds: [String: any StepKind]
    private let accountTypes: [String: AccountType]

    public init(kinds: [any StepKind], accountTypes: [AccountType]) {
        self.kinds = Dictionary(kinds.map { ($0.declaration.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.accountTypes = Dictionary(accountTypes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public func kind(_ name: String) -> (any StepKind)? { kinds[name] }

    public func accountType(_ name: String) -> AccountType? { accountTypes[name] }

    /// Sorted.
    public var kindNames: [String] { kinds.keys.sorted() }

    /// Sorted.
    public var accountTypeNames: [String] { accountTypes.keys.sorted() }
}
