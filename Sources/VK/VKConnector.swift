public import HTTP
public import StepKit
public import Values

/// VK: the steps that put pictures and texts on walls, and every method by its own name.
public struct VKConnector: Sendable {
    let client: VKClient

    /// - Parameters:
    ///   - limiter: asked before each call of a method; uploads are not counted by VK.
    ///   - now: the wall clock.
    ///   - sleep: waits that long between two looks at what was posted.
    ///   - memory: keeps what was learned of tokens; nil forgets it with the process.
    public init(
        client: any HTTPClient, limiter: any CallLimiter, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        memory: (any TokenMemory)? = nil
    ) {
        self.client = VKClient(
            http: client, limiter: limiter, now: now, sleep: sleep, identities: TokenBook(memory: memory))
    }

    /// The listed step kinds.
    public var stepKinds: [any StepKind] {
        [
            GetWallUploadServer(client: client), Upload(http: client.http), SaveWallPhoto(client: client),
            WallPost(client: client), WallPhotoStep(client: client), WallTextStep(client: client),
            CommentStep(client: client), StoryStep(client: client), DocumentStep(client: client),
            AlbumPhotosStep(client: client),
        ]
    }

    /// `vk.<section>.<method>` for every other method.
    public var methods: any StepKindFamily { MethodFamily(client: client) }
}
