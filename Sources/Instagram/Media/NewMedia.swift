internal import StepKit
internal import Values

/// The posts that the ledger of `once` remembers.
struct KnownPosts: Sendable {
    private let ids: Set<String>
    /// When the first run began that took one of them.
    let firstRun: Timestamp?

    /// - Parameter prefix: what stands before the post's id in each key. A key that goes on with something else than digits
    ///   is of something else, and tells no time where there are others.
    init(_ keys: [PostedKey], prefix: String) {
        func id(_ key: PostedKey) -> String {
            String(decoding: key.text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        }
        ids = Set(keys.map(id))
        let ofPosts = keys.filter { id($0).utf8.allSatisfy { (48...57).contains($0) } }
        firstRun = (ofPosts.isEmpty ? keys : ofPosts).map(\.begun).min()
    }

    var isEmpty: Bool { ids.isEmpty }

    func holds(_ media: Media) -> Bool { ids.contains(media.id) }
}

/// The search for posts of an account, page by page, each newest first but for pinned ones, which lead.
///
/// With a ledger, a post is new when the ledger does not remember it, unless it was there before the first run: it is
/// younger than the beginning of that run, or than the oldest remembered post that was read, whichever is older. So it does not
/// matter which of the remembered posts are still on Instagram.
///
/// Pages are read until one ends with older posts, or until three in a row hold remembered ones and nothing new: a post that
/// failed is found again while it is among the newest 300.
struct NewMedia {
    private static let maxQuietPages = 3

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
    /// How many pages in a row have held remembered posts and nothing new.
    private var quietPages = 0

    init(kinds: Set<Media.Kind>, since: Timestamp?, known: KnownPosts?, picture: PictureChoice?) {
        self.kinds = kinds
        self.since = since
        self.known = known
        self.picture = picture
    }

    mutating func take(_ page: MediaPage) {
        let end = page.items.last
        let count = found.count
        var holdsKnown = false
        for media in page.items where seen.insert(media.id).inserted {
            // Older than the page's end: pinned, and out of its order.
            let isPinned = end.map { $0.isNewer(than: media) } ?? false
            if let known, known.holds(media) {
                guard !isPinned, let time = media.timestamp else { continue }
                floor = min(floor ?? time, time)
                holdsKnown = true
            } else {
                take(media)
            }
        }
        guard let time = end?.timestamp else { return }
        if let since, time < since { isSettled = true }
        if let limit, time < limit { isSettled = true }
        quietPages = holdsKnown && !found[count...].contains(where: isNew) ? quietPages + 1 : 0
        if quietPages == Self.maxQuietPages { isSettled = true }
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

    /// What is not younger was there before the first run. Nil when nothing is remembered.
    private var limit: Timestamp? { [floor, known?.firstRun].compactMap { $0 }.min() }

    private func isNew(_ media: Media) -> Bool {
        guard let limit else { return true }
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
