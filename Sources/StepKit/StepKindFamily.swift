/// Step kinds that are made when they are asked for, because there are too many to list: a service's methods by their
/// own names.
public protocol StepKindFamily: Sendable {
    /// The kind of that name; nil for one that is not of the family, or is most likely a slip of the pen for another.
    func kind(named name: String) -> (any StepKind)?

    /// A regular expression (ECMA-262) that all its names match, for editors.
    var pattern: String { get }

    /// The names that are known, for suggestions.
    var knownNames: [String] { get }
}
