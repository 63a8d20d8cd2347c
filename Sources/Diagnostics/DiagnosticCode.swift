/// The sort of a problem, as programs that read diagnostics know it. The words are promises.
public enum DiagnosticCode: String, Sendable, Hashable, CaseIterable {
    case yaml = "yaml"
    case unknownKey = "unknown-key"
    case missingKey = "missing-key"
    case unknownKind = "unknown-kind"
    case unknownParameter = "unknown-parameter"
    case missingParameter = "missing-parameter"
    /// A value of the wrong type.
    case type = "type"
    /// A value that fits its type and is wrong all the same.
    case parameterValue = "parameter-value"
    case expression = "expression"
    case unknownStep = "unknown-step"
    case unknownInput = "unknown-input"
    case account = "account"
    /// A secret where it would be shown.
    case secret = "secret"
    /// Steps that wait for one another.
    case ring = "ring"
    case unusedInput = "unused-input"
    case unusedAccount = "unused-account"
    case unreachableStep = "unreachable-step"
    case missingOnce = "missing-once"
    case once = "once"
    case missingFile = "missing-file"
    case commentForValue = "comment-for-value"
    /// Any other error.
    case invalid = "invalid"
    /// Any other warning.
    case doubtful = "doubtful"
    /// The file cannot be read.
    case unreadable = "unreadable"

    /// One sentence for lists of rules.
    public var summary: String {
        switch self {
        case .yaml: "The file is no YAML."
        case .unknownKey: "A key that is not known where it stands."
        case .missingKey: "A key that must be there is not."
        case .unknownKind: "A step kind that does not exist."
        case .unknownParameter: "A parameter that the step kind does not have."
        case .missingParameter: "A parameter that the step kind needs is not there."
        case .type: "A value of the wrong type."
        case .parameterValue: "A value that the step kind refuses, or that has no effect."
        case .expression: "An expression that is wrong."
        case .unknownStep: "A step that does not exist is mentioned."
        case .unknownInput: "An input that does not exist is mentioned."
        case .account: "An account that is missing or does not fit."
        case .secret: "A secret stands where it would be shown."
        case .ring: "Steps wait for one another."
        case .unusedInput: "An input that nothing mentions."
        case .unusedAccount: "An account that no step uses."
        case .unreachableStep: "A step that can never run."
        case .missingOnce: "A scheduled post without 'once'."
        case .once: "A 'once' that does not do what it is for."
        case .missingFile: "A file that is not there."
        case .commentForValue: "A value that is a comment, since it begins with '#'."
        case .invalid: "Something else that is wrong."
        case .doubtful: "Something else that was probably not meant."
        case .unreadable: "The file cannot be read."
        }
    }
}
