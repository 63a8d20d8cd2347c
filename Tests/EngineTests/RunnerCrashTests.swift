import Journal
import StepKit
import TestSupport
import Testing
import Threading
import Values

@testable import Engine

/// Two runs of one batch share a ledger; the first dies at its n-th commit, for every n until it dies no more.
@Suite struct RunnerCrashTests {
    /// What becomes of the run that has died, and when the second one comes.
    enum Story: CaseIterable {
        case secondThenResumed, resumedThenSecond, canceledThenSecond
    }

    /// A wall: what was posted, by key.
    private struct Wall: Sendable {
        let posts = Locked<[String: [String]]>([:])

        func step() -> HandKind {
            let posts = posts
            return HandKind(
                "post", .write, rule: .look,
                look: { call, _ in
                    let key = call.parameters["key"]?.string ?? ""
                    let isThere = posts.withLock { $0[key, default: []].contains(call.idempotencyKey) }
                    return isThere ? .found(["key": .string(key)]) : .absent
                },
                run: { call in
                    let key = call.parameters["key"]?.string ?? ""
                    let isFirst = posts.withLock { posts in
                        posts[key, default: []].append(call.idempotencyKey)
                        return posts[key]?.count == 1
                    }
                    // Of every other post the answer is lost.
                    if isFirst, key == "b" || key == "d" { throw StepError(.inDoubt, "the line was cut") }
                    return .succeeded(["key": .string(key)])
                })
        }
    }

    /// Rows of which the third has the key of the first, each with a card, a post and a comment under it.
    private func bench(_ wall: Wall) throws -> Bench {
        try Bench(
            [
                Part("card", HandKind("card"), with: [("text", "${{ item.key }}")], forEach: "inputs.rows"),
                Part(
                    "post", wall.step(), with: [("key", "${{ item.key }}")], needs: ["card"], account: "vk",
                    once: "${{ item.key }}", forEach: "of card"),
                Part("note", HandKind("note"), needs: ["post"], forEach: "of card"),
            ],
            inputs: ["rows": .array(["a", "b", "a", "c", "d"].map { ["key": .string($0)] })])
    }

    private func cancel(_ bench: Bench) async throws -> Set<String> {
        let cancellation = RunCancellation(
            await bench.entries, workflow: bench.workflow, reserved: await bench.store.reserved(by: Bench.run),
            at: bench.clock.wall)
        try await bench.store.commit(
            JournalBatch(
                run: Bench.run, entries: cancellation.entries, state: .canceled,
                ledger: cancellation.releases.map { .release($0) }))
        return Set(cancellation.doubts.flatMap(\.keys).map(\.text))
    }

    @Test(arguments: Story.allCases) func eachKeyIsPostedOnceWhereverARunDies(story: Story) async throws {
        var deaths = 0
        while true {
            let wall = Wall()
            let bench = try bench(wall)
            var doubts: Set<String> = []
            do {
                _ = try await bench.process(journal: FailingStore(bench.store, failingAt: deaths + 1))
                break
            } catch is JournalError {}
            deaths += 1
            switch story {
            case .secondThenResumed:
                #expect(try await bench.process("r2").state == .succeeded, "second run, death \(deaths)")
                #expect(try await bench.process().state == .succeeded, "first run, death \(deaths)")
            case .resumedThenSecond:
                #expect(try await bench.process().state == .succeeded, "first run, death \(deaths)")
                #expect(try await bench.process("r2").state == .succeeded, "second run, death \(deaths)")
            case .canceledThenSecond:
                doubts = try await cancel(bench)
                #expect(try await bench.process("r2").state == .succeeded, "second run, death \(deaths)")
            }
            let posts = wall.posts.withLock { $0 }
            for key in ["a", "b", "c", "d"] {
                let count = posts[key]?.count ?? 0
                #expect(count == 1 || (count == 0 && doubts.contains(key)), "'\(key)', death \(deaths): \(count) posts")
                let entry = await bench.ledger(key)
                #expect(entry?.isDone == !doubts.contains(key), "'\(key)', death \(deaths)")
            }
            #expect(doubts.count <= 1, "writes of one account are serial: death \(deaths)")
        }
        #expect(deaths > 15, "the run was to die often: \(deaths)")
    }
}
