import Files
import Journal
import StepKit
import TestSupport
import Testing
import Threading
import Values
import Workflows

@testable import Engine

@Suite struct RunnerTests {
    @Test func outputsArePassedOnAndFittedToTheirParameters() async throws {
        let one = HandKind("one", outputs: [Output("count", .string, "")]) { _ in
            .succeeded(["count": "12", "list": [1, 2]])
        }
        let two = HandKind("two", parameters: [Parameter("n", .integer, ""), Parameter("text", .string, "")])
        let bench = try Bench(
            [
                Part("one", one),
                Part("two", two, with: [("n", "${{ steps.ONE.outputs.count }}"), ("text", "${{ inputs.text }}!")]),
            ], outputs: [("count", "${{ steps.one.outputs.count }}"), ("none", "${{ steps.two.outputs.nothing }}")])
        let outcome = try await bench.process()
        #expect(outcome.state == .succeeded)
        #expect(two.calls.map(\.parameters) == [["n": 12, "text": "hello!"]])
        #expect(outcome.outputs.map(\.name) == ["count"] && outcome.outputs[0].value == "12")
        #expect(
            await bench.history == [
                "one attempt-started", "one step-succeeded", "two attempt-started", "two step-succeeded", "run-ended",
            ])
    }

    @Test func anAttemptIsJournalledBeforeItBegins() async throws {
        let store = MemoryJournalStore()
        let seen = Locked([JournalEntry]())
        let post = HandKind("post", .write) { _ in
            let entries = await store.entries(of: Bench.run)
            seen.withLock { $0 = entries }
            return .succeeded([:])
        }
        let bench = try Bench([Part("post", post)], store: store)
        _ = try await bench.process()
        #expect(seen.withLock { $0.map(\.kind) } == [.attemptStarted])
    }

    @Test func aParameterThatDoesNotFitFailsBeforeAnythingIsSent() async throws {
        let post = HandKind("post", .write, parameters: [Parameter("n", .integer, "")])
        let bench = try Bench([Part("post", post, with: [("n", "${{ inputs.text }}")])])
        let outcome = try await bench.process()
        #expect(outcome.state == .failed)
        #expect(outcome.steps[0].error?.errorClass == .invalid)
        #expect(outcome.steps[0].error?.what == "'n' is 'hello', not an integer")
        #expect(post.calls.isEmpty)
    }

    @Test func filesAreRelativeInTheJournalAndAbsoluteForSteps() async throws {
        let declared = [
            Output("file", .file, ""), Output("files", .list(.file), ""),
            Output("media", .list(.object([Parameter("file", .file, "")])), ""), Output("name", .string, ""),
        ]
        let photo = HandKind("photo", outputs: declared) { call in
            let file = FileSystem.join(call.artifacts, "a.jpg")
            return .succeeded([
                "file": .string(file), "files": [.string(file), "/elsewhere/b.jpg"], "media": [["file": .string(file)]],
                "name": .string(file),
            ])
        }
        let use = HandKind("use", .write) { _ in throw StepError(.quota, "not today") }
        let with = ["file", "files", "media"].map { (name: $0, value: "${{ steps.photo.outputs.\($0) }}") }
        let bench = try Bench([Part("photo", photo), Part("use", use, with: with)])
        _ = try await bench.process()
        let kept = await bench.entries.first { $0.kind == .stepSucceeded }?.data["outputs"]
        #expect(kept?["file"] == "artifacts/a.jpg")
        #expect(kept?["files"] == ["artifacts/a.jpg", "/elsewhere/b.jpg"])
        #expect(kept?["media"] == [["file": "artifacts/a.jpg"]])

        bench.clock.advance(by: .seconds(3600))
        _ = try await bench.process()
        let file = Value.string(bench.folder.file("run/artifacts/a.jpg"))
        #expect(use.calls.count == 2, "the second from the journal alone")
        for call in use.calls {
            #expect(call.parameters == ["file": file, "files": [file, "/elsewhere/b.jpg"], "media": [["file": file]]])
        }
    }

    @Test func pathsOfParametersAreTakenFromTheWorkflowsFolder() async throws {
        let kind = HandKind("kind", parameters: [Parameter("path", .file, "")])
        let bench = try Bench([Part("step", kind, with: [("path", "photos/a.jpg")])])
        _ = try await bench.process()
        #expect(kind.calls.first?["path"] == .string(bench.folder.file("flow/photos/a.jpg")))
    }

    // MARK: Time

    @Test func retriesTakeTheirPausesOnTheClock() async throws {
        let read = HandKind("read", .read) { call in
            guard call.attempt == 4 else { throw StepError(.server, "HTTP 502") }
            return .succeeded([:])
        }
        let bench = try Bench([Part("read", read)])
        #expect(try await bench.process().state == .succeeded)
        #expect(bench.clock.slept == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(read.calls.map(\.attempt) == [1, 2, 3, 4])
        #expect(Set(read.calls.map(\.idempotencyKey)).count == 1)
    }

    @Test func aReadThatHangsTimesOutAndIsTriedAgain() async throws {
        let clock = ManualClock()
        let read = HandKind("read", .read) { call in
            if call.attempt == 1 {
                await clock.endFirstTimeout()
                try await clock.hang()
            }
            return .succeeded([:])
        }
        let bench = try Bench([Part("read", read)], clock: clock)
        #expect(try await bench.process().state == .succeeded)
        let error = await bench.entries.first { $0.kind == .attemptFailed }?.data["error"]
        #expect(error?["class"] == "timeout")
        #expect(error?["what"] == "it took longer than its timeout of 1m")
    }

    @Test(arguments: [false, true]) func aWriteThatHangsIsInDoubt(happened: Bool) async throws {
        let clock = ManualClock()
        let post = HandKind(
            "post", .write, rule: .look, look: { _, _ in happened ? .found(["id": 1]) : .absent }
        ) { call in
            if call.attempt == 1 {
                await clock.endFirstTimeout()
                try await clock.hang()
            }
            return .succeeded(["id": 2])
        }
        let bench = try Bench([Part("post", post)], clock: clock)
        #expect(try await bench.process().state == .succeeded)
        #expect(post.calls.count == (happened ? 1 : 2))
        #expect(post.looks.count == (happened ? 1 : 2))
        #expect(Set(post.calls.map(\.idempotencyKey)).count == 1)
    }

    @Test func aSuccessThatComesJustAfterTheTimeoutCounts() async throws {
        let clock = ManualClock()
        let post = HandKind("post", .write) { _ in
            await clock.endFirstTimeout()
            while !Task.isCancelled { await Task.yield() }
            return .succeeded(["id": 7])
        }
        let bench = try Bench([Part("post", post)], clock: clock)
        #expect(try await bench.process().state == .succeeded)
    }

    @Test(arguments: [Effect.read, .write]) func aCancellationOutOfNowhereIsAFailure(effect: Effect) async throws {
        let kind = HandKind("kind", effect, rule: .look, look: { _, _ in .found([:]) }) { call in
            if call.attempt == 1 { throw CancellationError() }
            return .succeeded([:])
        }
        let bench = try Bench([Part("step", kind)])
        #expect(try await bench.process().state == .succeeded)
        #expect(kind.calls.count == (effect == .write ? 1 : 2))
        #expect(
            await bench.entries.first { $0.kind == .attemptFailed }?.data["error"]?["class"]
                == (effect == .write ? "in-doubt" : "network"))
    }

    struct Odd: Error, CustomStringConvertible { let description = "something odd" }

    @Test(arguments: [(Effect.read, RunState.failed), (.write, .paused)])
    func anUnknownErrorOfAWriteIsADoubt(effect: Effect, expected: RunState) async throws {
        let bench = try Bench([Part("step", HandKind("kind", effect) { _ in throw Odd() })])
        #expect(try await bench.process().state == expected)
    }

    // MARK: Stops

    @Test func stopCancelsWhatRunsAndTheNextProcessLooks() async throws {
        let (stops, signal) = AsyncStream.makeStream(of: RunState.self)
        let clock = ManualClock()
        let post = HandKind("post", .write, rule: .look, look: { _, _ in .found(["id": 1]) }) { _ in
            signal.yield(.stopped)
            try await clock.hang()
            return .succeeded([:])
        }
        let bench = try Bench([Part("post", post), Part("after", HandKind("after"), needs: ["post"])])
        #expect(try await bench.process(stops: stops).state == .stopped)
        #expect(await bench.history == ["post attempt-started", "run-ended"])
        #expect(await bench.state == .stopped)

        #expect(try await bench.process().state == .succeeded)
        #expect(post.calls.count == 1 && post.looks.count == 1)
    }

    @Test func aSuccessDuringAStopIsKept() async throws {
        let (stops, signal) = AsyncStream.makeStream(of: RunState.self)
        let post = HandKind("post", .write) { _ in
            signal.yield(.interrupted)
            while !Task.isCancelled { await Task.yield() }
            return .succeeded(["id": 1])
        }
        let after = HandKind("after")
        let bench = try Bench([Part("post", post), Part("after", after, needs: ["post"])])
        #expect(try await bench.process(stops: stops).state == .interrupted)
        #expect(await bench.history.contains("post step-succeeded"))
        #expect(after.calls.isEmpty)
        #expect(try await bench.process().state == .succeeded)
        #expect(post.calls.count == 1)
    }

    @Test func cancellationOfTheCallersTaskLeavesAnInterruptedRun() async throws {
        let begun = AsyncStream.makeStream(of: Void.self)
        let clock = ManualClock()
        let read = HandKind("read", .read) { _ in
            begun.continuation.yield()
            try await clock.hang()
            return .succeeded([:])
        }
        let bench = try Bench([Part("read", read)])
        let task = Task { try await bench.process().state }
        for await _ in begun.stream { break }
        task.cancel()
        #expect(try await task.value == .interrupted)
        #expect(await bench.state == .interrupted)
    }

    // MARK: A journal that fails

    @Test func nothingIsSentWhenItsIntentCannotBeWritten() async throws {
        // Commit by commit: the read's start, its end with the post's intent, the post's end.
        for place in 1...3 {
            let read = HandKind("read", .read)
            let post = HandKind("post", .write, rule: .look, look: { _, _ in .found([:]) })
            let bench = try Bench([Part("read", read), Part("post", post, needs: ["read"])])
            let failing = FailingStore(bench.store, failingAt: place)
            await #expect(throws: JournalError.self) { try await bench.process(journal: failing) }
            #expect(read.calls.count == (place > 1 ? 1 : 0))
            #expect(post.calls.count == (place > 2 ? 1 : 0))

            #expect(try await bench.process().state == .succeeded)
            #expect(post.calls.count == 1)
        }
    }

    @Test func aFailingJournalCancelsWhatIsUnderWay() async throws {
        let clock = ManualClock()
        let slow = HandKind("slow", .read) { _ in
            try await clock.hang()
            return .succeeded([:])
        }
        let bench = try Bench([Part("slow", slow), Part("quick", HandKind("quick"))])
        let failing = FailingStore(bench.store, failingAt: 2)
        await #expect(throws: JournalError.self) { try await bench.process(journal: failing) }
    }

    // MARK: Secrets

    @Test func secretsAreNeverJournalled() async throws {
        let long = "super-secret-" + String(repeating: "x", count: 80)
        let kind = HandKind("kind", .write, parameters: [Parameter("key", .string, acceptsSecrets: true, "")]) { call in
            let key = call["key"]?.string ?? ""
            let token = call.account?.token.reveal() ?? ""
            switch call.attempt {
            case 1: throw StepError(.network, "GET /?key=\(key) failed", why: token)
            case 2:
                throw StepError(
                    .captcha, key,
                    pause: PauseRequest(
                        .captcha, message: key, answer: .captchaText, continuation: ["url": .string(key)]))
            default:
                call.warn("look at \(key)")
                return .succeeded(["echo": .string("<\(key)>"), "token": .string(token)])
            }
        }
        let number = HandKind("number", parameters: [Parameter("n", .integer, acceptsSecrets: true, "")])
        let bench = try Bench(
            [
                Part("step", kind, with: [("key", "${{ secrets.KEY }}")], account: "vk"),
                Part("number", number, with: [("n", "${{ secrets.KEY }}")]),
                Part("odd", HandKind("odd"), with: [("a", "${{ fromJSON(secrets.KEY) }}")]),
            ], secrets: ["KEY": Secret(long)])
        _ = try await bench.process()
        let outcome = try await bench.process(answers: ["step": nil])
        #expect(outcome.steps[0].state == .succeeded)
        #expect(kind.calls.allSatisfy { $0["key"] == .string(long) })
        let written = await bench.entries.map { "\($0.data.json())" }.joined()
        #expect(!written.contains("super-secret") && !written.contains("token-of-vk"))
        #expect(written.contains("(secret)"))
        let told = bench.events.withLock { $0.map { "\($0)" }.joined() }
        #expect(!told.contains("super-secret") && !told.contains("token-of-vk"))
        #expect(outcome.steps[1].error?.what == "'n' comes from a secret that does not fit")
    }
}
