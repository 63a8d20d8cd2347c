import Files
import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// What is sent to VK, and what is made of its answer.
@Suite struct VKMethodTests {
    private let calls: TestCalls
    private let limiter = CountingLimiter()

    init() throws { calls = try TestCalls() }

    private func client(_ http: ScriptedHTTPClient) -> VKClient {
        VKClient(http: http, limiter: limiter, now: { VKErrorTests.now })
    }

    private func outputs(_ result: StepResult) -> ValueObject {
        if case .succeeded(let outputs) = result { outputs } else { [:] }
    }

    @Test func methodIsAPostWithTheTokenInTheHeaderOnly() async throws {
        let http = ScriptedHTTPClient([.json(#"{"response":{"post_id":42}}"#)])
        let kind = WallPost(client: client(http))
        _ = try await kind.run(calls.call(kind, ["owner_id": -12, "message": "Hello"], account: testAccount))
        let request = try #require(http.requests.first)
        #expect(request.method == .post)
        #expect(request.url == "https://api.vk.com/method/wall.post")
        #expect(request.header("Authorization") == "Bearer vk1.a.SECRETTOKEN")
        #expect(request.header("Cookie") == nil)
        #expect(request.isWrite)
        #expect(request.maxRedirects == 0)
        #expect(!request.form.contains { $0.value.contains("SECRETTOKEN") })
        #expect(
            request.form.map { "\($0.name)=\($0.value)" } == [
                "owner_id=-12", "message=Hello", "guid=0123456789abcdef0123456789abcdef", "v=5.199",
            ])
        #expect(limiter.rates == [3])
    }

    static let encodings: [(Value, String?)] = [
        (nil, nil), (true, "1"), (false, "0"), ("", ""), ("a,b", "a,b"), (-12, "-12"),
        (9_071_234_567_890_123_456, "9071234567890123456"), (55.75, "55.75"), ([], nil), ([nil, ""], nil),
        (["photo1_2", nil, "", "https://example.org"], "photo1_2,https://example.org"), ([1, true], "1,1"),
        (["crop": [1, 2]], #"{"crop":[1,2]}"#), ([["x": 1]], #"[{"x":1}]"#),
    ]

    @Test(arguments: encodings)
    func parametersBecomeFields(value: Value, field: String?) {
        #expect(formFields(["p": value]).map(\.value) == (field.map { [$0] } ?? []))
    }

    @Test func rateAndVersionAndAddressComeFromTheAccount() async throws {
        let http = ScriptedHTTPClient([
            .json(#"{"response":{"upload_url":"http://127.0.0.1:9/up","album_id":-14,"user_id":1}}"#)
        ])
        let account = Account(
            name: "vk", type: "vk", token: Secret("t0ken"), baseURL: "http://127.0.0.1:9",
            settings: ["rate": 20, "api-version": "5.200"])
        let kind = GetWallUploadServer(client: client(http))
        _ = try await kind.run(calls.call(kind, ["group_id": 12], account: account))
        let request = try #require(http.requests.first)
        #expect(request.url == "http://127.0.0.1:9/method/photos.getWallUploadServer")
        #expect(request.field("v") == "5.200")
        #expect(request.field("group_id") == "12")
        #expect(!request.isWrite)
        #expect(limiter.rates == [20])
    }

    @Test func uploadServerGivesItsMembersAndTheWholeAnswer() async throws {
        let http = ScriptedHTTPClient([
            .json(
                #"{"response":{"album_id":-14,"upload_url":"https://pu.vk.ru/c1/upload.php?act=do_add","user_id":100200300}}"#
            )
        ])
        let kind = GetWallUploadServer(client: client(http))
        let result = outputs(try await kind.run(calls.call(kind, [:], account: testAccount)))
        #expect(result["upload_url"] == "https://pu.vk.ru/c1/upload.php?act=do_add")
        #expect(result["album_id"] == -14)
        #expect(result["user_id"] == 100_200_300)
        #expect(result["response"]?["album_id"] == -14)
    }

    @Test func negativeGroupIsRefusedBeforeSending() async throws {
        let http = ScriptedHTTPClient()
        let kind = GetWallUploadServer(client: client(http))
        let call = try calls.call(kind, ["group_id": -12], account: testAccount)
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(error.errorClass == .invalid)
        #expect(
            error.sentence
                == "'group_id' is -12. VK wants a community's id positive here. Write community(owner_id), or 12.")
        #expect(http.requests.isEmpty)
    }

    @Test func savedPhotoGivesItsAttachmentWithTheKey() async throws {
        let http = ScriptedHTTPClient([
            .json(
                #"{"response":[{"id":457239017,"owner_id":100200300,"album_id":-14,"date":1796000000,"access_key":"ab12","text":"","sizes":[],"has_tags":false}]}"#
            )
        ])
        let kind = SaveWallPhoto(client: client(http))
        let photo = #"[{"photo":"0a1b2c3d4e:w","sizes":[],"kid":"x\/y"}]"#
        let result = outputs(
            try await kind.run(
                calls.call(
                    kind, ["photo": .string(photo), "server": "900001", "hash": "h", "group_id": 12],
                    account: testAccount)))
        #expect(result["attachment"] == "photo100200300_457239017_ab12")
        #expect(result["attachments"] == ["photo100200300_457239017_ab12"])
        #expect(result["id"] == 457_239_017)
        #expect(result["items"] == result["response"])
        let request = try #require(http.requests.first)
        #expect(request.field("photo") == photo)
        #expect(request.field("server") == "900001")
        #expect(request.isWrite)
    }

    @Test func savedPhotoWithoutKeyHasAShortAttachment() async throws {
        let http = ScriptedHTTPClient([.json(#"{"response":[{"id":5,"owner_id":-12}]}"#)])
        let kind = SaveWallPhoto(client: client(http))
        let result = outputs(try await kind.run(calls.call(kind, ["photo": "[1]"], account: testAccount)))
        #expect(result["attachment"] == "photo-12_5")
    }

    @Test(arguments: [#"{"response":[]}"#, #"{"response":{}}"#, #"{"response":[{"id":5}]}"#])
    func savingWithoutAPhotoInTheAnswerIsInDoubt(answer: String) async throws {
        let kind = SaveWallPhoto(client: client(ScriptedHTTPClient([.json(answer)])))
        let call = try calls.call(kind, ["photo": "[1]"], account: testAccount)
        #expect(try await stepError { try await kind.run(call) }?.errorClass == .inDoubt)
    }

    @Test(arguments: ["", "[]"])
    func savingAnEmptyUploadIsStaleBeforeSending(photo: String) async throws {
        let http = ScriptedHTTPClient()
        let kind = SaveWallPhoto(client: client(http))
        let call = try calls.call(kind, ["photo": .string(photo)], account: testAccount)
        #expect(try await stepError { try await kind.run(call) }?.errorClass == .stale)
        #expect(http.requests.isEmpty)
    }

    @Test func outputsOfAnyMethodFollowItsShape() {
        #expect(methodOutputs(["a": 1]) == ["a": 1, "response": ["a": 1]])
        #expect(methodOutputs([["a": 1], ["a": 2]])["a"] == 1)
        #expect(methodOutputs([["a": 1]])["items"] == [["a": 1]])
        #expect(methodOutputs(1) == ["value": 1, "response": 1])
    }

    @Test func planShowsWhatWouldBeSentAndNoToken() throws {
        let kind = WallPost(client: client(ScriptedHTTPClient()))
        let plan = kind.plan(
            PlannedCall(
                parameters: [
                    PlannedMember("owner_id", .known(-12)), PlannedMember("from_group", .known(true)),
                    PlannedMember("message", .after(["latest"])), PlannedMember("signed", .known(nil)),
                    PlannedMember("attachments", .known(["photo1_2", ""])),
                ], baseURL: "http://127.0.0.1:8"))
        #expect(
            plan == [
                PlannedRequest(
                    "POST", .known("http://127.0.0.1:8/method/wall.post"),
                    fields: [
                        PlannedMember("owner_id", .known(-12)), PlannedMember("from_group", .known(1)),
                        PlannedMember("message", .after(["latest"])),
                        PlannedMember("attachments", .known(["photo1_2"])), PlannedMember("v", .known("5.199")),
                        PlannedMember("access_token", .secret),
                    ])
            ])
    }
}
