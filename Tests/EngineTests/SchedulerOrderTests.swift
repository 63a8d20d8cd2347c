import Expressions
import Journal
import StepKit
import Testing
import Values
import Workflows

@testable import Engine

@Suite struct SchedulerOrderTests {
    @Test func startsWhatIsReadyInTheOrderOfTheFile() {
        var rig = Rig([Sketch("c", needs: ["a"]), Sketch("b"), Sketch("a")])
        rig.begin()
        #expect(rig.running == ["b", "a"])
        rig.succeed("a")
        #expect(rig.running == ["b", "c"])
        rig.succeed("b")
        rig.succeed("c")
        #expect(rig.finish == .succeeded)
    }

    @Test func runsNoMoreAtOnceThanAllowed() {
        var rig = Rig((0..<5).map { Sketch("s\($0)") }, concurrency: 2)
        rig.begin()
        #expect(rig.running == ["s0", "s1"])
        rig.succeed("s1")
        #expect(rig.running == ["s0", "s2"])
    }

    @Test func emptyWorkflowSucceedsAtOnce() {
        var rig = Rig([])
        rig.begin()
        #expect(rig.finish == .succeeded)
    }

    @Test func failedStepSkipsWhatDependsOnItAndNothingElse() {
        var rig = Rig([
            Sketch("a"), Sketch("b", needs: ["a"]), Sketch("c", needs: ["b"]), Sketch("other"),
            Sketch("last", needs: ["other"]),
        ])
        rig.begin()
        rig.fail("a", .permission)
        #expect(rig.scheduler.skipReason(of: 1) == .dependency("a", .failed))
        #expect(rig.scheduler.skipReason(of: 2) == .dependency("b", .skipped))
        rig.succeed("other")
        rig.succeed("last")
        #expect(rig.finish == .failed)
    }

    @Test func nothingToDoSkipsWhatDependsOnItAndTheRunSucceeds() {
        var rig = Rig(.mainJob())
        rig.begin()
        #expect(rig.running == ["latest"])
        rig.findNothing("latest")
        #expect(rig.finish == .succeeded)
        #expect(Set(rig.states.values) == [.skipped])
        #expect(rig.begun == ["latest"])
    }

    @Test func continueOnErrorCountsAsSuccess() {
        var rig = Rig([Sketch("a", continuesOnError: true), Sketch("b", needs: ["a"])])
        rig.begin()
        rig.fail("a", .permission)
        rig.succeed("b")
        #expect(rig.finish == .succeeded)
        #expect(rig.state("a") == .failed)
    }

    struct If: Sendable, CustomTestStringConvertible {
        let first: StepState
        let condition: SchedulerNode.Condition
        let status: RunStatus?
        var testDescription: String { "\(condition) after \(first)" }
    }

    /// `status` is what the expression is asked with; nil when it is not asked.
    @Test(arguments: [
        If(first: .succeeded, condition: .plain, status: .succeeded),
        If(first: .failed, condition: .plain, status: nil), If(first: .skipped, condition: .plain, status: nil),
        If(first: .succeeded, condition: .asksStatus, status: .succeeded),
        If(first: .failed, condition: .asksStatus, status: .failed),
        If(first: .skipped, condition: .asksStatus, status: .skipped),
    ])
    func conditionIsAskedWithTheStatus(_ case: If) {
        var rig = Rig([Sketch("a"), Sketch("b", needs: ["a"], condition: `case`.condition)])
        let expected = `case`.status
        rig.conditions["b"] = { status in
            #expect(status == expected)
            return true
        }
        rig.begin()
        switch `case`.first {
        case .failed: rig.fail("a", .invalid)
        case .skipped: rig.findNothing("a")
        default: rig.succeed("a")
        }
        #expect(rig.running == (expected == nil ? [] : ["b"]))
        #expect(rig.state("b") == (expected == nil ? .skipped : .running))
    }

    @Test func falseConditionSkips() {
        var rig = Rig([Sketch("a", condition: .plain), Sketch("b", needs: ["a"])])
        rig.conditions["a"] = { _ in false }
        rig.begin()
        #expect(rig.finish == .succeeded)
        #expect(rig.scheduler.skipReason(of: 0) == .conditionFalse)
        #expect(rig.state("b") == .skipped)
    }

