public import Values

/// Keeps tokens that a service has given in place of others.
///
/// A token belongs to the one that the user set, its origin: when the user sets another one, what was kept for the old
/// one is of no account any more.
public protocol TokenStore: Sendable {
    /// What is to be used in place of the token that the user set; nil when that is still the one.
    func token(inPlaceOf origin: Secret) throws -> Secret?

    /// Remembers a new token, in place of what was kept for this origin before.
    func keep(_ token: Secret, inPlaceOf origin: Secret) throws
}
