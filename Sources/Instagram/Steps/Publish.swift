internal import ServiceKit
internal import StepKit
internal import Values

/// `instagram.publish`: an image, a carousel or an image story from public addresses.
///
/// Instagram loads the pictures itself into containers, which live for a day; `media_publish` makes one of them a post. The
/// container's id is kept with the run, so that whatever happens to an answer, the same container is asked for its
/// fate: once published it cannot become a second post.
struct Publish: StepKind {
    let client: InstagramClient

    let declaration = StepDeclaration(
        "instagram.publish", "Publishes an image, a carousel or a story from pictures that lie at public addresses.",
        effect: .write, account: "instagram",
        parameters: [
            Parameter(
                "image_url", .url, "Where the picture lies: public, https, a JPEG. Instagram loads it from there."),
            Parameter(
                "image_urls", .list(.url), "The pictures of a carousel: 2 to 10, cropped to the first one's ratio."),
            Parameter("story", .boolean, default: false, "Whether it is a story, which is gone after 24 hours."),
            Parameter(
                "caption", .string, "The text: 2,200 characters, 30 hashtags and 20 @ tags at most; a story has none."),
            Parameter("alt_text", .string, "The picture in words, 1,000 characters at most; not for stories."),
            Parameter(
                "user_tags",
                .list(
                    .object([
                        Parameter("username", .string, required: true, "Who is in the picture."),
                        Parameter("x", .number, "From the left, 0 to 1."),
                        Parameter("y", .number, "From the top, 0 to 1."),
                    ])), "Who is in the picture; a carousel's first."),
            Parameter("collaborators", .list(.string), "Up to 3 user names that are asked to share the post."),
            Parameter("location_id", .string, "The id of a place."),
        ],
        outputs: [
            Output("id", .string, "The post's id; empty when it is published and Instagram does not show it yet."),
            Output("permalink", .string, "The post's address; empty when Instagram does not say."),
            Output("username", .string, "Whose post it is; empty when Instagram does not say."),
            Output("timestamp", .string, "When it was posted, in ISO 8601, UTC; empty when Instagram does not say."),
            Output("container", .string, "The container that was published."),
        ],
        doubtRule: .look,
        example: """
            post:
              uses: instagram.publish
              with: { image_url: "https://example.com/card.jpg", caption: Good morning }
            """)

    func run(_ call: StepCall) async throws -> StepResult {
        let wish = try PublishWish(call)
        var work = PublishWork(client, call)
        if try await work.isPublished() { return .succeeded(await work.published(wish)) }
        if work.progress.container == nil {
            try await work.checkQuota()
            try await work.makeContainers(wish)
        }
        return .succeeded(try await work.publish(wish))
    }

    func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting {
        let work = PublishWork(client, call)
        // What was not asked to be published is not.
        guard work.progress.isSent else { return .neverSent }
        guard let status = try await work.status() else {
            return .unreadable(reason: "Instagram does not know the container any more")
        }
        guard status == .published else { return .absent }
        return .found(await work.published(try PublishWish(call), since: intent))
    }

    func outputs(forPosted id: String, of call: StepCall) -> ValueObject? {
        guard !id.isEmpty, id.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return ["id": .string(id), "permalink": "", "username": "", "timestamp": "", "container": ""]
    }

    /// Instagram loads and checks the pictures in its own time: five minutes and some calls.
    func extraTime(for call: StepCall) -> Duration { PublishWork.patience + .seconds(120) }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        let names = ["image_url", "caption", "alt_text", "user_tags", "collaborators", "location_id"]
        var fields = call.parameters.filter { names.contains($0.name) && $0.value != .known(.null) }
        if case .known(true)? = call["story"] { fields.append(PlannedMember("media_type", .known("STORIES"))) }
        if let pictures = call["image_urls"], pictures != .known(.null) {
            fields =
                [
                    PlannedMember("media_type", .known("CAROUSEL")), PlannedMember("image_urls", pictures),
                ] + fields.filter { $0.name != "image_url" }
        }
        let token = [PlannedMember("access_token", .secret)]
        return [
            PlannedRequest("POST", plannedAddress(.known("<user id>/media"), call), fields: fields + token),
            PlannedRequest(
                "POST", plannedAddress(.known("<user id>/media_publish"), call),
                fields: [PlannedMember("creation_id", .text([.known("<the container's id>")]))] + token),
        ]
    }
}
