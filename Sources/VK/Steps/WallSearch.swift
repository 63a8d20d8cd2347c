internal import ServiceKit
internal import StepKit
internal import Values

/// What is looked for on a wall.
struct WallSearch: Sendable {
    enum List: String, Sendable {
        case published = "all"
        case postponed, suggests
    }

    /// VK's greatest (wall.get).
    static let pageSize = 100
    static let maxPages = 50

    /// An allowance for clocks that are apart, or were set in between.
    static let maxSkew = Duration.seconds(300)

    /// The media, as "photo1_2", without keys.
    private let media: [String]
    private let text: String
    private let links: Set<String>
    private let owner: Int64?
    private let author: Int64?
    private let fromGroup: Bool
    /// In seconds since 1970.
    private let publishDate: Int64?
    private let intent: Timestamp

    /// - Parameter author: who writes it; nil when that is not known.
    init(for call: StepCall, since intent: Timestamp, author: Int64?) {
        media = mediaNames(in: call["attachments"])
        text = comparable(wallText: call["message"]?.string ?? "")
        links = Set((sentElements(of: call["attachments"]) ?? []).filter(isLink).compactMap(comparable(link:)))
        owner = call["owner_id"]?.integer
        fromGroup = call["from_group"]?.bool ?? false
        publishDate = call["publish_date"]?.integer
        self.author = author
        self.intent = intent
    }

    /// Users' walls have no suggested posts.
    var lists: [List] {
        (owner ?? 1) < 0 ? [.published, .postponed, .suggests] : [.published, .postponed]
    }

    /// Whether the post could stand in that list, so that a look that may not read it proves nothing.
    func needs(_ list: List) -> Bool {
        switch list {
        case .published: true
        case .postponed: publishDate != nil
        case .suggests: !fromGroup
        }
    }

    /// The window of time that the post must lie in, by VK's clock.
    ///
    /// - Parameters:
    ///   - serverTime: what VK's clock showed, when its answer says so.
    ///   - now: what ours showed then.
    func window(serverTime: Timestamp?, now: Timestamp) -> WallWindow {
        let floor = Self.earliest(since: intent, serverTime: serverTime, now: now)
        // VK counts in whole seconds.
        let start = serverTime == nil ? floor : floor + Self.maxSkew - .seconds(2)
        return WallWindow(floor: floor, start: start)
    }

    /// The earliest time that VK's clock can have shown at the intent.
    static func earliest(since intent: Timestamp, serverTime: Timestamp?, now: Timestamp) -> Timestamp {
        // A clock of ours that is behind now may have been right when the request was sent, before a restart.
        intent + min(serverTime.map { $0 - now } ?? .zero, .zero) - maxSkew
    }

    /// Those of the posts that can be ours: a text may be posted again and again, so it counts from the intent on only;
    /// media are more than that, and the allowance for the clocks stands.
    func ours(among items: [WallItem]) -> [WallItem] {
        let byMedia = media.isEmpty ? [] : items.filter { Set(media).isSubset(of: $0.media) }
        guard byMedia.isEmpty else { return byMedia }
        guard !text.isEmpty || media.isEmpty && !links.isEmpty else { return [] }
        return items.filter { item in
            let isLike = !text.isEmpty || !item.links.isDisjoint(with: links)
            return item.text == text && isLike && isByAuthor(item) && isAtTime(item)
        }
    }

    /// Those of the posts without a text that may be ours, when none is for certain: VK may have left out some of our
    /// media, and what it made of a link alone cannot be known.
    func suspects(among items: [WallItem]) -> [WallItem] {
        guard text.isEmpty else { return [] }
        return items.filter { item in
            let isLike = media.isEmpty ? !links.isEmpty && item.hasAttachments : !item.media.isDisjoint(with: media)
            return item.text.isEmpty && isLike && isByAuthor(item) && isAtTime(item)
        }
    }

    private func isByAuthor(_ item: WallItem) -> Bool {
        // What is suggested comes from the user, whomever it was to be posted as.
        if item.list == .suggests, fromGroup { return true }
        guard let writer = item.author, let author else { return true }
        return writer == author
    }

    /// Scheduled posts carry the time at which they are to appear, to the minute.
    private func isAtTime(_ item: WallItem) -> Bool {
        guard item.list == .postponed else { return item.isSinceIntent }
        guard let publishDate else { return false }
        let apart = item.date - Timestamp(seconds: publishDate)
        return apart <= .seconds(60) && apart >= .seconds(-60)
    }
}

struct WallWindow: Sendable, Hashable {
    /// Nothing older is looked at.
    let floor: Timestamp
    /// The earliest time that VK can have given the post.
    let start: Timestamp
}

/// A post as `wall.get` gives it.
struct WallItem: Sendable, Hashable {
    let list: WallSearch.List
    let id: Int64
    let owner: Int64
    let author: Int64?
    let date: Timestamp
    let isSinceIntent: Bool
    let isPinned: Bool
    /// Comparable.
    let text: String
    /// The media, as "photo1_2", without keys.
    let media: Set<String>
    /// The addresses of attached links, comparable.
    let links: Set<String>
    let hasAttachments: Bool

    /// Nil when it lacks what a post must have.
    init?(_ value: Value, list: WallSearch.List, window: WallWindow) {
        guard let id = value["id"]?.looseInteger, let owner = value["owner_id"]?.looseInteger,
            let date = value["date"]?.looseInteger
        else { return nil }
        self.list = list
        self.id = id
        self.owner = owner
        author = value["from_id"]?.looseInteger
        self.date = Timestamp(seconds: date)
        isSinceIntent = self.date >= window.start
        isPinned = value["is_pinned"]?.looseInteger == 1 || value["is_pinned"] == true
        text = comparable(wallText: value["text"]?.string ?? "")
        media = attachedMedia(value)
        links = Set((value["attachments"]?.array ?? []).compactMap { $0["link"]?["url"].flatMap(comparable(link:)) })
        hasAttachments = value["attachments"]?.array?.isEmpty == false
    }
}

/// An address as it is compared: VK writes some with another scheme, or a slash at the end. Nil for what is no text.
private func comparable(link: Value) -> String? {
    guard let given = link.string?.lowercased() else { return nil }
    let text = given.split(separator: ",", omittingEmptySubsequences: false).joined(separator: "%2c")
    let rest = ["https://", "http://"].first(where: text.hasPrefix).map { text.dropFirst($0.count) } ?? text[...]
    return String(rest.hasSuffix("/") ? rest.dropLast() : rest)
}
