import Journal
import StepKit
import Testing
import Values
import Workflows

@testable import Engine

/// Steps with `for-each`: rows that go on by themselves.
@Suite struct SchedulerBatchTests {
    /// Lets everything that runs succeed until nothing does, except for what is told.
    private func work(_ rig: inout Rig, except stay: Set<String> = []) {
        while let name = rig.running.first(where: { !stay.contains($0) }) { rig.succeed(name) }
    }

    @Test func eachRowGoesThroughAllItsSteps() {
        var rig = Rig(.rows())
        rig.begin()
        work(&rig)
        #expect(rig.finish == .succeeded)
        #expect(rig.states.values.allSatisfy { $0 == .succeeded })
        #expect(rig.begunTooEarly.isEmpty)
        #expect(rig.begun.filter { $0.hasPrefix("post") } == ["post[0]", "post[1]", "post[2]"])
        #expect(rig.begun.last == "report")
        #expect(rig.history("card").first == .itemsKnown)
    }

    @Test func pauseInOneRowStopsNoOther() {
        var rig = Rig(.rows())
        rig.begin()
        work(&rig, except: ["saved[1]"])
        rig.pause("saved[1]", .approval, answer: .approval)
        work(&rig)
        #expect(rig.finish == .paused)
        #expect(rig.state("post[0]") == .succeeded && rig.state("post[2]") == .succeeded)
        #expect(rig.state("post[1]") == .pending)
        #expect(rig.state("report") == .pending)
    }

    @Test func failureInOneRowLeavesOnlyThatRowOut() {
        var rig = Rig(.rows())
        rig.begin()
        work(&rig, except: ["upload[1]"])
        rig.fail("upload[1]", .invalid)
        work(&rig)
        #expect(rig.finish == .failed)
        #expect(rig.state("post[0]") == .succeeded && rig.state("post[2]") == .succeeded)
        #expect(rig.scheduler.skipReason(of: rig.index("saved[1]")) == .dependency("upload[1]", .failed))
        #expect(rig.scheduler.skipReason(of: rig.index("post[1]")) == .dependency("saved[1]", .skipped))
        // Not every row was posted: what waits for all of them counts that as a failure.
        #expect(rig.state("post") == .failed)
        #expect(rig.scheduler.skipReason(of: rig.index("report")) == .dependency("post", .failed))
    }

    @Test func captchaHoldsTheAccountsOtherRowsAndAnAnswerLetsThemGo() throws {
        var rig = Rig(.rows())
        rig.lists["card"] = 5
        rig.begin()
        work(&rig, except: ["post[1]"])
        rig.pause("post[1]", .captcha, answer: .captchaText)
        work(&rig)
        #expect(rig.finish == .paused)
        #expect(rig.begun.filter { $0.hasPrefix("post") } == ["post[0]", "post[1]"])
        #expect((0..<5).allSatisfy { rig.state("upload[\($0)]") == .succeeded })
        try rig.restart(answers: ["post[1]": .answer(.captcha("abc"))])
        #expect(rig.begun == ["post[1] 2"])
        work(&rig)
        #expect(rig.finish == .succeeded)
        #expect(rig.begun.filter { $0.hasPrefix("post") } == ["post[1] 2", "post[2]", "post[3]", "post[4]"])
    }

    @Test func writesGoInTheOrderOfTheRows() {
        var rig = Rig(.rows())
        rig.begin()
        rig.succeed("server")
        work(&rig, except: ["card[0]"])
        #expect(!rig.begun.contains { $0.hasPrefix("saved") })
        rig.succeed("card[0]")
        work(&rig)
        #expect(rig.begun.filter { $0.hasPrefix("saved") } == ["saved[0]", "saved[1]", "saved[2]"])
    }

    /// A process that takes the run up knows no more than the journal which rows are still to come.
    @Test func writesGoInTheOrderOfTheRowsAfterARestart() throws {
        var rig = Rig(.rows())
        rig.begin()
        rig.succeed("server")
        work(&rig, except: ["card[0]"])
        try rig.restart()
        work(&rig, except: ["card[0]"])
        #expect(!rig.begun.contains { $0.hasPrefix("saved") })
        rig.succeed("card[0]")
        work(&rig)
        #expect(rig.begun.filter { $0.hasPrefix("saved") } == ["saved[0]", "saved[1]", "saved[2]"])
        #expect(rig.begun.filter { $0.hasPrefix("post") } == ["post[0]", "post[1]", "post[2]"])
    }

