internal import Files
public import HTTP
internal import ServiceKit
public import StepKit
internal import Threading
public import Values

/// `http.request`: one request of the author's own.
///
/// Its effect is `read` for GET and HEAD and `write` for the rest, unless the step's `effect` says otherwise. An answer with
/// another status than those of `success-codes` fails the step, by the rules of `StepError(status:of:isWrite:)`.
///
/// Credentials (a secret in address, headers or body, a user in the address, an `Authorization`, `Cookie` or
/// `Proxy-Authorization` header) travel over https and within this machine only, and then no redirect is followed.
public struct HTTPRequestStep: StepKind {
    private let client: any HTTPClient

    public init(client: any HTTPClient) { self.client = client }

    public let declaration = StepDeclaration(
        "http.request", "Sends one HTTP request.", effect: .write, takesEffect: true,
        parameters: [
            Parameter("url", .url, required: true, acceptsSecrets: true, "The address."),
            Parameter("method", .choice(methods), default: "GET", "The method."),
            Parameter("headers", .map, acceptsSecrets: true, "Headers, each a text."),
            Parameter("text", .string, acceptsSecrets: true, "A body of plain text."),
            Parameter("json", .any, acceptsSecrets: true, "A body: any value as JSON."),
            Parameter("form", .map, acceptsSecrets: true, "A body: the fields of a form; a list repeats its field."),
            Parameter("files", .map, "Files of a multipart form, field by field; 'form' gives its other fields."),
            Parameter(
                "success-codes", .list(.integer), "The statuses that mean success; 200 to 299 unless given."),
            Parameter(
                "save-as", .string,
                "Keeps the body with the run, under a name such as photo.jpg, not among the outputs."),
        ],
        outputs: [
            Output("status", .integer, "The answer's status."),
            Output("headers", .map, "Its headers, names in lower case; cookies are left out."),
            Output("body", .string, "Its body as text; missing with 'save-as'."),
            Output("json", .any, "Its body as a value, where it is JSON."),
            Output("file", .file, "The kept body, with 'save-as'."),
            Output("bytes", .integer, "The kept body's size, with 'save-as'."),
        ],
        doubtRule: .ask,
        example: """
            tell:
              uses: http.request
              with:
                method: POST
                url: https://api.telegram.org/bot${{ secrets.TELEGRAM_TOKEN }}/sendMessage
                json: { chat_id: 12345, text: "${{ steps.post.outputs.url }}" }
            """)

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    private static let maxBodyBytes = 8 << 20
    private static let maxFileBytes = 1 << 30

    public func effect(of call: PlannedCall) -> Effect {
        switch call["method"] {
        case nil, .known(.null), .known("GET"), .known("HEAD"): .read
        default: .write
        }
    }

    public func extraTime(for call: StepCall) -> Duration {
        // A second for each 100 KB, as with any upload.
        .seconds(paths(call).reduce(0) { $0 + ((try? FileSystem.size($1.path)) ?? 0) } / 100_000)
    }

    public func plan(_ call: PlannedCall) -> [PlannedRequest] {
        var method = "GET"
        if case .known(.string(let word))? = call["method"] { method = word }
        let shown = ["headers", "text", "json", "form", "files"]
        return [
            PlannedRequest(
                method, call["url"] ?? .known(.null), fields: call.parameters.filter { shown.contains($0.name) })
        ]
    }

    public func run(_ call: StepCall) async throws -> StepResult {
        let request = try await request(call)
        let what = request.label ?? "the request"
        let path = try call["save-as"]?.string.map { (name) throws(StepError) in try call.artifact(name) }
        let response: HTTPResponse
        do {
            response =
                if let path { try await client.download(request, to: path) } else { try await client.send(request) }
        } catch let failure as HTTPError {
            var error = StepError(failure, of: what, isWrite: request.isWrite)
            if failure.kind == .badAddress { error.fix = "Check 'url', or where it comes from." }
            throw error
        }
        guard isSuccess(response.status, call) else { throw refusal(response, request, call, what) }
        return .succeeded(outputs(response, path: (200..<300).contains(response.status) ? path : nil))
    }

    /// What a person says was answered: the id becomes the body.
    public func outputs(forPosted id: String, of call: StepCall) -> ValueObject? {
        outputs(HTTPResponse(status: 200, body: Array(id.utf8)), path: nil)
    }
}

// MARK: - The request

extension HTTPRequestStep {
    private func request(_ call: StepCall) async throws -> HTTPRequest {
        let url = call["url"]?.string ?? ""
        guard let parts = URLParts(url) else {
            throw StepError(.invalid, "'url' is no address", fix: "Write it as https://example.com/path.")
        }
        let headers = (call["headers"]?.object ?? [:]).filter { !$0.value.isNull }.map { ($0.key, plainText($0.value)) }
        let body = try await body(call)
        let hasCredentials = hasCredentials(url, headers, call)
        guard !hasCredentials || parts.maySendCredentials else {
            throw StepError(
                .invalid, "credentials would travel in the clear to \(redactedAddress(url))",
                why: "A secret is sent over https only, or within this machine.", fix: "Write https://…")
        }
        let method = HTTPRequest.Method(rawValue: call["method"]?.string ?? "GET") ?? .get
        return HTTPRequest(
            method, url, headers: headers, body: body,
            limits: HTTPLimits(
                total: call.timeout + extraTime(for: call),
                maxBytes: call["save-as"] == nil ? Self.maxBodyBytes : Self.maxFileBytes),
            isWrite: call.effect == .write, maxRedirects: hasCredentials || wantsRedirect(call) ? 0 : 5,
            label: call.redact("\(method.rawValue) \(redactedAddress(url))"))
    }

