internal import Values

extension VKMethods {
    /// How long a `guid` holds (dev.vk.com, wall.post).
    private static let guidLife = Duration.seconds(3600)

    static func wallPost(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _ context: VKContext
    ) throws -> Value {
        let owner = try wallToPostOn(call, caller)
        if let id = try call.positive("post_id") { return try publishNow(call, owner, id, &state) }
        var post = try composePost(call, caller, owner: owner, state, context)
        if let guid = post.guid, !context.configuration.ignoreGuid {
            state.guids.removeAll { call.now - $0.first >= guidLife }
            if let earlier = state.guids.first(where: { $0.ownerID == owner && $0.guid == guid }) {
                return ["post_id": .integer(earlier.postID)]
            }
        }
        post.id = state.nextPostID(wall: owner)
        if context.dropsAttachments { post.attachments = [] }
        state.posts.append(post)
        if let guid = post.guid {
            state.guids.append(SandboxState.Guid(ownerID: owner, guid: guid, postID: post.id, first: call.now))
        }
        state.needsSaving = true
        return ["post_id": .integer(post.id)]
    }

    /// The wall's owner, if the caller may post there.
    private static func wallToPostOn(_ call: VKCall, _ caller: VKCall.Caller) throws -> Int64 {
        let denied = VKError(code: 214, message: "Access to adding post denied")
        let own = caller == .community ? -VKWorld.community.id : VKWorld.user.id
        let owner = try call.integer("owner_id") ?? own
        if owner < 0 {
            guard let group = VKWorld.group(-owner) else { throw VKError.parameter("owner_id is incorrect") }
            guard caller == .community ? owner == own : group.isManaged else { throw denied }
        } else {
            guard VKWorld.person(owner) != nil else { throw VKError.parameter("owner_id is incorrect") }
            guard owner == own else { throw denied }
        }
        return owner
    }

    private static func composePost(
        _ call: VKCall, _ caller: VKCall.Caller, owner: Int64, _ state: SandboxState, _ context: VKContext
    ) throws -> SandboxState.Post {
        let message = call.text("message") ?? ""
        let attachments = try readAttachments(call, state)
        guard !message.isEmpty || !attachments.isEmpty else {
            throw VKError.parameter("message and attachments are undefined")
        }
        let asksForGroup = try call.flag("from_group")
        let asGroup = owner < 0 && (caller == .community || asksForGroup)
        var extras = ValueObject()
        if asGroup, caller == .user, try call.flag("signed") { extras["signer_id"] = .integer(VKWorld.user.id) }
        if owner > 0, try call.flag("friends_only") { extras["friends_only"] = 1 }
        if try call.flag("mark_as_ads") { extras["marked_as_ads"] = 1 }
        if try call.flag("close_comments") { extras["comments"] = ["count": 0, "can_post": 0] }
        if let link = call.text("copyright") {
            extras["copyright"] = ["link": .string(link), "name": .string(link), "type": "link"]
        }
        return SandboxState.Post(
            id: 0, ownerID: owner, fromID: asGroup ? owner : VKWorld.user.id,
            createdBy: owner < 0 && caller == .user ? VKWorld.user.id : nil,
            text: context.configuration.normalizeText ? normalized(message) : message, attachments: attachments,
            date: call.now.seconds, publishDate: try publishDate(call, owner, state), guid: call.text("guid"),
            extras: extras)
    }

    /// Photos that exist, and at most one link; ten at most.
    static func readAttachments(_ call: VKCall, _ state: SandboxState) throws -> [SandboxState.Attachment] {
        let names = call.list("attachments")
        guard names.count <= 10 else { throw VKError.parameter("attachments: too many, 10 are allowed") }
        let attachments = try names.map { name in
            if name.hasPrefix("http://") || name.hasPrefix("https://") { return SandboxState.Attachment.link(name) }
            if let document = state.shelf.document(attachment: name) { return document }
            let parts = name.dropFirst("photo".count).split(separator: "_", maxSplits: 2)
            guard name.hasPrefix("photo"), parts.count >= 2, let owner = Int64(parts[0]), let id = Int64(parts[1]),
                let photo = state.photo(owner: owner, id: id), parts.count == 2 || parts[2] == photo.accessKey
            else { throw VKError.parameter("attachments: no such object '\(name)'") }
            return .photo(owner: owner, id: id)
        }
        let links = attachments.filter { if case .link = $0 { true } else { false } }
        guard links.count <= 1 else { throw VKError.parameter("attachments: only one link is allowed") }
        return attachments
    }

