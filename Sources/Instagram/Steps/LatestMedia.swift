internal import Files
internal import ServiceKit
internal import StepKit
internal import Values

/// `instagram.latest`: the newest post of the wanted kinds, its picture downloaded.
struct LatestMedia: StepKind {
    static let edge = "me/media"
    static let pageSize = 25
    static let maxPages = 4

    let client: InstagramClient

    let declaration = StepDeclaration(
        "instagram.latest", "Gets the newest post of the wanted kinds, and downloads its picture.", effect: .read,
        account: "instagram",
        parameters: [
            Parameter(
                "kinds", .list(.choice(Media.Kind.allCases.map(\.rawValue))), default: ["image", "carousel"],
                "Which kinds of posts count."),
            Parameter(
                "thumbnail", .boolean, default: false,
                "Whether a video's still will do where a post has no image: needed for the kind 'video'."),
        ],
        outputs: [
            Output("id", .string, "The post's id."),
            Output("file", .file, "The picture: JPEG, PNG or WebP."),
            Output("caption", .string, "The post's text; empty when it has none."),
            Output("username", .string, "Whose post it is."),
            Output("permalink", .string, "The post's address."),
            Output("timestamp", .string, "When it was posted, in ISO 8601, UTC; empty when Instagram does not say."),
            Output("kind", .choice(Media.Kind.allCases.map(\.rawValue)), "What it is."),
            Output("media_url", .url, sensitive: true, "Where the picture lies; it expires after some days."),
        ],
        example: """
            latest:
              uses: instagram.latest
              with: { kinds: [image, carousel] }
            """)

    func run(_ call: StepCall) async throws -> StepResult {
        let kinds = Set(
            (call["kinds"]?.array ?? ["image", "carousel"]).compactMap { $0.string.flatMap(Media.Kind.init) })
        guard !kinds.isEmpty else {
            throw StepError(.invalid, "'kinds' is empty", fix: "Name at least one of image, carousel, video.")
        }
        var search = Search(kinds: kinds, stills: call["thumbnail"]?.bool ?? false)
        var after: String?
        for _ in 0..<Self.maxPages {
            var query = [(name: "fields", value: Media.fields), (name: "limit", value: String(Self.pageSize))]
            if let after { query.append((name: "after", value: after)) }
            let page = try await client.get(Self.edge, query, for: call)
            guard let data = page["data"]?.array else {
                throw StepError(.server, "Instagram's \(Self.edge) was answered without 'data'")
            }
            search.take(data.compactMap(Media.init))
            // Asked for by the cursor: the ready address in `next` holds the token.
            after = page["paging"]?["next"]?.string == nil ? nil : page["paging"]?["cursors"]?["after"]?.string
            if search.isSettled || after == nil { break }
        }
        search.passedOver.forEach(call.warn)
        guard let found = search.best else { return .skipped(reason: search.reason) }
        return .succeeded(try await download(found, stills: search.stills, for: call))
    }

    /// An expired address is asked for anew, once.
    private func download(_ media: Media, stills: Bool, for call: StepCall) async throws -> ValueObject {
        guard case .at(var address) = media.picture(stills: stills) else { return [:] }
        let picture: (bytes: [UInt8], format: PictureFormat)
        do {
            picture = try await client.picture(at: address, for: call)
        } catch let error as StepError where error.errorClass == .stale {
            let fresh = try await client.get(media.id, [(name: "fields", value: Media.fields)], for: call)
            guard case .at(let again)? = Media(fresh)?.picture(stills: stills) else { throw expired(error) }
            address = again
            do {
                picture = try await client.picture(at: address, for: call)
            } catch let error as StepError where error.errorClass == .stale {
                throw expired(error)
            }
        }
        let name = String(media.id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") })
        let path = FileSystem.join(call.artifacts, name + "." + picture.format.fileExtension)
        do {
            try await saveArtifact(picture.bytes, to: path)
        } catch let error as FileError {
            throw StepError(.invalid, "\(error)", fix: "See that there is room for it.")
        }
        return [
            "id": .string(media.id), "file": .string(path), "caption": .string(media.caption),
            "username": .string(media.username), "permalink": .string(media.permalink),
            "timestamp": .string(media.timestamp?.iso8601 ?? ""), "kind": .string(media.kind?.rawValue ?? ""),
            "media_url": .string(address),
        ]
    }

    /// This step has no inputs that could be made again.
    private func expired(_ error: StepError) -> StepError {
        var error = error
        error.errorClass = .server
        error.why = "The address of the picture was asked for anew, and was refused again."
        return error
    }

    func plan(_ call: PlannedCall) -> [PlannedRequest] {
        let address = nodeAddress(
            Self.edge, baseURL: call.baseURL ?? InstagramAccount.type.baseURL, settings: call.settings)
        return [
            PlannedRequest(
                "GET", .known(.string(address)),
                fields: [
                    PlannedMember("fields", .known(.string(Media.fields))),
                    PlannedMember("limit", .known(.integer(Int64(Self.pageSize)))),
                    PlannedMember("access_token", .secret),
                ])
        ]
    }
}

/// The search for the newest fitting post, page by page.
private struct Search {
    let kinds: Set<Media.Kind>
    let stills: Bool
    private(set) var best: Media?
    /// True when no later page can hold a newer one.
    private(set) var isSettled = false
    /// Fitting posts newer than the best that have no picture: a sentence each.
    var passedOver: [String] {
        withoutPicture.filter { passed in best.map { isNewer(passed.media, than: $0) } ?? true }.map(\.sentence)
    }
    private var withoutPicture: [(media: Media, sentence: String)] = []
    private var seen = 0

    init(kinds: Set<Media.Kind>, stills: Bool) {
        self.kinds = kinds
        self.stills = stills
    }

    mutating func take(_ page: [Media]) {
        seen += page.count
        for media in page {
            guard let kind = media.kind, kinds.contains(kind) else { continue }
            if case .none(let reason) = media.picture(stills: stills) {
                withoutPicture.append((media, "Instagram's post \(media.id) was passed over: \(reason)"))
            } else if best.map({ isNewer(media, than: $0) }) ?? true {
                best = media
            }
        }
        // Posts come newest first, except that pinned ones lead, however old they are. A best that is older than the
        // page's end is such a one, and a newer may follow.
        isSettled = best.map { best in page.last.map { !isNewer($0, than: best) } ?? true } ?? false
    }

    /// Why there is nothing, as a clause.
    var reason: String {
        if seen == 0 { return "the account has no posts" }
        let words = Media.Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: " or ")
        return "none of the newest \(seen) posts is of the kind \(words) with a picture to be had"
    }

    /// Posts without a time count as oldest; of equal ones the first stays.
    private func isNewer(_ one: Media, than other: Media) -> Bool {
        guard let time = one.timestamp else { return false }
        return other.timestamp.map { time > $0 } ?? true
    }
}
