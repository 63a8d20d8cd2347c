internal import Files
internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Values

/// `vk.upload`: sends files to an upload address. Neither token nor cookie goes with them.
struct Upload: StepKind {
    let http: any HTTPClient

    let declaration = StepDeclaration(
        "vk.upload",
        "Uploads files to an address of VK's; every key but 'url' is a field of the form, with a file's path.",
        effect: .idempotent,
        parameters: [
            Parameter("url", .url, required: true, "The 'upload_url' of an upload server."),
            Parameter("photo", .file, "A JPEG, PNG or GIF for a wall, up to 50 MB."),
            Parameter("file", .file, "A document, or the picture of a story."),
            Parameter("file1", .file, "The first picture for an album; 'file2' to 'file5' are the others."),
            Parameter("file2", .file, "See 'file1'."), Parameter("file3", .file, "See 'file1'."),
            Parameter("file4", .file, "See 'file1'."), Parameter("file5", .file, "See 'file1'."),
            Parameter("video_file", .file, "A video."),
        ],
        outputs: [
            Output("server", .any, "For the method that saves the upload."),
            Output("photo", .string, "For the method that saves the upload, byte for byte as VK wrote it."),
            Output("hash", .string, sensitive: true, "For the method that saves the upload."),
            Output("response", .any, sensitive: true, "VK's whole answer."),
        ],
        hasOpenParameters: true, hasOpenOutputs: true,
        example: """
            upload:
              uses: vk.upload
              with: { url: "${{ steps.server.outputs.upload_url }}", photo: "${{ steps.card.outputs.file }}" }
            """)

    func extraTime(for call: StepCall) -> Duration {
        let paths = call.parameters.filter { $0.key != "url" }.compactMap(\.value.string)
        return UploadFile.extraTime(forBytes: paths.reduce(0) { $0 + ((try? FileSystem.size($1)) ?? 0) })
    }

    func run(_ call: StepCall) async throws -> StepResult {
        guard let url = call["url"]?.string else { throw StepError(.invalid, "'url' is missing") }
        let files = try await UploadFile.all(of: call)
        return .succeeded(
            try await Uploader(http: http).upload(
                files, to: url, timeout: call.timeout + extraTime(for: call), attempt: call.attempt))
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        let fields = call.parameters.filter { $0.name != "url" && $0.value != .known(.null) }
        return [PlannedRequest("POST", call["url"] ?? .known(.null), fields: fields)]
    }
}
