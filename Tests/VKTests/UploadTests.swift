import Files
import HTTP
import ServiceTestSupport
import StepKit
import Testing
import Values

@testable import VK

@Suite struct UploadTests {
    private let calls: TestCalls

    init() throws { calls = try TestCalls() }

    private func kind(_ http: ScriptedHTTPClient) -> Upload { Upload(http: http) }

    private func upload(
        _ answer: ScriptedHTTPClient.Answer, attempt: Int = 1
    ) async throws -> (ValueObject?, StepError?, HTTPRequest) {
        let http = ScriptedHTTPClient([answer])
        let kind = kind(http)
        let photo = try calls.file("карточка.bin", SampleBytes.jpeg)
        let call = try calls.call(
            kind, ["url": "https://pu.vk.ru/c1/upload.php?act=do_add&hash=KEY", "photo": .string(photo)], account: nil,
            attempt: attempt)
        do {
            guard case .succeeded(let outputs) = try await kind.run(call) else { return (nil, nil, http.requests[0]) }
            return (outputs, nil, http.requests[0])
        } catch let error as StepError {
            return (nil, error, http.requests[0])
        }
    }

    static let good =
        #"{"server":900001,"photo":"[{\"photo\":\"0a1b2c3d4e:w\",\"sizes\":[],\"kid\":\"x\\/y\"}]","hash":"abc"}"#

    @Test func answerIsPassedOnByteForByte() async throws {
        let (outputs, _, _) = try await upload(.json(Self.good))
        #expect(outputs?["photo"] == #"[{"photo":"0a1b2c3d4e:w","sizes":[],"kid":"x\/y"}]"#)
        #expect(outputs?["server"] == 900_001)
        #expect(outputs?["hash"] == "abc")
        #expect(outputs?["response"]?["server"] == 900_001)
    }

    @Test func jsonIsReadWhateverItsDeclaredType() async throws {
        let (outputs, _, _) = try await upload(
            .status(200, Self.good, headers: [(name: "content-type", value: "text/html")]))
        #expect(outputs?["hash"] == "abc")
    }

    @Test func requestHoldsThePlainlyNamedFileAndNoCredentials() async throws {
        let (_, _, request) = try await upload(.json(Self.good))
        #expect(request.method == .post)
        #expect(request.headers.isEmpty)
        #expect(request.maxRedirects == 0)
        #expect(request.label == "vk.upload")
        guard case .multipart(let parts) = request.body, let part = parts.first,
            case .file(let path, let name, let type) = part.content
        else {
            Issue.record("no file")
            return
        }
        #expect(parts.count == 1)
        #expect(part.name == "photo")
        #expect(path.hasSuffix("/карточка.bin"))
        #expect(name == "photo.jpg")
        #expect(type == "image/jpeg")
    }

    @Test func largeFilesHaveMoreTime() async throws {
        let http = ScriptedHTTPClient([.json(Self.good)])
        let kind = kind(http)
        let photo = try calls.file("big.png", SampleBytes.png + [UInt8](repeating: 0, count: 1_000_000))
        _ = try await kind.run(
            calls.call(
                kind, ["url": "https://pu.vk.ru/u", "photo": .string(photo)], account: nil, timeout: .seconds(60)))
        #expect(http.requests[0].limits.total == .seconds(70))
    }