    /// A wait of minutes and a question may last; nobody waits for them.
    @Test(arguments: [ErrorClass.quota, .captcha]) func rowThatIsHeldUpIsPassedBy(errorClass: ErrorClass) {
        var sketches = [Sketch].rows()
        sketches[2].account = "other"
        var rig = Rig(sketches)
        rig.begin()
        work(&rig, except: ["upload[0]"])
        if errorClass == .quota { rig.fail("upload[0]", .quota) } else { rig.pause("upload[0]", .approval) }
        work(&rig)
        #expect(rig.begun.filter { $0.hasPrefix("post") } == ["post[1]", "post[2]"])
        #expect(rig.finish == (errorClass == .quota ? .waiting : .paused))
    }

    @Test func failFastKeepsThoseFromStartingThatHaveNot() {
        var rig = Rig(.rows(failFast: true))
        rig.lists["card"] = 4
        rig.begin()
        work(&rig, except: ["post[1]", "upload[3]"])
        rig.fail("post[1]", .invalid)
        #expect(rig.scheduler.skipReason(of: rig.index("post[2]")) == .failFast("post[1]"))
        #expect(rig.scheduler.skipReason(of: rig.index("post[3]")) == .failFast("post[1]"))
        work(&rig)
        #expect(rig.state("post[0]") == .succeeded)
        // What would only have served the rows that are left out does not start either.
        #expect(!rig.begun.contains("saved[3]"))
        #expect(rig.finish == .failed)
    }

    @Test func maxParallelLimitsTheItemsOfItsStep() {
        var rig = Rig(.rows(maxParallel: 2), concurrency: 10)
        rig.lists["card"] = 6
        rig.begin()
        work(&rig, except: Set((0..<6).map { "upload[\($0)]" }))
        #expect(rig.running == ["upload[0]", "upload[1]"])
        // An item between two attempts keeps its place; one that is paused gives it up.
        rig.fail("upload[0]", .network)
        #expect(rig.running == ["upload[1]"])
        rig.pause("upload[1]", .approval, answer: .approval)
        #expect(rig.running == ["upload[2]"])
        rig.fire()
        #expect(rig.running == ["upload[2]", "upload[0]"])
    }

    @Test func emptyListSkipsTheStepsAndFailsNothing() {
        var rig = Rig(.rows())
        rig.lists["card"] = 0
        rig.begin()
        work(&rig)
        #expect(rig.finish == .succeeded)
        #expect(rig.scheduler.skipReason(of: rig.index("card")) == .emptyList)
        #expect(rig.scheduler.skipReason(of: rig.index("post")) == .emptyList)
        #expect(rig.scheduler.skipReason(of: rig.index("report")) == .dependency("post", .skipped))
    }

    @Test func listThatCannotBeMadeFailsItsStep() {
        var rig = Rig(.rows())
        rig.lists.updateValue(nil, forKey: "card")
        rig.begin()
        work(&rig)
        #expect(rig.finish == .failed)
        #expect(rig.state("card") == .failed)
        #expect(rig.scheduler.skipReason(of: rig.index("post")) == .dependency("card", .failed))
    }

    @Test func listWaitsForTheStepsThatItMentions() {
        var rig = Rig([
            Sketch("rows", .read), Sketch("slow", .read),
            Sketch("card", .pure, needs: ["slow"], over: "card", list: ["rows"]),
        ])
        rig.begin()
        rig.succeed("rows")
        #expect(rig.history("card") == [.itemsKnown])
        #expect(rig.running == ["slow"])
        rig.succeed("slow")
        #expect(rig.running == ["card[0]", "card[1]", "card[2]"])
    }

    @Test func listIsTheSameAfterARestart() throws {
        var rig = Rig(.rows())
        rig.begin()
        work(&rig, except: ["saved[0]"])
        rig.lists["card"] = 7
        try rig.restart()
        work(&rig)
        #expect(rig.finish == .succeeded)
        #expect(rig.scheduler.nodes.count(of: rig.index("card")) == 3)
        #expect(rig.history("card").filter { $0 == .itemsKnown }.count == 1)
    }

