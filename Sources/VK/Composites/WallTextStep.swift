internal import StepKit
internal import Values

/// `vk.wall-text`: a text, a link, or both on a wall.
struct WallTextStep: StepKind {
    let client: VKClient

    let declaration = StepDeclaration(
        "vk.wall-text", "Puts a text, a link, or both on a wall.", effect: .write, account: "vk",
        parameters: PostSettings.parameters.filter { $0.name != "primary_attachments_mode" } + [
            Parameter("link", .url, "A link to attach.")
        ],
        outputs: PostSettings.outputs.filter { $0.name != "verified" }, hasOpenOutputs: true, doubtRule: .look,
        example: """
            post:
              uses: vk.wall-text
              with: { owner_id: -12, message: Hello, link: "https://example.org" }
            """)

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems("wall-text", in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        return try await post(of: call).run()
    }

    private func post(of call: StepCall) -> PostPart { PostSettings.post(of: call, media: [], client: client) }

    func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting {
        try await post(of: call).look(since: intent)
    }

    func outputs(forPosted id: String, of call: StepCall) async throws -> ValueObject? {
        try await post(of: call).outputs(forPosted: id)
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        [plannedCall(of: WallPost.method, PostSettings.plannedPost(call, media: []))]
    }
}
