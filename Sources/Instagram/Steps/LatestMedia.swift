internal import StepKit
internal import Values

/// `instagram.latest`: the newest post of the wanted kinds, its picture downloaded.
struct LatestMedia: StepKind {
    static let edge = "me/media"
    static let pageSize = 25
    static let laterPageSize = 100
    /// Of those that are not empty.
    static let maxPages = 4

    let client: InstagramClient

    let declaration = StepDeclaration(
        "instagram.latest", "Gets the newest post of the wanted kinds, and downloads its picture.", effect: .read,
        account: "instagram",
        parameters: [MediaParameters.kinds(default: [.image, .carousel]), MediaParameters.thumbnail],
        outputs: Media.outputs + [Output("file", .file, "The picture: JPEG, PNG or WebP.")],
        example: """
            latest:
              uses: instagram.latest
              with: { kinds: [image, carousel] }
            """)

    func run(_ call: StepCall) async throws -> StepResult {
        var search = Search(
            kinds: try MediaParameters.kinds(of: call),
            choice: PictureChoice(stills: MediaParameters.takesStills(call)))
        var trail = PageTrail()
        repeat {
            // The first page nearly always has it; where it does not, others are many.
            let limit = trail.after == nil ? Self.pageSize : Self.laterPageSize
            let page = try await client.page(of: Self.edge, after: trail.after, limit: limit, for: call)
            search.take(page)
            trail.advance(to: page.after)
        } while !search.isSettled && search.pages < Self.maxPages && !trail.isOver
        search.passedOver.forEach(call.warn)
        guard let found = search.best else { return .skipped(reason: search.reason) }
        guard let picture = try await client.download(found, search.choice, for: call).first else {
            return .skipped(reason: search.reason)
        }
        var outputs = found.facts
        outputs["media_url"] = .string(picture.address)
        outputs["file"] = .string(picture.path)
        return .succeeded(outputs)
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        [plannedPage(of: Self.edge, limit: Self.pageSize, call)]
    }
}

/// The search for the newest fitting post, page by page.
private struct Search {
    let kinds: Set<Media.Kind>
    let choice: PictureChoice
    private(set) var best: Media?
    /// True when no later page can hold a newer one.
    private(set) var isSettled = false
    /// Fitting posts newer than the best that have no picture: a sentence each.
    var passedOver: [String] {
        withoutPicture.filter { passed in best.map { passed.media.isNewer(than: $0) } ?? true }.map(\.sentence)
    }
    private var withoutPicture: [(media: Media, sentence: String)] = []
    private var seen = 0
    /// How many pages were not empty.
    private(set) var pages = 0

    init(kinds: Set<Media.Kind>, choice: PictureChoice) {
        self.kinds = kinds
        self.choice = choice
    }

    mutating func take(_ page: MediaPage) {
        seen += page.count
        if page.count > 0 { pages += 1 }
        for media in page.items {
            guard let kind = media.kind, kinds.contains(kind) else { continue }
            if let reason = media.lacksPicture(choice) {
                withoutPicture.append((media, media.passedOver(reason)))
            } else if best.map({ media.isNewer(than: $0) }) ?? true {
                best = media
            }
        }
        // Posts come newest first, except that pinned ones lead, however old they are. A best that is older than the
        // page's end is such a one, and a newer may follow.
        isSettled = best.map { best in page.items.last.map { !$0.isNewer(than: best) } ?? true } ?? false
    }

    /// Why there is nothing, as a clause.
    var reason: String {
        if seen == 0 { return "the account has no posts" }
        return "none of the newest \(seen) posts is of the kind \(phrase(kinds)) with a picture to be had"
    }
}

extension Media {
    func passedOver(_ reason: String) -> String { "Instagram's post \(id) was passed over: \(reason)" }
}

/// "image or carousel".
func phrase(_ kinds: Set<Media.Kind>) -> String {
    Media.Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: " or ")
}
