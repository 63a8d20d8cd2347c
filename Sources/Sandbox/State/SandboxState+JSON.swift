internal import Values

/// How the state is kept in `state.json`.
extension SandboxState {
    /// Raised when a member's meaning changes.
    private static let version: Int64 = 1

    var value: Value {
        [
            "version": .integer(Self.version),
            "tokens": tokens.value,
            "last-photo-id": .integer(lastPhotoID),
            "last-post-ids": .object(
                ValueObject(lastPostIDs.sorted { $0.key < $1.key }.map { ("\($0.key)", .integer($0.value)) })),
            "posts": .array(posts.map(\.value)),
            "photos": .array(photos.map(\.value)),
            "tickets": .array(
                tickets.map {
                    [
                        "id": .string($0.id), "group": .optional($0.groupID), "purpose": .string($0.purpose.rawValue),
                        "album": .optional($0.albumID),
                    ]
                }),
            "shelf": shelf.value,
            "uploads": .array(uploads.map(\.value)),
            "captchas": .array(captchas.map(\.value)),
            "guids": .array(
                guids.map {
                    [
                        "owner": .integer($0.ownerID), "guid": .string($0.guid), "post": .integer($0.postID),
                        "first": .integer($0.first.milliseconds),
                    ]
                }),
            "media": .array(media.map(\.value)),
            "containers": .array(containers.map(\.value)),
            "sign-ins": signIns.value,
            "faults": .array(faults.map(\.value)),
            "fault-counts": .object(
                ValueObject(faultCounts.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })),
        ]
    }

    init(_ value: Value) throws {
        let stored = Stored(value, "state.json")
        let version = try stored.integer("version")
        guard version == Self.version else {
            throw SandboxError("state.json has version \(version), this program knows \(Self.version)")
        }
        tokens = try Tokens(stored.member("tokens"))
        media = try stored.list("media") { try SandboxMedia(value: $0) }
        containers = try (value["containers"]?.array ?? []).map { try Container($0) }
        signIns = try value["sign-ins"].map { try SignIns($0) } ?? SignIns()
        posts = try stored.list("posts") { try Post($0) }
        photos = try stored.list("photos") { try SavedPhoto($0) }
        lastPhotoID = try stored.integer("last-photo-id")
        for (wall, id) in try stored.member("last-post-ids").object ?? [:] {
            if let wall = Int64(wall), let id = id.integer { lastPostIDs[wall] = id }
        }
        tickets = try stored.list("tickets") {
            UploadTicket(
                id: try Stored($0, "a ticket").string("id"), groupID: $0["group"]?.integer,
                purpose: $0["purpose"]?.string.flatMap(UploadTicket.Purpose.init) ?? .wall,
                albumID: $0["album"]?.integer)
        }
        shelf = VKShelf(value["shelf"] ?? .null)
        uploads = try stored.list("uploads") { try Upload($0) }
        captchas = try stored.list("captchas") { try Captcha($0) }
        guids = try stored.list("guids") {
            let one = Stored($0, "a guid")
            return Guid(
                ownerID: try one.integer("owner"), guid: try one.string("guid"), postID: try one.integer("post"),
                first: Timestamp(milliseconds: try one.integer("first")))
        }
        faults = try SandboxFault.list(stored.member("faults"))
        for (name, count) in try stored.member("fault-counts").object ?? [:] {
            faultCounts[name] = count.integer.map { Int($0) }
        }
    }
}

/// A stored object, whose errors name the member.
struct Stored {
    private let value: Value
    private let name: String

    init(_ value: Value, _ name: String) {
        self.value = value
        self.name = name
    }

    func member(_ key: String) throws -> Value {
        guard let member = value[key] else { throw SandboxError("\(name) has no '\(key)'") }
        return member
    }

    func string(_ key: String) throws -> String {
        guard let text = try member(key).string else { throw SandboxError("'\(key)' of \(name) is no string") }
        return text
    }

    func integer(_ key: String) throws -> Int64 {
        guard let number = try member(key).integer else { throw SandboxError("'\(key)' of \(name) is no integer") }
        return number
    }

    func list<Element>(_ key: String, _ read: (Value) throws -> Element) throws -> [Element] {
        guard let elements = try member(key).array else { throw SandboxError("'\(key)' of \(name) is no list") }
        return try elements.map(read)
    }
}

extension Value {
    static func optional(_ integer: Int64?) -> Value { integer.map { .integer($0) } ?? .null }
    static func optional(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
    static func number(_ number: Int) -> Value { .integer(Int64(number)) }
}

extension SandboxState.Tokens {
    fileprivate var value: Value {
        [
            "instagram": .string(instagram), "instagram-issued": .integer(instagramIssued.milliseconds),
            "vk": .string(vkUser), "vk-community": .string(vkCommunity), "vk-service": .string(vkService),
            "expired": .array(expired.sorted().map { .string($0) }), "signing-key": .string(signingKey),
        ]
    }

