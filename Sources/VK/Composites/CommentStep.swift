internal import ServiceKit
internal import StepKit
internal import Values

/// `vk.wall.createComment`: a comment under a post. VK's `guid` is always sent; one in doubt is looked for.
struct CommentStep: StepKind {
    static let method = "wall.createComment"

    let client: VKClient

    let declaration = StepDeclaration(
        "vk.wall.createComment", "Comments on a post of a wall.", effect: .write, account: "vk",
        parameters: [
            Parameter(
                "owner_id", .integer, "Whose wall: a user's id, or a community's as a negative one; else the own."),
            Parameter("post_id", .integer, required: true, "The post's id."),
            Parameter("message", .string, "The text; needed unless there are attachments or a sticker."),
            Parameter("attachments", .list(.string), "Media as photo1_2 or photo1_2_key."),
            Parameter("from_group", .integer, "The community that comments, as a positive id; else the user."),
            Parameter("reply_to_comment", .integer, "The comment that it answers."),
            Parameter("sticker_id", .integer, "A sticker, by VK's number."),
        ],
        outputs: [
            Output("comment_id", .integer, "The comment's id."), Output("url", .url, "The comment's address."),
            Output("response", .any, "VK's whole answer."),
        ],
        hasOpenOutputs: true, doubtRule: .look,
        example: """
            hours:
              uses: vk.wall.createComment
              with: { owner_id: -12, post_id: "${{ steps.post.outputs.post_id }}", message: Open until 22:00 }
            """)

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems(Self.method, in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        var parameters = call.parameters
        parameters["guid"] = .string(call.idempotencyKey)
        let owner = try await owner(of: call)
        let response = try await client.call(
            Self.method, parameters, effect: .write, for: call, resumption: call.resumption)
        guard let comment = response["comment_id"]?.looseInteger, comment > 0 else {
            throw StepError(
                .inDoubt, "VK answered \(Self.method) without a 'comment_id'",
                why: "The comment may be there all the same.")
        }
        return .succeeded(methodOutputs(response).adding(outputs(comment, owner: owner, of: call)))
    }

    private func owner(of call: StepCall) async throws -> Int64? {
        if let owner = call["owner_id"]?.integer { return owner }
        return try await client.ownID(for: call)
    }

    private func outputs(_ comment: Int64, owner: Int64?, of call: StepCall) -> ValueObject {
        var outputs: ValueObject = ["comment_id": .integer(comment)]
        if let owner, let post = call["post_id"]?.integer {
            outputs["url"] = .string(postAddress(owner: owner, post: post) + "?reply=\(comment)")
        }
        return outputs
    }

    /// The newest comments that have our text, or all our media, by our author.
    func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting {
        let text = comparable(wallText: call["message"]?.string ?? "")
        let media = mediaNames(in: call["attachments"])
        guard !text.isEmpty || !media.isEmpty else {
            return .unreadable(reason: "a sticker alone cannot be told apart")
        }
        let owner = try await owner(of: call)
        var parameters: ValueObject = [
            "post_id": call["post_id"] ?? .null, "count": 100, "sort": "desc", "preview_length": 0,
        ]
        parameters["owner_id"] = owner.map(Value.integer)
        parameters["comment_id"] = call["reply_to_comment"]
        let (answer, serverTime): (Value, Timestamp?)
        do {
            (answer, serverTime) = try await client.exchange(
                "wall.getComments", parameters, effect: .read, for: call, asksPerson: false)
        } catch let error as StepError where !error.errorClass.isRetried {
            return .unreadable(reason: error.what)
        }
        guard let items = answer["items"]?.array else {
            throw StepError(.server, "VK answered wall.getComments without 'items'")
        }
        let author =
            if let group = call["from_group"]?.integer { group.opposite } else { try await client.ownID(for: call) }
        let earliest = WallSearch.earliest(since: intent, serverTime: serverTime, now: client.now()).seconds
        // What another step of the run has written is not ours; each wall has numbers of its own.
        let taken = Set(
            call.others.compactMap { other -> Int64? in
                let wall = other["url"]?.string.flatMap(PostPlace.init(text:))?.owner
                return wall == nil || owner == nil || wall == owner ? other["comment_id"]?.looseInteger : nil
            })
        let ours = items.filter { item in
            guard item["date"]?.looseInteger ?? .max >= earliest, !taken.contains(item["id"]?.looseInteger ?? 0) else {
                return false
            }
            if let author, let writer = item["from_id"]?.looseInteger, writer != author { return false }
            let hasMedia = Set(media).isSubset(of: attachedMedia(item))
            return hasMedia && comparable(wallText: item["text"]?.string ?? "") == text
        }.compactMap { $0["id"]?.looseInteger }
        guard let first = ours.first else { return .absent }
        if ours.count == 1 { return .found(outputs(first, owner: owner, of: call)) }
        return .several(ours.map { outputs($0, owner: owner, of: call)["url"]?.string ?? "the comment \($0)" })
    }

    /// Takes "7" and the comment's address, "https://vk.com/wall-12_42?reply=7".
    func outputs(forPosted id: String, of call: StepCall) -> ValueObject? {
        let number = id.split(separator: "=").last.map(String.init) ?? id
        guard let comment = Int64(number), comment > 0 else { return nil }
        let owner = call["owner_id"]?.integer ?? call.account.flatMap { client.identities[$0.token] }
        return outputs(comment, owner: owner, of: call)
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] { [plannedCall(of: Self.method, call)] }
}
