internal import ServiceKit
internal import StepKit
internal import Values

/// The calls of one publishing, each noted before the next.
struct PublishWork {
    /// How long all of a call's containers are waited for: Meta's guide says five minutes.
    static let patience = Duration.seconds(300)
    /// An allowance for clocks that are apart.
    private static let maxSkew = Duration.seconds(300)

    private let client: InstagramClient
    private let call: StepCall
    private(set) var progress: PublishProgress
    private var waited = Duration.zero

    init(_ client: InstagramClient, _ call: StepCall) {
        self.client = client
        self.call = call
        progress = PublishProgress(call)
    }

    /// The state of a container (Instagram Platform, "Content Publishing").
    enum Status: String, Sendable {
        case inProgress = "IN_PROGRESS"
        case finished = "FINISHED"
        case published = "PUBLISHED"
        case error = "ERROR"
        case expired = "EXPIRED"
    }

    // MARK: What an earlier attempt has left

    /// Whether the container is a post already. One that can be published no more is given up for a new one.
    mutating func isPublished() async throws -> Bool {
        guard progress.container != nil else { return false }
        switch try await status() {
        case .published?: return true
        case .finished?, .inProgress?: return false
        case nil where progress.isSent: throw sentAndUnknown
        case .error?, .expired?, nil:
            try await giveUp()
            return false
        }
    }

    private var sentAndUnknown: StepError {
        .inDoubt(
            "Instagram does not know the container of step '\(call.address)' any more",
            why: "It was asked to publish it, and does not say whether it has.")
    }

    /// The container's state; nil when Instagram does not know it.
    func status() async throws -> Status? {
        guard let container = progress.container else { return nil }
        return try await status(of: container).status
    }

    private func status(of container: String) async throws -> (status: Status?, text: String) {
        let answer: Value
        do {
            answer = try await client.get(container, [(name: "fields", value: "status_code,status")], for: call)
        } catch let error as StepError where ["24/2207006", "24/2207008", "100/33"].contains(error.code) {
            return (nil, "")
        }
        guard let code = answer["status_code"]?.string else {
            throw StepError(.server, "Instagram answered without the container's 'status_code'")
        }
        guard let status = Status(rawValue: code) else {
            let name = serviceWords(code, hiding: call.account.map { [$0.token] } ?? []) ?? ""
            throw StepError(.server, "Instagram calls the container '\(name.prefix(40))', which is no known state")
        }
        return (status, answer["status"]?.string ?? "")
    }

    // MARK: Making

    /// - Throws: `StepError` of class `quota` when no post is left for today.
    mutating func checkQuota() async throws {
        let answer: Value
        do {
            answer = try await client.get(
                "\(try await user())/content_publishing_limit", [(name: "fields", value: "quota_usage,config")],
                for: call)
        } catch let error as StepError where [.invalid, .permission, .server].contains(error.errorClass) {
            call.warn("the quota of posts is not known: \(error.what)")
            return
        }
        let limits = answer["data"]?[0] ?? answer
        guard let used = limits["quota_usage"]?.looseInteger,
            let total = limits["config"]?["quota_total"]?.looseInteger, total > 0,
            used >= total
        else { return }
        let window = min(max(limits["config"]?["quota_duration"]?.looseInteger ?? 86_400, 3600), 604_800)
        let hours = window / 3600
        throw StepError(
            .quota, "the \(total) posts that Instagram allows in \(hours) hours are used up",
            why: "The window moves: a place is free again when the oldest of them is \(hours) hours old.",
            code: "quota", retryAfter: .seconds(window / 3))
    }

    /// The professional account's id, which publishing addresses need.
    private mutating func user() async throws -> String {
        if let user = progress.user { return user }
        let answer = try await client.get("me", [(name: "fields", value: "user_id,username")], for: call)
        let node = answer["data"]?[0] ?? answer
        guard let user = (node["user_id"] ?? node["id"]).flatMap(nodeID) else {
            throw StepError(.server, "Instagram's me was answered without an id")
        }
        progress.user = user
        return user
    }

    mutating func makeContainers(_ wish: PublishWish) async throws {
        progress.pictures = wish.pictures
        if wish.isCarousel {
            for index in progress.children.count..<wish.pictures.count {
                do {
                    progress.children.append(try await container(wish.fields(ofItem: index)))
                } catch let error as StepError {
                    throw error.of(picture: index, among: wish.pictures.count)
                }
                try await progress.save(call)
            }
            for (index, child) in progress.children.enumerated() {
                do {
                    _ = try await waitUntilReady(child)
                } catch let error as StepError {
                    throw error.of(picture: index, among: wish.pictures.count)
                }
            }
        }
        do {
            progress.container = try await container(wish.fields(children: progress.children))
        } catch let error as StepError where Self.isGone(error) {
            try await giveUp()
            throw error
        }
        try await progress.save(call)
    }

    /// A container that is made and not published is gone after a day: making one is no write that counts.
    private mutating func container(_ fields: [(name: String, value: String)]) async throws -> String {
        let answer = try await client.post("\(try await user())/media", fields, isWrite: false, for: call)
        guard let id = answer["id"].flatMap(nodeID) else {
            throw StepError(.server, "Instagram made a container and does not say its id")
        }
        return id
    }

    // MARK: Waiting

    /// - Returns: the container's state, in which it can be published or is a post already.
    mutating func waitUntilReady() async throws -> Status {
        guard let container = progress.container else {
            throw StepError(.server, "there is no container to be published")
        }
        return try await waitUntilReady(container)
    }