    fileprivate init(_ value: Value) throws {
        let stored = Stored(value, "the tokens")
        instagram = try stored.string("instagram")
        instagramIssued = Timestamp(milliseconds: try stored.integer("instagram-issued"))
        vkUser = try stored.string("vk")
        vkCommunity = try stored.string("vk-community")
        vkService = try stored.string("vk-service")
        expired = Set(try stored.list("expired") { $0.string ?? "" })
        signingKey = try stored.string("signing-key")
    }
}

extension SandboxState.Attachment {
    /// As `wall.post` takes it: "photo100_200", or the link itself.
    var text: String {
        switch self {
        case .photo(let owner, let id): "photo\(owner)_\(id)"
        case .document(let owner, let id): "doc\(owner)_\(id)"
        case .link(let address): address
        }
    }

    fileprivate init(text: String) {
        let type = text.prefix { $0.isLetter }
        let parts = text.dropFirst(type.count).split(separator: "_").compactMap { Int64($0) }
        switch type {
        case "photo" where parts.count == 2: self = .photo(owner: parts[0], id: parts[1])
        case "doc" where parts.count == 2: self = .document(owner: parts[0], id: parts[1])
        default: self = .link(text)
        }
    }
}

extension SandboxState.Post {
    fileprivate var value: Value {
        [
            "id": .integer(id), "owner": .integer(ownerID), "from": .integer(fromID),
            "created-by": .optional(createdBy),
            "text": .string(text), "attachments": .array(attachments.map { .string($0.text) }), "date": .integer(date),
            "publish-date": .optional(publishDate), "guid": .optional(guid), "extras": .object(extras),
        ]
    }

    fileprivate init(_ value: Value) throws {
        let stored = Stored(value, "a post")
        id = try stored.integer("id")
        ownerID = try stored.integer("owner")
        fromID = try stored.integer("from")
        createdBy = value["created-by"]?.integer
        text = try stored.string("text")
        attachments = try stored.list("attachments") { SandboxState.Attachment(text: $0.string ?? "") }
        date = try stored.integer("date")
        publishDate = value["publish-date"]?.integer
        guid = value["guid"]?.string
        extras = value["extras"]?.object ?? [:]
    }
}

extension SandboxState.SavedPhoto {
    fileprivate var value: Value {
        [
            "id": .integer(id), "owner": .integer(ownerID), "access-key": .string(accessKey), "date": .integer(date),
            "text": .string(text), "group": .optional(groupID), "album": .integer(albumID),
            "sha256": .string(sha256), "bytes": .number(bytes),
            "width": .number(width), "height": .number(height), "format": .string(format),
        ]
    }

    fileprivate init(_ value: Value) throws {
        let stored = Stored(value, "a photo")
        id = try stored.integer("id")
        ownerID = try stored.integer("owner")
        accessKey = try stored.string("access-key")
        date = try stored.integer("date")
        text = try stored.string("text")
        groupID = value["group"]?.integer
        albumID = value["album"]?.integer ?? -14
        sha256 = try stored.string("sha256")
        bytes = Int(try stored.integer("bytes"))
        width = Int(try stored.integer("width"))
        height = Int(try stored.integer("height"))
        format = try stored.string("format")
    }
}

extension SandboxState.Upload {
    fileprivate var value: Value {
        [
            "group": .optional(groupID), "server": .integer(server), "photo": .string(photo), "hash": .string(hash),
            "saved": .bool(isSaved), "sha256": .string(sha256), "bytes": .number(bytes), "width": .number(width),
            "height": .number(height), "format": .string(format),
        ]
    }

    fileprivate init(_ value: Value) throws {
        let stored = Stored(value, "an upload")
        groupID = value["group"]?.integer
        server = try stored.integer("server")
        photo = try stored.string("photo")
        hash = try stored.string("hash")
        isSaved = try stored.member("saved").bool ?? false
        sha256 = try stored.string("sha256")
        bytes = Int(try stored.integer("bytes"))
        width = Int(try stored.integer("width"))
        height = Int(try stored.integer("height"))
        format = try stored.string("format")
    }
}

extension SandboxState.Captcha {
    fileprivate var value: Value {
        [
            "sid": .string(sid), "form": .string(form.rawValue), "method": .string(method),
            "fingerprint": .string(fingerprint), "answer": .string(answer), "fixed": .bool(isAnswerFixed),
            "session-token": .string(sessionToken), "success-token": .string(successToken),
            "remixstlid": .integer(remixstlid), "created": .integer(created.milliseconds), "attempt": .integer(attempt),
            "clicked": .bool(isClicked), "remixstlid-place": .optional(remixstlidPlace?.rawValue),
        ]
    }

    fileprivate init(_ value: Value) throws {
        let stored = Stored(value, "a captcha")
        sid = try stored.string("sid")
        form = CaptchaForm(rawValue: try stored.string("form")) ?? .old
        method = try stored.string("method")
        fingerprint = try stored.string("fingerprint")
        answer = try stored.string("answer")
        isAnswerFixed = try stored.member("fixed").bool ?? false
        sessionToken = try stored.string("session-token")
        successToken = try stored.string("success-token")
        remixstlid = try stored.integer("remixstlid")
        remixstlidPlace = value["remixstlid-place"]?.string.flatMap(SandboxFault.RemixstlidPlace.init)
        created = Timestamp(milliseconds: try stored.integer("created"))
        attempt = try stored.integer("attempt")
        isClicked = try stored.member("clicked").bool ?? false
    }
}