    @Test func deathInTheMiddleDoesNothingTwice() throws {
        var rig = Rig(.rows())
        rig.lists["card"] = 4
        rig.begin()
        var posts: [String: Int] = [:]
        var steps = 0
        while rig.finish == nil {
            steps += 1
            if steps % 5 == 0 {
                try rig.restart()
                continue
            }
            if let name = rig.looking.first {
                rig.look(name, .found([:]))
            } else if let name = rig.running.first {
                if name.hasPrefix("post") { posts[name, default: 0] += 1 }
                rig.succeed(name)
            } else {
                rig.fire()
            }
        }
        #expect(rig.finish == .succeeded)
        #expect(posts.values.allSatisfy { $0 == 1 })
        #expect((0..<4).allSatisfy { rig.history("post[\($0)]").last == .stepSucceeded })
    }

    @Test func secondItemWithTheSameKeyIsSkippedByName() {
        var rig = Rig(.rows(once: true))
        rig.keys = ["post[0]": "a", "post[1]": "b", "post[2]": "a"]
        rig.begin()
        work(&rig)
        #expect(rig.finish == .succeeded)
        #expect(rig.scheduler.skipReason(of: rig.index("post[2]")) == .sameKey("a", by: "post[0]"))
        // Nothing is made for it.
        #expect(!rig.begun.contains("card[2]") && !rig.begun.contains("upload[2]"))
        #expect(rig.state("post") == .succeeded)
        #expect(rig.state("report") == .succeeded)
    }

    @Test func rowsThatWerePostedAlreadyCostNothing() {
        var rig = Rig(.rows(once: true))
        rig.keys = ["post[0]": "a", "post[1]": "b", "post[2]": "c"]
        for key in ["a", "b", "c"] { rig.ledger[key] = .elsewhere(key, .done([:])) }
        rig.begin()
        #expect(rig.finish == .succeeded)
        #expect(rig.begun.isEmpty)
        #expect(rig.states.filter { $0.key != "report" }.values.allSatisfy { $0 == .skipped })
        #expect(rig.scheduler.skipReason(of: rig.index("report")) == .servesOnlySkipped)
    }

    @Test func staleItemMakesItsOwnInputsAgain() {
        var rig = Rig(.rows())
        rig.begin()
        work(&rig, except: ["saved[1]"])
        rig.fail("saved[1]", .stale)
        #expect(rig.running.filter { !$0.hasPrefix("post") } == ["server"])
        rig.succeed("server")
        #expect(rig.running.filter { $0.hasPrefix("upload") } == ["upload[1]"])
        work(&rig)
        #expect(rig.finish == .succeeded)
        #expect(rig.begun.filter { $0.hasPrefix("upload") && $0.hasSuffix(" 2") } == ["upload[1] 2"])
        #expect(rig.begun.filter { $0.hasPrefix("post") }.sorted() == ["post[0]", "post[1]", "post[2]"])
        #expect(!rig.begun.contains("card[1] 2"))
    }

    @Test func staleStepOutsideMakesAllItemsAgain() {
        var rig = Rig([
            Sketch("upload", .idempotent, over: "upload"),
            Sketch("saved", .write, needs: ["upload"], rule: .redoInputs, account: "vk"),
        ])
        rig.begin()
        work(&rig, except: ["saved"])
        rig.fail("saved", .stale)
        work(&rig, except: ["saved"])
        #expect(rig.begun.filter { $0.hasSuffix(" 2") } == ["upload[0] 2", "upload[1] 2", "upload[2] 2", "saved 2"])
        rig.succeed("saved")
        #expect(rig.finish == .succeeded)
    }

    @Test func failedRowAcceptedByContinueOnErrorIsNoFailure() {
        var rig = Rig([
            Sketch("post", .write, account: "vk", continuesOnError: true, over: "post"),
            Sketch("report", .pure, needs: ["post"]),
        ])
        rig.begin()
        rig.succeed("post[0]")
        rig.fail("post[1]", .invalid)
        work(&rig)
        #expect(rig.state("post") == .failed)
        #expect(rig.state("report") == .succeeded)
        #expect(rig.finish == .succeeded)
    }

    /// Each part of the work is counted, not timed: ten times the rows are ten times the work.
    @Test func workIsLinearInTheNumberOfRows() {
        func work(_ count: Int) -> (events: Int, decisions: Int) {
            var rig = Rig(.rows(once: true, maxParallel: 3))
            rig.lists["card"] = count
            rig.begin()
            self.work(&rig)
            #expect(rig.finish == .succeeded)
            return rig.work
        }
        let (small, large) = (work(20), work(200))
        // `server`, `report`, the list and the begin and end of the run are the same for both.
        #expect(large.events - small.events == 180 * ((small.events - 3) / 20))
        #expect(large.decisions <= small.decisions * 10)
    }
}
