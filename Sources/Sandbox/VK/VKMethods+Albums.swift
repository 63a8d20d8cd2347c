internal import Values

extension VKMethods {
    static func photosCreateAlbum(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        guard let title = call.text("title") else { throw VKError.parameter("title is undefined") }
        let group = try managedGroup(call)
        let album: ValueObject = [
            "id": .integer(state.shelf.nextID()), "owner_id": .integer(group.map { -$0.id } ?? VKWorld.user.id),
            "title": .string(title), "description": .string(call.text("description") ?? ""), "size": 0,
            "created": .integer(call.now.seconds), "updated": .integer(call.now.seconds), "thumb_id": 0,
        ]
        state.shelf.albums.append(album)
        state.needsSaving = true
        return .object(album)
    }

    static func photosGetUploadServer(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let group = try managedGroup(call)
        let album = try album(call, group, state)
        let ticket = SandboxState.UploadTicket(
            id: randomHex(32), groupID: group?.id, purpose: .album, albumID: album)
        state.tickets.append(ticket)
        state.needsSaving = true
        return [
            "album_id": .integer(album),
            "upload_url": .string("\(call.base)/upload/\(ticket.id)?act=do_add&aid=\(album)&hash=\(randomHex(32))"),
            "user_id": .integer(VKWorld.user.id),
        ]
    }

    /// - Throws: 114 for an album that is not the owner's.
    private static func album(_ call: VKCall, _ group: VKWorld.Group?, _ state: SandboxState) throws -> Int64 {
        let owner = group.map { -$0.id } ?? VKWorld.user.id
        guard let id = try call.positive("album_id"),
            state.shelf.albums.contains(where: { $0["id"]?.integer == id && $0["owner_id"]?.integer == owner })
        else { throw VKError(code: 114, message: "Invalid album id") }
        return id
    }

    static func photosSave(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let group = try managedGroup(call)
        let album = try album(call, group, state)
        guard let list = call.text("photos_list"), list != "[]" else {
            throw VKError.parameter("photos_list is invalid")
        }
        guard let hash = call.text("hash") else { throw VKError.parameter("hash is undefined") }
        guard let upload = state.shelf.uploads.first(where: { $0.key == list && $0.purpose == .album && !$0.isSaved })
        else { throw VKError(code: 122, message: "Invalid photos") }
        guard try call.integer("server") == upload.server else { throw VKError(code: 118, message: "Invalid server") }
        guard hash == upload.hash, upload.groupID == group?.id, upload.albumID == album else {
            throw VKError.invalidHash
        }
        _ = state.shelf.take(list, for: .album)
        let saved = upload.files.map { file in
            state.lastPhotoID += 1
            return SandboxState.SavedPhoto(
                id: state.lastPhotoID, ownerID: group.map { -$0.id } ?? VKWorld.user.id, accessKey: randomHex(18),
                date: call.now.seconds, text: call.text("caption") ?? "", groupID: group?.id, albumID: album,
                sha256: file.sha256, bytes: file.size, width: file.width, height: file.height, format: file.format)
        }
        state.photos += saved
        state.needsSaving = true
        return .array(saved.map { $0.value(base: call.base) })
    }

    static func photosGet(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let owner = try call.integer("owner_id") ?? VKWorld.user.id
        let album: Int64
        switch call.text("album_id") {
        case nil: throw VKError.parameter("album_id is undefined")
        case "wall": album = -14
        case let text?:
            guard let id = Int64(text) else { throw VKError(code: 114, message: "Invalid album id") }
            album = id
        }
        var photos = state.photos.filter { $0.ownerID == owner && $0.albumID == album }
        if try call.flag("rev") { photos.reverse() }
        let count = Int(try call.integer("count") ?? 50)
        let offset = Int(try call.integer("offset") ?? 0)
        guard (0...1000).contains(count), offset >= 0 else { throw VKError.parameter("count is invalid") }
        return [
            "count": .number(photos.count),
            "items": .array(photos.dropFirst(offset).prefix(count).map { $0.value(base: call.base) }),
        ]
    }

    // MARK: Documents

    static func docsGetWallUploadServer(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let group = try managedGroup(call)
        let ticket = SandboxState.UploadTicket(id: randomHex(32), groupID: group?.id, purpose: .document)
        state.tickets.append(ticket)
        state.needsSaving = true
        return ["upload_url": .string("\(call.base)/upload/\(ticket.id)?act=add_doc&hash=\(randomHex(32))")]
    }

    static func docsSave(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        guard let key = call.text("file") else { throw VKError.parameter("file is undefined") }
        guard let upload = state.shelf.take(key, for: .document), let file = upload.files.first else {
            throw VKError(code: 105, message: "Couldn't save file")
        }
        let id = state.shelf.nextID()
        let owner = upload.groupID.map { -$0 } ?? VKWorld.user.id
        let document: ValueObject = [
            "id": .integer(id), "owner_id": .integer(owner), "title": .string(call.text("title") ?? file.name),
            "size": .number(file.size), "ext": .string(file.suffix), "date": .integer(call.now.seconds),
            "type": .integer(["jpg", "png"].contains(file.suffix) ? 4 : file.suffix == "gif" ? 3 : 1),
            "url": .string("https://vk.com/doc\(owner)_\(id)?hash=\(randomHex(18))"), "is_unsafe": 0,
            "access_key": .string(randomHex(18)),
        ]
        state.shelf.documents.append(document)
        state.needsSaving = true
        return ["type": "doc", "doc": .object(document)]
    }

    static func docsGetById(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let names = call.list("docs")
        guard !names.isEmpty else { throw VKError.parameter("docs is undefined") }
        return .array(
            names.compactMap { name in
                let parts = name.split(separator: "_").compactMap { Int64($0) }
                return parts.count >= 2 ? state.shelf.document(owner: parts[0], id: parts[1]) : nil
            })
    }
}
