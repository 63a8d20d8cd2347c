internal import HTTPServer
internal import Values

/// One call at its endpoint, with the fault that hits it.
struct Performer: Sendable {
    let endpoint: Endpoint
    let request: HTTPServerRequest
    let base: String
    let now: Timestamp
    let configuration: SandboxConfiguration
    let store: SandboxStore
    let studio: PhotoStudio

    struct Answer: Sendable {
        var response: HTTPServerResponse
        /// "ok", "error 14", "http 404", "fault cut before".
        var result: String
        /// The response is only for the moment when the server stops.
        var hangs = false
    }

    private var vkCall: VKCall? {
        guard case .vk(let method) = endpoint else { return nil }
        return VKCall(method: method, request: request, base: base, now: now)
    }

    func answer(_ fault: SandboxFault.Action?) throws -> Answer {
        switch fault {
        case nil, .delay?, .captcha?, .emptyUpload?, .dropAttachment?, .container?: return try perform(fault)
        case .usage(let percent, let minutes)?:
            var answer = try perform(nil)
            answer.response.headers += usageHeaders(percent, minutes)
            return answer
        case .truncate(let bytes)?:
            let whole = try perform(nil).response
            let cut = HTTPServerResponse.truncated(
                Array(whole.body.prefix(bytes)), claimedLength: whole.body.count, status: whole.status,
                headers: whole.headers)
            return Answer(response: cut, result: "fault truncate \(bytes)")
        case .vkError(let code, let message, let subcode, let echoesToken, let moment)?:
            if moment == .after { _ = try perform(nil) }
            guard let call = vkCall else { return try perform(nil) }
            let error = VKError(code: code, message: message ?? VKError.text(of: code), subcode: subcode)
            return Answer(
                response: .json(error.value(for: call, echoesToken: echoesToken).json()),
                result: "fault vk-error \(code)")
        case .instagramError(let code, let subcode, let message, let status)?:
            var error = InstagramError(code: code, subcode: subcode, message: message ?? InstagramError.text(of: code))
            error.status = status
            error.type = code == 190 ? "OAuthException" : error.type
            return Answer(response: error.response, result: "fault instagram-error \(code)")
        case .http(let status, let body, let retryAfter, let moment)?:
            if moment == .after { _ = try perform(nil) }
            return Answer(response: bare(status, body, retryAfter), result: "fault http \(status) \(moment.rawValue)")
        case .text(let body, let moment)?:
            if moment == .after { _ = try perform(nil) }
            return Answer(response: .text(body), result: "fault text \(moment.rawValue)")
        case .cut(let moment, let how)?:
            if moment == .after { _ = try perform(nil) }
            return Answer(response: .cut(how: how), result: "fault cut \(moment.rawValue)")
        case .hang(let moment)?:
            if moment == .after { _ = try perform(nil) }
            return Answer(response: .cut(how: .close), result: "fault hang \(moment.rawValue)", hangs: true)
        }
    }

    private func bare(_ status: Int, _ body: String?, _ retryAfter: Int?) -> HTTPServerResponse {
        var response: HTTPServerResponse
        if body == "html" {
            response = .html(
                "<html>\r\n<head><title>\(status)</title></head>\r\n<body>\r\n<center><h1>\(status)</h1></center>\r\n"
                    + "<hr><center>kittenx</center>\r\n</body>\r\n</html>\r\n", status: status)
        } else {
            response = .text(body ?? "", status: status)
        }
        if let retryAfter { response.headers.append(("Retry-After", "\(retryAfter)")) }
        return response
    }

    private func perform(_ fault: SandboxFault.Action?) throws -> Answer {
        switch endpoint {
        case .vk: try performVK(fault)
        case .upload(let ticket): try performUpload(ticket, isEmpty: fault == .emptyUpload)
        case .instagram(let target, let version): try performInstagram(target, version, fault)
        case .signIn(let page): try performSignIn(page)
        case .cdn: try performCDN()
        case .captchaPicture: try performPicture()
        case .captchaPage(let isCheck): try StandInCaptchaPage.answer(request, isCheck: isCheck, store, now)
        }
    }

    private func performVK(_ fault: SandboxFault.Action?) throws -> Answer {
        guard let call = vkCall else { return Answer(response: .text("", status: 404), result: "http 404") }
        var context = VKContext(configuration: configuration)
        if case .captcha(let form, let answer, let solvesItself, let place) = fault {
            context.captcha = Captchas.Order(
                form: form ?? configuration.captchaForm, answer: answer, solvesItself: solvesItself, remixstlid: place)
        }
        context.dropsAttachments = fault == .dropAttachment
        return try store.use { state in
            do {
                let value = try VKMethods.call(call, &state, context)
                var answer: ValueObject = ["response": value]
                // What failed inside `execute` stands beside the answer.
                if let errors = state.shelf.takeExecuteErrors() { answer["execute_errors"] = errors }
                return Answer(response: .json(Value.object(answer).json()), result: "ok")
            } catch let error as VKError {
                return Answer(response: .json(error.value(for: call).json()), result: "error \(error.code)")
            }
        }
    }

    private func performUpload(_ id: String, isEmpty: Bool) throws -> Answer {
        guard let ticket = try store.use({ state in state.tickets.first { $0.id == id } }), request.method == "POST"
        else {
            return Answer(response: .text("Security Breach2"), result: "security breach")
        }
        if ticket.purpose != .wall { return try performOtherUpload(ticket, isEmpty: isEmpty) }
        let picture = isEmpty ? nil : VKUpload.picture(in: request)
        if let picture { try store.blobs.write(picture.bytes, as: picture.sha256) }
        let value = try store.use { VKUpload.answer(picture, ticket: ticket, &$0) }
        // VK's upload servers call their JSON a page.
        return Answer(
            response: .html(value.json()), result: isEmpty ? "fault empty-upload" : picture == nil ? "empty" : "ok")
    }

