internal import Hashing
internal import Values

/// What there is on the stand-in's VK besides posts and photos of walls. Each thing is kept as VK describes it.
struct VKShelf: Sendable {
    var comments: [ValueObject] = []
    var documents: [ValueObject] = []
    var stories: [ValueObject] = []
    var albums: [ValueObject] = []
    /// Uploads that wait to be saved, by what their server answered with.
    var uploads: [Upload] = []
    /// The pinned post, by wall.
    var pins: [Int64: Int64] = [:]
    /// Posts without comments, as "-12_42".
    var closedComments: Set<String> = []
    /// The last id of all that is numbered here.
    var lastID: Int64 = 456_239_016
    /// Not kept across restarts.
    var executeErrors: [Value] = []

    struct Upload: Sendable {
        /// What is to be given back to the saving method.
        let key: String
        let hash: String
        let server: Int64
        let purpose: SandboxState.UploadTicket.Purpose
        let groupID: Int64?
        let albumID: Int64?
        let files: [VKUpload.File]
        var isSaved = false
    }

    init() {}

    mutating func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    mutating func takeExecuteErrors() -> Value? {
        defer { executeErrors = [] }
        return executeErrors.isEmpty ? nil : .array(executeErrors)
    }

    func comments(of owner: Int64, post: Int64) -> [ValueObject] {
        comments.filter { $0["owner_id"]?.integer == owner && $0["post_id"]?.integer == post }
    }

    func document(owner: Int64, id: Int64) -> Value? {
        documents.first { $0["owner_id"]?.integer == owner && $0["id"]?.integer == id }.map { .object($0) }
    }

    /// The document of "doc1_2" or "doc1_2_key"; nil when there is none, or the key is another's.
    func document(attachment name: String) -> SandboxState.Attachment? {
        guard name.hasPrefix("doc") else { return nil }
        let parts = name.dropFirst(3).split(separator: "_", maxSplits: 2)
        guard parts.count >= 2, let owner = Int64(parts[0]), let id = Int64(parts[1]),
            let document = document(owner: owner, id: id),
            parts.count == 2 || document["access_key"]?.string == String(parts[2])
        else { return nil }
        return .document(owner: owner, id: id)
    }

    /// Files the upload, and gives the server's answer: VK's shapes for albums, stories and documents.
    mutating func receive(_ files: [VKUpload.File], ticket: SandboxState.UploadTicket) -> Value {
        let server = Int64.random(in: 800_000...999_999)
        let hash = randomHex(32)
        let key: String
        switch ticket.purpose {
        case .album, .wall:
            let photos = files.map {
                #"{"photo":"\#($0.sha256.prefix(10)):w","sizes":[],"kid":"\#(randomHex(32))","sizes2":[["max","\#(server)\/v1\/x.jpg",\#($0.width),\#($0.height)]]}"#
            }
            key = "[" + photos.joined(separator: ",") + "]"
        case .story: key = randomKey(120)
        case .document:
            key = "\(VKWorld.user.id)|0|-1|\(server)|\(randomHex(10))|\(files.first?.suffix ?? "")|\(randomHex(40))"
        }
        let upload = Upload(
            key: key, hash: hash, server: server, purpose: ticket.purpose, groupID: ticket.groupID,
            albumID: ticket.albumID, files: files)
        if !files.isEmpty { uploads.append(upload) }
        switch ticket.purpose {
        case .album, .wall:
            var answer: ValueObject = [
                "server": .integer(server), "photos_list": .string(files.isEmpty ? "[]" : key),
                "aid": .optional(ticket.albumID), "hash": .string(hash),
            ]
            if let group = ticket.groupID { answer["gid"] = .integer(group) }
            return .object(answer)
        case .story:
            guard !files.isEmpty else { return ["error": ["error_code": 4, "type": "ERR_UPLOAD_BAD_IMAGE"]] }
            return ["response": ["upload_result": .string(key), "_sig": .string(randomHex(32))]]
        case .document:
            return files.isEmpty ? ["error": "no_file"] : ["file": .string(key)]
        }
    }

    /// The upload of that key, which is used up.
    mutating func take(_ key: String, for purpose: SandboxState.UploadTicket.Purpose) -> Upload? {
        guard let index = uploads.firstIndex(where: { $0.key == key && $0.purpose == purpose && !$0.isSaved }) else {
            return nil
        }
        uploads[index].isSaved = true
        return uploads[index]
    }
}

extension VKShelf {
    var value: Value {
        [
            "comments": .array(comments.map(Value.object)), "documents": .array(documents.map(Value.object)),
            "stories": .array(stories.map(Value.object)), "albums": .array(albums.map(Value.object)),
            "uploads": .array(uploads.map(\.value)), "last-id": .integer(lastID),
            "pins": .object(ValueObject(pins.sorted { $0.key < $1.key }.map { ("\($0.key)", .integer($0.value)) })),
            "closed-comments": .array(closedComments.sorted().map(Value.string)),
        ]
    }

    /// What an earlier version did not keep is empty.
    init(_ value: Value) {
        func objects(_ name: String) -> [ValueObject] { value[name]?.array?.compactMap(\.object) ?? [] }
        comments = objects("comments")
        documents = objects("documents")
        stories = objects("stories")
        albums = objects("albums")
        uploads = (value["uploads"]?.array ?? []).compactMap(Upload.init)
        lastID = value["last-id"]?.integer ?? lastID
        for (wall, post) in value["pins"]?.object ?? [:] {
            if let wall = Int64(wall), let post = post.integer { pins[wall] = post }
        }
        closedComments = Set(value["closed-comments"]?.array?.compactMap(\.string) ?? [])
    }
}

extension VKShelf.Upload {
    fileprivate var value: Value {
        [
            "key": .string(key), "hash": .string(hash), "server": .integer(server),
            "purpose": .string(purpose.rawValue),
            "group": .optional(groupID), "album": .optional(albumID), "saved": .bool(isSaved),
            "files": .array(
                files.map {
                    [
                        "name": .string($0.name), "sha256": .string($0.sha256), "bytes": .number($0.size),
                        "width": .number($0.width), "height": .number($0.height), "format": .string($0.format),
                    ]
                }),
        ]
    }

    fileprivate init?(_ value: Value) {
        guard let key = value["key"]?.string, let hash = value["hash"]?.string, let server = value["server"]?.integer,
            let purpose = value["purpose"]?.string.flatMap(SandboxState.UploadTicket.Purpose.init)
        else { return nil }
        self.init(
            key: key, hash: hash, server: server, purpose: purpose, groupID: value["group"]?.integer,
            albumID: value["album"]?.integer,
            files: (value["files"]?.array ?? []).map { file in
                VKUpload.File(
                    name: file["name"]?.string ?? "", bytes: [], sha256: file["sha256"]?.string ?? "",
                    size: Int(file["bytes"]?.integer ?? 0), width: Int(file["width"]?.integer ?? 0),
                    height: Int(file["height"]?.integer ?? 0), format: file["format"]?.string ?? "")
            }, isSaved: value["saved"]?.bool ?? false)
    }
}
