internal import Values

extension VKMethods {
    static func wallEdit(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _ context: VKContext
    ) throws -> Value {
        let index = try post(call, state)
        let message = call.text("message") ?? ""
        let attachments = try readAttachments(call, state)
        guard !message.isEmpty || !attachments.isEmpty else {
            throw VKError.parameter("message and attachments are undefined")
        }
        // It replaces both, whatever is left out.
        state.posts[index].text = message
        state.posts[index].attachments = attachments
        state.posts[index].extras["edited"] = .integer(call.now.seconds)
        if let date = try call.positive("publish_date"), state.posts[index].isPostponed(at: call.now) {
            guard date > call.now.seconds else { throw VKError(code: 150, message: "Invalid timestamp") }
            state.posts[index].publishDate = date
        }
        state.needsSaving = true
        return ["post_id": .integer(state.posts[index].id)]
    }

    static func wallPin(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let post = state.posts[try post(call, state)]
        state.shelf.pins[post.ownerID] = post.id
        state.needsSaving = true
        return 1
    }

    static func wallUnpin(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let post = state.posts[try post(call, state)]
        guard state.shelf.pins[post.ownerID] == post.id else { throw VKError(code: 104, message: "Not found") }
        state.shelf.pins[post.ownerID] = nil
        state.needsSaving = true
        return 1
    }

    static func wallOpenComments(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let post = state.posts[try post(call, state)]
        state.shelf.closedComments.remove("\(post.ownerID)_\(post.id)")
        state.needsSaving = true
        return true
    }

    static func wallCloseComments(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let post = state.posts[try post(call, state)]
        state.shelf.closedComments.insert("\(post.ownerID)_\(post.id)")
        state.needsSaving = true
        return true
    }

    /// The post of a wall that the user manages.
    private static func post(_ call: VKCall, _ state: SandboxState) throws -> Int {
        let owner = try call.integer("owner_id") ?? VKWorld.user.id
        guard let id = try call.positive("post_id") else { throw VKError.parameter("post_id is undefined") }
        guard canManage(owner) else { throw VKError(code: 210, message: "Access to wall's post denied") }
        guard let index = state.posts.firstIndex(where: { $0.ownerID == owner && $0.id == id }) else {
            throw VKError(code: 104, message: "Not found")
        }
        return index
    }

    static func wallCreateComment(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _ context: VKContext
    ) throws -> Value {
        let owner = try call.integer("owner_id") ?? VKWorld.user.id
        guard let post = try call.positive("post_id") else { throw VKError.parameter("post_id is undefined") }
        guard state.posts.contains(where: { $0.ownerID == owner && $0.id == post }) else {
            throw VKError(code: 212, message: "Access to post comments denied")
        }
        guard !state.shelf.closedComments.contains("\(owner)_\(post)") else {
            throw VKError(code: 213, message: "Access to status replies denied")
        }
        let message = call.text("message") ?? ""
        let attachments = try readAttachments(call, state)
        guard !message.isEmpty || !attachments.isEmpty || call.text("sticker_id") != nil else {
            throw VKError.parameter("message is undefined")
        }
        let group = try call.positive("from_group")
        if let group, VKWorld.group(group)?.isManaged != true { throw VKError.accessDenied }
        if let guid = call.text("guid"), !context.configuration.ignoreGuid,
            let earlier = state.shelf.comments.first(where: {
                $0["guid"]?.string == guid && call.now.seconds - ($0["date"]?.integer ?? 0) < 3600
            })
        {
            return ["comment_id": earlier["id"] ?? 0, "parents_stack": []]
        }
        let id = state.shelf.nextID()
        let writer = group.map { -$0 } ?? (caller == .community ? -VKWorld.community.id : VKWorld.user.id)
        var comment: ValueObject = [
            "id": .integer(id), "from_id": .integer(writer), "date": .integer(call.now.seconds),
            "text": .string(message), "post_id": .integer(post), "owner_id": .integer(owner), "parents_stack": [],
            "guid": .optional(call.text("guid")),
        ]
        if let parent = try call.positive("reply_to_comment") {
            comment["parents_stack"] = [.integer(parent)]
            comment["reply_to_comment"] = .integer(parent)
        }
        if !attachments.isEmpty {
            comment["attachments"] = .array(
                attachments.compactMap { attachment in
                    guard case .photo(let owner, let id) = attachment, let photo = state.photo(owner: owner, id: id)
                    else { return nil }
                    return ["type": "photo", "photo": photo.value(base: call.base)]
                })
        }
        state.shelf.comments.append(comment)
        state.needsSaving = true
        return ["comment_id": .integer(id), "parents_stack": comment["parents_stack"] ?? []]
    }

    static func wallGetComments(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let owner = try call.integer("owner_id") ?? VKWorld.user.id
        guard let post = try call.positive("post_id") else { throw VKError.parameter("post_id is undefined") }
        var comments = state.shelf.comments(of: owner, post: post)
        let parent = try call.positive("comment_id")
        comments = comments.filter { $0["reply_to_comment"]?.integer == parent }
        if call.text("sort") == "desc" { comments.reverse() }
        let count = Int(try call.integer("count") ?? 10)
        let offset = Int(try call.integer("offset") ?? 0)
        guard (0...100).contains(count), offset >= 0 else {
            throw VKError.parameter("count should be between 0 and 100")
        }
        return [
            "count": .number(comments.count),
            "items": .array(
                comments.dropFirst(offset).prefix(count).map { comment in
                    var shown = comment
                    shown["guid"] = nil
                    return .object(shown)
                }),
            "can_post": true, "show_reply_button": true, "groups_can_post": true,
            "current_level_count": .number(comments.count),
        ]
    }

    static func wallDeleteComment(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let owner = try call.integer("owner_id") ?? VKWorld.user.id
        guard let id = try call.positive("comment_id") else { throw VKError.parameter("comment_id is undefined") }
        guard canManage(owner) else { throw VKError(code: 211, message: "Access to comments denied") }
        guard
            let index = state.shelf.comments.firstIndex(where: {
                $0["id"]?.integer == id && $0["owner_id"]?.integer == owner
            })
        else { throw VKError(code: 104, message: "Not found") }
        state.shelf.comments.remove(at: index)
        state.needsSaving = true
        return 1
    }
}