    private static func publishDate(_ call: VKCall, _ owner: Int64, _ state: SandboxState) throws -> Int64? {
        guard let date = try call.positive("publish_date") else { return nil }
        guard date > call.now.seconds else {
            throw VKError(code: 150, message: "Invalid timestamp")
        }
        guard !state.posts.contains(where: { $0.ownerID == owner && $0.publishDate == date }) else {
            throw VKError(
                code: 214, message: "Access to adding post denied: a post is already scheduled for this time.")
        }
        return date
    }

    private static func publishNow(_ call: VKCall, _ owner: Int64, _ id: Int64, _ state: inout SandboxState) throws
        -> Value
    {
        guard let index = state.posts.firstIndex(where: { $0.ownerID == owner && $0.id == id }),
            state.posts[index].isPostponed(at: call.now)
        else { throw VKError(code: 104, message: "Not found") }
        state.posts[index].publishDate = nil
        state.posts[index].date = call.now.seconds
        state.needsSaving = true
        return ["post_id": .integer(id)]
    }

    static func wallGet(_ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext) throws
        -> Value
    {
        let owner =
            try call.integer("owner_id")
            ?? call.text("domain").map { domain in
                guard let owner = Int64(domain) ?? VKWorld.owner(screenName: domain) else {
                    throw VKError(code: 113, message: "Invalid user id")
                }
                return owner
            }
        guard let owner = owner ?? (caller == .user ? VKWorld.user.id : nil) else {
            throw VKError.parameter("owner_id is undefined")
        }
        guard owner < 0 ? VKWorld.group(-owner) != nil : VKWorld.person(owner) != nil else {
            throw owner < 0
                ? VKError(code: 125, message: "Invalid group id") : VKError(code: 113, message: "Invalid user id")
        }
        let count = try call.integer("count") ?? 20
        let offset = try call.integer("offset") ?? 0
        guard (0...100).contains(count) else { throw VKError.parameter("count should be between 0 and 100") }
        guard offset >= 0 else { throw VKError.parameter("offset should be positive") }
        let posts = try posts(of: owner, filter: call.text("filter") ?? "all", call, caller, state)
        var answer: ValueObject = [
            "count": .number(posts.count),
            "items": .array(posts.dropFirst(Int(offset)).prefix(Int(count)).map { $0.value(call, state) }),
        ]
        if try call.flag("extended") {
            answer["profiles"] = .array(owner > 0 ? [VKWorld.person(owner)!.value] : [VKWorld.user.value])
            answer["groups"] = .array(VKWorld.group(-owner).map { [$0.value(canManage: $0.isManaged)] } ?? [])
        }
        return .object(answer)
    }

    /// Newest first; scheduled ones by the time at which they will appear.
    private static func posts(
        of owner: Int64, filter: String, _ call: VKCall, _ caller: VKCall.Caller, _ state: SandboxState
    ) throws -> [SandboxState.Post] {
        let all = state.posts.filter { $0.ownerID == owner }
        let published = all.filter { !$0.isPostponed(at: call.now) }.sorted {
            ($0.shownDate, $0.id) > ($1.shownDate, $1.id)
        }
        switch filter {
        case "all": return published
        case "owner": return published.filter { $0.fromID == owner }
        case "others": return published.filter { $0.fromID != owner }
        case "postponed", "suggests":
            guard caller == .user, canManage(owner) else { throw VKError.accessDenied }
            return filter == "suggests"
                ? [] : all.filter { $0.isPostponed(at: call.now) }.sorted { $0.shownDate < $1.shownDate }
        case "archived", "donut": return []
        default: throw VKError.parameter("filter is invalid")
        }
    }

