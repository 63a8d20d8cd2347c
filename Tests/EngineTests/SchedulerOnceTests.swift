import Expressions
import Journal
import StepKit
import Testing
import Values

@testable import Engine

@Suite struct SchedulerOnceTests {
    @Test func nothingThatServesThePostStartsBeforeItsKeyIsGranted() {
        var rig = Rig(.mainJob())
        rig.begin()
        #expect(rig.running == ["latest"])
        rig.succeed("latest")
        #expect(rig.ledger["post"]?.state == .reserved)
        #expect(rig.running == ["card", "server"])
        #expect(rig.history("post") == [.onceReserved])
    }

    @Test(arguments: [LedgerEntry.State.reserved, .done([:])]) func aKeyThatIsTakenCostsOneRead(
        state: LedgerEntry.State
    ) {
        var rig = Rig(.mainJob())
        rig.ledger["post"] = .elsewhere("post", state)
        rig.begin()
        rig.succeed("latest")
        #expect(rig.finish == .succeeded)
        #expect(rig.begun == ["latest"])
        #expect(rig.scheduler.skipReason(of: rig.index("post")) == .once(.elsewhere("post", state)))
        for step in ["card", "server", "upload", "saved"] {
            #expect(rig.scheduler.skipReason(of: rig.index(step)) == .servesOnlySkipped)
        }
    }

    @Test func successCompletesTheKey() {
        var rig = Rig(.mainJob())
        rig.begin()
        for step in ["latest", "card", "server", "upload", "saved"] { rig.succeed(step) }
        rig.succeed("post", ["url": "u"])
        #expect(rig.ledger["post"]?.state == .done(["url": "u"]))
        #expect(rig.finish == .succeeded)
    }

    @Test func aKeyWithAnEmptyPartIsTheStepsError() {
        var rig = Rig(.mainJob())
        rig.keys.updateValue(nil, forKey: "post")
        rig.begin()
        rig.succeed("latest")
        #expect(rig.state("post") == .failed)
        #expect(rig.finish == .failed)
        #expect(rig.begun == ["latest"])
        #expect(rig.state("upload") == .skipped)
    }

    @Test func failureOfTheKeysSourceSkipsEverything() {
        var rig = Rig(.mainJob())
        rig.begin()
        rig.fail("latest", .permission)
        #expect(rig.finish == .failed)
        #expect(rig.states.filter { $0.key != "latest" }.values.allSatisfy { $0 == .skipped })
        #expect(rig.ledger.isEmpty)
    }

    @Test func ofTwoStepsWithOneKeyTheSecondIsSkipped() {
        var rig = Rig([Sketch("p1", .write, once: []), Sketch("p2", .write, once: [])])
        rig.keys = ["p1": "k", "p2": "k"]
        rig.begin()
        #expect(rig.running == ["p1"])
        #expect(rig.scheduler.skipReason(of: 1) == .sameKey("k", by: "p1"))
        rig.succeed("p1")
        #expect(rig.ledger["k"]?.state == .done([:]))
    }

    enum Fate: String, CaseIterable {
        case ownFailure, uploadFails, uploadSkipped, nothingToDo, rejected
    }

    @Test(arguments: Fate.allCases) func aKeyIsFreeAgainWhenThePostCertainlyDidNotHappen(fate: Fate) throws {
        var rig = Rig([
            Sketch("upload", .idempotent),
            Sketch("post", .write, needs: ["upload"], once: [], account: "vk", condition: .plain),
        ])
        rig.begin()
        #expect(rig.ledger["post"]?.state == .reserved)
        switch fate {
        case .uploadFails: rig.fail("upload", .permission)
        case .uploadSkipped: rig.findNothing("upload")
        default: rig.succeed("upload")
        }
        switch fate {
        case .ownFailure: rig.fail("post", .permission)
        case .nothingToDo: rig.findNothing("post")
        case .rejected:
            rig.pause("post", .approval)
            try rig.restart(answers: ["post": .answer(.rejected)])
        default: break
        }
        #expect(rig.ledger["post"] == nil)
        #expect(rig.finish != nil)
    }