    private func performOtherUpload(_ ticket: SandboxState.UploadTicket, isEmpty: Bool) throws -> Answer {
        let files = isEmpty ? [] : VKUpload.files(in: request, for: ticket.purpose)
        for file in files { try store.blobs.write(file.bytes, as: file.sha256) }
        let value = try store.use { state in
            state.needsSaving = true
            return state.shelf.receive(files, ticket: ticket)
        }
        return Answer(response: .html(value.json()), result: files.isEmpty ? "empty" : "ok")
    }

    private func performInstagram(
        _ target: InstagramEndpoints.Target, _ version: String?, _ fault: SandboxFault.Action?
    ) throws -> Answer {
        var endpoint = InstagramEndpoints(
            request: request, target: target, version: version, base: base, now: now, configuration: configuration)
        if case .container(let status, let text) = fault { endpoint.containerState = (status.rawValue, text) }
        return try store.use { state in
            do {
                return Answer(response: .json(try endpoint.answer(&state).json()), result: "ok")
            } catch let error as InstagramError {
                return Answer(response: error.response, result: "error \(error.code)")
            }
        }
    }

    private func performSignIn(_ page: SignInEndpoint) throws -> Answer {
        let desk = SignInDesk(request: request, base: base, now: now, configuration: configuration)
        let response = try store.use { try desk.answer(page, &$0) }
        return Answer(response: response, result: response.status < 400 ? "ok" : "http \(response.status)")
    }

    /// As Graph sends them: in percent, and in minutes.
    private func usageHeaders(_ percent: Int64, _ minutes: Int64?) -> [(name: String, value: String)] {
        let counts: ValueObject = ["call_count": .integer(percent), "total_cputime": 1, "total_time": 2]
        var use = counts
        use["type"] = "instagram"
        use["estimated_time_to_regain_access"] = .integer(minutes ?? 0)
        return [
            ("X-App-Usage", Value.object(counts).json()),
            ("X-Business-Use-Case-Usage", Value.object([InstagramEndpoints.userID: [.object(use)]]).json()),
        ]
    }

    private func performCDN() throws -> Answer {
        if request.path.hasPrefix("/cdn/vk/") {
            let id = Int64(request.path.dropFirst("/cdn/vk/".count).prefix { $0 != "." })
            if let photo = try store.use({ state in state.photos.first { $0.id == id } }),
                let bytes = try store.blobs.read(photo.sha256)
            {
                return Answer(
                    response: HTTPServerResponse(contentType: "image/\(photo.format)", body: bytes), result: "ok")
            }
            return Answer(response: .text("Not Found", status: 404), result: "http 404")
        }
        let (key, media) = try store.use { ($0.tokens.signingKey, $0.media) }
        guard let id = CDN.mediaID(request, key, now) else { return Answer(response: CDN.expired, result: "http 403") }
        let item = media.flatMap { [$0] + $0.children }.first { $0.id == id }
        let scene = item.flatMap { PhotoScene(rawValue: $0.scene) } ?? (id == "profile" ? .coffee : nil)
        guard let scene else { return Answer(response: .text("Not Found", status: 404), result: "http 404") }
        let bytes = try studio.jpeg(scene, isSquare: item?.isSquare ?? true, seed: id)
        return Answer(response: HTTPServerResponse(contentType: "image/jpeg", body: bytes), result: "ok")
    }

    /// Each load makes a new text, as VK's does, unless the fault fixed it.
    private func performPicture() throws -> Answer {
        let sid = request.argument("sid")
        let captcha = try store.use { state -> SandboxState.Captcha? in
            guard let index = state.captchas.firstIndex(where: { $0.sid == sid && $0.form != .new }) else { return nil }
            if !state.captchas[index].isAnswerFixed {
                state.captchas[index].answer = Captchas.randomAnswer()
                state.needsSaving = true
            }
            return state.captchas[index]
        }
        guard let captcha else { return Answer(response: .text("Not Found", status: 404), result: "http 404") }
        let png = captcha.form == .old ? CaptchaPicture.png(text: captcha.answer) : CaptchaPicture.unsupported()
        return Answer(
            response: HTTPServerResponse(
                headers: [("Content-Type", "image/png"), ("Cache-Control", "no-store")], body: png), result: "ok")
    }

    /// What the list of calls shows; no token is in it.
    var shownParameters: ValueObject {
        var shown = ValueObject()
        for (name, value) in request.query { shown[name] = .string(value) }
        for field in request.form {
            shown[field.name] =
                field.fileName == nil ? .string(field.text) : .string("\(field.fileName!), \(field.bytes.count) bytes")
        }
        for name in SignInDesk.secretNames where shown[name] != nil { shown[name] = "(secret)" }
        return shown
    }

    /// How the token came.
    var credentials: String {
        if request.header("Authorization") != nil { return "header" }
        let hasParameter = request.argument("access_token") != nil || request.field("access_token") != nil
        return hasParameter ? "parameter" : "none"
    }
}

extension InstagramError {
    static func unknownPath(_ path: String) -> InstagramError {
        InstagramError(code: 2500, message: "Unknown path components: \(path)", type: "OAuthException")
    }
}
