internal import Files
internal import StepKit
internal import Values

/// `vk.wall-photo`: one to ten photos on a wall, in one post.
///
/// Upload server, upload and saving for each photo, some photos at a time, then one `wall.post`. Each finished call is kept
/// with the run: a later attempt goes on after it.
struct WallPhotoStep: StepKind {
    /// As many as VK takes for one post (dev.vk.com, wall.post).
    private static let maxPhotos = 10
    private static let uploadsAtOnce = 3

    let client: VKClient

    let declaration = StepDeclaration(
        "vk.wall-photo", "Puts one to ten photos on a wall, in one post: uploads, saves and posts them.",
        effect: .write, account: "vk",
        parameters: [
            Parameter("photo", .file, "The photo: JPEG, PNG or GIF, up to 50 MB; either this or 'photos'."),
            Parameter("photos", .list(.file), "Up to ten photos, in the order in which the post shows them."),
        ] + PostSettings.parameters + [
            Parameter("link", .url, "A link to attach beside the photos."),
            Parameter("attachments", .list(.string), "Further media, as video1_2; ten in all, with the photos."),
            Parameter("caption", .string, "The photos' own text, up to 2048 characters."),
            PostSettings.verify(default: true),
        ],
        outputs: PostSettings.outputs + [
            Output("attachments", .list(.string), "The photos as a post wants them, in their order."),
            Output("attachment", .string, "The first photo."),
        ],
        hasOpenOutputs: true, doubtRule: .look,
        example: """
            post:
              uses: vk.wall-photo
              with: { owner_id: -12, message: Hello, photos: [one.jpg, two.jpg] }
            """)

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems("wall-photo", in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        let paths = photos(of: call)
        if call.parts["post"] == nil {
            // All are looked at before the first one is sent.
            var files: [UploadFile] = []
            for path in paths { files.append(try await UploadFile.look(at: path, field: "photo", use: .photo)) }
            let uploads = files.enumerated().map { upload($1, number: $0 + 1, of: files.count, call) }
            _ = try await inParallel(uploads.count, limit: Self.uploadsAtOnce) { index in
                do {
                    return try await uploads[index].run()
                } catch var error as StepError where paths.count > 1 {
                    error.what = "photo \(index + 1) of \(paths.count): " + error.what
                    throw error
                }
            }
        }
        return try await post(of: call).run(extra(call))
    }

    private func photos(of call: StepCall) -> [String] {
        ([call["photo"]] + (sentElements(of: call["photos"]) ?? [])).compactMap { $0?.string }
    }

    private func upload(_ file: UploadFile, number: Int, of count: Int, _ call: StepCall) -> SavedUpload {
        // One group for both calls: VK's hash is bound to it.
        var group = ValueObject()
        if let owner = call["owner_id"]?.integer, owner < 0 { group["group_id"] = .integer(owner.opposite) }
        let settings = group.adding(["caption": call["caption"] ?? .null])
        return SavedUpload(
            client: client, call: call, name: "photo-\(number)", serverMethod: GetWallUploadServer.method,
            serverParameters: group, files: [file], saveMethod: SaveWallPhoto.method,
            // A photo that was saved and never attached is seen by nobody.
            saveEffect: .idempotent,
            saveParameters: { upload in
                settings.adding([
                    "server": upload["server"] ?? .null, "photo": upload["photo"] ?? .null,
                    "hash": upload["hash"] ?? .null,
                ])
            }, isMade: { attachment($0[0] ?? $0, type: "photo") != nil })
    }

    private func attachments(of call: StepCall) -> [String] {
        photos(of: call).indices.compactMap { index in
            call.parts["photo-\(index + 1)/saved"].flatMap { attachment($0[0] ?? $0, type: "photo") }
        }
    }

    private func extra(_ call: StepCall) -> ValueObject {
        let photos = attachments(of: call).map(Value.string)
        return ["attachments": .array(photos), "attachment": photos.first ?? .null]
    }

    private func post(of call: StepCall) -> PostPart {
        let media = attachments(of: call).map(Value.string) + (sentElements(of: call["attachments"]) ?? [])
        return PostSettings.post(of: call, media: media, client: client)
    }

    func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting {
        try await post(of: call).look(since: intent, extra(call))
    }

    func outputs(forPosted id: String, of call: StepCall) async throws -> ValueObject? {
        try await post(of: call).outputs(forPosted: id)?.adding(extra(call))
    }

    func extraTime(for call: StepCall) -> Duration {
        let paths = photos(of: call)
        let bytes = paths.reduce(0) { $0 + ((try? FileSystem.size($1)) ?? 0) }
        // Each photo is three calls of its own, and the post is looked at.
        return UploadFile.extraTime(forBytes: bytes) + call.timeout * (paths.count + 1)
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        var photos: [PlannedValue] = []
        if let one = call["photo"], one != .known(.null) { photos.append(one) }
        switch call["photos"] {
        case .known(let list)?: photos += (sentElements(of: list) ?? []).map(PlannedValue.known)
        case .list(let list)?: photos += list
        case let other?: photos.append(other)
        case nil: break
        }
        let group = PostSettings.plannedGroup(call)
        let caption = call["caption"].map { [PlannedMember("caption", $0)] } ?? []
        var requests: [PlannedRequest] = []
        for photo in photos {
            requests.append(plannedCall(of: GetWallUploadServer.method, call.with(group)))
            requests.append(PlannedRequest("POST", .after(["upload server"]), fields: [PlannedMember("photo", photo)]))
            let answers = ["server", "photo", "hash"].map { PlannedMember($0, .after(["upload"])) }
            requests.append(plannedCall(of: SaveWallPhoto.method, call.with(group + caption + answers)))
        }
        let saved = photos.map { _ in PlannedValue.after(["saved photo"]) }
        return requests + [plannedCall(of: WallPost.method, PostSettings.plannedPost(call, media: saved))]
    }
}
