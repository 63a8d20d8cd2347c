import Files
import Sandbox
import TestSupport
import Testing
import Values

@Suite struct PersistenceTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try FileSystem.makeTemporaryFolder(prefix: "sandbox-test")
        defer { try? FileSystem.removeTree(folder) }
        try await body(folder)
    }

    @Test func laterProcessGoesOn() async throws {
        try await inFolder { folder in
            let faults = try SandboxFault.list(
                json: Array(#"[{"on":"wall.delete","fault":{"type":"captcha","answer":"zd5q2"}}]"#.utf8))
            let first = try Client {
                $0.stateFolder = folder + "/state"; $0.faults = faults
            }
            let attachment = try await first.savedPhoto()
            _ = try await first.vk("wall.post", [("message", "Привет"), ("attachments", attachment), ("guid", "g")])
            let sid = try await first.vk("wall.delete", [("post_id", "1")])["error"]?["captcha_sid"]?.string ?? ""
            try await first.control("POST", "media", ["caption": "new"])
            let (instagram, vk) = (first.sandbox.instagramToken, first.sandbox.vkToken)
            first.sandbox.stop()

            let second = try Client { $0.stateFolder = folder + "/state" }
            #expect(second.sandbox.instagramToken == instagram)
            #expect(second.sandbox.vkToken == vk)
            let state = try await second.state()
            #expect(state["posts"]?[0]?["text"]?.string == "Привет")
            #expect(state["posts"]?[0]?["attachments"]?[0]?.string == attachment)
            #expect(state["media"]?.array?.count == 9)
            let id = attachment.split(separator: "_")[1]
            #expect(try await second.get("/_sandbox/photos/\(id)").body == smallJPEG)
            #expect(
                try await second.vk("wall.post", [("message", "Привет"), ("guid", "g")])["response"]?["post_id"]?
                    .integer == 1)
            #expect(try await second.vk("wall.post", [("message", "b")])["response"]?["post_id"]?.integer == 2)
            let answered = try await second.vk(
                "wall.delete", [("post_id", "1"), ("captcha_sid", sid), ("captcha_key", "zd5q2")])
            #expect(answered == ["response": 1])
        }
    }

    @Test func folderIsPrivateAndHeldByOne() async throws {
        try await inFolder { folder in
            let first = try Client { $0.stateFolder = folder + "/state" }
            #expect(try FileSystem.mode(folder + "/state") == 0o700)
            #expect(try FileSystem.mode(folder + "/state/state.json") == 0o600)
            let error = #expect(throws: SandboxError.self) { try Client { $0.stateFolder = folder + "/state" } }
            #expect(
                error?.description
                    == "another sandbox uses the folder '\(folder)/state'. Stop it, or choose another folder.")
            first.sandbox.stop()
            _ = try Client { $0.stateFolder = folder + "/state" }
        }
    }

    @Test func brokenStateIsNamed() async throws {
        try await inFolder { folder in
            try FileSystem.write(Array("{\"version\":1}".utf8), to: folder + "/state.json")
            let error = #expect(throws: SandboxError.self) { try Client { $0.stateFolder = folder } }
            #expect(
                error?.description
                    == "cannot go on from '\(folder)/state.json': state.json has no 'tokens'. "
                    + "Remove the folder to begin anew.")
        }
    }

    @Test func resetForgetsAllButTokens() async throws {
        let client = try Client()
        _ = try await client.vk("wall.post", [("message", "a")])
        try await client.control("POST", "media", ["caption": "new"])
        let token = client.sandbox.vkToken
        try await client.control("POST", "reset")
        let state = try await client.state()
        #expect(state["posts"]?.array?.isEmpty == true)
        #expect(state["calls"]?.array?.isEmpty == true)
        #expect(state["media"]?.array?.count == 8)
        #expect(client.sandbox.vkToken == token)
    }

    @Test func pagesFromElsewhereAreRefused() async throws {
        let client = try Client()
        let answer = try await client.get("/_sandbox/state", headers: [("Origin", "https://example.com")])
        #expect(answer.status == 403)
    }
}
