public import HTTP
public import StepKit
public import Values

/// Instagram: the steps that read an account's media.
public enum InstagramConnector {
    /// The step kinds, sharing one client.
    ///
    /// - Parameter now: the wall clock.
    public static func stepKinds(
        client: any HTTPClient, now: @escaping @Sendable () -> Timestamp
    ) -> [any StepKind] {
        [LatestMedia(client: InstagramClient(http: client, now: now))]
    }
}
