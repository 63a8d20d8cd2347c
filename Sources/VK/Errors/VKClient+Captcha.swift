internal import Files
internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Values

extension VKClient {
    /// How long VK's page of the present form can be used (dev.vk.com, "Captcha error").
    private static let pageLife = Duration.seconds(300)

    /// 14, in either form. Which one is decided as VK's own client does it: by `redirect_uri` first, then by
    /// `captcha_sid`, since the two come together at times and the picture is then a dummy.
    ///
    /// - Throws: `CancellationError`.
    func captcha(
        _ details: VKErrorDetails, _ rule: VKErrorRule, context: VKCallContext, call: StepCall, asksPerson: Bool
    ) async throws -> StepError {
        guard asksPerson else { return details.failure(.captcha, rule) }
        if let address = details.text("redirect_uri") {
            return details.failure(.captcha, rule, pause: await page(address, details, call: call))
        }
        if let sid = details.error["captcha_sid"].flatMap({ $0.string ?? $0.integer.map(String.init) }), !sid.isEmpty {
            return details.failure(.captcha, rule, pause: try await picture(sid: sid, details, call: call))
        }
        return details.failure(
            .permission, meaning: "captcha needed, without saying which",
            fix: "Use VK in a browser with this account until it asks for no captcha, then try again.")
    }

    /// The present form: a page that hands out a token.
    private func page(_ address: String, _ details: VKErrorDetails, call: StepCall) async -> PauseRequest {
        var continuation: ValueObject = ["form": "redirect"]
        if let user = details.error["remixstlid"], !user.isNull { continuation["remixstlid"] = user }
        let file = await saveLink(address, kind: "captcha", call: call)
        // By itself VK's page shows no token: it hands it to the page that holds it in a frame.
        let instruction =
            file == nil
            ? "Its address could not be kept; going on without an answer brings a fresh one."
            : "Its page lives five minutes. Going on at a terminal without an answer brings a fresh one, and a page on "
                + "this computer that shows it and takes its token."
        return PauseRequest(
            .captcha, message: "VK asks \(details.context.account.phrase) for a captcha. " + instruction,
            linkFile: file, expires: now() + Self.pageLife, answer: file == nil ? .none : .successToken,
            continuation: .object(continuation))
    }

    /// The old form: a picture with a text in it.
    private func picture(sid: String, _ details: VKErrorDetails, call: StepCall) async throws -> PauseRequest {
        var continuation: ValueObject = ["form": "picture", "sid": .string(sid)]
        for (name, member) in [("ts", "captcha_ts"), ("attempt", "captcha_attempt")] {
            if let value = details.error[member], !value.isNull { continuation[name] = value }
        }
        let account = details.context.account.phrase
        let path = try await savePicture(details.text("captcha_img"), call: call)
        return PauseRequest(
            .captcha,
            message: "VK asks \(account) for a captcha. "
                + (path == nil
                    ? "Its picture could not be loaded; going on without an answer brings a fresh one."
                    : "Type the text of its picture."),
            picture: path, answer: path == nil ? .none : .captchaText, continuation: .object(continuation))
    }

    /// Loads the picture, once: each load would make a new text. No token or cookie goes with it.
    private func savePicture(_ address: String?, call: StepCall) async throws -> String? {
        guard let address else { return nil }
        let request = HTTPRequest(
            .get, address, limits: HTTPLimits(total: .seconds(20), maxBytes: 4 << 20), maxRedirects: 3,
            label: "VK's captcha picture")
        do {
            let response = try await http.send(request)
            guard (200..<300).contains(response.status), let format = PictureFormat(head: response.body) else {
                return nil
            }
            let suffixes = PictureFormat.allCases.map { "." + $0.fileExtension } + [".url"]
            let free = freeArtifact(in: call.artifacts, stem: call.fileStem + "-captcha", suffixes: suffixes)
            let path = free.path + "." + format.fileExtension
            try await saveArtifact(response.body, to: path)
            return path
        } catch is HTTPError {
            return nil
        } catch is FileError {
            return nil
        }
    }

    /// Keeps an address that is never shown; nil when that failed.
    func saveLink(_ address: String, kind: String, call: StepCall) async -> String? {
        let suffixes = PictureFormat.allCases.map { "." + $0.fileExtension } + [".url"]
        let path = freeArtifact(in: call.artifacts, stem: "\(call.fileStem)-\(kind)", suffixes: suffixes).path + ".url"
        do {
            try await saveArtifact(Array((address + "\n").utf8), to: path)
            return path
        } catch {
            return nil
        }
    }
}
