import Files
import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// Error 14 in both of its forms, and the call that is repeated with the answer. The answers' shapes are VK's.
@Suite struct CaptchaTests {
    static let page = """
        {"error":{"error_code":14,"error_msg":"Captcha needed",
         "request_params":[{"key":"method","value":"wall.post"},{"key":"v","value":"5.199"}],
         "redirect_uri":"https://id.vk.ru/not_robot_captcha?domain=vk.com&session_token=eyJEXAMPLE.AAA.BBB&variant=popup&blank=1",
         "remixstlid":9071234567890123456}}
        """
    static let picture = """
        {"error":{"error_code":14,"error_msg":"Captcha needed","request_params":[{"key":"method","value":"wall.post"}],
         "captcha_sid":"575800000001","captcha_img":"https://api.vk.ru/captcha.php?sid=575800000001&s=1",
         "captcha_ts":1793347200.123,"captcha_attempt":1,"captcha_ratio":2.6,"is_refresh_enabled":false}}
        """
    static let both = """
        {"error":{"error_code":14,"error_msg":"Captcha need","redirect_uri":"https://id.vk.ru/not_robot_captcha?x=1",
         "captcha_sid":"575800000001","captcha_img":"https://api.vk.ru/captcha.php?sid=575800000001&s=1"}}
        """

    private let calls: TestCalls

    init() throws { calls = try TestCalls() }

    private func kind(_ http: ScriptedHTTPClient) -> WallPost {
        WallPost(client: VKClient(http: http, limiter: CountingLimiter(), now: { VKErrorTests.now }))
    }

    private func pause(_ http: ScriptedHTTPClient) async throws -> PauseRequest {
        let kind = kind(http)
        let call = try calls.call(
            kind, ["owner_id": -12, "message": "Hello"], account: testAccount, address: "post[3]")
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(error.errorClass == .captcha)
        return try #require(error.pause)
    }

