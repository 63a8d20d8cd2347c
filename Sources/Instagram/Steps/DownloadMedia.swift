internal import StepKit
internal import Values

/// `instagram.download`: one post, its pictures kept as files.
///
/// The post is read anew, so that an id that was listed days ago still leads to its picture.
struct DownloadMedia: StepKind {
    let client: InstagramClient

    let declaration = StepDeclaration(
        "instagram.download", "Reads one post, and downloads its picture, or all pictures of a carousel.",
        effect: .read, account: "instagram",
        parameters: [
            MediaParameters.id, MediaParameters.thumbnail,
            Parameter(
                "all", .boolean, default: false, "Whether all pictures of a carousel are downloaded, in their order."),
        ],
        outputs: Media.outputs + [
            Output("file", .file, "The picture, of several the first: JPEG, PNG or WebP."),
            Output("files", .list(.file), "All pictures that were downloaded."),
        ],
        example: """
            photo:
              uses: instagram.download
              with: { id: "${{ item.id }}" }
            """)

    func run(_ call: StepCall) async throws -> StepResult {
        let media = try await client.media(call["id"]?.string ?? "", for: call)
        let choice = PictureChoice(
            stills: MediaParameters.takesStills(call), all: call["all"]?.bool ?? false)
        if let reason = media.lacksPicture(choice) { return .skipped(reason: media.passedOver(reason)) }
        let pictures = try await client.download(media, choice, for: call)
        guard let first = pictures.first else { return .skipped(reason: media.passedOver("it has no picture")) }
        var outputs = media.facts
        outputs["media_url"] = .string(first.address)
        outputs["file"] = .string(first.path)
        outputs["files"] = .array(pictures.map { .string($0.path) })
        return .succeeded(outputs)
    }

    func extraTime(for call: StepCall) -> Duration { .seconds(120) }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        [plannedRead(call["id"] ?? .known(""), call, fields: [PlannedMember("fields", .known(.string(Media.fields)))])]
    }
}
