internal import Values

extension VKMethods {
    static func photosGetWallUploadServer(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let group = try managedGroup(call)
        let ticket = SandboxState.UploadTicket(id: randomHex(32), groupID: group?.id)
        state.tickets.append(ticket)
        state.needsSaving = true
        let groupArgument = group.map { "&gid=\($0.id)" } ?? ""
        var answer: ValueObject = [
            "album_id": -14,
            "upload_url": .string(
                "\(call.base)/upload/\(ticket.id)?act=do_add&mid=\(VKWorld.user.id)&aid=-14\(groupArgument)"
                    + "&hash=\(randomHex(32))&rhash=\(randomHex(32))&swfupload=1&api=1&wallphoto=1"),
            "user_id": .integer(VKWorld.user.id),
        ]
        if let group { answer["group_id"] = .integer(group.id) }
        return .object(answer)
    }

    static func photosSaveWallPhoto(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let group = try managedGroup(call)
        if let user = try call.positive("user_id"), user != VKWorld.user.id {
            throw VKError(code: 113, message: "Invalid user id")
        }
        guard let photo = call.text("photo") else { throw VKError.parameter("photo is undefined") }
        guard photo != "[]" else { throw VKError.parameter("photos_list is invalid") }
        guard let hash = call.text("hash") else { throw VKError.parameter("hash is undefined") }
        guard let index = state.uploads.firstIndex(where: { $0.hash == hash }) else { throw VKError.invalidHash }
        let upload = state.uploads[index]
        guard try call.integer("server") == upload.server else { throw VKError(code: 118, message: "Invalid server") }
        guard photo.utf8.elementsEqual(upload.photo.utf8), upload.groupID == group?.id, !upload.isSaved else {
            throw VKError.invalidHash
        }
        state.uploads[index].isSaved = true
        state.lastPhotoID += 1
        let saved = SandboxState.SavedPhoto(
            id: state.lastPhotoID, ownerID: VKWorld.user.id, accessKey: randomHex(18), date: call.now.seconds,
            text: call.text("caption") ?? "", groupID: group?.id, sha256: upload.sha256, bytes: upload.bytes,
            width: upload.width, height: upload.height, format: upload.format)
        state.photos.append(saved)
        state.needsSaving = true
        return [saved.value(base: call.base)]
    }

    static func photosGetById(
        _ call: VKCall, _ caller: VKCall.Caller, _ state: inout SandboxState, _: VKContext
    ) throws -> Value {
        let names = call.list("photos")
        guard !names.isEmpty else { throw VKError.parameter("photos is undefined") }
        return .array(
            try names.compactMap { name in
                let parts = name.split(separator: "_", maxSplits: 2)
                guard parts.count >= 2, let owner = Int64(parts[0]), let id = Int64(parts[1]) else {
                    throw VKError.parameter("photos is invalid")
                }
                return state.photo(owner: owner, id: id)?.value(base: call.base)
            })
    }

    /// The community of `group_id`; nil when there is none in the call.
    static func managedGroup(_ call: VKCall) throws -> VKWorld.Group? {
        guard let id = try call.positive("group_id") else { return nil }
        guard let group = VKWorld.group(id) else { throw VKError(code: 125, message: "Invalid group id") }
        guard group.isManaged else { throw VKError.accessDenied }
        return group
    }
}

extension SandboxState.SavedPhoto {
    /// VK's sizes: the type's letter and the longest side (dev.vk.com, "Photo sizes").
    private static let sizes: [(String, Int)] = [
        ("s", 75), ("m", 130), ("x", 604), ("y", 807), ("z", 1080), ("w", 2560),
    ]

    /// The photo as VK describes it. Its links give the bytes as they were sent, whatever size they name.
    func value(base: String) -> Value {
        let longest = max(width, height)
        let sizes: [Value] = Self.sizes.enumerated().compactMap { index, size in
            let (type, side) = size
            if index > 0, Self.sizes[index - 1].1 >= longest { return nil }
            let scale = min(1, Double(side) / Double(longest))
            let (width, height) = (Int((Double(width) * scale).rounded()), Int((Double(height) * scale).rounded()))
            return [
                "type": .string(type), "url": .string("\(base)/cdn/vk/\(id).jpg?size=\(width)x\(height)"),
                "width": .number(width), "height": .number(height),
            ]
        }
        return [
            "album_id": .integer(albumID), "date": .integer(date), "id": .integer(id), "owner_id": .integer(ownerID),
            "access_key": .string(accessKey), "sizes": .array(sizes), "text": .string(text),
            "web_view_token": .string(""),
            "has_tags": false,
        ]
    }
}