    @Test func pageIsKeptInAFileAndNotShown() async throws {
        let pause = try await pause(ScriptedHTTPClient([.json(Self.page)]))
        let file = try #require(pause.linkFile)
        #expect(FileSystem.name(of: file) == "post-3--captcha-1.url")
        #expect(try FileSystem.mode(file) == 0o600)
        #expect(
            try FileSystem.read(file)
                == Array(
                    "https://id.vk.ru/not_robot_captcha?domain=vk.com&session_token=eyJEXAMPLE.AAA.BBB&variant=popup&blank=1\n"
                        .utf8))
        #expect(pause.kind == .captcha)
        #expect(pause.answer == .successToken)
        #expect(pause.expires == Timestamp(iso8601: "2026-11-30T18:05:00Z"))
        #expect(pause.continuation == ["form": "redirect", "remixstlid": 9_071_234_567_890_123_456])
        #expect(!pause.message.contains("session_token"))
    }

    @Test func pageWinsWhenBothFormsCome() async throws {
        let http = ScriptedHTTPClient([.json(Self.both)])
        #expect(try await pause(http).answer == .successToken)
        #expect(http.requests.count == 1)
    }

    @Test func pictureIsLoadedOnceWithoutCredentials() async throws {
        let http = ScriptedHTTPClient([.json(Self.picture), .bytes(SampleBytes.jpeg)])
        let pause = try await pause(http)
        let file = try #require(pause.picture)
        #expect(FileSystem.name(of: file) == "post-3--captcha-1.jpg")
        #expect(try FileSystem.mode(file) == 0o600)
        #expect(try FileSystem.read(file) == SampleBytes.jpeg)
        #expect(pause.answer == .captchaText)
        #expect(
            pause.continuation == ["form": "picture", "sid": "575800000001", "ts": 1793347200.123, "attempt": 1])
        #expect(http.requests.count == 2)
        #expect(http.requests[1].url == "https://api.vk.ru/captcha.php?sid=575800000001&s=1")
        #expect(http.requests[1].headers.isEmpty)
    }

    @Test func picturesOfOneStepHaveTheirOwnNames() async throws {
        _ = try await pause(ScriptedHTTPClient([.json(Self.picture), .bytes(SampleBytes.png)]))
        let pause = try await pause(ScriptedHTTPClient([.json(Self.picture), .bytes(SampleBytes.jpeg)]))
        #expect(pause.picture.map { FileSystem.name(of: $0) } == "post-3--captcha-2.jpg")
    }

    @Test(arguments: [
        ScriptedHTTPClient.Answer.status(502), .bytes(Array("<html>".utf8)),
        .failure(HTTPError(kind: .timeout, message: "too slow", mayHaveBeenSent: true)),
    ])
    func missingPictureAsksToGoOnForAFreshOne(answer: ScriptedHTTPClient.Answer) async throws {
        let pause = try await pause(ScriptedHTTPClient([.json(Self.picture), answer]))
        #expect(pause.picture == nil)
        #expect(pause.answer == .none)
        #expect(
            pause.message
                == "VK asks account 'club' for a captcha. Its picture could not be loaded; going on without an answer "
                + "brings a fresh one.")
    }

    @Test func captchaOfNeitherFormFails() async throws {
        let kind = kind(ScriptedHTTPClient([.json(#"{"error":{"error_code":14,"error_msg":"Captcha needed"}}"#)]))
        let call = try calls.call(kind, ["owner_id": 1, "message": "Hello"], account: testAccount)
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(error.errorClass == .permission)
        #expect(error.pause == nil)
    }

    /// The fields that a repeated call has beyond those of the first.
    private func repeated(_ continuation: Value, _ answer: PauseAnswer?) async throws -> (HTTPRequest, added: [String])
    {
        let http = ScriptedHTTPClient([.json(#"{"response":{"post_id":42}}"#), .json(#"{"response":{"post_id":42}}"#)])
        let kind = kind(http)
        let parameters: ValueObject = ["owner_id": -12, "message": "Hello", "attachments": ["photo1_2_k"]]
        _ = try await kind.run(calls.call(kind, parameters, account: testAccount))
        _ = try await kind.run(
            calls.call(
                kind, parameters, account: testAccount, attempt: 2,
                resumption: Resumption(continuation: continuation, answer: answer)))
        let first = http.requests[0].form.map { "\($0.name)=\($0.value)" }
        let second = http.requests[1].form.map { "\($0.name)=\($0.value)" }
        #expect(Set(first).isSubset(of: second))
        return (http.requests[1], second.filter { !first.contains($0) })
    }

    @Test func pictureTextIsSentWithTheVerySameCall() async throws {
        let (request, added) = try await repeated(
            ["form": "picture", "sid": "575800000001", "ts": 1793347200.123, "attempt": 1], .captcha("z5hq"))
        #expect(
            added == [
                "captcha_sid=575800000001", "captcha_key=z5hq", "captcha_ts=1793347200.123", "captcha_attempt=1",
            ])
        #expect(request.header("Cookie") == nil)
    }

    @Test func successTokenIsSentWithTheUserAsFieldAndCookie() async throws {
        let (request, added) = try await repeated(
            ["form": "redirect", "remixstlid": 9_071_234_567_890_123_456], .successToken(Secret("tok.en")))
        #expect(added == ["success_token=tok.en", "remixstlid=9071234567890123456"])
        #expect(request.header("Cookie") == "remixstlid=9071234567890123456")
    }

    @Test func withoutAnAnswerTheCallIsSentAsItWas() async throws {
        let (request, added) = try await repeated(["form": "redirect", "remixstlid": 9], nil)
        #expect(added == [])
        #expect(request.header("Cookie") == nil)
    }

    @Test func answerOfTheOtherFormIsLeftOutWithAWarning() async throws {
        let (_, added) = try await repeated(["form": "redirect"], .captcha("z5hq"))
        #expect(added == [])
        #expect(
            calls.warnings == ["the answer does not fit what VK asked for; wall.post is sent again without it"])
    }

    @Test func agreementIsSentAsConfirm() async throws {
        #expect(try await repeated(["confirm": 1], .approved).added == ["confirm=1"])
    }

    @Test func userThatCouldEndTheHeaderIsNoCookie() async throws {
        let (request, _) = try await repeated(
            ["form": "redirect", "remixstlid": "1\r\nHost: x"], .successToken(Secret("tok.en")))
        #expect(request.header("Cookie") == nil)
    }

    @Test func refusedAnswerGivesANewPause() async throws {
        let http = ScriptedHTTPClient([.json(Self.page)])
        let kind = kind(http)
        let call = try calls.call(
            kind, ["owner_id": 1, "message": "Hello"], account: testAccount, attempt: 2,
            resumption: Resumption(continuation: ["form": "picture", "sid": "1"], answer: .captcha("wrong")))
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(error.pause?.answer == .successToken)
        #expect(http.requests[0].field("captcha_key") == "wrong")
    }

    @Test func validationKeepsItsPageInAFile() async throws {
        let http = ScriptedHTTPClient([
            .json(
                #"{"error":{"error_code":17,"error_msg":"Validation required","redirect_uri":"https://m.vk.com/login?act=security_check&hash=KEY"}}"#
            )
        ])
        let kind = kind(http)
        let call = try calls.call(kind, ["owner_id": 1, "message": "Hello"], account: testAccount)
        let pause = try #require(try await stepError { try await kind.run(call) }?.pause)
        #expect(pause.kind == .validation)
        #expect(pause.answer == .validated)
        #expect(pause.linkFile.map { FileSystem.name(of: $0) } == "post-validation-1.url")
        #expect(!pause.message.contains("KEY"))
    }
}
