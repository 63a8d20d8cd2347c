public import HTTP
public import StepKit
public import Values

/// VK: the steps that put a picture and a text on a wall.
public enum VKConnector {
    /// The step kinds, sharing one client.
    ///
    /// - Parameters:
    ///   - limiter: asked before each call of a method; uploads are not counted by VK.
    ///   - now: the wall clock.
    public static func stepKinds(
        client: any HTTPClient, limiter: any CallLimiter, now: @escaping @Sendable () -> Timestamp
    ) -> [any StepKind] {
        let vk = VKClient(http: client, limiter: limiter, now: now)
        return [
            GetWallUploadServer(client: vk), Upload(http: client), SaveWallPhoto(client: vk),
            WallPost(client: vk),
        ]
    }
}
