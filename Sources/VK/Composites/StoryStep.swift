internal import Files
internal import ServiceKit
internal import StepKit
internal import Values

/// `vk.story`: a picture as a story, with a button that leads somewhere.
struct StoryStep: StepKind {
    /// The words of the button (dev.vk.com, stories.getPhotoUploadServer).
    private static let buttons = [
        "to_store", "vote", "more", "book", "order", "enroll", "fill", "signup", "buy", "ticket", "write", "open",
        "learn_more", "view", "go_to", "contact", "watch", "play", "install", "read", "calendar",
    ]

    let client: VKClient

    let declaration = StepDeclaration(
        "vk.story", "Publishes a picture as a story: uploads and saves it.", effect: .write, account: "vk",
        parameters: [
            Parameter(
                "photo", .file, required: true,
                "The picture: JPEG, PNG or GIF, up to 10 MB; 1080x1920 fills the screen."),
            Parameter("group_id", .integer, "The community whose story it is, as a positive id; else the own."),
            Parameter("link_text", .choice(buttons), "The button's word; with 'link_url', for a community's story."),
            Parameter("link_url", .url, "Where the button leads: a page of VK's, up to 2048 characters."),
            Parameter("add_to_news", .boolean, default: true, "Whether followers see it."),
            Parameter("user_ids", .list(.integer), "Users to whom it is sent."),
            Parameter("reply_to_story", .string, "The story that it answers, as 1_2."),
            Parameter("clickable_stickers", .any, "Stickers that lead somewhere, in VK's own form."),
            Parameter("lifetime", .integer, "How long it is shown, in seconds."),
        ],
        outputs: [
            Output("id", .integer, "The story's id."), Output("owner_id", .integer, "Whose story it is."),
            Output("url", .url, "The story's address."),
            Output("expires_at", .integer, "Until when it is shown, in seconds since 1970."),
            Output("response", .any, "VK's whole answer."),
        ],
        hasOpenOutputs: true, doubtRule: .look,
        example: """
            story:
              uses: vk.story
              with: { photo: "${{ steps.card.outputs.file }}", group_id: 12, link_text: open, link_url: "https://vk.com/club12" }
            """)

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems("story", in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        guard let path = call["photo"]?.string else { throw StepError(.invalid, "'photo' is missing") }
        let file = try await UploadFile.look(at: path, field: "file", use: .story)
        let saved = try await upload(file, call).run()
        return .succeeded(outputs(saved) ?? [:])
    }

    private func upload(_ file: UploadFile, _ call: StepCall) -> SavedUpload {
        SavedUpload(
            client: client, call: call, name: "story", serverMethod: "stories.getPhotoUploadServer",
            serverParameters: call.parameters.without("photo"), files: [file], saveMethod: "stories.save",
            saveEffect: .write,
            saveParameters: { upload in
                ["upload_results": [upload["response"]?["upload_result"] ?? upload["upload_result"] ?? .null]]
            }, isMade: { outputs($0) != nil })
    }

    private func outputs(_ saved: Value) -> ValueObject? {
        guard let story = saved["items"]?[0], story["id"]?.looseInteger != nil else { return nil }
        var outputs = (story.object ?? [:]).adding(["response": saved])
        outputs["url"] = storyAddress(story).map(Value.string)
        return outputs
    }

    /// Stories cannot be told apart by what they show: any that came since is for a person to look at.
    func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting {
        if let kept = call.parts["story/saved"], let outputs = outputs(kept) { return .found(outputs) }
        let window = SendingWindow(part: "story/saving", of: call, now: client.now())
        guard let sentAt = window.sentAt, window.settled == nil else { return window.settled ?? .neverSent }
        let owner: Int64?
        if let group = call["group_id"]?.integer {
            owner = group.opposite
        } else {
            owner = try await client.ownID(for: call)
        }
        guard let owner else { return .unreadable(reason: "VK does not say whose stories to look at") }
        let (answer, serverTime): (Value, Timestamp?)
        do {
            (answer, serverTime) = try await client.exchange(
                "stories.get", ["owner_id": .integer(owner)], effect: .read, for: call.part("look", [:]),
                asksPerson: false)
        } catch let error as StepError where !error.errorClass.isRetried {
            return .unreadable(reason: error.what)
        }
        let list = answer["items"] ?? answer
        guard list.array != nil else {
            throw StepError(.server, "VK answered stories.get without 'items'")
        }
        let earliest = WallSearch.earliest(since: sentAt, serverTime: serverTime, now: client.now()).seconds
        let taken = Set(call.others.compactMap { $0["url"]?.string })
        let stories = flattened(list).filter {
            $0["owner_id"]?.looseInteger == owner && $0["date"]?.looseInteger ?? .max >= earliest
                && !taken.contains(storyAddress($0) ?? "")
        }
        return window.judge(stories.isEmpty ? .absent : .several(stories.compactMap(storyAddress)))
    }

    /// VK groups stories by their owners, in lists or in objects with a list.
    private func flattened(_ value: Value) -> [Value] {
        if let list = value.array { return list.flatMap(flattened) }
        if let inner = value["stories"] { return flattened(inner) }
        return [value]
    }

    /// Takes "3", "-12_3", "story-12_3" and the story's address.
    func outputs(forPosted id: String, of call: StepCall) -> ValueObject? {
        let wanted = call["group_id"]?.integer.map(\.opposite) ?? call.account.flatMap { client.identities[$0.token] }
        var place = wanted.flatMap { owner in Int64(id).map { PostPlace(owner: owner, post: $0) } }
        if place == nil {
            let text = id.split(separator: "/").last.map(String.init) ?? id
            place = PostPlace(text: text.hasPrefix("story") ? String(text.dropFirst(5)) : text)
        }
        if let place, place.post > 0, wanted == nil || wanted == place.owner {
            return [
                "id": .integer(place.post), "owner_id": .integer(place.owner),
                "url": .string("https://vk.com/story\(place.owner)_\(place.post)"),
            ]
        }
        return Int64(id).flatMap { $0 > 0 ? ["id": .integer($0)] : nil }
    }

    func extraTime(for call: StepCall) -> Duration {
        let bytes = call["photo"]?.string.flatMap { try? FileSystem.size($0) } ?? 0
        return UploadFile.extraTime(forBytes: bytes) + call.timeout * 2
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        [
            plannedCall(
                of: "stories.getPhotoUploadServer", call.with(call.parameters.filter { $0.name != "photo" })),
            PlannedRequest(
                "POST", .after(["upload server"]), fields: [PlannedMember("file", call["photo"] ?? .known(.null))]),
            plannedCall(of: "stories.save", call.with([PlannedMember("upload_results", .after(["upload"]))])),
        ]
    }
}