    @Test(arguments: ["first", "second"]) func ofTwoStepsWithOneKeyAndOppositeConditionsTheRightOneRuns(runs: String) {
        var rig = Rig([
            Sketch("first", .write, once: [], condition: .plain), Sketch("second", .write, once: [], condition: .plain),
        ])
        rig.keys = ["first": "k", "second": "k"]
        for name in rig.names { rig.conditions[name] = { _ in name == runs } }
        rig.begin()
        #expect(rig.running == [runs])
        rig.succeed(runs)
        #expect(rig.finish == .succeeded)
        #expect(rig.ledger["k"]?.state == .done([:]))
        #expect(rig.ledger["k"]?.address == runs)
    }

    /// The condition asks for what is made later than the key.
    @Test(arguments: ["first", "second"]) func oppositeConditionsOnALaterStepAreAskedBeforeTheKeyIsReserved(
        runs: String
    ) {
        var rig = Rig([
            Sketch("latest", .read), Sketch("check", .read, needs: ["latest"]),
            Sketch("first", .write, needs: ["latest"], once: ["latest"], condition: .plain, asks: ["check"]),
            Sketch("second", .write, needs: ["latest"], once: ["latest"], condition: .plain, asks: ["check"]),
        ])
        rig.keys = ["first": "k", "second": "k"]
        for name in rig.names { rig.conditions[name] = { _ in name == runs } }
        rig.begin()
        rig.succeed("latest")
        #expect(rig.running == ["check"])
        #expect(rig.ledger["k"]?.state == .reserved, "no other run begins the same meanwhile")
        rig.succeed("check")
        #expect(rig.running == [runs])
        #expect(rig.ledger["k"]?.address == runs)
    }

    @Test func whatRunsAfterAFailureGetsTheKeyThatTheFailedOneGaveBack() {
        var rig = Rig([
            Sketch("post", .write, once: []),
            Sketch("instead", .write, needs: ["post"], once: [], condition: .asksStatus),
        ])
        rig.keys = ["post": "k", "instead": "k"]
        rig.conditions["instead"] = { $0 == .failed }
        rig.begin()
        #expect(rig.running == ["post"])
        rig.fail("post", .permission)
        #expect(rig.running == ["instead"])
        rig.succeed("instead")
        #expect(rig.ledger["k"]?.address == "instead")
    }

    @Test(arguments: [false, true]) func theKeyIsTheOnesThatRunsForCertainAlsoAfterADeath(dies: Bool) throws {
        var rig = Rig([
            Sketch("check", .read), Sketch("maybe", .write, once: [], condition: .plain, asks: ["check"]),
            Sketch("sure", .write, needs: ["check"], once: [], rule: .look, account: "vk"),
        ])
        rig.keys = ["maybe": "k", "sure": "k"]
        rig.conditions["maybe"] = { _ in false }
        rig.begin()
        #expect(rig.running == ["check"])
        #expect(rig.ledger["k"]?.address == "sure")
        if dies { try rig.restart() }
        rig.succeed("check")
        #expect(rig.state("maybe") == .skipped)
        #expect(rig.running == ["sure"])
        #expect(rig.ledger["k"]?.address == "sure" && rig.ledger["k"]?.state == .reserved)
    }

    @Test func aKeyThatIsTakenCostsOneReadAlsoWhenTheConditionComesLater() {
        var rig = Rig([
            Sketch("latest", .read), Sketch("upload", .idempotent, needs: ["latest"]),
            Sketch(
                "post", .write, needs: ["latest"], once: ["latest"], condition: .plain, asks: ["upload"]),
        ])
        rig.ledger["post"] = .elsewhere("post", .done([:]))
        rig.begin()
        rig.succeed("latest")
        #expect(rig.begun == ["latest"])
        #expect(rig.finish == .succeeded)
    }