    private func body(_ call: StepCall) async throws -> HTTPBody {
        let kinds = ["text", "json", "form"].filter { call[$0] != nil }
        let files = paths(call)
        guard kinds.count <= 1, files.isEmpty || kinds.isEmpty || kinds == ["form"] else {
            let names = (kinds + (files.isEmpty ? [] : ["files"])).map { "'\($0)'" }.joined(separator: " and ")
            throw StepError(
                .invalid, "\(names) do not go together", why: "A request has one body; 'form' may go with 'files'.",
                fix: "Give one of them.")
        }
        if let text = call["text"] {
            return .bytes(Array(plainText(text).utf8), contentType: "text/plain; charset=utf-8")
        }
        if let json = call["json"] { return .bytes(Array(json.json().utf8), contentType: "application/json") }
        let fields = fields(call)
        guard !files.isEmpty else { return call["form"] == nil ? .none : .form(fields) }
        var parts = fields.map { HTTPPart(name: $0.name, content: .text($0.value)) }
        for (field, path) in files { parts.append(try await part(field, path)) }
        return .multipart(parts)
    }

    private func fields(_ call: StepCall) -> [(name: String, value: String)] {
        (call["form"]?.object ?? [:]).flatMap { name, value in
            (value.array ?? [value]).filter { !$0.isNull }.map { (name, plainText($0)) }
        }
    }

    private func paths(_ call: StepCall) -> [(field: String, path: String)] {
        (call["files"]?.object ?? [:]).compactMap { field, value in
            value.isNull ? nil : (field, FileSystem.join(call.folder, plainText(value)))
        }
    }

    private func part(_ field: String, _ path: String) async throws -> HTTPPart {
        do {
            let facts = try await offPool { try FileFacts(of: path) }
            return HTTPPart(
                name: field,
                content: .file(
                    path: path, name: FileSystem.name(of: path),
                    contentType: facts.format?.mediaType ?? "application/octet-stream"))
        } catch let error as FileError {
            throw StepError(file: error)
        }
    }

    /// Whether something in the request is nobody else's business.
    private func hasCredentials(_ url: String, _ headers: [(String, String)], _ call: StepCall) -> Bool {
        let names = ["authorization", "proxy-authorization", "cookie"]
        if headers.contains(where: { names.contains($0.0.lowercased()) }) { return true }
        // The authority of "https://user:password@host/" is all up to the first slash.
        if url.drop(while: { $0 != ":" }).dropFirst(3).prefix(while: { $0 != "/" && $0 != "?" }).contains("@") {
            return true
        }
        let texts =
            [url] + headers.flatMap { [$0.0, $0.1] }
            + ["text", "json", "form"].compactMap { call[$0].map(plainText) } + fields(call).map(\.value)
        return texts.contains { call.redact($0) != $0 }
    }
}

// MARK: - The answer

extension HTTPRequestStep {
    private func isSuccess(_ status: Int, _ call: StepCall) -> Bool {
        guard let codes = call["success-codes"]?.array, !codes.isEmpty else { return (200..<300).contains(status) }
        return codes.contains { $0.integer == Int64(status) }
    }

    private func wantsRedirect(_ call: StepCall) -> Bool {
        call["success-codes"]?.array?.contains { $0.integer.map { (300..<400).contains($0) } ?? false } ?? false
    }

    private func refusal(
        _ response: HTTPResponse, _ request: HTTPRequest, _ call: StepCall, _ what: String
    ) -> StepError {
        var error = StepError(status: response, of: what, isWrite: request.isWrite)
        error.fix = nil
        switch response.status {
        case 300..<400:
            let place = response.header("location").map { call.redact(redactedAddress($0)) }
            error.why = place.map { "It leads to \($0)." }
            error.fix =
                request.maxRedirects == 0
                ? "With credentials no redirect is followed: write the address that it leads to." : nil
        case 401, 403: error.fix = "Check the credentials that the step sends."
        default: break
        }
        if error.errorClass != .inDoubt, let words = serviceWords(call.redact(response.text), hiding: []) {
            error.why = [error.why, "It said: \(words)"].compactMap { $0 }.joined(separator: " ")
        }
        return error
    }

    private func outputs(_ response: HTTPResponse, path: String?) -> ValueObject {
        var headers = ValueObject()
        for (name, value) in response.headers where !["set-cookie", "set-cookie2"].contains(name) {
            headers[name] = .string((headers[name]?.string.map { $0 + ", " } ?? "") + value)
        }
        var outputs: ValueObject = ["status": .integer(Int64(response.status)), "headers": .object(headers)]
        if let path {
            outputs["file"] = .string(path)
            outputs["bytes"] = .integer(Int64((try? FileSystem.size(path)) ?? 0))
            return outputs
        }
        outputs["body"] = .string(response.text)
        outputs["json"] = json(response)
        return outputs
    }

    /// A body that says to be JSON, and one that says something else but is an object or a list all the same.
    private func json(_ response: HTTPResponse) -> Value? {
        let type = response.header("content-type")?.lowercased() ?? ""
        guard let value = try? Value(json: response.body) else { return nil }
        guard type.contains("json") || value.object != nil || value.array != nil else { return nil }
        return value
    }
}
