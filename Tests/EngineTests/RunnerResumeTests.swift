import Journal
import StepKit
import TestSupport
import Testing
import Threading
import Values
import Workflows

@testable import Engine

@Suite struct RunnerResumeTests {
    /// Asks at every call, and is content with "qwe".
    static let captcha: HandKind.Run = { call in
        if call.resumption?.answer == .captcha("qwe") { return .succeeded(["id": 5]) }
        let pause = PauseRequest(
            .captcha, message: "What is in the picture?", picture: call.artifacts + "/c.png", answer: .captchaText,
            continuation: ["sid": "77"])
        throw StepError(.captcha, "VK answered 14", pause: pause)
    }

    @Test func theAnswerReachesTheKindWithItsContinuationInALaterProcess() async throws {
        let post = HandKind("post", .write, run: Self.captcha)
        let bench = try Bench([Part("post", post, account: "vk"), Part("after", HandKind("after"), needs: ["post"])])
        let paused = try await bench.process()
        #expect(paused.state == .paused)
        #expect(paused.steps[0].pause?.picture == bench.folder.file("run/artifacts/c.png"))
        #expect(
            await bench.entries.first { $0.kind == .stepPaused }?.data["pause"]?["picture"] == "artifacts/c.png")

        let refused = try await bench.process(answers: ["post": .captcha("no")])
        #expect(refused.state == .paused)
        let done = try await bench.process(answers: ["post": .captcha("qwe")])
        #expect(done.state == .succeeded)
        #expect(post.calls.map(\.resumption?.continuation) == [nil, ["sid": "77"], ["sid": "77"]])
        #expect(Set(post.calls.map(\.idempotencyKey)).count == 1)
        #expect(!(await bench.entries.contains { $0.data.json().contains("qwe") }), "answers are not journalled")
    }

    @Test func postedOutputsGoToWhatFollows() async throws {
        let post = HandKind("post", .write) { _ in throw StepError(.inDoubt, "the line was cut") }
        let after = HandKind("after")
        let bench = try Bench([
            Part("post", post, once: "k"), Part("after", after, with: [("id", "${{ steps.post.outputs.id }}")]),
        ])
        #expect(try await bench.process().state == .paused)
        #expect(await bench.ledger("k")?.state == .reserved)
        #expect(try await bench.process(answers: ["post": .posted(id: "9")]).state == .succeeded)
        #expect(after.calls.first?["id"] == "9")
        #expect(post.calls.count == 1)
        #expect(await bench.ledger("k")?.state == .done(["id": "9"]))
    }

    /// After a restart, too: it stands in the journal.
    @Test func lookKnowsWhatTheOtherWritesHaveMade() async throws {
        let other = HandKind("other", .write) { call in
            try await call.parts.keep(["url": "part"], as: "post")
            return .succeeded(["url": "other"])
        }
        let post = HandKind("post", .write, rule: .look, look: { _, _ in .unreadable(reason: "closed") }) { call in
            try await call.parts.keep(["url": "own"], as: "post")
            throw StepError(.inDoubt, "the line was cut")
        }
        let bench = try Bench([Part("first", other), Part("post", post, needs: ["first"])])
        for answers in [[:], ["post": nil]] as [[String: PauseAnswer?]] {
            #expect(try await bench.process(answers: answers).state == .paused)
            let others = try #require(post.looks.last?.others)
            #expect(Set(others.compactMap { $0["url"]?.string }) == ["part", "other"])
        }
        #expect(post.looks.count == 2 && post.calls.count == 1)
    }

    /// Both are looked for when they go on together: the one post that is there cannot be both of theirs.
    @Test func twoInDoubtDoNotFindTheSamePost() async throws {
        let isOpen = Locked(false)
        let post = HandKind(
            "post", .write, rule: .look,
            look: { call, _ in
                guard isOpen.withLock({ $0 }) else { return .unreadable(reason: "closed") }
                for _ in 0..<100 { await Task.yield() }
                return call.others.contains { $0["id"] == 1 } ? .several(["none"]) : .found(["id": 1])
            }
        ) { _ in throw StepError(.inDoubt, "the line was cut") }
        let bench = try Bench([Part("one", post, account: "vk"), Part("two", post, account: "vk")])
        #expect(try await bench.process().state == .paused)
        isOpen.withLock { $0 = true }
        let outcome = try await bench.process(answers: ["one": nil, "two": nil])
        #expect(outcome.steps.map(\.state) == [.succeeded, .paused])
    }

    @Test func settledPartIsKeptForTheNextAttempt() async throws {
        let post = HandKind("post", .write) { call in
            guard let one = call.parts["one"] else { throw StepError(.inDoubt, "the line was cut") }
            return .succeeded(["id": one])
        }
        let bench = try Bench([Part("post", post, once: "k")])
        #expect(try await bench.process().state == .paused)
        #expect(try await bench.process(answers: ["post": .posted(id: "part 7")]).state == .succeeded)
        #expect(post.calls.count == 2)
        #expect(Set(post.calls.map(\.idempotencyKey)).count == 1)
        #expect(await bench.ledger("k")?.state == .done(["id": "7"]))
    }

    @Test func anIdThatCannotBeOneIsAnErrorAndSendsNothing() async throws {
        let post = HandKind("post", .write) { _ in throw StepError(.inDoubt, "the line was cut") }
        let bench = try Bench([Part("post", post)])
        _ = try await bench.process()
        let before = await bench.entries.count
        await #expect(throws: StepError.self) {
            try await bench.process(answers: ["post": .posted(id: "nonsense")])
        }
        #expect(await bench.entries.count == before)
        #expect(post.calls.count == 1)
    }

    /// A step may keep what a service has answered, and that may repeat the token.
    @Test func tokenThatIsNewerThanTheRunReachesNoPart() async throws {
        let post = HandKind("post", .write) { call in
            try await call.parts.keep(.string("seen: " + (call.account?.token.reveal() ?? "")), as: "one")
            guard call.account?.token.reveal() == "token-of-replacement" else { throw StepError(.auth, "no") }
            return .succeeded([:])
        }
        let bench = try Bench([Part("post", post, account: "vk")])
        @Sendable func other(_ account: Account, _ token: String) -> Account {
            Account(name: account.name, type: account.type, token: Secret(token), baseURL: account.baseURL)
        }
        let outcome = try await bench.process(
            renew: { other($0, "token-of-renewal") }, replace: { other($0, "token-of-replacement") })
        #expect(outcome.state == .succeeded)
        let kept = await bench.entries.filter { $0.kind == .partKept }.map { $0.data["value"] }
        #expect(kept == ["seen: (secret)", "seen: (secret)"])
    }

    @Test func resendUsesANewKey() async throws {
        let post = HandKind("post", .write) { call in
            if call.attempt == 1 { throw StepError(.inDoubt, "the line was cut") }
            return .succeeded([:])
        }
        let bench = try Bench([Part("post", post)])
        _ = try await bench.process()
        #expect(try await bench.process(answers: ["post": .resend]).state == .succeeded)
        // printf 'r1\npost\n1' | sha256sum | cut -c1-32, and the same with 2.
        #expect(post.calls.map(\.idempotencyKey) == [Self.firstKey, Self.secondKey])
    }

    static let firstKey = "5db88319b65b77cd2332200251e02f2f"
    static let secondKey = "651c91f8731d562f1adf67b982cd2531"

    // MARK: once

    @Test func theKeyIsCompletedInTheSameBatchAsTheSuccess() async throws {
        let bench = try Bench([Part("post", HandKind("post", .write) { _ in .succeeded(["id": 1]) }, once: "k")])
        // The first commit is the intent, the second the success: it takes the key along or leaves it.
        let failing = FailingStore(bench.store, failingAt: 2)
        await #expect(throws: JournalError.self) { try await bench.process(journal: failing) }
        #expect(await bench.ledger("k")?.state == .reserved)
    }

    @Test func aSecondRunIsTold() async throws {
        let post = HandKind("post", .write)
        let bench = try Bench([Part("post", post, once: "k-${{ inputs.text }}")])
        _ = await bench.store.reserve(
            LedgerKey(scope: "test", text: "k-hello"), run: "r0", address: "post", at: bench.clock.wall)
        let outcome = try await bench.process()
        #expect(outcome.state == .succeeded)
        #expect(outcome.steps[0].skipReason?.text == "'k-hello' is held by run r0")
        #expect(post.calls.isEmpty)
    }

    @Test func ignoringOnceSendsAllTheSame() async throws {
        let post = HandKind("post", .write)
        let bench = try Bench([Part("post", post, once: "k")])
        _ = await bench.store.reserve(
            LedgerKey(scope: "test", text: "k"), run: "r0", address: "post", at: bench.clock.wall)
        #expect(try await bench.process(ignoresOnce: true).state == .succeeded)
        #expect(post.calls.count == 1)
    }

    @Test(arguments: ["${{ inputs.missing }}", "a/${{ inputs.missing }}", ""]) func aKeyWithAnEmptyPartIsAnError(
        key: String
    ) async throws {
        let post = HandKind("post", .write)
        let bench = try Bench([Part("post", post, once: key)])
        let outcome = try await bench.process()
        #expect(outcome.state == .failed)
        #expect(outcome.steps[0].error?.errorClass == .invalid)
        #expect(post.calls.isEmpty)
    }

    @Test func twoStepsWithOneKeyPostOnceAndTheKeyStaysWithTheFirst() async throws {
        let first = HandKind("first", .write)
        let second = HandKind("second", .write)
        let bench = try Bench([Part("first", first, once: "k"), Part("second", second, once: "k")])
        #expect(try await bench.process().state == .succeeded)
        #expect(first.calls.count == 1 && second.calls.isEmpty)
        #expect(await bench.ledger("k")?.address == "first")
    }

    @Test func theKeyOfAPausedRunIsTheJournalsNotTheEnvironments() async throws {
        let post = HandKind("post", .write, run: Self.captcha)
        let latest = HandKind("latest", .read) { _ in .succeeded(["id": 31]) }
        let bench = try Bench([
            Part("latest", latest), Part("post", post, once: "${{ steps.latest.outputs.id }}", retry: RetryPolicy()),
        ])
        _ = try await bench.process()
        #expect(
            await bench.entries.first { $0.kind == .onceReserved }?.data == ["scope": "test", "key": "31"])
        #expect(try await bench.process(answers: ["post": .captcha("qwe")]).state == .succeeded)
        #expect(await bench.ledger("31")?.state == .done(["id": 5]))
        #expect(latest.calls.count == 1)
    }

    // MARK: Doubt

    @Test func aPostIsLookedForWithWhatItWasSentWith() async throws {
        let uploads = Locked(0)
        let upload = HandKind("upload", .idempotent) { _ in
            .succeeded([
                "photo": .integer(
                    Int64(
                        uploads.withLock { count in
                            count += 1; return count
                        }))
            ])
        }
        let gate = Locked(false)
        let save = HandKind("save", .write, rule: .redoInputs) { call in
            guard call.attempt == 1 else {
                gate.withLock { $0 = true }
                return .succeeded([:])
            }
            throw StepError(.stale, "the upload is too old")
        }
        let post = HandKind("post", .write, rule: .look, look: { _, _ in .absent }) { call in
            guard call.attempt == 1 else { return .succeeded([:]) }
            while !gate.withLock({ $0 }) { await Task.yield() }
            throw StepError(.inDoubt, "the line was cut")
        }
        let photo = [(name: "photo", value: "${{ steps.upload.outputs.photo }}")]
        let bench = try Bench([
            Part("upload", upload), Part("save", save, with: photo), Part("post", post, with: photo),
        ])
        #expect(try await bench.process().state == .succeeded)
        #expect(save.calls.map { $0["photo"] } == [1, 2])
        #expect(Set(post.looks.map { $0["photo"] }) == [1])
    }

    /// Of a run whose process ended while the post was on its way: what became of it in a later one.
    ///
    /// - Parameter sent: what the post says, as an expression.
    private func resumedAfterDeath(
        posting text: String, secret: [String] = ["token-a", "token-a"], moved: Bool = false, sighting: Sighting
    ) async throws -> (outcome: RunOutcome, post: HandKind) {
        let post = HandKind("post", .write, rule: .look, look: { _, _ in sighting })
        let parts = [Part("post", post, with: [("text", text)])]
        let first = try Bench(parts, secrets: ["KEY": Secret(secret[0])])
        // The first commit is the intent.
        await #expect(throws: JournalError.self) {
            try await first.process(journal: FailingStore(first.store, failingAt: 2))
        }
        let later = try Bench(
            parts, secrets: ["KEY": Secret(secret[1])], store: first.store, clock: first.clock,
            folder: moved ? nil : first.folder)
        return (try await later.process(), post)
    }

    @Test func absenceOfWhatWasNotSentProvesNothing() async throws {
        // The later process would look for another text than was posted.
        let (outcome, post) = try await resumedAfterDeath(posting: "Try ${{ run.attempt }}", sighting: .absent)
        #expect(outcome.state == .paused)
        #expect(outcome.steps[0].pause?.kind == .inDoubt)
        #expect(
            outcome.steps[0].pause?.message.contains("what it would send now is not what it sent then") == true,
            "\(outcome.steps[0].pause?.message ?? "")")
        #expect(post.calls.map { $0["text"] } == ["Try 1"])
    }

    @Test func whatIsFoundIsFoundThoughAnotherTextWouldBeSentNow() async throws {
        let (outcome, post) = try await resumedAfterDeath(
            posting: "Try ${{ run.attempt }}", sighting: .found(["id": 7]))
        #expect(outcome.state == .succeeded)
        #expect(post.calls.count == 1)
    }

    @Test(arguments: [
        ("hello", ["token-a", "token-a"], false), ("${{ secrets.KEY }}", ["token-a", "token-b"], false),
        ("${{ run.id }}", ["token-a", "token-a"], true),
    ])
    func whatWasSentIsSentAgainWhenItIsAbsent(text: String, secrets: [String], moved: Bool) async throws {
        let (outcome, post) = try await resumedAfterDeath(
            posting: text, secret: secrets, moved: moved, sighting: .absent)
        #expect(outcome.state == .succeeded)
        #expect(post.calls.count == 2)
    }

    @Test func aConditionReadsOutcomes() async throws {
        let failing = HandKind("failing") { _ in throw StepError(.permission, "not allowed") }
        let note = HandKind("note")
        let bench = try Bench([
            Part("first", failing),
            Part("note", note, needs: ["first"], condition: "always() && steps.first.outcome == 'failed'"),
            Part("never", note, needs: ["first"], condition: "success()"),
        ])
        let outcome = try await bench.process()
        #expect(outcome.state == .failed)
        #expect(outcome.steps.map(\.state) == [.failed, .succeeded, .skipped])
    }

    @Test func oneThousandStepsRunThroughTheRunner() async throws {
        let kind = HandKind("kind") { call in .succeeded(["n": .integer((call["n"]?.integer ?? 0) + 1)]) }
        let parts = (0..<1000).map { place in
            Part("s\(place)", kind, with: place == 0 ? [] : [("n", "${{ steps.s\(place - 1).outputs.n }}")])
        }
        let bench = try Bench(parts, outputs: [("n", "${{ steps.s999.outputs.n }}")])
        #expect(try await bench.process().outputs.first?.value == 1000)
    }
}
