import BuiltinSteps
import Files
import HTTP
import ServiceTestSupport
import StepKit
import TestSupport
import Testing
import Values

@Suite struct HTTPRequestStepTests {
    private let calls: TestCalls
    private let secret = Secret("s3cr3t-token")

    init() throws { calls = try TestCalls() }

    private func send(
        _ parameters: ValueObject, effect: Effect? = nil, _ answer: ScriptedHTTPClient.Answer = .status(200, "ok")
    ) async throws -> (outputs: ValueObject, request: HTTPRequest) {
        let client = ScriptedHTTPClient([answer])
        let kind = HTTPRequestStep(client: client)
        let known = PlannedCall(parameters: parameters.map { PlannedMember($0.key, .known($0.value)) })
        let call = try calls.call(
            kind, parameters, account: nil, effect: effect ?? kind.effect(of: known), hiding: [secret])
        guard case .succeeded(let outputs) = try await kind.run(call) else { throw StepError(.invalid, "no success") }
        return (outputs, try #require(client.requests.first))
    }

    private func failure(
        _ parameters: ValueObject, effect: Effect? = nil, _ answer: ScriptedHTTPClient.Answer = .status(200)
    ) async throws -> StepError {
        try #require(try await stepError { _ = try await send(parameters, effect: effect, answer) })
    }

    private let url: Value = "https://example.com/a?b=c"

    // MARK: Effect

    @Test(arguments: [
        (nil, Effect.read), ("GET", .read), ("HEAD", .read), ("POST", .write), ("PUT", .write), ("PATCH", .write),
        ("DELETE", .write),
    ])
    func theMethodDecidesTheEffect(method: String?, effect: Effect) {
        let members = method.map { [PlannedMember("method", .known(.string($0)))] } ?? []
        #expect(HTTPRequestStep(client: ScriptedHTTPClient()).effect(of: PlannedCall(parameters: members)) == effect)
    }

    @Test func anUnknownMethodCountsAsAWrite() {
        let call = PlannedCall(parameters: [PlannedMember("method", .after(["a"]))])
        #expect(HTTPRequestStep(client: ScriptedHTTPClient()).effect(of: call) == .write)
    }

    // MARK: Request

    @Test func asks() async throws {
        let (outputs, request) = try await send(
            ["url": url, "headers": ["X-A": 1, "X-B": .null]],
            .status(
                200, "hello", headers: [("content-type", "text/plain"), ("set-cookie", "a=b"), ("x", "1"), ("x", "2")]))
        #expect(request.method == .get)
        #expect(request.url == "https://example.com/a?b=c")
        #expect(request.headers.map { "\($0.name): \($0.value)" } == ["X-A: 1"])
        #expect(!request.isWrite)
        #expect(request.maxRedirects == 5)
        #expect(request.label == "GET https://example.com/a?…")
        #expect(
            outputs == [
                "status": 200, "headers": ["content-type": "text/plain", "x": "1, 2"], "body": "hello",
            ])
    }

    @Test func sendsEachKindOfBody() async throws {
        func body(_ name: String, _ value: Value) async throws -> HTTPBody {
            try await send(["url": url, "method": "POST", .init(name): value]).request.body
        }
        guard case .bytes(let text, "text/plain; charset=utf-8") = try await body("text", "héllo"),
            case .bytes(let json, "application/json") = try await body("json", ["a": [1, "b"]]),
            case .form(let form) = try await body("form", ["a": 1, "b": ["x", "y"], "c": .null])
        else {
            Issue.record("another kind of body")
            return
        }
        #expect(text == Array("héllo".utf8))
        #expect(json == Array(#"{"a":[1,"b"]}"#.utf8))
        #expect(form.map { "\($0.name)=\($0.value)" } == ["a=1", "b=x", "b=y"])
    }

    @Test func sendsFilesOfTheWorkflowsFolder() async throws {
        let path = try calls.file("photo.bin", SampleBytes.png)
        let (_, request) = try await send([
            "url": url, "method": "POST", "form": ["caption": "hi"], "files": ["photo": "photo.bin"],
        ])
        guard case .multipart(let parts) = request.body, case .text("hi") = parts[0].content,
            case .file(path, "photo.bin", "image/png") = parts[1].content
        else {
            Issue.record("another body: \(request.body)")
            return
        }
        #expect(parts.map(\.name) == ["caption", "photo"])
    }

    @Test func aRequestHasOneBody() async throws {
        let error = try await failure(["url": url, "text": "a", "json": 1])
        #expect(error.what == "'text' and 'json' do not go together")
    }

    // MARK: Credentials

