internal import StepKit
internal import Values

/// `instagram.media`: the account's posts; on demand only those that are new.
struct ListMedia: StepKind {
    static let edge = "me/media"
    /// Instagram keeps the newest 10,000 posts within reach.
    static let reach = 10_000

    let client: InstagramClient
    let now: @Sendable () -> Timestamp

    let declaration = StepDeclaration(
        "instagram.media", "Lists the account's posts, or those that are new since the last run.", effect: .read,
        account: "instagram",
        parameters: [
            MediaParameters.kinds(default: [.image, .carousel]), MediaParameters.thumbnail,
            Parameter(
                "pictures", .boolean, default: true,
                "Whether posts of which no picture can be had are passed over, with a warning."),
            Parameter(
                "limit", .integer,
                "How many at most, from 1; 25 unless given, 100 with 'since' or 'newer-than-ledger'. What is over the limit "
                    + "is left for the next run there."),
            Parameter(
                "since", .string,
                "Only posts after this: an instant as 2026-11-01T08:00:00Z, a day as 2026-11-01, or an age as 7d."),
            Parameter(
                "newer-than-ledger", .any,
                "Only posts that 'once' does not remember yet: the text with which its keys begin, before the post's id, or "
                    + "true when the keys are the ids. What was there before the first run is not new, whichever of the "
                    + "remembered posts are still there."),
            Parameter(
                "first", .integer, default: 1,
                "With 'newer-than-ledger': how many of the newest posts count while the ledger has no such key at all."),
            Parameter(
                "order", .choice(Order.allCases.map(\.rawValue)),
                "Which comes first: newest unless given, oldest with 'since' or 'newer-than-ledger'."),
        ],
        outputs: listOutputs,
        example: """
            new:
              uses: instagram.media
              with: { newer-than-ledger: own/ }
            """)

    enum Order: String, CaseIterable { case newest, oldest }

    func run(_ call: StepCall) async throws -> StepResult {
        let choice = PictureChoice(stills: MediaParameters.takesStills(call))
        let wish = try MediaWish(call, now: now())
        let known = try await knownIDs(wish, call)
        var search = NewMedia(
            kinds: try MediaParameters.kinds(of: call), since: wish.since, known: known,
            picture: call["pictures"]?.bool == false ? nil : choice)
        let enough = wish.isNewOnly ? Self.reach : wish.limit
        var trail = PageTrail()
        var seen = 0
        repeat {
            let page = try await client.page(
                of: Self.edge, after: trail.after, limit: pageSize(wish, missing: enough - search.found.count),
                for: call)
            seen += page.count
            trail.advance(to: page.after)
            search.take(page)
            let isFirstRun = known?.isEmpty == true && search.found.count >= wish.first
            if search.isSettled || isFirstRun || search.found.count >= enough || seen >= Self.reach { break }
        } while !trail.isOver
        search.passedOver.forEach(call.warn)
        return .succeeded(listed(search.newestFirst(), wish, known, call))
    }

    /// Only as many as are needed, but no fewer than Instagram's own 25: pinned posts lead, whatever their age.
    private func pageSize(_ wish: MediaWish, missing: Int) -> Int { wish.isNewOnly ? 100 : min(max(missing, 25), 100) }

    private func listed(
        _ newestFirst: [Media], _ wish: MediaWish, _ known: KnownPosts?, _ call: StepCall
    ) -> ValueObject {
        var items = newestFirst
        if known?.isEmpty == true { items = Array(items.prefix(wish.first)) }
        if items.count > wish.limit {
            if wish.isNewOnly {
                call.warn("\(items.count) posts are new; the \(wish.limit) oldest are taken, the others are left")
                items = Array(items.suffix(wish.limit))
            } else {
                items = Array(items.prefix(wish.limit))
            }
        }
        return mediaList(wish.order == .oldest ? items.reversed() : items)
    }

    private func knownIDs(_ wish: MediaWish, _ call: StepCall) async throws -> KnownPosts? {
        guard let prefix = wish.prefix else { return nil }
        return KnownPosts(try await call.postedKeys(prefix), prefix: prefix)
    }

    func extraTime(for call: StepCall) -> Duration { .seconds(120) }

    func plan(_ call: PlannedCall) -> [PlannedRequest] { [plannedPage(of: Self.edge, limit: 25, call)] }
}

/// What a step wants of the list, as its parameters say.
private struct MediaWish {
    let limit: Int
    let first: Int
    let since: Timestamp?
    /// What stands before a post's id in the keys of the ledger; nil when the ledger is not asked.
    let prefix: String?
    let order: ListMedia.Order

    var isNewOnly: Bool { since != nil || prefix != nil }

    init(_ call: StepCall, now: Timestamp) throws {
        func count(_ name: String) throws -> Int? {
            guard let number = call[name]?.integer else { return nil }
            guard (1...Int64(ListMedia.reach)).contains(number) else {
                throw StepError(
                    .invalid, "'\(name)' is \(number)", why: "It lies between 1 and \(ListMedia.reach).")
            }
            return Int(number)
        }
        since = try call["since"]?.string.map { try instant($0, now: now) }
        switch call["newer-than-ledger"] {
        case nil, .bool(false)?: prefix = nil
        case .bool(true)?: prefix = ""
        case .string(let text)?: prefix = text
        case .integer(let number)?: prefix = String(number)
        case let other?:
            throw StepError(
                .invalid, "'newer-than-ledger' is \(other.quoted)",
                fix: "Write the beginning of the keys as text, or true when the keys are the posts' ids.")
        }
        let isNewOnly = since != nil || prefix != nil
        limit = try count("limit") ?? (isNewOnly ? 100 : 25)
        first = try count("first") ?? 1
        order = call["order"]?.string.flatMap(ListMedia.Order.init) ?? (isNewOnly ? .oldest : .newest)
    }
}

/// An instant, a day (its beginning in UTC), or an age.
private func instant(_ text: String, now: Timestamp) throws -> Timestamp {
    if let age = Duration(text: text) { return Timestamp(milliseconds: now.milliseconds - age.wholeMilliseconds) }
    if let instant = Timestamp(iso8601: text) ?? Timestamp(iso8601: text + "T00:00:00Z") { return instant }
    throw StepError(
        .invalid, "'since' is '\(text.prefix(60))', no time",
        fix: "Write an instant as 2026-11-01T08:00:00Z, a day as 2026-11-01, or an age as 7d.")
}
