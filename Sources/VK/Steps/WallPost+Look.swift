internal import ServiceKit
internal import StepKit
internal import Values

extension WallPost {
    /// Looks for the post on the wall, among its scheduled posts, and among a community's suggested ones.
    ///
    /// It is ours when all our media hang on it; when there is none such, by text, author and time. A failure that asks
    /// for a person (captcha, dead token) makes the wall unreadable: its answer must not go to the post.
    func look(for call: StepCall, since intent: Timestamp) async throws -> Sighting {
        if let part = verifiedPart(of: call) { return try await part.look(since: intent) }
        do {
            return try await look(WallSearch(for: call, since: intent, author: try await author(of: call)), for: call)
        } catch let error as StepError {
            switch error.errorClass {
            case .permission, .captcha, .validation, .auth: return .unreadable(reason: error.what)
            default: throw error
            }
        }
    }

    private func look(_ search: WallSearch, for call: StepCall) async throws -> Sighting {
        if call["post_id"] != nil { return try await lookForUnpublished(search, for: call) }
        // What another step of the run has posted is not ours, be it the same text in the same second.
        let taken = Set(call.others.compactMap { $0["url"]?.string.flatMap(PostPlace.init(text:)) })
        var found: [WallItem] = []
        var closed: String?
        for list in search.lists {
            do {
                let (items, isWhole) = try await read(list, search, for: call)
                found += items.filter { !taken.contains(PostPlace(owner: $0.owner, post: $0.id)) }
                if !isWhole { closed = "VK gave a post that cannot be read" }
            } catch let error as StepError where error.errorClass == .permission && list != .published {
                if search.needs(list) { closed = error.what }
            }
        }
        let ours = places(of: search.ours(among: found))
        if ours.count == 1 { return .found(outputs(post: ours[0].post, owner: ours[0].owner)) }
        let candidates = ours.isEmpty ? places(of: search.suspects(among: found)) : ours
        guard candidates.isEmpty else {
            return .several(candidates.map { postAddress(owner: $0.owner, post: $0.post) })
        }
        return closed.map { .unreadable(reason: $0) } ?? .absent
    }

    /// A page that grew while it was read gives some twice.
    private func places(of items: [WallItem]) -> [PostPlace] {
        var seen: Set<PostPlace> = []
        return items.map { PostPlace(owner: $0.owner, post: $0.id) }.filter { seen.insert($0).inserted }
    }

    /// A waiting post that was to be published: while it waits, it was not. Once it is gone, it may have been published
    /// under another id, or deleted.
    private func lookForUnpublished(_ search: WallSearch, for call: StepCall) async throws -> Sighting {
        for list in [WallSearch.List.postponed, .suggests] {
            let (items, isWhole) = try await read(list, search, for: call)
            guard isWhole else { return .unreadable(reason: "VK gave a post that cannot be read") }
            if items.contains(where: { $0.id == call["post_id"]?.integer }) { return .absent }
        }
        return .unreadable(reason: "the post is no longer among the waiting ones, which does not tell where it went")
    }

    /// The list's posts, back to the intent where it goes by time; and whether each of them could be read.
    private func read(
        _ list: WallSearch.List, _ search: WallSearch, for call: StepCall
    ) async throws -> (items: [WallItem], isWhole: Bool) {
        var items: [WallItem] = []
        var isWhole = true
        var offset = 0
        for _ in 0..<WallSearch.maxPages {
            var parameters: ValueObject = [
                "count": .integer(Int64(WallSearch.pageSize)), "offset": .integer(Int64(offset)),
                "filter": .string(list.rawValue),
            ]
            parameters["owner_id"] = call["owner_id"]
            let (answer, serverTime) = try await client.exchange(
                "wall.get", parameters, effect: .read, for: call, asksPerson: false)
            guard let page = answer["items"]?.array else {
                throw StepError(.server, "VK answered wall.get without 'items'")
            }
            let window = search.window(serverTime: serverTime, now: client.now())
            let posts = page.compactMap { WallItem($0, list: list, window: window) }
            isWhole = isWhole && posts.count == page.count
            items += posts.filter { list == .postponed || $0.date >= window.floor }
            offset += page.count
            // Pinned posts stand first however old they are: only the others tell how far back the page goes.
            let isPast = list == .published && posts.contains { !$0.isPinned && $0.date < window.floor }
            if page.isEmpty || isPast || offset >= answer["count"]?.looseInteger.map(Int.init) ?? .max {
                return (items, isWhole)
            }
        }
        throw StepError(
            .permission, "the wall has more than \(WallSearch.maxPages * WallSearch.pageSize) posts since then")
    }

    /// Who wrote the post, where that is known.
    private func author(of call: StepCall) async throws -> Int64? {
        if let owner = call["owner_id"]?.integer, owner < 0, call["from_group"]?.bool == true { return owner }
        return try await client.ownID(for: call)
    }
}
