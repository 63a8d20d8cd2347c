internal import Values

extension VKMethods {
    /// How long a story is shown (dev.vk.com, stories).
    private static let storyLife: Int64 = 86_400

    static func storiesGetPhotoUploadServer(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let group = try managedGroup(call)
        guard try call.flag("add_to_news") || !call.list("user_ids").isEmpty else {
            throw VKError.parameter("add_to_news or user_ids should be specified")
        }
        if let link = call.text("link_url") {
            guard link.hasPrefix("https://vk.com/") || link.hasPrefix("https://vk.ru/") else {
                throw VKError.parameter("link_url is invalid")
            }
            guard group != nil else { throw VKError.parameter("link_text is for communities only") }
        }
        let ticket = SandboxState.UploadTicket(
            id: randomHex(32), groupID: group?.id ?? (caller == .community ? VKWorld.community.id : nil),
            purpose: .story)
        state.tickets.append(ticket)
        state.needsSaving = true
        return [
            "upload_url": .string("\(call.base)/upload/\(ticket.id)?act=add_story&hash=\(randomHex(32))"),
            "user_ids": .array(call.list("user_ids").compactMap { Int64($0).map(Value.integer) }), "peer_ids": [],
        ]
    }

    static func storiesSave(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let results = call.list("upload_results")
        guard !results.isEmpty else { throw VKError.parameter("upload_results is undefined") }
        let stories = try results.map { result -> ValueObject in
            guard let upload = state.shelf.take(result, for: .story), let file = upload.files.first else {
                throw VKError.parameter("upload_results is invalid")
            }
            let owner = upload.groupID.map { -$0 } ?? VKWorld.user.id
            state.lastPhotoID += 1
            let photo = SandboxState.SavedPhoto(
                id: state.lastPhotoID, ownerID: owner, accessKey: randomHex(18), date: call.now.seconds, text: "",
                groupID: upload.groupID, albumID: -81, sha256: file.sha256, bytes: file.size, width: file.width,
                height: file.height, format: file.format)
            state.photos.append(photo)
            return [
                "id": .integer(state.shelf.nextID()), "owner_id": .integer(owner), "date": .integer(call.now.seconds),
                "expires_at": .integer(call.now.seconds + storyLife), "type": "photo",
                "photo": photo.value(base: call.base), "can_see": 1, "can_reply": 0, "can_share": 1, "can_comment": 0,
                "access_key": .string(randomHex(18)), "seen": 0, "is_one_time": false, "views": 0,
            ]
        }
        state.shelf.stories += stories
        state.needsSaving = true
        return ["count": .number(stories.count), "items": .array(stories.map(Value.object))]
    }

    static func storiesGet(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let own = caller == .community ? -VKWorld.community.id : VKWorld.user.id
        let owner = try call.integer("owner_id") ?? own
        let shown = live(state, call.now).filter { $0["owner_id"]?.integer == owner }
        guard !shown.isEmpty else { return ["count": 0, "items": []] }
        return [
            "count": 1,
            "items": [
                [
                    "type": "stories", "id": .string("stories\(owner)"), "owner_id": .integer(owner),
                    "has_unseen": false, "stories": .array(shown.map(Value.object)),
                ]
            ],
        ]
    }

    static func storiesGetById(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let names = Set(call.list("stories"))
        guard !names.isEmpty else { throw VKError.parameter("stories is undefined") }
        let found = live(state, call.now).filter { names.contains(name(of: $0)) }
        return ["count": .number(found.count), "items": .array(found.map(Value.object)), "profiles": [], "groups": []]
    }

    static func storiesDelete(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        var names = Set(call.list("stories"))
        if let owner = try call.integer("owner_id"), let id = try call.positive("story_id") {
            names.insert("\(owner)_\(id)")
        }
        guard state.shelf.stories.contains(where: { names.contains(name(of: $0)) }) else {
            throw VKError(code: 1600, message: "Story has already expired")
        }
        state.shelf.stories.removeAll { names.contains(name(of: $0)) }
        state.needsSaving = true
        return 1
    }

    private static func live(_ state: SandboxState, _ now: Timestamp) -> [ValueObject] {
        state.shelf.stories.filter { $0["expires_at"]?.integer ?? 0 > now.seconds }
    }

    private static func name(of story: ValueObject) -> String {
        "\(story["owner_id"]?.integer ?? 0)_\(story["id"]?.integer ?? 0)"
    }
}
