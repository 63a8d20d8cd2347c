import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

/// `vk.<section>.<method>`.
@Suite struct MethodStepTests {
    private let calls: TestCalls

    init() throws { calls = try TestCalls() }

    private static func family(_ http: ScriptedHTTPClient = ScriptedHTTPClient()) -> any StepKindFamily {
        VKConnector(client: http, limiter: CountingLimiter(), now: { VKErrorTests.now }).methods
    }

    static let names: [(String, Bool)] = [
        ("vk.wall.getComments", true), ("vk.photos.createAlbum", true), ("vk.users.get", true),
        ("vk.market.addAlbum", true), ("vk.brandNew.doThings", true), ("vk.execute", true),
        ("vk.execute.myProcedure", true), ("vk.wall.getReactionsOfPosts", true),
        // Slips of the pen.
        ("vk.wall.getComment s", false), ("vk.wall.getComents", false), ("vk.wall.Get", false), ("vk.wal.get", false),
        ("vk.Users.get", false), ("vk.stories.saves", false),
        // No methods.
        ("vk.wall", false), ("vk.wall.", false), ("vk..get", false), ("vk.wall.get.all", false), ("wall.get", false),
        ("vk.wall.1", false),
    ]

    @Test(arguments: names)
    func nameIsAMethodOrIsNot(name: String, isMethod: Bool) {
        #expect((Self.family().kind(named: name) != nil) == isMethod)
    }

    static let effects: [(String, Effect, Bool)] = [
        ("vk.wall.getComments", .read, false), ("vk.wall.search", .read, false), ("vk.wall.delete", .idempotent, false),
        ("vk.wall.edit", .idempotent, false), ("vk.wall.pin", .idempotent, false),
        ("vk.wall.repost", .write, false), ("vk.photos.save", .write, false), ("vk.users.get", .read, true),
        ("vk.utils.resolveScreenName", .read, true), ("vk.groups.isMember", .read, true),
        ("vk.polls.create", .write, true), ("vk.market.getaway", .write, true), ("vk.execute", .write, true),
    ]

    @Test(arguments: effects)
    func effectFollowsFromTheName(name: String, effect: Effect, takesEffect: Bool) throws {
        let declaration = try #require(Self.family().kind(named: name)).declaration
        #expect(declaration.effect == effect)
        #expect(declaration.takesEffect == takesEffect)
        #expect(declaration.doubtRule == .ask)
    }

    @Test func parametersOfTheSchemaAreTyped() throws {
        let declaration = try #require(Self.family().kind(named: "vk.wall.getComments")).declaration
        let types = Dictionary(uniqueKeysWithValues: declaration.parameters.map { ($0.name, $0.type) })
        #expect(types["owner_id"] == .integer)
        #expect(types["need_likes"] == .boolean)
        #expect(types["fields"] == .list(.string))
        #expect(types["sort"] == .choice(["asc", "desc", "smart"]))
        #expect(!declaration.hasOpenParameters)
        let edit = try #require(Self.family().kind(named: "vk.wall.edit")).declaration
        #expect(edit.parameters.first { $0.name == "publish_date" }?.type == .time)
        #expect(edit.parameters.first { $0.name == "post_id" }?.isRequired == true)
    }

