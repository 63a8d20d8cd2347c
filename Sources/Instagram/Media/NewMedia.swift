internal import StepKit
internal import Values

/// The posts that the ledger of `once` remembers.
struct KnownPosts: Sendable {
    private let ids: Set<String>
    /// When the last of them was taken.
    let newest: Timestamp?

    /// - Parameter prefix: what stands before the post's id in each key.
    init(_ keys: [PostedKey], prefix: String) {
        ids = Set(keys.map { String(decoding: $0.text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) })
        newest = keys.map(\.at).max()
    }

    var isEmpty: Bool { ids.isEmpty }

    func holds(_ media: Media) -> Bool { ids.contains(media.id) }
}

/// The search for posts of an account, page by page, each newest first but for pinned ones, which lead.
///
/// With a ledger, a post is new when the ledger does not remember it, and when it is younger than the oldest remembered
/// one on the pages that were read: what was there before the first run stays where it is. Pages are read until one holds
/// a remembered post that is not pinned: a post that failed is found again as long as it is on the same page.
struct NewMedia {
    let kinds: Set<Media.Kind>
    let since: Timestamp?
    /// Nil when no ledger is asked.
    let known: KnownPosts?
    /// Which picture each must have; nil for none.
    let picture: PictureChoice?

    private(set) var found: [Media] = []
    /// True when no later page can hold another one.
    private(set) var isSettled = false
    private var withoutPicture: [(media: Media, sentence: String)] = []
    /// The time of the oldest remembered post that is not pinned.
    private var floor: Timestamp?
    private var seen: Set<String> = []

    init(kinds: Set<Media.Kind>, since: Timestamp?, known: KnownPosts?, picture: PictureChoice?) {
        self.kinds = kinds
        self.since = since
        self.known = known
        self.picture = picture
    }

    mutating func take(_ page: MediaPage) {
        let end = page.items.last
        for media in page.items where seen.insert(media.id).inserted {
            // Older than the page's end: pinned, and out of its order.
            let isPinned = end.map { $0.isNewer(than: media) } ?? false
            if let known, known.holds(media) {
                guard !isPinned, let time = media.timestamp else { continue }
                floor = min(floor ?? time, time)
                isSettled = true
            } else {
                take(media)
            }
        }
        guard let time = end?.timestamp else { return }
        if let since, time < since { isSettled = true }
        // Not one of the remembered posts is there any more: then the time of the last posting has to do.
        if floor == nil, let newest = known?.newest, time < newest { isSettled = true }
    }

    private mutating func take(_ media: Media) {
        guard let kind = media.kind, kinds.contains(kind) else { return }
        if let since, media.timestamp.map({ $0 <= since }) ?? true { return }
        if let picture, let reason = media.lacksPicture(picture) {
            withoutPicture.append((media, media.passedOver(reason)))
        } else {
            found.append(media)
        }
    }

    /// The posts, newest first. Those without a time are last; of equal ones the order stays.
    func newestFirst() -> [Media] {
        found.filter(isNew).enumerated().sorted { one, other in
            if one.element.isNewer(than: other.element) { return true }
            return !other.element.isNewer(than: one.element) && one.offset < other.offset
        }.map(\.element)
    }

    /// A sentence for each post that would be among them if it had a picture.
    var passedOver: [String] { withoutPicture.filter { isNew($0.media) }.map(\.sentence) }

    /// A sentence when no remembered post is there to tell what was before the first run, and posts are passed over by their
    /// time alone: one of them may never have been posted.
    var uncertainty: String? {
        guard floor == nil, let newest = known?.newest else { return nil }
        let count = found.count { !isNew($0) }
        guard count > 0 else { return nil }
        return
            "of the posts that 'once' remembers none was found on Instagram: only what is younger than the last posting "
            + "(\(newest.iso8601)) counts as new. \(count) of the posts before it "
            + (count == 1 ? "is" : "are") + " passed over, whether posted or not"
    }

    private func isNew(_ media: Media) -> Bool {
        guard let limit = floor ?? known?.newest else { return true }
        return media.timestamp.map { $0 > limit } ?? false
    }
}

/// The outputs of steps that list media.
let listOutputs = [
    Output(
        "items", .list(.object(Media.members)), sensitive: true,
        "The posts: \(Media.members.map(\.name).joined(separator: ", "))."),
    Output("ids", .list(.string), "Their ids."),
    Output("count", .integer, "How many there are."),
]

func mediaList(_ items: [Media]) -> ValueObject {
    [
        "items": .array(items.map { .object($0.value) }), "ids": .array(items.map { .string($0.id) }),
        "count": .integer(Int64(items.count)),
    ]
}
