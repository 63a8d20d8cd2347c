public import Values

/// A value of a plan: known already, or known after some step has run.
public indirect enum PlannedValue: Sendable, Hashable {
    case known(Value)
    /// Comes from the outputs of these steps.
    case after([String])
    /// Text of which some pieces are not known yet.
    case text([PlannedValue])
    case list([PlannedValue])
    case object([PlannedMember])
    /// A value that is never shown.
    case secret
}

public struct PlannedMember: Sendable, Hashable {
    public let name: String
    public let value: PlannedValue

    public init(_ name: String, _ value: PlannedValue) {
        self.name = name
        self.value = value
    }
}

/// A call of which some parameters may not be known yet.
public struct PlannedCall: Sendable, Hashable {
    public let parameters: [PlannedMember]
    /// The service's address; nil for a kind without an account.
    public let baseURL: String?
    /// The account's settings.
    public let settings: ValueObject

    public init(parameters: [PlannedMember], baseURL: String? = nil, settings: ValueObject = [:]) {
        self.parameters = parameters
        self.baseURL = baseURL
        self.settings = settings
    }

    public subscript(parameter: String) -> PlannedValue? { parameters.first { $0.name == parameter }?.value }
}

/// A request that would be sent.
public struct PlannedRequest: Sendable, Hashable {
    /// "GET", "POST".
    public let method: String
    /// The address; the query is in `fields`.
    public let url: PlannedValue
    /// Query items, form fields or parts, the token shown as a secret.
    public let fields: [PlannedMember]

    public init(_ method: String, _ url: PlannedValue, fields: [PlannedMember] = []) {
        self.method = method
        self.url = url
        self.fields = fields
    }
}