    static func canManage(_ owner: Int64) -> Bool {
        owner < 0 ? VKWorld.group(-owner)?.isManaged ?? false : owner == VKWorld.user.id
    }

    static func wallGetById(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let names = call.list("posts")
        guard !names.isEmpty else { throw VKError.parameter("posts is undefined") }
        let items: [Value] = try names.compactMap { name in
            let parts = name.split(separator: "_", maxSplits: 2)
            guard parts.count >= 2, let owner = Int64(parts[0]), let id = Int64(parts[1]) else {
                throw VKError.parameter("posts is invalid")
            }
            guard let post = state.posts.first(where: { $0.ownerID == owner && $0.id == id }),
                !post.isPostponed(at: call.now) || (caller == .user && canManage(owner))
            else { return nil }
            return post.value(call, state)
        }
        return ["items": .array(items)]
    }

    static func wallDelete(_ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext) throws
        -> Value
    {
        let owner = try call.integer("owner_id") ?? VKWorld.user.id
        guard let id = try call.positive("post_id") else { throw VKError.parameter("post_id is undefined") }
        guard canManage(owner) else { throw VKError(code: 210, message: "Access to wall's post denied") }
        guard let index = state.posts.firstIndex(where: { $0.ownerID == owner && $0.id == id }) else {
            throw VKError(code: 104, message: "Not found")
        }
        state.posts.remove(at: index)
        state.needsSaving = true
        return 1
    }
}

extension SandboxState.Post {
    fileprivate var shownDate: Int64 { publishDate ?? date }

    /// The post as `wall.get` gives it.
    func value(_ call: VKCall, _ state: SandboxState) -> Value {
        var post: ValueObject = [
            "inner_type": "wall_wallpost", "id": .integer(id), "owner_id": .integer(ownerID),
            "from_id": .integer(fromID),
            "date": .integer(shownDate), "post_type": isPostponed(at: call.now) ? "postpone" : "post",
            "text": .string(text),
            "attachments": .array(
                attachments.map { attachment in
                    switch attachment {
                    case .photo(let owner, let id):
                        let photo = state.photo(owner: owner, id: id)
                        return ["type": "photo", "photo": photo?.value(base: call.base) ?? .null]
                    case .document(let owner, let id):
                        return ["type": "doc", "doc": state.shelf.document(owner: owner, id: id) ?? .null]
                    case .link(let address):
                        return ["type": "link", "link": ["url": .string(address), "title": .string(address)]]
                    }
                }),
            "comments": ["count": 0, "can_post": 1], "likes": ["count": 0, "user_likes": 0, "can_like": 1],
            "reposts": ["count": 0], "views": ["count": 0], "post_source": ["type": "api"], "hash": .string(""),
        ]
        if let createdBy { post["created_by"] = .integer(createdBy) }
        post["comments"] = [
            "count": .number(state.shelf.comments(of: ownerID, post: id).count),
            "can_post": state.shelf.closedComments.contains("\(ownerID)_\(id)") ? 0 : 1,
        ]
        if state.shelf.pins[ownerID] == id { post["is_pinned"] = 1 }
        for (key, value) in extras { post[key] = value }
        return .object(post)
    }
}

/// What a service may do to a text: LF for CRLF, entities decoded, blanks at the ends of lines and of the whole gone.
private func normalized(_ text: String) -> String {
    var output = ""
    for character in text { output += character == "\r\n" ? "\n" : String(character) }
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
        output = replacing(entity, with: character, in: output)
    }
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        String(line.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
    let trimmed = lines.drop(while: \.isEmpty).reversed().drop(while: \.isEmpty).reversed()
    return trimmed.joined(separator: "\n")
}

private func replacing(_ needle: String, with other: String, in text: String) -> String {
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        if rest.starts(with: needle.utf8) {
            output += other.utf8
            rest = rest.dropFirst(needle.utf8.count)
        } else {
            output.append(rest.removeFirst())
        }
    }
    return String(decoding: output, as: UTF8.self)
}
