internal import HTTP
internal import ServiceKit
internal import StepKit
internal import Values

/// Sends files to an upload address, once.
struct Uploader: Sendable {
    let http: any HTTPClient

    /// - Parameter attempt: the how-manieth try of the same files; see `UploadFailure`.
    /// - Returns: the members of the answer, and all of it as `response`.
    /// - Throws: `StepError`; its class is `stale` when another address must be asked for.
    func upload(
        _ files: [UploadFile], to url: String, timeout: Duration, attempt: Int
    ) async throws -> ValueObject {
        let request = HTTPRequest(
            .post, url, body: .multipart(files.map(\.part)), limits: HTTPLimits(total: timeout), label: "vk.upload")
        let response: HTTPResponse
        do {
            response = try await http.send(request)
        } catch let failure as HTTPError {
            var error = StepError(failure, of: "VK's upload", label: "vk.upload", isWrite: false)
            // The third time it is the server that is given up, not the file: another address is asked for, once.
            if attempt == 3, error.errorClass.isRetried { error.errorClass = .stale }
            throw error
        }
        guard (200..<300).contains(response.status) else { throw refusal(response) }
        do {
            return try outputs(of: response, fields: files.map(\.field))
        } catch let failure {
            throw failure.stepError(attempt: attempt)
        }
    }

    /// An address that is gone must be asked for anew.
    private func refusal(_ response: HTTPResponse) -> StepError {
        var error = StepError(status: response, of: "VK's upload", isWrite: false)
        // The address is VK's, whatever the account's base-url is.
        error.fix = nil
        switch response.status {
        case 300..<400:
            error.errorClass = .stale
            error.why = "It leads on to another address, and a file goes to the one that VK gave alone."
            error.fix =
                "Ask for another address by the step that asks for an upload server. When that leads on, too, see whether "
                + "a proxy or a network's sign-in page stands before VK."
        case 401, 403, 404, 410:
            error.errorClass = .stale
            error.why = "The upload's address is gone, or was never good: VK's addresses live for a short time."
            error.fix = "Take it from the step that asks for an upload server, and run that again."
        case 413: error.fix = "Make the file smaller."
        case 400..<500 where error.errorClass == .invalid: error.errorClass = .server
        default: break
        }
        return error
    }

    /// Upload servers say every failure with status 200, in many shapes; and they label JSON as text or HTML.
    private func outputs(of response: HTTPResponse, fields: [String]) throws(UploadFailure) -> ValueObject {
        guard let answer = try? Value(json: response.body) else {
            let words = serviceWords(String(response.text.prefix(200)), hiding: [])
            throw UploadFailure(
                response.body.isEmpty ? "an empty body" : "no JSON",
                words: words.flatMap { $0.hasPrefix("<") ? nil : $0 })
        }
        guard var members = answer.object else { throw UploadFailure("something that is no object") }
        if let error = members["error"], !error.isNull {
            let text = error.string ?? error["error_descr"]?.string ?? error["type"]?.string
            let code = members["error_code"] ?? error["error_code"]
            throw UploadFailure(
                "an error" + (code.map { " (\($0.string ?? $0.json()))" } ?? ""),
                words: serviceWords(members["error_descr"]?.string ?? text, hiding: []))
        }
        for (field, member) in [("photo", "photo"), ("file1", "photos_list")] where fields.contains(field) {
            guard let photo = members[member]?.string, !photo.isEmpty, photo != "[]" else {
                throw UploadFailure("an empty '\(member)'")
            }
            guard members["hash"]?.string?.isEmpty == false else { throw UploadFailure("no 'hash'") }
        }
        if members["response"] == nil { members["response"] = answer }
        return members
    }
}

/// An upload that VK took and made nothing of.
private struct UploadFailure: Error {
    let what: String
    let words: String?

    init(_ what: String, words: String? = nil) {
        self.what = what
        self.words = words
    }

    /// Such failures pass by themselves, most often on the same address ("accepted on try 2 or 3"), and a bad address
    /// is the rarer cause. So the same address is tried again at first (class `server`, with backoff); the third failure
    /// asks for a fresh one (`stale`, which an attempt may be once), and the rest is tried on that.
    func stepError(attempt: Int) -> StepError {
        StepError(
            attempt == 3 ? .stale : .server, "VK's upload was answered with \(what)",
            why: words.map { "VK says: \($0)" }, code: "upload")
    }
}
