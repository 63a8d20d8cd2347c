internal import HTTPServer
internal import Hashing
internal import Values

/// What tests and people ask of the stand-in itself, as JSON.
///
/// | address | does |
/// |---|---|
/// | `GET /_sandbox/state` | all there is: `posts`, `photos`, `uploads`, `media`, `captchas` with their right answers, `calls` and their `counts`, `faults`; tokens as fingerprints only |
/// | `GET /_sandbox/photos/<id>` | the bytes of a photo that was saved on VK |
/// | `POST /_sandbox/faults` | replaces the faults by the list in the body, and counts calls anew |
/// | `DELETE /_sandbox/faults` | removes them |
/// | `POST /_sandbox/media` | a new Instagram post: `{"caption": …, "scene": …, "square": false, "kind": "VIDEO", "children": ["VIDEO", "IMAGE"], "story": false, "withholds-url": false, "timestamp": …}` |
/// | `POST /_sandbox/sign-in` | what the next sign-in does: `{"deny": true}`, `{"drop": ["wall"]}`, `{"shape": "flat"}` |
/// | `POST /_sandbox/tokens` | `{"token": "vk", "action": "expire"}`; also `restore`, `replace`, `show`: the last three answer with the token |
/// | `POST /_sandbox/reset` | forgets posts, photos, captchas, calls, faults and added media; tokens stay |
struct ControlEndpoints: Sendable {
    let store: SandboxStore
    let configuration: SandboxConfiguration

