public import Values

/// A parameter of a step kind, or a member of an object parameter.
public struct Parameter: Sendable, Hashable {
    public let name: String
    public let type: ValueType
    public let isRequired: Bool
    public let defaultValue: Value?
    /// One sentence: what it means, its unit and range.
    public let summary: String
    /// Whether a value that comes from `secrets` may stand here.
    public let acceptsSecrets: Bool
    /// Whether it names a file that the step makes, which need not be there.
    public let namesNewFile: Bool

    public init(
        _ name: String, _ type: ValueType, required: Bool = false, default defaultValue: Value? = nil,
        acceptsSecrets: Bool = false, namesNewFile: Bool = false, _ summary: String
    ) {
        self.name = name
        self.type = type
        self.isRequired = required
        self.defaultValue = defaultValue
        self.summary = summary
        self.acceptsSecrets = acceptsSecrets
        self.namesNewFile = namesNewFile
    }
}

/// An output of a step kind.
public struct Output: Sendable, Hashable {
    public let name: String
    public let type: ValueType
    public let summary: String
    /// An address or a hash that works like a key: journalled, never shown whole.
    public let isSensitive: Bool

    public init(_ name: String, _ type: ValueType, sensitive: Bool = false, _ summary: String) {
        self.name = name
        self.type = type
        self.summary = summary
        self.isSensitive = sensitive
    }
}

/// What a step kind says of itself: enough to check a file before anything runs, to complete it in an editor, and to
/// write its reference page.
public struct StepDeclaration: Sendable, Hashable {
    /// What `uses:` names.
    public let name: String
    /// One sentence.
    public let summary: String
    public let effect: Effect
    /// Whether a step may say under `effect` what it does to the world: only its author knows.
    public let takesEffect: Bool
    /// Whether carrying it out asks a person, so that a rehearsal leaves it out.
    public let asksPerson: Bool
    /// The type of account it needs, as `vk`; nil for none.
    public let accountType: String?
    public let parameters: [Parameter]
    public let outputs: [Output]
    /// Whether outputs beyond those declared may come (a service's own members).
    public let hasOpenOutputs: Bool
    /// Whether parameters beyond those declared are passed on.
    public let hasOpenParameters: Bool
    /// What to do when a write is in doubt.
    public let doubtRule: DoubtRule
    /// What a person who says that a write has happened gives as its id, as the object of a sentence.
    public let postedForm: String
    /// A small step that uses it, as YAML.
    public let example: String?

    public init(
        _ name: String, _ summary: String, effect: Effect, takesEffect: Bool = false, asksPerson: Bool = false,
        account accountType: String? = nil,
        parameters: [Parameter] = [], outputs: [Output] = [], hasOpenParameters: Bool = false,
        hasOpenOutputs: Bool = false, doubtRule: DoubtRule = .ask,
        postedForm: String = "the id as the service shows it", example: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.effect = effect
        self.takesEffect = takesEffect
        self.asksPerson = asksPerson
        self.accountType = accountType
        self.parameters = parameters
        self.outputs = outputs
        self.hasOpenOutputs = hasOpenOutputs
        self.hasOpenParameters = hasOpenParameters
        self.doubtRule = doubtRule
        self.postedForm = postedForm
        self.example = example
    }
}
