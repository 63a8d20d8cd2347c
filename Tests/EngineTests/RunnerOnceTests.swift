import Journal
import StepKit
import Testing
import Values

@testable import Engine

/// Keys of `once` of two steps of one run, over the ledger.
@Suite struct RunnerOnceTests {
    /// The conditions mention what is later than the key, so that the first step has the key until it is known not to run.
    @Test(arguments: [
        "inputs.text == 'hello'", "steps.check.outputs.is == 'hello'", "always() && inputs.text == 'hello'",
    ])
    func ofTwoStepsWithOneKeyTheOneWhoseConditionHoldsRuns(condition: String) async throws {
        let (yes, no) = (HandKind("yes", .write), HandKind("no", .write))
        let check = HandKind("check", .read) { _ in .succeeded(["is": "hello"]) }
        let bench = try Bench([
            Part("check", check), Part("no", no, once: "k", condition: "!(\(condition))"),
            Part("yes", yes, once: "k", condition: condition),
        ])
        #expect(try await bench.process().state == .succeeded)
        #expect(yes.calls.count == 1 && no.calls.isEmpty)
        #expect(await bench.ledger("k")?.address == "yes")
        #expect(await bench.ledger("k")?.state == .done([:]))
    }

    @Test func aStepThatRunsForCertainTakesTheKeyFromOneThatMayRun() async throws {
        let (sure, maybe) = (HandKind("sure", .write), HandKind("maybe", .write))
        let check = HandKind("check", .read) { _ in .succeeded(["is": "hello"]) }
        let bench = try Bench([
            Part("maybe", maybe, once: "k", condition: "steps.check.outputs.is == 'other'"), Part("check", check),
            Part("sure", sure, needs: ["check"], once: "k"),
        ])
        #expect(try await bench.process().state == .succeeded)
        #expect(sure.calls.count == 1 && maybe.calls.isEmpty)
        #expect(await bench.ledger("k")?.address == "sure")
        #expect(await bench.ledger("k")?.state == .done([:]))
    }
}
