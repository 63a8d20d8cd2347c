import Diagnostics
import Journal
import StepKit
import TestSupport
import Testing
import Values
import Workflows

@testable import Engine

/// Whole runs over lists: what each item sees, what is journalled, and what later processes make of it.
@Suite struct RunnerBatchTests {
    private let rows: ValueObject = [
        "rows": [["text": "one", "wall": -1], ["text": "two", "wall": -2], ["text": "three", "wall": -3]]
    ]

    private func echo(_ name: String = "echo") -> HandKind {
        HandKind(name) { call in .succeeded(call.parameters) }
    }

    @Test func itemSeesItselfAndTheOutputsOfItsRow() async throws {
        let (card, post, report) = (echo("card"), echo("post"), echo("report"))
        let bench = try Bench(
            [
                Part("card", card, with: [("text", "${{ item.text }}")], forEach: "inputs.rows"),
                Part(
                    "post", post, with: [("message", "${{ index }} ${{ steps.card.outputs.text }}")], forEach: "of card"
                ),
                Part("report", report, with: [("all", "${{ join(steps.post.outputs.*.message, '; ') }}")]),
            ], outputs: [("messages", "${{ steps.post.outputs.*.message }}")], inputs: rows)
        let outcome = try await bench.process()
        #expect(outcome.state == .succeeded)
        #expect(report.calls.first?.parameters["all"] == "0 one; 1 two; 2 three")
        #expect(outcome.outputs.first?.value == ["0 one", "1 two", "2 three"])
        #expect(
            outcome.steps.map(\.address) == [
                "card[0]", "card[1]", "card[2]", "post[0]", "post[1]", "post[2]", "report",
            ])
        #expect(Set(post.calls.map(\.address)) == ["post[0]", "post[1]", "post[2]"])
    }

    @Test func eachItemOfAWriteHasItsOwnKeyAndKeepsIt() async throws {
        let post = HandKind("post", .write) { call in
            if call.attempt == 1 { throw StepError(.rateLimit, "slow down") }
            return .succeeded([:])
        }
        let bench = try Bench([Part("post", post, forEach: "inputs.rows")], inputs: rows)
        #expect(try await bench.process().state == .succeeded)
        let keys = Dictionary(grouping: post.calls, by: \.address).mapValues { Set($0.map(\.idempotencyKey)) }
        #expect(keys.values.allSatisfy { $0.count == 1 })
        #expect(Set(keys.values.map(\.first)).count == 3)
        // SHA-256 of "r1\npost[1]\n1", as coreutils computes it.
        #expect(keys["post[1]"] == ["4499e6f5dd06942f750edafe2d0fc38c"])
    }

    @Test func placeOfAFailedItemInTheListIsNull() async throws {
        let post = HandKind("post") { call in
            if call.address == "post[1]" { throw StepError(.invalid, "no") }
            return .succeeded(["n": 1])
        }
        let bench = try Bench(
            [Part("post", post, forEach: "inputs.rows")], outputs: [("all", "${{ toJSON(steps.post.outputs) }}")],
            inputs: rows)
        let outcome = try await bench.process()
        #expect(outcome.state == .failed)
        let all = try Value(json: Array((outcome.outputs.first?.value.string ?? "").utf8))
        #expect(all == [["n": 1], nil, ["n": 1]])
    }

    @Test func laterProcessGoesOverTheItemsOfTheFirst() async throws {
        let read = HandKind("read", .read) { _ in .succeeded(["items": ["a", "b"]]) }
        let post = HandKind("post") { call in
            if call.attempt == 1, call.address == "post[1]" {
                return .paused(PauseRequest(.approval, message: "?", answer: .approval))
            }
            return .succeeded(["text": call.parameters["text"] ?? nil])
        }
        let bench = try Bench(
            [
                Part("read", read),
                Part("post", post, with: [("text", "${{ item }}")], forEach: "steps.read.outputs.items"),
            ], outputs: [("all", "${{ join(steps.post.outputs.*.text, ',') }}")])
        #expect(try await bench.process().state == .paused)
        let outcome = try await bench.process(answers: ["post[1]": .approved])
        #expect(outcome.state == .succeeded)
        #expect(outcome.outputs.first?.value == "a,b")
        #expect(read.calls.count == 1)
        let list = await bench.entries.filter { $0.kind == .itemsKnown }
        #expect(list.map(\.address) == ["post"])
        #expect(list.first?.data["items"] == ["a", "b"])
    }

    @Test(arguments: [
        ("inputs.text", "the list of 'for-each' is a string, not a list"),
        ("fromJSON('null')", "the list of 'for-each' is null, not a list"),
        ("fromJSON('{}')", "the list of 'for-each' is an object, not a list"),
    ])
    func whatIsNoListFailsTheStepWithItsPlace(list: String, message: String) async throws {
        let bench = try Bench([Part("post", echo(), forEach: list)])
        let outcome = try await bench.process()
        #expect(outcome.state == .failed)
        #expect(outcome.steps.first?.address == "post")
        #expect(outcome.steps.first?.error?.what == "test.yaml:1:1: \(message)")
    }

    @Test func listOfMoreThanAHundredThousandItemsIsRefused() async throws {
        let rows = Value.array(Array(repeating: 1, count: 100_001))
        let bench = try Bench([Part("post", echo(), forEach: "inputs.rows")], inputs: ["rows": rows])
        let outcome = try await bench.process()
        #expect(outcome.steps.first?.error?.what == "test.yaml:1:1: the list has 100001 items")
    }

    @Test func conditionThatIsTheSameForAllSkipsTheStepWhole() async throws {
        let bench = try Bench(
            [Part("post", echo(), condition: "inputs.text == 'bye'", forEach: "inputs.rows")],
            inputs: ["text": "hello", "rows": [1, 2]])
        #expect(try await bench.process().state == .succeeded)
        #expect(await bench.history == ["post step-skipped", "run-ended"])
    }

    @Test func conditionOfAnItemIsItsOwn() async throws {
        let bench = try Bench(
            [Part("post", echo(), condition: "item.wall < -1", forEach: "inputs.rows")], inputs: rows)
        let outcome = try await bench.process()
        #expect(outcome.steps.map(\.state) == [.skipped, .succeeded, .succeeded])
    }

    @Test func errorsNameTheRowAndTheCell() async throws {
        let kind = HandKind("post", parameters: [Parameter("wall", .integer, "Where")])
        let bench = try Bench(
            [Part("post", kind, with: [("wall", "${{ item.wall }}")], forEach: "inputs.rows")],
            inputs: ["rows": [["wall": "12"], ["wall": "club12"]]])
        let origins = ItemOrigins { row, column in
            SourceLocation(file: "rows.csv", line: row + 2, column: column == "wall" ? 3 : 1)
        }
        let outcome = try await bench.process(origins: ["rows": origins])
        #expect(outcome.steps[1].origin == SourceLocation(file: "rows.csv", line: 3, column: 1))
        #expect(outcome.steps[1].error?.why == "It is column 'wall' at rows.csv:3:3.")
    }

    @Test func retryRunsTheFailedRowsAgainAndWhatWaitedForThem() async throws {
        let fails = HandKind("post") { call in
            if call.address == "post[1]", call.attempt == 1 { throw StepError(.invalid, "no") }
            return .succeeded(["n": .string(call.address)])
        }
        let bench = try Bench(
            [
                Part("post", fails, forEach: "inputs.rows"), Part("like", echo(), forEach: "of post"),
                Part("report", echo(), needs: ["like"]),
            ], inputs: rows)
        #expect(try await bench.process().state == .failed)
        let retry = RunRetry(await bench.entries, workflow: bench.workflow)
        #expect(retry.steps == ["report", "post[1]", "like[1]"])
        try await bench.store.commit(
            JournalBatch(run: Bench.run, entries: retry.entries(at: bench.clock.wall, holding: []), state: .running))
        let outcome = try await bench.process()
        #expect(outcome.state == .succeeded)
        #expect(fails.calls.map(\.address).filter { $0 == "post[0]" }.count == 1)
        #expect(fails.calls.map(\.address).filter { $0 == "post[1]" }.count == 2)
    }

    @Test func cancelGivesUpTheItemsThatAreNotOver() async throws {
        let post = HandKind("post") { call in
            call.address == "post[1]"
                ? .paused(PauseRequest(.approval, message: "?", answer: .approval)) : .succeeded([:])
        }
        let bench = try Bench(
            [Part("post", post, forEach: "inputs.rows"), Part("report", echo(), needs: ["post"])], inputs: rows)
        #expect(try await bench.process().state == .paused)
        let end = RunCancellation(
            await bench.entries, workflow: bench.workflow, reserved: [], at: bench.clock.wall)
        #expect(end.entries.map(\.address) == ["report", "post[1]", ""])
    }

    @Test func secondItemWithTheKeyOfAnotherIsSkipped() async throws {
        let bench = try Bench(
            [Part("post", HandKind("post", .write), once: "${{ item }}", forEach: "inputs.rows")],
            inputs: ["rows": ["a", "b", "a"]])
        let outcome = try await bench.process()
        #expect(outcome.state == .succeeded)
        #expect(outcome.steps.map(\.state) == [.succeeded, .succeeded, .skipped])
        #expect(outcome.steps[2].skipReason?.text == "'post[0]' has the same key 'a'")
    }
}
