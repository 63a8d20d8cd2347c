import Journal
import StepKit
import Testing
import Values

@testable import Engine

/// Parts: files that steps use.
@Suite struct SchedulerPartTests {
    /// A part whose last step runs in any case.
    private func part(over rows: Bool = false) -> Rig {
        let over = rows ? "part/a" : nil
        return Rig([
            Sketch("part/a", .read, over: over),
            Sketch("part/last", needs: ["part/a"], condition: .asksStatus, over: over),
            Sketch("part", needs: ["part/last"], over: over, members: ["part/a", "part/last"]),
            Sketch("after", needs: ["part"]),
        ])
    }

    @Test func aPartWaitsForTheStepThatRunsAgainThoughItsLastOneIsOver() throws {
        var rig = part()
        rig.begin()
        rig.fail("part/a", .permission)
        rig.succeed("part/last")
        #expect(rig.state("part") == .failed && rig.finish == .failed)
        rig.batches.append(["part/a", "part", "after"].map { JournalEntry(.stepReset, $0, at: rig.wall) })
        try rig.restart()
        #expect(rig.running == ["part/a"])
        #expect(rig.state("part") == .pending)
        rig.succeed("part/a")
        #expect(rig.state("part") == .succeeded)
        #expect(rig.running == ["after"])
        rig.succeed("after")
        #expect(rig.finish == .succeeded)
    }

    @Test func aRowOfAPartWaitsForTheStepThatRunsAgainInItsRow() throws {
        var rig = part(over: true)
        rig.lists["part/a"] = 2
        rig.begin()
        rig.fail("part/a[0]", .permission)
        rig.succeed("part/a[1]")
        rig.succeed("part/last[0]")
        rig.succeed("part/last[1]")
        #expect(rig.state("part[0]") == .failed && rig.state("part[1]") == .succeeded)
        rig.batches.append(["part/a[0]", "part[0]", "after"].map { JournalEntry(.stepReset, $0, at: rig.wall) })
        try rig.restart()
        #expect(rig.running == ["part/a[0]"])
        #expect(rig.state("part[0]") == .pending)
        rig.succeed("part/a[0]")
        #expect(rig.state("part[0]") == .succeeded)
    }

    @Test func aPartEndsWithoutWhatServesOnlyAStepWhoseKeyIsTaken() {
        var rig = Rig([
            Sketch("part/upload", .idempotent),
            Sketch("part/post", .write, needs: ["part/upload"], once: []),
            Sketch("part", needs: ["part/post"], members: ["part/upload", "part/post"]),
        ])
        rig.ledger["part/post"] = .elsewhere("part/post", .done([:]))
        rig.begin()
        #expect(rig.finish == .succeeded)
        #expect(rig.begun.isEmpty)
        #expect(rig.states.values.allSatisfy { $0 == .skipped })
    }
}
