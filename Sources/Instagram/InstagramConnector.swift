public import HTTP
public import StepKit

/// Instagram: the steps that read an account's media.
public enum InstagramConnector {
    /// The step kinds, sharing one client.
    public static func stepKinds(client: any HTTPClient) -> [any StepKind] {
        [LatestMedia(client: InstagramClient(http: client))]
    }
}