    @Test(arguments: [[], ["later"]]) func anEmptyPartOfTheKeyOfAStepWhoseConditionIsFalseIsNoError(asks: [String]) {
        var rig = Rig([
            Sketch("later", .read), Sketch("post", .write, once: [], condition: .plain, asks: asks),
        ])
        rig.keys["post"] = .some(nil)
        rig.conditions["post"] = { _ in false }
        rig.begin()
        rig.succeed("later")
        #expect(rig.scheduler.skipReason(of: rig.index("post")) == .conditionFalse)
        #expect(rig.finish == .succeeded)
    }

    @Test func whatServesOnlyAPostWhoseConditionIsFalseDoesNotStart() {
        var rig = Rig([
            Sketch("upload", .idempotent), Sketch("post", .write, needs: ["upload"], once: [], condition: .plain),
        ])
        rig.conditions["post"] = { _ in false }
        rig.begin()
        #expect(rig.begun.isEmpty)
        #expect(rig.finish == .succeeded)
        #expect(rig.ledger.isEmpty)
    }

    @Test func aKeyOfAnEarlierProcessIsGivenBackWhenTheConditionIsFalseNow() throws {
        var rig = Rig([
            Sketch("upload", .idempotent),
            Sketch("post", .write, needs: ["upload"], once: [], condition: .plain),
        ])
        rig.begin()
        #expect(rig.ledger["post"]?.state == .reserved)
        rig.conditions["post"] = { _ in false }
        try rig.restart()
        #expect(rig.ledger["post"] == nil)
        #expect(rig.finish == .succeeded)
    }

    @Test(arguments: [PauseKind.captcha, .approval, .auth]) func aPauseKeepsTheKey(kind: PauseKind) {
        var rig = Rig([Sketch("post", .write, once: [], account: "vk")])
        rig.begin()
        rig.pause("post", kind)
        #expect(rig.ledger["post"]?.state == .reserved)
    }

    @Test func doubtKeepsTheKeyOverProcesses() throws {
        var rig = Rig([Sketch("post", .write, once: [], account: "vk")])
        rig.begin()
        rig.fail("post", .inDoubt)
        #expect(rig.finish == .paused)
        try rig.restart(answers: ["post": .answer(.rejected)])
        rig.look("post", .unreadable(reason: "closed"))
        #expect(rig.ledger["post"]?.state == .reserved)
        try rig.restart(answers: ["post": .posted([:])])
        #expect(rig.ledger["post"]?.state == .done([:]))
    }

    @Test func stepSharedWithAnUngatedStepStillRuns() {
        var rig = Rig([
            Sketch("latest"), Sketch("card", needs: ["latest"]), Sketch("file", needs: ["card"]),
            Sketch("post", .write, needs: ["card"], once: ["latest"]),
        ])
        rig.ledger["post"] = .elsewhere("post", .done([:]))
        rig.begin()
        for step in ["latest", "card", "file"] { rig.succeed(step) }
        #expect(rig.finish == .succeeded)
        #expect(rig.state("post") == .skipped && rig.state("file") == .succeeded)
    }

    @Test func stepsAfterASkippedPostAreSkippedUnlessTheyAskForTheStatus() {
        var rig = Rig([
            Sketch("latest"), Sketch("post", .write, needs: ["latest"], once: ["latest"]),
            Sketch("comment", .write, needs: ["post"]), Sketch("note", needs: ["comment"], condition: .asksStatus),
        ])
        rig.ledger["post"] = .elsewhere("post")
        rig.conditions["note"] = { $0 == .skipped }
        rig.begin()
        rig.succeed("latest")
        #expect(rig.state("comment") == .skipped)
        #expect(rig.running == ["note"])
    }

    /// An upload for a comment under the post.
    private func commented() -> Rig {
        Rig([
            Sketch("latest", .read), Sketch("card", needs: ["latest"]),
            Sketch("post", .write, needs: ["card", "latest"], once: ["latest"]),
            Sketch("picture", needs: ["latest"]), Sketch("upload", .idempotent, needs: ["picture"]),
            Sketch("comment", .write, needs: ["post", "upload"]), Sketch("pin", .write, needs: ["comment"]),
        ])
    }