    @Test func failureIsSeenThroughSkippedSteps() {
        var rig = Rig([
            Sketch("a"), Sketch("b", needs: ["a"]), Sketch("c", needs: ["b"], condition: .asksStatus),
            Sketch("d", needs: ["c"], condition: .asksStatus),
        ])
        rig.conditions["c"] = { $0 == .failed }
        rig.conditions["d"] = { $0 == .succeeded }
        rig.begin()
        rig.fail("a", .invalid)
        #expect(rig.running == ["c"])
        rig.succeed("c")
        #expect(rig.running == ["d"])
        rig.succeed("d")
        #expect(rig.finish == .failed)
    }

    @Test func writesOfAnAccountGoOneAtATimeInTheOrderOfTheFile() {
        var rig = Rig([
            Sketch("late", .write, needs: ["read"], account: "vk"), Sketch("w1", .write, account: "vk"),
            Sketch("read", .read, account: "vk"), Sketch("w2", .write, account: "vk"),
            Sketch("other", .write, account: "insta"),
        ])
        rig.begin()
        #expect(rig.running == ["w1", "read", "other"])
        rig.succeed("read")
        #expect(rig.running == ["w1", "other"])
        rig.succeed("w1")
        #expect(rig.running == ["other", "late"])
        rig.succeed("late")
        #expect(rig.running == ["other", "w2"])
    }

    @Test func writeKeepsItsTurnWhileItBacksOffAndWhileItIsLookedFor() {
        var rig = Rig([
            Sketch("w1", .write, rule: .look, account: "vk"), Sketch("w2", .write, account: "vk"),
        ])
        rig.begin()
        rig.fail("w1", .network)
        #expect(rig.running == [])
        rig.fire()
        #expect(rig.running == ["w1"])
        rig.fail("w1", .inDoubt)
        #expect(rig.looking == ["w1"] && rig.running == [])
        rig.look("w1", .found([:]))
        #expect(rig.running == ["w2"])
    }

    static let count = 10_000

    @Test func chainOfTenThousandSteps() {
        var rig = Rig(
            (0..<Self.count).map { Sketch("s\($0)", needs: $0 == 0 ? [] : ["s\($0 - 1)"]) }, concurrency: 1)
        rig.begin()
        for step in 0..<Self.count { rig.succeed("s\(step)") }
        #expect(rig.finish == .succeeded)
        #expect(rig.journal.count == 2 * Self.count + 1)
    }

    @Test func fanOutAndInOfTenThousandSteps() {
        let middle = (0..<Self.count).map { "m\($0)" }
        var rig = Rig(
            [Sketch("first")] + middle.map { Sketch($0, needs: ["first"]) } + [Sketch("last", needs: middle)],
            concurrency: 8)
        rig.begin()
        rig.succeed("first")
        for _ in 0..<Self.count { rig.succeed(rig.running[0]) }
        #expect(rig.running == ["last"])
        rig.succeed("last")
        #expect(rig.finish == .succeeded)
    }

    @Test func skipCascadesOverTenThousandSteps() {
        var rig = Rig((0..<Self.count).map { Sketch("s\($0)", needs: $0 == 0 ? [] : ["s\($0 - 1)"]) })
        rig.begin()
        rig.fail("s0", .invalid)
        #expect(rig.finish == .failed)
        #expect(rig.states.values.count { $0 == .skipped } == Self.count - 1)
    }

    @Test func keyThatIsHeldPrunesTenThousandSteps() {
        let names = (0..<Self.count).map { "s\($0)" }
        var rig = Rig(
            names.enumerated().map { Sketch($1, needs: $0 == 0 ? [] : [names[$0 - 1]]) }
                + [Sketch("post", .write, needs: [names.last!], once: [])])
        rig.ledger["post"] = .elsewhere("post", .done([:]))
        rig.begin()
        #expect(rig.finish == .succeeded)
        #expect(rig.begun == [])
    }
}
