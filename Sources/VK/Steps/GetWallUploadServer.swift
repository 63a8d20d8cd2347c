internal import ServiceKit
internal import StepKit
internal import Values

/// `vk.photos.getWallUploadServer`: where to upload a photo for a wall.
struct GetWallUploadServer: StepKind {
    static let method = "photos.getWallUploadServer"

    let client: VKClient

    let declaration = StepDeclaration(
        "vk.photos.getWallUploadServer", "Asks VK where to upload a photo for a wall.", effect: .read, account: "vk",
        parameters: [
            Parameter(
                "group_id", .integer, "The community whose wall it is, as a positive id; left out for the own wall.")
        ],
        outputs: [
            Output("upload_url", .url, sensitive: true, "Where the photo goes."),
            Output("fallback_upload_url", .url, sensitive: true, "Where it goes when 'upload_url' fails."),
            Output("album_id", .integer, "The album that it will lie in."),
            Output("user_id", .integer, "The token's user."),
            Output("group_id", .integer, "The community, where one was given."),
            Output("response", .any, sensitive: true, "VK's whole answer."),
        ],
        hasOpenOutputs: true,
        example: """
            server:
              uses: vk.photos.getWallUploadServer
              with: { group_id: 12 }
            """)

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems(Self.method, in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        let response = try await client.call(
            Self.method, call.parameters, effect: .read, for: call, resumption: call.resumption)
        guard let url = response["upload_url"]?.string, url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw StepError(.server, "VK answered \(Self.method) without an 'upload_url'")
        }
        if call["group_id"] == nil, let user = response["user_id"]?.looseInteger, user > 0,
            let token = call.account?.token
        {
            client.identities.learn(user, of: token)
        }
        return .succeeded(methodOutputs(response))
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] { [plannedCall(of: Self.method, call)] }
}