    /// Asks at once, then after 2 s, 4 s, 8 s … up to 30 s each.
    private mutating func waitUntilReady(_ container: String) async throws -> Status {
        var pause = Duration.seconds(2)
        while true {
            let (status, text) = try await status(of: container)
            switch status {
            case let status? where [.finished, .published].contains(status): return status
            case .inProgress?: break
            case nil where progress.isSent: throw sentAndUnknown
            default:
                try await giveUp()
                throw refusal(status, text)
            }
            guard waited + pause <= Self.patience else {
                throw StepError(
                    .server, "Instagram has not made the picture ready within \(Self.patience.text)",
                    why: "Nothing is published yet; the next attempt goes on with the same container.")
            }
            try await call.wait(pause)
            waited += pause
            pause = min(pause * 2, .seconds(30))
        }
    }

    /// Gives up what an earlier attempt has made of other pictures, unless it may be a post.
    mutating func keepOnly(_ wish: PublishWish) async throws {
        let isOther = progress.pictures.map { $0 != wish.pictures } ?? (progress.children.count > wish.pictures.count)
        if isOther, !progress.isSent { try await giveUp() }
    }

    private mutating func giveUp() async throws {
        progress = PublishProgress(user: progress.user)
        try await progress.save(call)
    }

    /// The status text holds the subcode of what went wrong: "Error: … 2207052".
    private func refusal(_ status: Status?, _ text: String) -> StepError {
        guard status == .error else {
            return StepError(
                .server, "the container has expired before it was published", why: "The next attempt makes it anew.")
        }
        let subcode = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int64($0) }.first { $0 / 10_000 == 220 }
        let found = subcode.flatMap { subcode in
            InstagramErrorRule.bySubcode.first { $0.key.subcode == subcode }
        }
        guard let (key, rule) = found else {
            return StepError(
                .invalid, "Instagram could not use the picture", why: words(text),
                fix: "The address must be public, https, and lead to a JPEG of at most 8 MB.", code: "ERROR")
        }
        return StepError(
            rule.errorClass, "Instagram could not use the picture (\(rule.meaning))", why: words(text), fix: rule.fix,
            code: "\(key.code)/\(key.subcode)", retryAfter: rule.wait)
    }

    private func words(_ text: String) -> String? {
        InstagramRefusal.words(text, hiding: call.account?.token)
    }

    // MARK: Publishing

    mutating func publish(_ wish: PublishWish) async throws -> ValueObject {
        if try await waitUntilReady() == .published { return await published(wish) }
        let user = try await user()
        let wasSent = progress.isSent
        progress.isSent = true
        try await progress.save(call)
        let answer: Value
        do {
            answer = try await client.post(
                "\(user)/media_publish", [(name: "creation_id", value: progress.container ?? "")], isWrite: true,
                for: call)
        } catch let error as StepError where error.errorClass != .inDoubt {
            if wasSent, try await isPublished() { return await published(wish) }
            try await settle(error, wasSent: wasSent)
            throw error
        }
        guard let id = answer["id"].flatMap(nodeID) else {
            throw StepError.inDoubt("Instagram answered media_publish without the post's id")
        }
        return await outputs(id)
    }

    /// Notes what a refusal leaves. This request was not carried out; an earlier one whose answer was lost may still be.
    private mutating func settle(_ error: StepError, wasSent: Bool) async throws {
        guard !wasSent else { return }
        // What was wrong with it may be mended by then: the next attempt makes it anew.
        if Self.isGone(error) || error.errorClass == .invalid { return try await giveUp() }
        progress.isSent = false
        try await progress.save(call)
    }

    private static func isGone(_ error: StepError) -> Bool {
        ["24/2207006", "24/2207008"].contains(error.code)
    }

    /// The outputs of a container that is a post, although its answer was lost.
    ///
    /// - Parameter intent: when it was first to be published; the call's own word unless given. An older post with the same
    ///   text is another one.
    func published(_ wish: PublishWish, since intent: Timestamp? = nil) async -> ValueObject {
        let edge = wish.isStory ? LiveStories.edge : ListMedia.edge
        let page = try? await client.page(of: edge, after: nil, limit: 25, for: call)
        let kind: Media.Kind = wish.isCarousel ? .carousel : .image
        let earliest = (intent ?? call.keyFirstSent).map { $0 - Self.maxSkew }
        // What another step of the run has published is not it, be it the same text.
        let taken = Set(call.others.compactMap { $0["id"]?.string })
        let candidates = (page?.items ?? []).filter { media in
            media.kind == kind && !taken.contains(media.id) && squeezed(media.caption) == squeezed(wish.caption)
                && (earliest.map { earliest in media.timestamp.map { $0 >= earliest } ?? false } ?? true)
        }
        guard let newest = candidates.max(by: { $1.isNewer(than: $0) }) else {
            call.warn("Instagram has published it, and does not list it yet: its id is not known")
            return outputs(nil, id: "")
        }
        return outputs(newest, id: newest.id)
    }

    private func outputs(_ id: String) async -> ValueObject {
        do {
            return outputs(try await client.media(id, for: call), id: id)
        } catch {
            // It is published all the same.
            call.warn("post \(id) is published; its address could not be read")
            return outputs(nil, id: id)
        }
    }

    private func outputs(_ media: Media?, id: String) -> ValueObject {
        [
            "id": .string(id), "permalink": .string(media?.permalink ?? ""),
            "username": .string(media?.username ?? ""), "timestamp": .string(media?.timestamp?.iso8601 ?? ""),
            "container": .string(progress.container ?? ""),
        ]
    }
}

extension StepError {
    /// The failure with the number of the carousel's picture that it is about.
    fileprivate func of(picture index: Int, among count: Int) -> StepError {
        var error = self
        error.what += ", for picture \(index + 1) of \(count)"
        return error
    }
}

/// A caption as it is compared: blanks may have been changed on the way.
private func squeezed(_ caption: String) -> [Substring] { caption.split { $0.isWhitespace } }