    /// What a person says that a method in doubt has made; VK's schema (API 5.199) says how each answers.
    static let posted: [(method: String, parameters: ValueObject, text: String, output: String, value: Value?)] = [
        ("photos.createAlbum", ["title": "a", "group_id": 12], "257", "id", 257),
        ("photos.createAlbum", ["title": "a", "group_id": 12], "257", "owner_id", -12),
        ("photos.createAlbum", ["title": "a"], "album-12_257", "owner_id", -12),
        ("photos.createAlbum", ["title": "a"], "https://vk.com/album-12_257", "id", 257),
        ("photos.createAlbum", ["title": "a"], "Soups", "id", nil),
        ("photos.createComment", ["owner_id": -12, "photo_id": 1], "8", "value", 8),
        ("photos.report", ["owner_id": 1, "photo_id": 1], "1", "response", 1),
        ("photos.report", ["owner_id": 1, "photo_id": 1], "2", "response", nil),
        ("wall.repost", ["object": "wall1_2"], "42", "post_id", 42),
        ("wall.postAdsStealth", ["owner_id": -12], "https://vk.com/wall-12_42", "post_id", 42),
        ("photos.save", [:], "photo1_2,photo1_3_ab12", "attachments", ["photo1_2", "photo1_3_ab12"]),
        ("photos.save", [:], "https://vk.com/photo1_2?rev=1", "attachment", "photo1_2"),
        ("photos.save", [:], "https://vk.com/album1_0?z=photo1_2%2Falbum1_0", "attachment", "photo1_2"),
        ("photos.save", [:], "video1_2", "attachment", nil), ("photos.save", [:], "5", "attachment", nil),
        ("stories.save", [:], "story-12_5", "url", "https://vk.com/story-12_5"),
        ("polls.create", ["owner_id": -12], "5", "attachment", "poll-12_5"),
        ("video.save", [:], "video-12_9", "attachment", "video-12_9"),
        ("messages.send", ["user_id": 1], "9071234567890123456", "value", 9_071_234_567_890_123_456),
        ("market.add", [:], #"{"market_item_id":9}"#, "market_item_id", 9), ("brandNew.do", [:], "a-b", "value", "a-b"),
        ("brandNew.do", [:], "", "value", nil),
    ]

    @Test(arguments: posted)
    func whatAMethodInDoubtHasMadeCanBeGiven(
        method: String, parameters: ValueObject, text: String, output: String, value: Value?
    ) async throws {
        let kind = try #require(Self.family().kind(named: "vk." + method))
        let call = try calls.call(kind, parameters, account: testAccount)
        #expect(try await kind.outputs(forPosted: text, of: call)?[output] == value)
    }

    @Test func valuesAreWrittenAsVKWantsThem() async throws {
        let http = ScriptedHTTPClient([.json(#"{"response":1}"#)])
        let kind = try #require(Self.family(http).kind(named: "vk.market.edit"))
        let call = try calls.call(
            kind,
            [
                "owner_id": -9_071_234_567_890_123_456, "photo_ids": [1, 2, nil, ""], "deleted": false, "main": true,
                "sizes": ["a": [1, 2]], "name": "Кофе & чай", "note": "", "left": nil, "tags": [], "price": 1.5,
                "list": [["x": 1]],
            ], account: testAccount)
        _ = try await kind.run(call)
        let form = Dictionary(uniqueKeysWithValues: http.requests[0].form.map { ($0.name, $0.value) })
        #expect(
            form == [
                "owner_id": "-9071234567890123456", "photo_ids": "1,2", "deleted": "0", "main": "1",
                "sizes": #"{"a":[1,2]}"#, "name": "Кофе & чай", "note": "", "price": "1.5", "list": #"[{"x":1}]"#,
                "v": "5.199",
            ])
    }

    @Test func dateBecomesUnixTime() async throws {
        let http = ScriptedHTTPClient([.json(#"{"response":{"post_id":4}}"#)])
        let kind = try #require(Self.family(http).kind(named: "vk.wall.edit"))
        _ = try await kind.run(
            calls.call(
                kind, ["owner_id": -12, "post_id": 4, "publish_date": "2026-12-24T18:00:00+03:00"], account: testAccount
            ))
        // date -u -d 2026-12-24T15:00:00Z +%s
        #expect(http.requests[0].field("publish_date") == "1798124400")
    }

    static let outputs: [(String, String, ValueObject)] = [
        ("vk.utils.getServerTime", "1793347200", ["value": 1_793_347_200]),
        ("vk.wall.pin", "1", ["value": 1]),
        (
            "vk.users.get", #"[{"id":1,"first_name":"A"}]"#,
            ["id": 1, "first_name": "A", "items": [["id": 1, "first_name": "A"]]]
        ),
        ("vk.wall.edit", #"{"post_id":5}"#, ["post_id": 5, "url": "https://vk.com/wall-12_5"]),
        ("vk.wall.getById", #"{"items":[]}"#, ["items": []]),
        (
            "vk.docs.save", #"{"type":"doc","doc":{"id":7,"owner_id":-12,"url":"https://vk.com/doc"}}"#,
            [
                "type": "doc", "doc": ["id": 7, "owner_id": -12, "url": "https://vk.com/doc"],
                "attachment": "doc-12_7", "attachments": ["doc-12_7"],
            ]
        ),
        (
            "vk.video.save", #"{"video_id":"8","owner_id":1,"access_key":"k"}"#,
            [
                "video_id": "8", "owner_id": 1, "access_key": "k", "attachment": "video1_8_k",
                "attachments": ["video1_8_k"],
            ]
        ),
        (
            "vk.stories.save", #"{"count":1,"items":[{"id":3,"owner_id":-12}]}"#,
            ["count": 1, "items": [["id": 3, "owner_id": -12]], "url": "https://vk.com/story-12_3"]
        ),
    ]

    @Test(arguments: outputs)
    func answerBecomesOutputs(name: String, response: String, expected: ValueObject) async throws {
        let http = ScriptedHTTPClient([.json(#"{"response":\#(response)}"#)])
        let kind = try #require(Self.family(http).kind(named: name))
        let given: ValueObject = ["owner_id": -12, "post_id": 5, "posts": ["-12_5"]]
        let result = try await kind.run(calls.call(kind, given, account: testAccount))
        var outputs = expected
        outputs["response"] = try Value(json: Array(response.utf8))
        #expect(result == .succeeded(outputs))
    }

    @Test func twoDeletionsAreOne() async throws {
        let gone = #"{"error":{"error_code":104,"error_msg":"Not found"}}"#
        let http = ScriptedHTTPClient([.json(gone), .json(gone)])
        let kind = try #require(Self.family(http).kind(named: "vk.wall.delete"))
        let first = try calls.call(kind, ["owner_id": -12, "post_id": 4], account: testAccount)
        #expect(try await stepError { try await kind.run(first) }?.code == "104")
        let second = try calls.call(kind, ["owner_id": -12, "post_id": 4], account: testAccount, attempt: 2)
        #expect(try await kind.run(second) == .succeeded(["value": 1, "response": 1]))
    }

    private func answer(_ name: String, _ response: String) async throws -> StepError? {
        let http = ScriptedHTTPClient([.json(#"{"response":\#(response)}"#)])
        let kind = try #require(Self.family(http).kind(named: name))
        let given: ValueObject = ["owner_id": -12, "post_id": 5, "comment_id": 3, "reason": 0]
        return try await stepError {
            try await kind.run(calls.call(kind, given, account: testAccount, effect: kind.declaration.effect))
        }
    }

    /// `base_ok_response` is an enumeration of 1 alone.
    @Test(arguments: ["0", "false", #""0""#])
    func answerOfZeroIsNotDone(response: String) async throws {
        let error = try await answer("vk.wall.pin", response)
        #expect(error?.errorClass == .invalid)
        #expect(error?.what == "VK's wall.pin was answered with \(response == #""0""# ? "'0'" : response)")
        #expect(error?.why == "1 would say that it was done: VK has not done it.")
    }

    @Test func answerOfZeroToAWriteIsADoubt() async throws {
        #expect(try await answer("vk.wall.reportPost", "0")?.errorClass == .inDoubt)
    }

    /// `base_bool_int`: 0 is "no".
    @Test func noIsAnAnswerAndAWarning() async throws {
        #expect(try await answer("vk.wall.closeComments", "0") == nil)
        #expect(
            calls.warnings == ["VK's wall.closeComments was answered with 0, which means no: VK has changed nothing"])
    }

    @Test(arguments: [
        ("vk.wall.pin", "1"), ("vk.wall.pin", "true"), ("vk.photos.getAlbumsCount", "0"), ("vk.likes.delete", "0"),
        ("vk.brandNew.doThings", "0"),
    ])
    func otherAnswersPassAsTheyAre(name: String, response: String) async throws {
        #expect(try await answer(name, response) == nil)
        #expect(calls.warnings == [])
    }

    @Test(arguments: ["wall", "photos", "stories"])
    func confirmationsAreThoseOfTheSchema(section: String) throws {
        let methods = try #require(try Fixtures("vk-schema/\(section)").json("methods")["methods"]?.array)
        for schema in methods {
            let name = try #require(schema["name"]?.string)
            let method = try #require(VKMethodTable.method(name))
            let answer = schema["responses"]?["response"]?["$ref"]?.string ?? ""
            let expected: VKMethod.Confirmation? =
                if method.effect == .read {
                    nil
                } else if answer.hasSuffix("/base_ok_response") {
                    .ok
                } else if answer.hasSuffix("/base_bool_response") {
                    .yesOrNo
                } else {
                    nil
                }
            #expect(method.confirmation == expected, "\(name)")
        }
    }

    static let wrong: [(String, ValueObject, String)] = [
        (
            "vk.photos.createAlbum", ["title": "A", "group_id": -5],
            "'group_id' is -5. VK wants a community's id positive here. Write community(owner_id), or 5."
        ),
        (
            "vk.wall.createComment", ["post_id": 1, "from_group": -5],
            "'from_group' is -5. For a comment it is the community's id, positive. Write 5."
        ),
        (
            "vk.wall.get", ["owner_id": 0],
            "'owner_id' is 0. VK's owner ids are positive for users, negative for communities. Leave it out for the own "
                + "wall."
        ),
    ]

    @Test(arguments: wrong)
    func mistakeInSignsIsToldBeforeSending(name: String, parameters: ValueObject, sentence: String) async throws {
        let http = ScriptedHTTPClient()
        let kind = try #require(Self.family(http).kind(named: name))
        let call = try calls.call(kind, parameters, account: testAccount)
        #expect(try await stepError { try await kind.run(call) }?.sentence == sentence)
        #expect(http.requests.isEmpty)
    }
}
