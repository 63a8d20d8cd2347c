import Files
import Journal
import TestSupport
import Testing
import Threading
import Values

/// Hooks that are addresses, hooks that take too long, and approvals whose time is over.
@Suite(.programs) struct HookTests {
    private let story: Story

    init() throws { story = try Story() }

    /// A step that succeeds, and the hook.
    private func workflow(_ hook: String) throws -> String {
        try story.write(
            "hook.yaml",
            """
            name: told
            hooks:
              \(hook)
            steps:
              text: { uses: text.render, with: { text: Привет ☕️ } }
            outputs:
              text: ${{ steps.text.outputs.text }}

            """)
    }

    @Test func addressGetsTheEventAsJSON() async throws {
        let server = ScriptedServer { _ in [.answer(204)] }
        let file = try workflow(
            "on-success: { url: \"\(server.url("/told?x=1"))\", headers: { X-Key: \"k ${{ run.workflow }}\" } }")
        let run = try await story.pasteup("run", file)
        #expect(run.code == 0, "\(run.all)")
        #expect(!run.errors.contains("warning"), "\(run.all)")
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "POST")
        #expect(request.target == "/told?x=1")
        #expect(request.header("Content-Type") == "application/json")
        #expect(request.header("X-Key") == "k told")
        let event = try Value(json: request.body)
        let id = try #require(try await story.runs().first?.id)
        #expect(event["event"] == "success")
        #expect(event["workflow"] == "told")
        #expect(event["run"] == .string(id))
        #expect(event["state"] == "succeeded")
        #expect(event["steps"] == [["step": "text", "kind": "text.render", "state": "succeeded"]])
        #expect(event["outputs"] == ["text": "Привет ☕️"])
        #expect(event["questions"] == [])
        #expect(event["held"] == [])
    }

    @Test(arguments: [302, 404, 500]) func addressThatDoesNotTakeItOnlyWarns(status: Int) async throws {
        let server = ScriptedServer { _ in [.answer(status, [("Location", "/elsewhere")])] }
        let run = try await story.pasteup("run", try workflow("on-success: { url: \"\(server.url("/told"))\" }"))
        #expect(run.code == 0, "\(run.all)")
        #expect(
            run.errors.contains("warning: hook 'on-success': ")
                && run.errors.contains("answered with HTTP \(status). The run is not touched by that."), "\(run.all)")
        #expect(server.requests.count == 1, "it is sent once, and follows nothing")
    }

    @Test func addressThatNobodyServesOnlyWarns() async throws {
        let url = "http://127.0.0.1:\(ScriptedServer.unusedPort())/told"
        let run = try await story.pasteup("run", try workflow("on-success: { url: \"\(url)\" }"))
        #expect(run.code == 0, "\(run.all)")
        #expect(run.errors.contains("warning: hook 'on-success': "), "\(run.all)")
    }

    @Test func addressThatDoesNotAnswerIsGivenUp() async throws {
        let server = ScriptedServer { _ in [.waitForClient] }
        let file = try workflow("on-success: { url: \"\(server.url("/told"))\" }")
        let run = try await story.faulty(["run", file], hookTimeout: "200ms").result
        #expect(run.code == 0, "\(run.all)")
        #expect(
            run.errors.hasSuffix(
                "warning: hook 'on-success': it took longer than 200ms. The run is not touched by that.\n"),
            "\(run.all)")
    }

    @Test func programThatDoesNotEndIsGivenUpWithWhatItStarted() async throws {
        let pid = story.folder.file("pid")
        let file = try workflow("on-success: { run: [sh, -c, \"echo $$ > '\(pid)'; sleep 600 & wait\"] }")
        let run = try await story.faulty(["run", file], hookTimeout: "500ms").result
        #expect(run.code == 0, "\(run.all)")
        #expect(run.errors.contains("warning: hook 'on-success': it took longer than 500ms."), "\(run.all)")
        let number = String(decoding: try FileSystem.read(pid), as: UTF8.self).filter(\.isNumber)
        #expect(!FileSystem.exists("/proc/\(number)"))
    }

    // MARK: Approvals

    private func approval() throws -> String {
        try story.write(
            "approval.yaml",
            """
            name: asked
            steps:
              look: { uses: pause.approval, with: { message: "Go on?", timeout: 1h } }
              after: { uses: text.render, needs: [look], with: { text: after } }

            """)
    }

    @Test func approvalWhoseTimeIsOverIsRejectedWhenItIsDue() async throws {
        let run = try await story.pasteup("run", try approval())
        #expect(run.code == 3, "\(run.all)")
        let id = try #require(try await story.runs().first?.id)
        let early = try await story.faulty(["resume", "--due"], clock: "50m").result
        #expect(early.code == 0, "\(early.all)")
        #expect(early.errors == "No run is due.\n")
        let due = try await story.faulty(["resume", "--due"], clock: "70m").result
        #expect(due.code == 1, "\(due.all)")
        #expect(due.errors.contains("error: step 'look', after 2 attempts: it was not approved by "), "\(due.all)")
        #expect(due.errors.contains("1 step skipped because 'look' failed: after\n"), "\(due.all)")
        let record = try #require(try await story.runs().first)
        #expect(record.id == id)
        #expect(record.state == .failed)
    }

    @Test func answerThatComesTooLateCountsAsNone() async throws {
        #expect(try await story.pasteup("run", try approval()).code == 3)
        let late = try await story.faulty(["resume", "--approve"], clock: "70m").result
        #expect(late.code == 1, "\(late.all)")
        #expect(late.errors.contains("it was not approved by "), "\(late.all)")
    }
}