    @Test(
        arguments: [
            ["headers": ["X-Key": "s3cr3t-token"]], ["json": ["deep": ["s3cr3t-token"]]],
            ["form": ["key": "s3cr3t-token"]],
            ["text": "key s3cr3t-token"], ["headers": ["authorization": "Basic YTpi"]], ["headers": ["Cookie": "a=b"]],
        ] as [ValueObject]) func credentialsTravelSafelyAndAlone(parameters: ValueObject) async throws
    {
        func with(_ url: Value) -> ValueObject {
            var all = parameters
            all["url"] = url
            all["method"] = "POST"
            return all
        }
        let error = try await failure(with("http://example.com/a?b=c"))
        #expect(error.errorClass == .invalid)
        #expect(error.what == "credentials would travel in the clear to http://example.com/a?…")
        for url: Value in ["https://example.com/", "http://127.0.0.1:81/", "http://localhost/", "http://[::1]/"] {
            #expect(try await send(with(url)).request.maxRedirects == 0)
        }
    }

    @Test(arguments: ["http://example.com/?k=s3cr3t-token", "http://me:pass@example.com/"])
    func addressesHoldCredentials(url: String) async throws {
        let error = try await failure(["url": .string(url)])
        #expect(error.what.hasPrefix("credentials would travel in the clear"))
    }

    @Test func messagesHoldNoSecret() async throws {
        let error = try await failure(
            ["url": "https://example.com/bots3cr3t-token/send"], .status(400, "bad token s3cr3t-token"))
        #expect(error.what == "GET https://example.com/bot(secret)/send was answered with HTTP 400")
        #expect(error.why == "It said: bad token (secret)")
    }

    // MARK: Answer

    @Test(
        arguments: [
            ("application/json", "7", Value.integer(7)), ("text/html", #"{"a": 1}"#, ["a": 1]),
            ("text/plain", "[1]", [1]),
            ("text/plain", "7", nil), ("application/json", "{", nil),
        ] as [(String, String, Value?)]) func readsJSON(type: String, body: String, json: Value?) async throws
    {
        let (outputs, _) = try await send(["url": url], .status(200, body, headers: [("content-type", type)]))
        #expect(outputs["json"] == json)
        #expect(outputs["body"] == .string(body))
    }

    @Test(arguments: [
        (404, Effect.read, ErrorClass.invalid), (404, .write, .invalid), (401, .read, .permission),
        (429, .write, .rateLimit), (503, .read, .server), (503, .idempotent, .server), (503, .write, .inDoubt),
        (302, .read, .invalid),
    ]) func statusesDecideTheClass(status: Int, effect: Effect, errorClass: ErrorClass) async throws {
        let error = try await failure(["url": url], effect: effect, .status(status))
        #expect(error.errorClass == errorClass)
        #expect(error.code == "HTTP \(status)")
        #expect(error.fix?.contains("base-url") != true)
    }

    @Test func theStepSaysWhichStatusesMeanSuccess() async throws {
        let parameters: ValueObject = ["url": url, "success-codes": [404, 303]]
        let (outputs, request) = try await send(parameters, .status(404, "none"))
        #expect(outputs["status"] == 404)
        #expect(request.maxRedirects == 0)
        #expect(try await failure(parameters, .status(200)).code == "HTTP 200")
    }

    @Test func aWriteThatMayHaveLeftIsInDoubt() async throws {
        let cut = HTTPError(kind: .cut, message: "the connection broke", mayHaveBeenSent: true)
        #expect(try await failure(["url": url, "method": "POST"], .failure(cut)).errorClass == .inDoubt)
        #expect(try await failure(["url": url], .failure(cut)).errorClass == .network)
    }

    @Test func keepsTheBodyInAFile() async throws {
        let server = ScriptedServer { _ in [.answer(200, [("Content-Type", "image/png")], SampleBytes.png)] }
        let client = CurlClient()
        let kind = HTTPRequestStep(client: client)
        let parameters: ValueObject = ["url": .string("http://127.0.0.1:\(server.port)/x"), "save-as": "p.png"]
        let result = try await kind.run(try calls.call(kind, parameters, account: nil, effect: .read))
        await client.shutdown()
        let path = calls.folder + "/post-p.png"
        guard case .succeeded(let outputs) = result else { return }
        #expect(outputs["file"] == .string(path))
        #expect(outputs["bytes"] == 12)
        #expect(outputs["body"] == nil)
        #expect(try FileSystem.read(path) == SampleBytes.png)
    }

    @Test(arguments: ["PATCH", "DELETE", "PUT", "HEAD"]) func sendsEveryMethod(method: String) async throws {
        let server = ScriptedServer { _ in [.answer(204)] }
        let client = CurlClient()
        let kind = HTTPRequestStep(client: client)
        let parameters: ValueObject = [
            "url": .string("http://127.0.0.1:\(server.port)/x"), "method": .string(method),
        ]
        _ = try await kind.run(try calls.call(kind, parameters, account: nil))
        await client.shutdown()
        #expect(server.requests.map(\.method) == [method])
    }

    @Test func aSandboxRunAsksNoOtherHost() async throws {
        let client = CurlClient(configuration: CurlClient.Configuration(allowedHosts: ["127.0.0.1:9"]))
        let kind = HTTPRequestStep(client: client)
        let call = try calls.call(kind, ["url": "https://example.com/"], account: nil)
        let error = try await stepError { try await kind.run(call) }
        await client.shutdown()
        #expect(error?.errorClass == .invalid)
        #expect(error?.what.contains("the host example.com, which is not allowed here") == true)
    }
}
