/// The step kinds and account types that a program knows.
public struct StepCatalog: Sendable {
    private let kinds: [String: any StepKind]
    private let accountTypes: [String: AccountType]
    private let families: [any StepKindFamily]

    /// - Parameter families: asked for names that no listed kind has, in this order.
    public init(
        kinds: [any StepKind], accountTypes: [AccountType], families: [any StepKindFamily] = []
    ) {
        self.families = families
        self.kinds = Dictionary(kinds.map { ($0.declaration.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.accountTypes = Dictionary(accountTypes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public func kind(_ name: String) -> (any StepKind)? {
        if let kind = kinds[name] { return kind }
        for family in families {
            if let kind = family.kind(named: name) { return kind }
        }
        return nil
    }

    public func accountType(_ name: String) -> AccountType? { accountTypes[name] }

    /// The listed kinds, sorted.
    public var kindNames: [String] { kinds.keys.sorted() }

    /// The expressions that the families' names match.
    public var familyPatterns: [String] { families.map(\.pattern) }

    /// The listed kinds and those that the families know by name, sorted.
    public var knownNames: [String] { Set(families.flatMap(\.knownNames)).union(kinds.keys).sorted() }

    /// Sorted.
    public var accountTypeNames: [String] { accountTypes.keys.sorted() }
}
