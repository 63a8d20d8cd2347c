import Engine
import Journal
import StepKit
import Testing
import Values

@testable import PasteupCLI

/// What the journal of a run adds up to.
@Suite struct RunHistoryTests {
    private func entry(_ kind: JournalEntry.Kind, _ address: String, _ data: Value = .null) -> JournalEntry {
        JournalEntry(kind, address, attempt: 1, at: Timestamp(seconds: 1_800_000_000), data: data)
    }

    @Test func nothingOfBeforeARetryIsTold() throws {
        let error = StepError(.permission, "it may not").journalValue
        let history = RunHistory([
            entry(.attemptStarted, "saved"), entry(.attemptFailed, "saved", ["error": error]),
            entry(.stepFailed, "saved", ["error": error]),
            entry(.stepSkipped, "post", SkipReason.dependency("saved", .failed).journalValue),
            entry(.stepSucceeded, "read", ["outputs": ["text": "old"]]), entry(.stepReset, "saved"),
            entry(.stepReset, "post"), entry(.stepReset, "read"),
        ])
        #expect(history.steps.map(\.address) == ["saved", "post", "read"])
        for step in history.steps {
            #expect(step.state == .ready && step.attempts == 1)
            #expect(step.error == nil && step.skipReason == nil && step.outputs == nil)
            #expect(step.startedAt == nil && step.endedAt == nil)
        }
    }
}