    @Test func whatServesOnlyStepsAfterAHeldPostDoesNotStart() {
        var rig = commented()
        rig.ledger["post"] = .elsewhere("post", .done([:]))
        rig.begin()
        #expect(rig.running == ["latest"])
        rig.succeed("latest")
        #expect(rig.begun == ["latest"])
        #expect(rig.finish == .succeeded)
        #expect(rig.states.filter { $0.key != "latest" }.values.allSatisfy { $0 == .skipped })
    }

    @Test func whatServesStepsAfterAPostStartsWithItsKey() {
        var rig = commented()
        rig.begin()
        #expect(rig.running == ["latest"])
        rig.succeed("latest")
        #expect(rig.running.sorted() == ["card", "picture"])
        for step in ["card", "picture", "upload", "post", "comment", "pin"] { rig.succeed(step) }
        #expect(rig.finish == .succeeded)
    }

    @Test func whatServesAStepThatRunsInAnyCaseDoesNotWaitForTheKey() {
        var rig = Rig([
            Sketch("key", .read), Sketch("post", .write, needs: ["key"], once: ["key"]), Sketch("log"),
            Sketch("tell", needs: ["post", "log"], condition: .asksStatus),
        ])
        rig.ledger["post"] = .elsewhere("post")
        rig.begin()
        #expect(rig.running.sorted() == ["key", "log"])
        rig.succeed("log")
        rig.succeed("key")
        #expect(rig.running == ["tell"])
    }

    @Test func keyWithoutATextLetsWhatGoesOnWithoutThePostStart() {
        var rig = Rig([
            Sketch("key", .read),
            Sketch("post", .write, needs: ["key"], once: ["key"], continuesOnError: true), Sketch("upload"),
            Sketch("after", .write, needs: ["post", "upload"]),
        ])
        rig.keys["post"] = .some(nil)
        rig.begin()
        #expect(rig.running == ["key"])
        rig.succeed("key")
        #expect(rig.running == ["upload"])
        rig.succeed("upload")
        rig.succeed("after")
        #expect(rig.finish == .succeeded)
    }

    @Test func keysOneAfterTheOtherAreDecidedOneByOne() throws {
        var rig = Rig([
            Sketch("a", .write, once: []), Sketch("mid", needs: ["a"]),
            Sketch("b", .write, needs: ["mid"], once: ["mid"]), Sketch("upload"),
            Sketch("end", .write, needs: ["b", "upload"]),
        ])
        rig.begin()
        #expect(rig.running == ["a"])
        rig.succeed("a")
        #expect(rig.running == ["mid"])
        try rig.restart()
        #expect(rig.running == ["mid"])
        rig.succeed("mid")
        #expect(rig.running.sorted() == ["b", "upload"])
    }

    @Test func writeThatIsSkippedWhileItWaitsForItsTurnBlocksNobody() {
        var rig = Rig([
            Sketch("busy", .write, account: "vk"), Sketch("key", .read), Sketch("pre", .write, account: "vk"),
            Sketch("post", .write, needs: ["key"], once: ["key"], account: "o"), Sketch("end", needs: ["post", "pre"]),
            Sketch("after", .write, account: "vk"),
        ])
        rig.ledger["post"] = .elsewhere("post")
        rig.begin()
        #expect(rig.state("pre") == .pending)
        rig.succeed("key")
        #expect(rig.state("pre") == .skipped, "only 'end' needs it, and 'end' needs the post")
        rig.succeed("busy")
        #expect(rig.running == ["after"])
    }

    @Test func keyGrantedToAStepThatIsSkippedAtTheSameMomentIsFreeAgain() {
        var rig = Rig([
            Sketch("g1", .write, once: [], account: "vk"), Sketch("g2", .write, needs: ["g1"], once: [], account: "vk"),
        ])
        rig.ledger["g1"] = .elsewhere("g1")
        rig.begin()
        #expect(rig.finish == .succeeded)
        #expect(rig.ledger["g2"] == nil, "nobody would ever give it back")
    }

