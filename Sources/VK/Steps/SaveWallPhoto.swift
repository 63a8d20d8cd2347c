internal import ServiceKit
internal import StepKit
internal import Values

/// `vk.photos.saveWallPhoto`: makes a photo of an upload, ready to be attached.
///
/// A photo that was saved and never attached is seen by nobody, so that one in doubt is uploaded and saved again.
struct SaveWallPhoto: StepKind {
    static let method = "photos.saveWallPhoto"

    let client: VKClient

    let declaration = StepDeclaration(
        "vk.photos.saveWallPhoto", "Makes a photo of an upload, ready to be attached to a post.", effect: .write,
        account: "vk",
        parameters: [
            Parameter("photo", .string, required: true, "The upload's 'photo', unchanged."),
            Parameter("server", .integer, "The upload's 'server'."),
            Parameter("hash", .string, "The upload's 'hash'."),
            Parameter("group_id", .integer, "The same as the upload server was asked with: positive, or left out."),
            Parameter("user_id", .integer, "The user whose wall it is, in place of 'group_id'."),
            Parameter("caption", .string, "The photo's own text, up to 2048 characters."),
            Parameter("latitude", .number, "Degrees, -90 to 90."),
            Parameter("longitude", .number, "Degrees, -180 to 180."),
        ],
        outputs: [
            Output("id", .integer, "The photo's id."),
            Output("owner_id", .integer, "Whose photo it is: the token's user, for a community's wall, too."),
            Output("access_key", .string, sensitive: true, "The key that opens a photo that is not public."),
            Output("attachment", .string, "The photo as 'attachments' of a post wants it."),
            Output("attachments", .list(.string), "'attachment', as a list."),
            Output("items", .list(.map), "VK's whole answer: a list of one photo."),
            Output("response", .any, "VK's whole answer."),
        ],
        hasOpenOutputs: true, doubtRule: .redoInputs,
        example: """
            saved:
              uses: vk.photos.saveWallPhoto
              with:
                server: ${{ steps.upload.outputs.server }}
                photo: ${{ steps.upload.outputs.photo }}
                hash: ${{ steps.upload.outputs.hash }}
            """)

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems(Self.method, in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try check(call)
        let response = try await client.call(
            Self.method, call.parameters, effect: .write, for: call, resumption: call.resumption)
        let photos = (response.array ?? [response]).compactMap { attachment($0, type: "photo") }
        guard let first = photos.first, response[0] != nil else {
            throw StepError.inDoubt("VK answered \(Self.method) without a photo")
        }
        var outputs = methodOutputs(response)
        outputs["attachment"] = .string(first)
        outputs["attachments"] = .array(photos.map(Value.string))
        return .succeeded(outputs)
    }

    private func check(_ call: StepCall) throws {
        if call["photo"]?.string.map({ $0.isEmpty || $0 == "[]" }) ?? true {
            throw StepError(.stale, "'photo' is empty", why: "The upload brought nothing that could be saved.")
        }
        try checkParameters(of: call)
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] { [plannedCall(of: Self.method, call)] }
}
