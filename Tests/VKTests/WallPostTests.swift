import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

@Suite struct WallPostTests {
    private let calls: TestCalls

    init() throws { calls = try TestCalls() }

    private func kind(_ http: ScriptedHTTPClient) -> WallPost {
        WallPost(client: VKClient(http: http, limiter: CountingLimiter(), now: { VKErrorTests.now }))
    }

    @Test func postGivesItsIdAndAddress() async throws {
        let kind = kind(ScriptedHTTPClient([.json(#"{"response":{"post_id":42}}"#)]))
        let result = try await kind.run(
            calls.call(kind, ["owner_id": -12, "message": "Hello"], account: testAccount))
        #expect(
            result
                == .succeeded(["post_id": 42, "url": "https://vk.com/wall-12_42", "response": ["post_id": 42]]))
    }

    @Test(arguments: [#"{"response":{"post_id":"42"}}"#, #"{"error":null,"response":{"post_id":42}}"#])
    func postGivesItsIdHoweverItIsWritten(answer: String) async throws {
        let kind = kind(ScriptedHTTPClient([.json(answer)]))
        let result = try await kind.run(
            calls.call(kind, ["owner_id": -12, "message": "Hello"], account: testAccount))
        guard case .succeeded(let outputs) = result else { return #expect(Bool(false), "\(result)") }
        #expect(outputs["post_id"] == 42)
        #expect(outputs["url"] == "https://vk.com/wall-12_42")
    }

    @Test func ownWallIsLearnedOnceForAToken() async throws {
        let http = ScriptedHTTPClient([
            .json(#"{"response":[{"id":100200300,"first_name":"A"}]}"#), .json(#"{"response":{"post_id":42}}"#),
            .json(#"{"response":{"post_id":43}}"#),
        ])
        let kind = kind(http)
        let call = try calls.call(kind, ["message": "Hello"], account: testAccount)
        guard case .succeeded(let first) = try await kind.run(call),
            case .succeeded(let second) = try await kind.run(call)
        else { return }
        #expect(first["url"] == "https://vk.com/wall100200300_42")
        #expect(second["url"] == "https://vk.com/wall100200300_43")
        #expect(
            http.requests.map(\.label) == ["users.get", "wall.post", "wall.post"])
        #expect(http.requests[1].field("owner_id") == nil)
    }

    @Test func ownWallIsKnownFromItsUploadServer() async throws {
        let http = ScriptedHTTPClient([
            .json(#"{"response":{"upload_url":"https://pu.vk.ru/u","album_id":-14,"user_id":7}}"#),
            .json(#"{"response":{"post_id":42}}"#),
        ])
        let kinds = VKConnector(client: http, limiter: CountingLimiter(), now: { VKErrorTests.now }).stepKinds
        let server = try #require(kinds.first { $0.declaration.name == "vk.photos.getWallUploadServer" })
        let post = try #require(kinds.first { $0.declaration.name == "vk.wall.post" })
        _ = try await server.run(calls.call(server, [:], account: testAccount))
        guard
            case .succeeded(let outputs) = try await post.run(
                calls.call(post, ["message": "Hello"], account: testAccount))
        else { return }
        #expect(outputs["url"] == "https://vk.com/wall7_42")
        #expect(http.requests.count == 2)
    }

    @Test func postOnTheOwnWallStandsWhenVKDoesNotSayWhoseItIs() async throws {
        let http = ScriptedHTTPClient([
            .json(#"{"error":{"error_code":3,"error_msg":"Unknown method passed"}}"#),
            .json(#"{"response":{"post_id":42}}"#),
        ])
        let kind = kind(http)
        let result = try await kind.run(calls.call(kind, ["message": "Hello"], account: testAccount))
        #expect(result == .succeeded(["post_id": 42, "response": ["post_id": 42]]))
        #expect(calls.warnings == ["VK did not say whose wall it is: the post 42 has no address"])
    }

    static let unsendable: [(ValueObject, String)] = [
        (
            [:],
            "the post is empty. A post has a 'message', 'attachments', or both. Give one of them, or skip the step "
                + "with 'if' when there is nothing to post."
        ),
        (
            ["message": "", "attachments": ["", nil]],
            "the post is empty. A post has a 'message', 'attachments', or both. Give one of them, or skip the step "
                + "with 'if' when there is nothing to post."
        ),
        (
            ["attachments": ["https://a.example", "http://b.example"]],
            "'attachments' has 2 links. VK takes one link a post. Attach one, and write the others into 'message'."
        ),
        (
            ["attachments": .array((1...11).map { .string("photo1_\($0)") })],
            "'attachments' has 11 elements besides the link. VK takes up to 10 a post. Attach fewer, or make several "
                + "posts."
        ),
        (
            ["message": "a", "attachments": ["https://a.example", "photo12"]],
            "'attachments' has 'photo12' in it. A medium is its type with its owner's and its own number, as photo-12_34 or "
                + "photo-12_34_key. Take the 'attachment' that the step gives which made it."
        ),
        (
            ["message": "a", "attachments": ["photo-1_2 "]],
            "'attachments' has 'photo-1_2 ' in it. A medium is its type with its owner's and its own number, as photo-12_34 or "
                + "photo-12_34_key. Take the 'attachment' that the step gives which made it."
        ),
        (
            ["owner_id": 0, "message": "Hello"],
            "'owner_id' is 0. VK's owner ids are positive for users, negative for communities. Leave it out for the "
                + "own wall."
        ),
    ]

    @Test(arguments: unsendable)
    func wrongPostIsRefusedBeforeSending(parameters: ValueObject, sentence: String) async throws {
        let http = ScriptedHTTPClient()
        let kind = kind(http)
        let call = try calls.call(kind, parameters, account: testAccount)
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(error.errorClass == .invalid)
        #expect(error.sentence == sentence)
        #expect(http.requests.isEmpty)
    }

    static let attachments: [(String, String?)] = [
        ("photo-1_2", nil), ("photo1_2_ab12", nil), ("market_album-1_2", nil), ("audio_playlist1_2_key", nil),
        ("https://vk.com/club12", nil), ("https://example.org/photo1_2", nil),
        (
            "foto1_2",
            "'attachments' has 'foto1_2' in it, and 'foto' is no type that VK is known to attach. Did you mean 'photo'?"
        ),
        (
            "https://vk.com/photo-1_2",
            "'attachments' has the page of a photo in it. VK attaches it as a link. Write photo-1_2 if the photo itself is meant."
        ),
    ]

    /// The list of wall.post's page, and what users took for it (python273/vk_api#516).
    @Test(arguments: attachments)
    func attachmentThatVKMayTakeForSomethingElseIsTold(text: String, sentence: String?) throws {
        let kind = kind(ScriptedHTTPClient())
        let call = PlannedCall(parameters: [PlannedMember("attachments", .known([.string(text)]))])
        let problems = kind.problems(in: call)
        #expect(problems.map { "\(StepError($0).sentence)" } == (sentence.map { [$0] } ?? []))
        #expect(problems.allSatisfy { $0.severity == .warning })
    }

    /// VK parts the list at its commas.
    @Test func commaInALinkIsNoSecondAttachment() async throws {
        let http = ScriptedHTTPClient([.json(#"{"response":{"post_id":42}}"#)])
        let kind = kind(http)
        let parameters: ValueObject = [
            "owner_id": -12, "attachments": ["photo1_2", "https://maps.example/@59.9,30.3"],
        ]
        _ = try await kind.run(calls.call(kind, parameters, account: testAccount))
        #expect(http.requests[0].field("attachments") == "photo1_2,https://maps.example/@59.9%2C30.3")
    }

    @Test func refusedWallOfAPositiveIdMayBeACommunitys() async throws {
        let denied = ScriptedHTTPClient.Answer.json(
            #"{"error":{"error_code":214,"error_msg":"Access to adding post denied"}}"#)
        let kind = kind(ScriptedHTTPClient([denied, denied]))
        for (owner, hint) in [(12, "If 12 is a community, write owner_id: -12. "), (-12, "")] as [(Int64, String)] {
            let call = try calls.call(kind, ["owner_id": .integer(owner), "message": "Hello"], account: testAccount)
            let error = try #require(try await stepError { try await kind.run(call) })
            #expect(
                error.fix
                    == hint + "Check that the account may post there, and that its token has the right 'wall'.")
        }
    }

    @Test(arguments: [#"{"response":{}}"#, #"{"response":1}"#, #"{"response":{"post_id":0}}"#])
    func answerWithoutAnIdIsInDoubt(answer: String) async throws {
        let kind = kind(ScriptedHTTPClient([.json(answer)]))
        let call = try calls.call(kind, ["owner_id": 1, "message": "Hello"], account: testAccount)
        #expect(try await stepError { try await kind.run(call) }?.errorClass == .inDoubt)
    }

    static let posted: [(String, Value, Int64?, String?)] = [
        ("42", -12, 42, "https://vk.com/wall-12_42"), ("-12_42", -12, 42, "https://vk.com/wall-12_42"),
        ("wall-12_42", -12, 42, "https://vk.com/wall-12_42"),
        ("https://vk.com/wall-12_42", -12, 42, "https://vk.com/wall-12_42"),
        ("https://vk.ru/club12?w=wall-12_42", -12, 42, "https://vk.com/wall-12_42"),
        ("https://vk.com/wall-12_42?reply=5", -12, 42, "https://vk.com/wall-12_42"), ("42", nil, 42, nil),
        ("7_42", nil, 42, "https://vk.com/wall7_42"), ("-13_42", -12, nil, nil), ("photo-12_42", -12, nil, nil),
        ("0", -12, nil, nil), ("-5", -12, nil, nil), ("", -12, nil, nil), ("https://vk.com/club12", -12, nil, nil),
    ]

    @Test(arguments: posted)
    func idGivenByAPersonIsRead(id: String, owner: Value, post: Int64?, url: String?) async throws {
        let kind = kind(ScriptedHTTPClient())
        let call = try calls.call(kind, ["owner_id": owner, "message": "Hello"], account: testAccount)
        let outputs = try await kind.outputs(forPosted: id, of: call)
        #expect(outputs?["post_id"]?.integer == post)
        #expect(outputs?["url"]?.string == url)
    }

    /// The user is looked up, so that the post of the own wall has its address, and another wall's is no answer.
    @Test(arguments: [
        ("42", "https://vk.com/wall100200300_42"), ("wall7_42", nil),
        ("100200300_42", "https://vk.com/wall100200300_42"),
    ])
    func idGivenForTheOwnWallGetsItsAddress(id: String, url: String?) async throws {
        let kind = kind(ScriptedHTTPClient([.json(#"{"response":[{"id":100200300,"first_name":"A"}]}"#)]))
        let call = try calls.call(kind, ["message": "Hello"], account: testAccount)
        #expect(try await kind.outputs(forPosted: id, of: call)?["url"]?.string == url)
    }

    static let texts = [
        ("a\r\nb", "a b"), ("Tom &amp; Jerry &lt;3 &quot;x&quot; &#39;y&#39;", "Tom & Jerry <3 \"x\" 'y'"),
        ("one<br>two", "one two"), ("  a \t b  \n\n c ", "a b c"), ("&amp;lt;", "&lt;"), ("", ""),
        ("e\u{301}", "\u{E9}"), ("👩‍👩‍👧 #tag", "👩‍👩‍👧 #tag"),
    ]

    @Test(arguments: texts)
    func textsAreComparedAsPeopleSeeThem(one: String, other: String) {
        #expect(comparable(wallText: one) == comparable(wallText: other))
    }

    @Test(arguments: [("Hello", "hello"), ("a b", "ab"), ("x", "")])
    func otherTextsDiffer(one: String, other: String) {
        #expect(comparable(wallText: one) != comparable(wallText: other))
    }
}