    @Test func aReservationOfAnEarlierProcessIsStillOurs() throws {
        var rig = Rig(.mainJob())
        rig.begin()
        rig.succeed("latest")
        try rig.restart()
        #expect(rig.running == ["card", "server"])
    }

    @Test func aReservationWhoseEntryWasLostIsStillOurs() throws {
        var rig = Rig(.mainJob())
        rig.begin()
        rig.succeed("latest")
        rig.batches.removeLast()
        try rig.restart()
        #expect(rig.running == ["card", "server"])
    }

    @Test func aKeyThatWasForgottenAndTakenByAnotherRunMeanwhileIsNotUsed() throws {
        var rig = Rig(.mainJob())
        rig.begin()
        rig.succeed("latest")
        rig.ledger["post"] = .elsewhere("post", .done([:]))
        try rig.restart()
        #expect(rig.state("post") == .skipped)
        #expect(rig.finish == .succeeded)
    }

    @Test func aKeyThatWasForgottenWhileThePostIsInDoubtDoesNotHideThePost() throws {
        var rig = Rig([Sketch("post", .write, once: [], rule: .look, account: "vk")])
        rig.begin()
        rig.ledger = [:]
        try rig.restart()
        #expect(rig.begun == ["look post"])
        rig.look("post", .found([:]))
        #expect(rig.ledger["post"]?.state == .done([:]))
    }

    @Test func resetOfAFailedRunAsksForItsKeyAgain() throws {
        var rig = Rig(.mainJob())
        rig.begin()
        rig.succeed("latest")
        rig.succeed("card")
        rig.fail("server", .permission)
        #expect(rig.finish == .failed)
        #expect(rig.ledger.isEmpty)
        let reset = ["server", "upload", "saved", "post"].map { JournalEntry(.stepReset, $0, at: rig.wall) }
        rig.batches.append(reset)
        try rig.restart()
        #expect(rig.running == ["server"])
        for step in ["server", "upload", "saved", "post"] { rig.succeed(step) }
        #expect(rig.finish == .succeeded)
    }

    /// After a death the key is asked for anew before anything is sent; what is skipped before that gives it back.
    @Test func keyOfAnEarlierProcessIsGivenBackByAStepThatIsSkippedFirst() throws {
        var rig = Rig(
            [
                Sketch("read", .read), Sketch("inner", .write, once: []),
                Sketch("outer", .write, needs: ["read", "inner"], once: []),
            ], concurrency: 1)
        rig.begin()
        #expect(rig.begun == ["read"], "the write has its key, and has not begun")
        #expect(rig.ledger["inner"]?.run == "own" && rig.ledger["outer"]?.run == "own")
        rig.ledger["outer"] = .elsewhere("outer", .done([:]))
        try rig.restart()
        #expect(rig.state("inner") == .skipped)
        #expect(rig.ledger["inner"] == nil)
    }

    /// Here the conditions stand on what the posts are made of, in one order of the file or the other.
    @Test(arguments: [["day", "night"], ["night", "day"]], ["day", "night"])
    func ofTwoStepsWithOneKeyTheOneWhoseInputsAreMadeRuns(order: [String], runs: String) {
        var rig = Rig(
            order.flatMap { name in
                [
                    Sketch("\(name)-card", .read, condition: .plain),
                    Sketch(name, .write, needs: ["\(name)-card"], once: []),
                ]
            })
        for name in order {
            rig.keys[name] = "k"
            rig.conditions["\(name)-card"] = { _ in name == runs }
        }
        rig.begin()
        #expect(rig.running == ["\(runs)-card"])
        rig.succeed("\(runs)-card")
        #expect(rig.running == [runs])
        rig.succeed(runs)
        #expect(rig.finish == .succeeded)
        #expect(rig.ledger["k"]?.address == runs && rig.ledger["k"]?.isDone == true)
    }

    @Test(arguments: [["early", "late"], ["late", "early"]])
    func ofTwoStepsWithOneKeyTheOneThatTheOtherWaitsForRuns(order: [String]) {
        var rig = Rig(order.map { Sketch($0, .write, needs: $0 == "late" ? ["early"] : [], once: []) })
        rig.keys = ["early": "k", "late": "k"]
        rig.begin()
        #expect(rig.running == ["early"])
        rig.succeed("early")
        #expect(rig.scheduler.skipReason(of: rig.index("late")) == .sameKey("k", by: "early"))
        #expect(rig.finish == .succeeded)
    }

