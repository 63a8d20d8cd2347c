internal import ServiceKit
internal import StepKit
internal import Values

/// The outputs that every method has: the members of an object; of a list, `items`, and the first element's members; of
/// anything else, `value`; always `response`.
func methodOutputs(_ response: Value) -> ValueObject {
    var outputs: ValueObject
    switch response {
    case .object(let members): outputs = members
    case .array(let items):
        outputs = items.first?.object ?? [:]
        outputs["items"] = response
    default: outputs = ["value": response]
    }
    outputs["response"] = response
    return outputs
}

extension VKMethod {
    /// As `methodOutputs`, with what this program adds: `attachment` and `attachments` of media, `url` of posts, comments
    /// and stories.
    ///
    /// - Parameter owner: whose wall the parameters name.
    func outputs(_ response: Value, owner: Int64?) -> ValueObject {
        var outputs = methodOutputs(response)
        let media = mediaAttachments(in: response)
        if let first = media.first {
            outputs["attachment"] = .string(first)
            outputs["attachments"] = .array(media.map(Value.string))
        }
        if outputs["url"] == nil, let url = address(of: response, owner: owner) { outputs["url"] = .string(url) }
        return outputs
    }

    /// "photo", where a post can attach what it gives.
    var mediaType: String? { Self.media[name] }

    /// Whether it is answered with the id of a post.
    var makesPost: Bool { ["wall.post", "wall.edit", "wall.repost", "wall.postAdsStealth"].contains(name) }

    /// Whether it is answered with a bare number (VK's schema, API 5.199).
    var answersNumber: Bool { ["photos.copy", "photos.createComment", "photos.putTag"].contains(name) }

    private func mediaAttachments(in response: Value) -> [String] {
        guard let type = mediaType else { return [] }
        let objects = response.array ?? response["items"]?.array ?? [response]
        return objects.compactMap { attachment($0, type: type) }
    }

    /// The address for people, as far as the answer and the parameters tell it.
    private func address(of response: Value, owner: Int64?) -> String? {
        switch name {
        case "wall.post", "wall.edit", "wall.repost":
            guard name != "wall.repost", let owner, let post = response["post_id"]?.looseInteger else { return nil }
            return postAddress(owner: owner, post: post)
        case "stories.save": return response["items"]?[0].flatMap(storyAddress)
        default: return nil
        }
    }

    /// What a post can attach, by the method that gives it.
    private static let media: [String: String] = [
        "photos.save": "photo", "photos.saveMessagesPhoto": "photo", "photos.getById": "photo", "photos.get": "photo",
        "photos.getAll": "photo", "photos.getUserPhotos": "photo", "photos.search": "photo", "docs.save": "doc",
        "docs.get": "doc", "docs.getById": "doc", "video.save": "video", "video.get": "video",
        "polls.create": "poll", "polls.getById": "poll",
    ]
}

/// "photo1_2", or "photo1_2_key" for one that is not public; nil when an id is missing.
///
/// VK wraps a saved document: `{"type": "doc", "doc": {…}}`; and names a new video's id `video_id`.
func attachment(_ object: Value, type: String) -> String? {
    if let kind = object["type"]?.string, let inner = object[kind], inner.object != nil {
        return attachment(inner, type: kind == "audio_message" || kind == "graffiti" ? "doc" : kind)
    }
    guard let owner = object["owner_id"]?.looseInteger,
        let id = (object["id"] ?? object["\(type)_id"])?.looseInteger
    else { return nil }
    guard let key = object["access_key"]?.string, !key.isEmpty else { return "\(type)\(owner)_\(id)" }
    return "\(type)\(owner)_\(id)_\(key)"
}

/// The address of a story for people.
func storyAddress(_ story: Value) -> String? {
    guard let owner = story["owner_id"]?.looseInteger, let id = story["id"]?.looseInteger else { return nil }
    return "https://vk.com/story\(owner)_\(id)"
}
