public import HTTP
public import StepKit
public import Values

/// Instagram: the steps that read an account's media, and those that publish.
public enum InstagramConnector {
    /// The step kinds, sharing one client.
    ///
    /// - Parameter now: the wall clock.
    public static func stepKinds(
        client: any HTTPClient, now: @escaping @Sendable () -> Timestamp
    ) -> [any StepKind] {
        let instagram = InstagramClient(http: client)
        return [
            LatestMedia(client: instagram), ListMedia(client: instagram, now: now), GetMedia(client: instagram),
            DownloadMedia(client: instagram), LiveStories(client: instagram), Publish(client: instagram),
        ]
    }
}