    static let failures: [(String, String)] = [
        (#"{"server":1,"photo":"[]","hash":"h"}"#, "VK's upload was answered with an empty 'photo'."),
        (#"{"server":1,"photo":"","hash":"h"}"#, "VK's upload was answered with an empty 'photo'."),
        (#"{"server":1,"photo":[],"hash":"h"}"#, "VK's upload was answered with an empty 'photo'."),
        (#"{"server":1,"photo":"[1]"}"#, "VK's upload was answered with no 'hash'."),
        ("Security Breach2", "VK's upload was answered with no JSON. VK says: Security Breach2"),
        ("<html><body>504</body></html>", "VK's upload was answered with no JSON."),
        ("", "VK's upload was answered with an empty body."),
        ("[]", "VK's upload was answered with something that is no object."),
        (
            #"{"error":"ERR_UPLOAD_BAD_IMAGE_SIZE","error_code":2,"error_descr":"bad size"}"#,
            "VK's upload was answered with an error (2). VK says: bad size"
        ),
        (
            #"{"error":{"error_code":5,"type":"ERR_UPLOAD"}}"#,
            "VK's upload was answered with an error (5). VK says: ERR_UPLOAD"
        ),
    ]

    @Test(arguments: failures)
    func answerWithoutAPhotoIsTriedAgain(body: String, sentence: String) async throws {
        let (_, error, _) = try await upload(.status(200, body))
        #expect(error?.errorClass == .server)
        #expect(error?.sentence == sentence)
    }

    @Test(arguments: [(1, ErrorClass.server), (2, .server), (3, .stale), (4, .server), (5, .server)])
    func thirdFailureAsksForAFreshAddress(attempt: Int, expected: ErrorClass) async throws {
        let (_, error, _) = try await upload(.status(200, #"{"photo":"[]"}"#), attempt: attempt)
        #expect(error?.errorClass == expected)
    }

    @Test(arguments: [
        (502, ErrorClass.server), (504, .server), (403, .stale), (404, .stale), (410, .stale), (413, .invalid),
        (400, .server), (429, .rateLimit),
    ])
    func statusDecides(status: Int, expected: ErrorClass) async throws {
        let (_, error, _) = try await upload(.status(status, "<html></html>"))
        #expect(error?.errorClass == expected)
        #expect(error.map { !$0.sentence.contains("KEY") } == true)
    }

    @Test(arguments: [302, 307, 308])
    func addressThatLeadsOnIsNotTheAccounts(status: Int) async throws {
        let (_, error, _) = try await upload(.status(status, ""))
        #expect(error?.errorClass == .stale)
        #expect(
            error?.sentence
                == "VK's upload was answered with HTTP \(status). It leads on to another address, and a file goes "
                + "to the one that VK gave alone. Ask for another address by the step that asks for an upload server. When "
                + "that leads on, too, see whether a proxy or a network's sign-in page stands before VK.")
    }

    @Test(arguments: [400, 401, 403, 405, 413, 422, 429, 502])
    func refusedUploadDoesNotBlameTheAccount(status: Int) async throws {
        let (_, error, _) = try await upload(.status(status, ""))
        #expect(error.map { !$0.sentence.contains("base-url") } == true)
    }

    static let bad: [(String, [UInt8]?, String)] = [
        (
            "photo", nil,
            "cannot read 'RUN/x.jpg': No such file or directory. Check the path, and the step that made the file."
        ),
        ("photo", [], "'RUN/x.jpg' is empty. Check the step that made the file."),
        (
            "photo", SampleBytes.webp,
            "'RUN/x.jpg' is no JPEG, PNG or GIF. VK takes no other pictures. Convert it, or compose a card of it with "
                + "card.compose."
        ),
        (
            "file2", Array("<html>".utf8),
            "'RUN/x.jpg' is no JPEG, PNG or GIF. VK takes no other pictures. Convert it, or compose a card of it with "
                + "card.compose."
        ),
    ]

    @Test(arguments: bad)
    func wrongFileIsRefusedBeforeSending(field: String, bytes: [UInt8]?, sentence: String) async throws {
        let http = ScriptedHTTPClient()
        let kind = kind(http)
        var path = calls.folder + "/x.jpg"
        if let bytes { path = try calls.file("x.jpg", bytes) }
        let call = try calls.call(kind, ["url": "https://pu.vk.ru/u", field: .string(path)], account: nil)
        let error = try #require(try await stepError { try await kind.run(call) })
        #expect(error.errorClass == .invalid)
        #expect(error.sentence.replacing(calls.folder, with: "RUN") == sentence)
        #expect(http.requests.isEmpty)
    }

    @Test func photoOverFiftyMegabytesIsRefused() async throws {
        let kind = kind(ScriptedHTTPClient())
        let path = try calls.file("x.jpg", SampleBytes.jpeg + [UInt8](repeating: 0, count: 50 << 20))
        let call = try calls.call(kind, ["url": "https://pu.vk.ru/u", "photo": .string(path)], account: nil)
        #expect(try await stepError { try await kind.run(call) }?.why == "VK takes photos of up to 50 MB.")
    }

    @Test func otherKeysAreFieldsToo() async throws {
        let http = ScriptedHTTPClient([.json(#"{"file":"doc|1"}"#)])
        let kind = kind(http)
        let path = try calls.file("menu.PDF", Array("%PDF-1.7".utf8))
        let result = try await kind.run(
            calls.call(kind, ["url": "https://pu.vk.ru/u", "attachment": .string(path)], account: nil))
        #expect(result == .succeeded(["file": "doc|1", "response": ["file": "doc|1"]]))
        guard case .multipart(let parts) = http.requests[0].body, case .file(_, let name, _) = parts[0].content else {
            Issue.record("no file")
            return
        }
        #expect(name == "attachment.pdf")
    }

    @Test func uploadWithoutAFileIsRefused() async throws {
        let kind = kind(ScriptedHTTPClient())
        let call = try calls.call(kind, ["url": "https://pu.vk.ru/u"], account: nil)
        #expect(try await stepError { try await kind.run(call) }?.errorClass == .invalid)
    }
}
