import Journal
import TestSupport
import Testing
import Values

/// What the ledger of `once` says after a run has ended in one way or another.
@Suite(.programs) struct LedgerTests {
    @Test func doubtKeepsTheKeyReserved() async throws {
        let story = try Story(timeout: "500ms")
        try await story.setFaults([
            ["on": "wall.post", "call": 1, "fault": ["type": "cut", "when": "after"]],
            ["on": "wall.get", "call": "every", "fault": ["type": "vk-error", "code": 15]],
        ])
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 3, "\(run.all)")
        let id = try #require(try await story.runs().first?.id)
        let entry = try #require(try await story.ledger().first)
        #expect(entry.state == .reserved)
        #expect(entry.run == id)
        #expect(entry.address == "post")
        // Nobody else posts under it, and nobody asks a second time.
        let second = try await story.pasteup("run", story.workflow)
        #expect(second.code == 0, "\(second.all)")
        #expect(second.errors.contains(id), "\(second.all)")
        #expect(try await story.count("wall.post") == 1)
    }

    @Test(arguments: [
        // 15: access denied. 100: a parameter is wrong.
        15, 100,
    ])
    func definiteFailureReleasesTheKey(code: Int64) async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "vk-error", "code": .integer(code)])
        let run = try await story.pasteup("run", story.workflow)
        #expect(run.code == 1, "\(run.all)")
        #expect(try await story.ledger().isEmpty)
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().count == 1)
    }

    @Test func failureBeforeThePostReleasesTheKey() async throws {
        let story = try Story()
        try await story.fault("photos.getWallUploadServer", ["type": "vk-error", "code": 15])
        #expect(try await story.pasteup("run", story.workflow).code == 1)
        #expect(try await story.ledger().isEmpty)
    }

    @Test func postThatHappenedKeepsItsOutputs() async throws {
        let story = try Story()
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        let entry = try #require(try await story.ledger().first)
        guard case .done(let outputs) = entry.state else {
            Issue.record("it is \(entry.state)")
            return
        }
        #expect(entry.key == LedgerKey(scope: "instagram-to-vk", text: "own/\(Story.mediaID)"))
        #expect(outputs["post_id"] == 1)
        #expect(outputs["url"] == "https://vk.com/wall743215608_1")
    }

    @Test func processThatDiedKeepsTheKeyReserved() async throws {
        let story = try Story()
        #expect(try await story.faulty(["run", story.workflow], fault: "request 4 after kill").isStruck)
        #expect(try await story.ledger().map(\.state) == [.reserved])
    }
}