    func answer(_ request: HTTPServerRequest, base: String) throws -> HTTPServerResponse {
        if let origin = request.header("Origin"), origin != base {
            return .text("This address is not for pages from elsewhere.\n", status: 403)
        }
        switch (request.method, request.path) {
        case ("GET", "/_sandbox/state"):
            let now = configuration.clock()
            return .json(try store.use { $0.report(base: base, now: now) }.json(.indented) + "\n")
        case ("POST", "/_sandbox/faults"):
            let faults: [SandboxFault]
            do { faults = try SandboxFault.list(json: request.body) } catch { return .text("\(error)\n", status: 400) }
            return try setFaults(faults)
        case ("DELETE", "/_sandbox/faults"): return try setFaults([])
        case ("POST", "/_sandbox/media"): return try addMedia(request)
        case ("POST", "/_sandbox/tokens"): return try changeToken(request)
        case ("POST", "/_sandbox/sign-in"):
            let body = try? Value(json: request.body)
            return try store.use { state in
                do { try state.signIns.plan(body) } catch let error as SandboxError {
                    return .text("\(error)\n", status: 400)
                }
                return .json(#"{"ok":true}"#)
            }
        case ("POST", "/_sandbox/reset"):
            try store.use { state in
                state = SandboxState(tokens: state.tokens, media: configuration.media ?? SandboxMedia.cafe)
                state.needsSaving = true
            }
            return .json(#"{"ok":true}"#)
        case ("GET", let path) where path.hasPrefix("/_sandbox/photos/"):
            let id = Int64(path.split(separator: "/").last ?? "")
            guard let photo = try store.use({ state in state.photos.first { $0.id == id } }),
                let bytes = try store.blobs.read(photo.sha256)
            else { return .text("There is no such photo.\n", status: 404) }
            return HTTPServerResponse(contentType: "image/\(photo.format)", body: bytes)
        default:
            return .text("The sandbox has no such address. See GET /_sandbox/state.\n", status: 404)
        }
    }

    private func setFaults(_ faults: [SandboxFault]) throws -> HTTPServerResponse {
        try store.use { state in
            state.faults = faults
            state.faultCounts = [:]
            state.needsSaving = true
        }
        return .json(Value.object(["faults": .array(faults.map(\.value))]).json())
    }

    private func addMedia(_ request: HTTPServerRequest) throws -> HTTPServerResponse {
        let body = request.body.isEmpty ? .object([:]) : try? Value(json: request.body)
        guard let body, let object = body.object else { return .text("The body is no JSON object.\n", status: 400) }
        let item: SandboxMedia
        do { item = try SandboxMedia(request: object, now: configuration.clock()) } catch let error as SandboxError {
            return .text("\(error)\n", status: 400)
        }
        try store.use { state in
            state.media.insert(item, at: 0)
            state.needsSaving = true
        }
        return .json(Value.object(["id": .string(item.id)]).json())
    }

    private func changeToken(_ request: HTTPServerRequest) throws -> HTTPServerResponse {
        let body = try? Value(json: request.body)
        guard let token = (body?["token"]?.string).flatMap(SandboxToken.init(rawValue:)) else {
            let names = SandboxToken.allCases.map(\.rawValue).joined(separator: ", ")
            return .text("'token' is one of \(names).\n", status: 400)
        }
        let action = body?["action"]?.string
        guard let action, ["expire", "restore", "replace", "show"].contains(action) else {
            return .text("'action' is one of expire, restore, replace, show.\n", status: 400)
        }
        let now = configuration.clock()
        let text = try store.use { state in
            switch action {
            case "expire": state.tokens.expired.insert(token.rawValue)
            case "restore": state.tokens.expired.remove(token.rawValue)
            case "replace":
                state.tokens[token] = token.make()
                state.tokens.expired.remove(token.rawValue)
                if token == .instagram { state.tokens.instagramIssued = now }
            default: break
            }
            state.needsSaving = action != "show"
            return state.tokens[token]
        }
        return .json(Value.object(action == "expire" ? ["ok": true] : ["token": .string(text)]).json())
    }
}

extension SandboxState {
    /// What `GET /_sandbox/state` shows.
    fileprivate func report(base: String, now: Timestamp) -> Value {
        var counts: [String: Int64] = [:]
        for call in calls { counts[call.name, default: 0] += 1 }
        return [
            "tokens": .object(
                ValueObject(
                    SandboxToken.allCases.map { token in
                        let fingerprint = String(SHA256.hex(tokens[token]).prefix(12))
                        return (
                            token.rawValue,
                            [
                                "fingerprint": .string(fingerprint),
                                "expired": .bool(tokens.expired.contains(token.rawValue)),
                            ]
                        )
                    })),
            "posts": .array(posts.map { $0.report(now: now) }),
            "photos": .array(photos.map { $0.report(base: base) }),
            "uploads": .array(
                uploads.map {
                    [
                        "group_id": .optional($0.groupID), "saved": .bool($0.isSaved), "sha256": .string($0.sha256),
                        "bytes": .number($0.bytes), "width": .number($0.width), "height": .number($0.height),
                        "format": .string($0.format),
                    ]
                }),
            "comments": .array(shelf.comments.map(Value.object)),
            "documents": .array(shelf.documents.map(Value.object)),
            "stories": .array(shelf.stories.map(Value.object)), "albums": .array(shelf.albums.map(Value.object)),
            "media": .array(media.map(\.value)),
            "containers": .array(containers.map(\.value)),
            "sign-ins": signIns.report,
            "captchas": .array(
                captchas.map {
                    [
                        "sid": .string($0.sid), "form": .string($0.form.rawValue), "method": .string($0.method),
                        "answer": .string($0.answer), "success_token": .string($0.successToken),
                        "session_token": .string($0.sessionToken), "remixstlid": .integer($0.remixstlid),
                        "attempt": .integer($0.attempt), "created": .string($0.created.iso8601),
                    ]
                }),
            "calls": .array(
                calls.map {
                    [
                        "method": .string($0.name), "at": .string($0.at.iso8601), "http_method": .string($0.httpMethod),
                        "parameters": .object($0.parameters), "credentials": .string($0.credentials),
                        "result": .string($0.result),
                    ]
                }),
            "counts": .object(ValueObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })),
            "faults": .array(faults.map(\.value)),
        ]
    }
}

extension SandboxState.Post {
    fileprivate func report(now: Timestamp) -> Value {
        var object: ValueObject = [
            "id": .integer(id), "owner_id": .integer(ownerID), "from_id": .integer(fromID), "text": .string(text),
            "attachments": .array(attachments.map { .string($0.text) }), "date": .integer(date),
            "postponed": .bool(isPostponed(at: now)), "publish_date": .optional(publishDate), "guid": .optional(guid),
        ]
        for (key, value) in extras { object[key] = value }
        return .object(object)
    }
}

extension SandboxState.SavedPhoto {
    fileprivate func report(base: String) -> Value {
        [
            "id": .integer(id), "owner_id": .integer(ownerID), "group_id": .optional(groupID),
            "attachment": .string("photo\(ownerID)_\(id)"), "saved": .integer(date), "sha256": .string(sha256),
            "bytes": .number(bytes), "width": .number(width), "height": .number(height), "format": .string(format),
            "caption": .string(text), "url": .string("\(base)/_sandbox/photos/\(id)"),
        ]
    }
}
