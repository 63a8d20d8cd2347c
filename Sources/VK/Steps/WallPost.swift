internal import ServiceKit
internal import StepKit
internal import Values

/// `vk.wall.post`: posts on a wall.
///
/// VK's `guid` is always sent: it makes VK drop a repeat for an hour. It is the second belt only; the first is that a
/// post in doubt is looked for before it is sent again.
struct WallPost: StepKind {
    static let method = "wall.post"

    let client: VKClient

    let declaration = StepDeclaration(
        "vk.wall.post", "Posts a text and attachments on a wall.", effect: .write, account: "vk",
        parameters: WallPost.parameters,
        outputs: [
            Output("post_id", .integer, "The post's id; that of the scheduled post, where 'publish_date' is given."),
            Output("url", .url, "The post's address; missing for the own wall when VK does not say whose it is."),
            Output("verified", .boolean, "With 'verify': whether the post was read back and is whole."),
            Output("response", .any, "VK's whole answer."),
        ],
        hasOpenOutputs: true, doubtRule: .look,
        example: """
            post:
              uses: vk.wall.post
              with:
                owner_id: -12
                from_group: true
                message: Hello
                attachments: ["${{ steps.saved.outputs.attachment }}"]
            """)

    func problems(in call: PlannedCall) -> [ParameterProblem] { vkProblems(Self.method, in: call) }

    func run(_ call: StepCall) async throws -> StepResult {
        try checkParameters(of: call)
        if let part = verifiedPart(of: call) { return try await part.run() }
        // Asked before the post, so that nothing stands between its answer and the journal.
        let owner = try await owner(of: call)
        return .succeeded(try await post(call, owner: owner))
    }

    /// The post as one that is kept and read back; nil when that is not wanted.
    func verifiedPart(of call: StepCall) -> PostPart? {
        guard call["verify"] == true else { return nil }
        var parameters = call.parameters
        parameters["verify"] = nil
        return PostPart(wall: self, call: call, parameters: parameters, verifies: true)
    }

    /// Sends the post.
    ///
    /// - Parameter owner: whose wall it is, where that is known.
    func post(_ call: StepCall, owner: Int64?) async throws -> ValueObject {
        var parameters = call.parameters
        parameters["verify"] = nil
        parameters["guid"] = .string(call.idempotencyKey)
        let response: Value
        do {
            response = try await client.call(
                Self.method, parameters, effect: .write, for: call, resumption: call.resumption)
        } catch let error as StepError {
            throw withHintOfSign(error, call)
        }
        guard let post = response["post_id"]?.looseInteger, post > 0 else {
            throw StepError(
                .inDoubt, "VK answered \(Self.method) without a 'post_id'",
                why: "The post may be on the wall all the same.")
        }
        if owner == nil { call.warn("VK did not say whose wall it is: the post \(post) has no address") }
        return outputs(post: post, owner: owner, response: response)
    }

    /// A refusal for a wall that is neither the own nor a community's: the id may lack its sign.
    private func withHintOfSign(_ error: StepError, _ call: StepCall) -> StepError {
        guard error.errorClass == .permission || error.errorClass == .invalid,
            let owner = call["owner_id"]?.integer, owner > 0,
            call.account.flatMap({ client.identities[$0.token] }) != owner
        else { return error }
        var error = error
        error.fix = ["If \(owner) is a community, write owner_id: -\(owner).", error.fix].compactMap { $0 }
            .joined(separator: " ")
        return error
    }

    /// The id of the wall's owner: the one named, else the token's user, where VK says who that is.
    func owner(of call: StepCall) async throws -> Int64? {
        if let owner = call["owner_id"]?.integer { return owner }
        return try await client.ownID(for: call)
    }

    func outputs(post: Int64, owner: Int64?, response: Value? = nil) -> ValueObject {
        var outputs: ValueObject = ["post_id": .integer(post)]
        if let owner { outputs["url"] = .string(postAddress(owner: owner, post: post)) }
        for (name, value) in methodOutputs(response ?? ["post_id": .integer(post)]) where name != "post_id" {
            outputs[name] = value
        }
        return outputs
    }

    /// Takes "42", "-12_42", "wall-12_42" and the post's address.
    func outputs(forPosted id: String, of call: StepCall) async throws -> ValueObject? {
        let wanted = try await owner(of: call)
        if let post = Int64(id) { return post > 0 ? outputs(post: post, owner: wanted) : nil }
        guard let place = PostPlace(text: id), wanted == nil || wanted == place.owner else { return nil }
        return outputs(post: place.post, owner: place.owner)
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        let sent = PlannedCall(
            parameters: call.parameters.filter { $0.name != "verify" }, baseURL: call.baseURL, settings: call.settings)
        return [plannedCall(of: Self.method, sent)]
    }
}

/// Whether an attachment is a link to a page.
func isLink(_ attachment: Value) -> Bool {
    attachment.string.map { $0.hasPrefix("http://") || $0.hasPrefix("https://") } ?? false
}

/// The address of a post for people.
func postAddress(owner: Int64, post: Int64) -> String { "https://vk.com/wall\(owner)_\(post)" }

/// A post by its wall and its id.
struct PostPlace: Sendable, Hashable {
    let owner: Int64
    let post: Int64

    init(owner: Int64, post: Int64) {
        self.owner = owner
        self.post = post
    }

    /// Reads "-12_42", "wall-12_42" and an address that holds the latter: "https://vk.com/club12?w=wall-12_42".
    init?(text: String) {
        var rest = Substring(text)
        if let wall = lastRange(of: "wall", in: text) {
            rest = text[wall...].dropFirst(4)
        } else if text.contains("/") {
            return nil
        }
        rest = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "-" || $0 == "_") }
        let parts = rest.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let owner = Int64(parts[0]), let post = Int64(parts[1]), owner != 0, post > 0 else {
            return nil
        }
        self.init(owner: owner, post: post)
    }
}

/// Where `needle` begins for the last time.
private func lastRange(of needle: String, in text: String) -> String.Index? {
    text.indices.last { text[$0...].hasPrefix(needle) }
}
