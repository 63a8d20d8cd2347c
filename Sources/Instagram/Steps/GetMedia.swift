internal import StepKit
internal import Values

/// `instagram.get`: one post.
struct GetMedia: StepKind {
    let client: InstagramClient

    let declaration = StepDeclaration(
        "instagram.get", "Reads one post.", effect: .read, account: "instagram",
        parameters: [MediaParameters.id],
        outputs: Media.outputs + [
            Output("thumbnail_url", .url, sensitive: true, "A video's still; empty when there is none."),
            Output(
                "children", .list(.map), sensitive: true,
                "A carousel's items: id, kind, media_url, thumbnail_url; empty for others."),
        ],
        example: """
            post:
              uses: instagram.get
              with: { id: "17895695668004550" }
            """)

    func run(_ call: StepCall) async throws -> StepResult {
        let media = try await client.media(call["id"]?.string ?? "", for: call)
        var outputs = media.value
        for name in ["media_url", "thumbnail_url"] where outputs[name] == nil { outputs[name] = "" }
        return .succeeded(outputs)
    }

    func extraTime(for call: StepCall) -> Duration { .seconds(120) }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        [plannedRead(call["id"] ?? .known(""), call, fields: [PlannedMember("fields", .known(.string(Media.fields)))])]
    }
}
