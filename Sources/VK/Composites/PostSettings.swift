internal import StepKit
internal import Values

/// What the steps that post take beside what they post: the parameters of `wall.post` that go through as they are.
enum PostSettings {
    private static let names: Set<String> = [
        "owner_id", "from_group", "message", "friends_only", "signed", "publish_date", "close_comments",
        "mute_notifications", "copyright", "lat", "long", "place_id", "mark_as_ads", "primary_attachments_mode",
        "link_title", "link_photo_id", "donut_paid_duration", "topic_id",
    ]

    static let parameters = WallPost.parameters.filter { names.contains($0.name) }.map { parameter in
        switch parameter.name {
        case "from_group":
            Parameter(
                "from_group", .boolean,
                "On a community's wall: post as the community, which is the default, or as the user.")
        case "message": Parameter("message", .string, "The text.")
        default: parameter
        }
    }

    static func verify(default value: Bool) -> Parameter {
        Parameter(
            "verify", .boolean, default: .bool(value),
            "Reads the post back, where the token may; a medium that VK has dropped is asked about.")
    }

    static let outputs = [
        Output("post_id", .integer, "The post's id; that of the scheduled post, where 'publish_date' is given."),
        Output("url", .url, "The post's address; missing for the own wall when VK does not say whose it is."),
        Output("verified", .boolean, "Whether the post was read back and is whole; missing without 'verify'."),
        Output("response", .any, "VK's whole answer to wall.post."),
    ]

    /// The post that a step's parameters and its media make.
    static func post(of call: StepCall, media: [Value], client: VKClient) -> PostPart {
        var parameters = ValueObject(
            call.parameters.filter { names.contains($0.key) && !$0.value.isNull }.map { ($0.key, $0.value) })
        if let owner = call["owner_id"]?.integer, owner < 0, call["from_group"] == nil {
            parameters["from_group"] = true
        }
        let attachments = media + [call["link"]].compactMap { $0 }
        if !attachments.isEmpty { parameters["attachments"] = .array(attachments) }
        return PostPart(
            wall: WallPost(client: client), call: call, parameters: parameters, verifies: call["verify"] == true)
    }

    // MARK: The plan

    static func plannedGroup(_ call: PlannedCall) -> [PlannedMember] {
        switch call["owner_id"] {
        case .known(let owner)?:
            owner.integer.flatMap { $0 < 0 ? [PlannedMember("group_id", .known(.integer($0.opposite)))] : nil } ?? []
        case let other?: [PlannedMember("group_id", other)]
        case nil: []
        }
    }

    static func plannedPost(_ call: PlannedCall, media: [PlannedValue]) -> PlannedCall {
        var members = call.parameters.filter { names.contains($0.name) && $0.value != .known(.null) }
        if case .known(let owner)? = call["owner_id"], owner.integer ?? 1 < 0,
            !members.contains(where: { $0.name == "from_group" })
        {
            members.append(PlannedMember("from_group", .known(true)))
        }
        var attachments = media
        switch call["attachments"] {
        case .known(let list)?: attachments += (sentElements(of: list) ?? []).map(PlannedValue.known)
        case .list(let list)?: attachments += list
        case let other?: attachments.append(other)
        case nil: break
        }
        if let link = call["link"], link != .known(.null), link != .known("") { attachments.append(link) }
        if !attachments.isEmpty { members.append(PlannedMember("attachments", .list(attachments).flattened)) }
        return call.with(members)
    }
}

extension PlannedCall {
    func with(_ parameters: [PlannedMember]) -> PlannedCall {
        PlannedCall(parameters: parameters, baseURL: baseURL, settings: settings)
    }
}

extension PlannedValue {
    /// A list of which every element is known is known.
    fileprivate var flattened: PlannedValue {
        guard case .list(let elements) = self else { return self }
        let values = elements.compactMap { if case .known(let value) = $0 { value } else { nil } }
        return values.count == elements.count ? .known(.array(values)) : self
    }
}

extension PostPart {
    func outputs(forPosted id: String) async throws -> ValueObject? {
        try await wall.outputs(forPosted: id, of: call.part("post", parameters))
    }
}