    @Test func whoWaitsForAFailureLeavesItsKeyToNobodyForARetryTakesIt() {
        var rig = Rig([
            Sketch("card", .read), Sketch("post", .write, needs: ["card"], once: []), Sketch("same", .write, once: []),
        ])
        rig.keys = ["post": "k", "same": "k"]
        rig.begin()
        #expect(rig.running == ["card"])
        rig.fail("card", .permission)
        #expect(rig.scheduler.skipReason(of: rig.index("same")) == .sameKey("k", by: "post"))
        #expect(rig.finish == .failed)
    }

    /// Keys k and l, each held by a step that waits for the one that stands behind the other.
    @Test func stepsThatStandBehindOneAnotherInARingAreSkipped() {
        var rig = Rig([
            Sketch("a", .write, needs: ["b"], once: []), Sketch("c", .write, needs: ["d"], once: []),
            Sketch("b", .write, once: []), Sketch("d", .write, once: []),
        ])
        rig.keys = ["a": "k", "d": "k", "c": "l", "b": "l"]
        rig.begin()
        for _ in 0..<4 { if let step = rig.running.first { rig.succeed(step) } }
        #expect(rig.finish == .succeeded)
        #expect(rig.states.values.allSatisfy { $0.isFinal })
    }

    @Test func rowsWithoutAPostLeaveTheirKeyToLaterOnes() {
        var rig = Rig([
            Sketch("card", .read, condition: .plain, over: "card"),
            Sketch("saved", .write, needs: ["card"], account: "vk", over: "card"),
            Sketch("post", .write, needs: ["saved"], once: [], account: "vk", over: "card"),
        ])
        for row in 0..<3 { rig.keys["post[\(row)]"] = "k" }
        for row in 0..<3 { rig.conditions["card[\(row)]"] = { _ in row == 1 } }
        rig.begin()
        while let step = rig.running.first { rig.succeed(step) }
        #expect(rig.finish == .succeeded)
        #expect(rig.begun == ["card[1]", "saved[1]", "post[1]"])
        #expect(rig.ledger["k"]?.address == "post[1]" && rig.ledger["k"]?.isDone == true)
    }

    /// The process has died after the ledger had the key, and before the journal did.
    @Test func aReservationWhoseEntryWasLostIsGivenBackWhenTheConditionIsFalse() throws {
        var rig = Rig([
            Sketch("check", .read), Sketch("post", .write, once: [], condition: .plain, asks: ["check"]),
        ])
        rig.conditions["post"] = { _ in false }
        rig.begin()
        #expect(rig.ledger["post"]?.state == .reserved)
        rig.batches = [[JournalEntry(.stepSucceeded, "check", at: rig.wall, data: ["outputs": [:]])]]
        try rig.restart()
        #expect(rig.finish == .succeeded)
        #expect(rig.ledger["post"] == nil)
    }

    @Test func aReservationWhoseEntryWasLostGoesToTheStepThatRunsForCertain() throws {
        var rig = Rig([
            Sketch("check", .read), Sketch("sure", .write, once: []),
            Sketch("maybe", .write, once: [], condition: .plain, asks: ["check"]),
        ])
        rig.keys = ["maybe": "k", "sure": "k"]
        rig.conditions["maybe"] = { _ in false }
        rig.ledger["k"] = LedgerEntry(
            key: LedgerKey(scope: "", text: "k"), run: "own", address: "maybe", state: .reserved, at: rig.wall)
        try rig.restart()
        #expect(rig.running == ["sure", "check"] || rig.running == ["check", "sure"])
        rig.succeed("check")
        rig.succeed("sure")
        #expect(rig.finish == .succeeded)
        #expect(rig.ledger["k"]?.address == "sure" && rig.ledger["k"]?.isDone == true)
    }
}
