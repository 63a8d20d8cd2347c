import Journal
import StepKit
import Testing
import Values
import Workflows

@testable import Engine
@testable import PasteupCLI

/// What people and programs are told, on values made by hand.
@Suite struct ViewTests {
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)
    private let plain = Style(isOn: false)

    private func record(_ id: String = "r7k2", _ state: RunState = .running) -> RunRecord {
        RunRecord(
            id: id, workflow: "w", file: "/w.yaml", lockKey: "", inputs: [:], startedAt: Self.start, state: state)
    }

    private func report(
        _ address: String, _ state: StepState, effect: Effect = .write, attempts: Int = 1, error: StepError? = nil,
        skipReason: SkipReason? = nil, pause: PauseRequest? = nil, hold: AccountHold? = nil,
        continuesOnError: Bool = false
    ) -> StepReport {
        StepReport(
            address: address, kind: "vk.wall.post", effect: effect, state: state, attempts: attempts, error: error,
            skipReason: skipReason, pause: pause, hold: hold, waitsUntil: nil, waitsAfter: nil,
            continuesOnError: continuesOnError)
    }

    private func summary(
        _ state: RunState, _ steps: [StepReport], holders: [RunRecord] = []
    ) throws -> [String] {
        let workflow = Workflow(
            name: "w", description: nil, file: "w.yaml", folder: "/", inputs: [], accounts: [], concurrency: 4,
            steps: [], outputs: [], graph: try StepGraph(dependencies: [], sources: [], onceSources: []))
        return RunSummary(
            RunOutcome(state: state, steps: steps, outputs: [], wakesAt: nil), of: workflow, record(),
            try StateFolder("/s", [:], isSandbox: false),
            Holders(holders)
        ).lines(plain)
    }

    private func once(_ state: LedgerEntry.State, run: String = "a1b2") -> SkipReason {
        .once(
            LedgerEntry(
                key: LedgerKey(scope: "w", text: "own/7"), run: run, address: "post", state: state, at: Self.start))
    }

    // MARK: The end of a run

    @Test func successCountsSteps() throws {
        #expect(try summary(.succeeded, [report("a", .succeeded)]) == ["run r7k2 succeeded: 1 step."])
        #expect(
            try summary(.succeeded, [report("a", .succeeded), report("b", .succeeded), report("c", .skipped)])
                == ["run r7k2 succeeded: 2 steps."])
    }

    @Test func nothingToDoSaysWhy() throws {
        let read = report("a", .succeeded, effect: .read)
        #expect(
            try summary(.succeeded, [read, report("post", .skipped, skipReason: once(.done([:])))])
                == ["run r7k2: nothing to do, 'own/7' was posted already."])
        #expect(
            try summary(.succeeded, [report("a", .skipped, skipReason: .nothingToDo("no photo"))])
                == ["run r7k2: nothing to do."])
    }

    @Test(
        arguments: [
            (.paused, "paused"), (.running, "show a1b2"), (.stopped, "resume a1b2"), (.interrupted, "resume a1b2"),
        ] as [(RunState, String)])
    func keyThatAnotherRunHoldsNamesItAndTheNextCommand(state: RunState, command: String) throws {
        let lines = try summary(
            .succeeded, [report("post", .skipped, skipReason: once(.reserved))], holders: [record("a1b2", state)])
        #expect(
            lines.first
                == "'own/7' is held by run a1b2, which is \(state.rawValue). See: pasteup \(command) --state /s")
        #expect(lines.last == "run r7k2: nothing to do.")
    }

    @Test func failureNamesStepAttemptsAndCommand() throws {
        let error = StepError(.server, "VK answered 10", why: "It is ill.", fix: "Wait.")
        let lines = try summary(
            .failed, [report("a", .failed, attempts: 5, error: error), report("b", .skipped), report("c", .skipped)])
        #expect(
            lines == [
                "error: step 'a', after 5 attempts: VK answered 10. It is ill. Wait.",
                "run r7k2 failed: 1 step failed, 2 skipped. Run them again with: pasteup retry r7k2 --state /s",
            ])
    }

    @Test func toleratedFailureIsAWarning() throws {
        let error = StepError(.server, "VK answered 10")
        let lines = try summary(
            .succeeded, [report("a", .failed, error: error, continuesOnError: true), report("b", .succeeded)])
        #expect(lines == ["warning: step 'a': VK answered 10.", "run r7k2 succeeded: 1 step."])
    }

    @Test(
        arguments: [
            (.captchaText, "--captcha TEXT"), (.successToken, "--success-token -"),
            (.approval, "--approve  or: pasteup resume r7k2 --state /s --reject"),
            (.doubt, "--posted ID  or: pasteup resume r7k2 --state /s --resend"), (.none, ""),
        ] as [(PauseRequest.AnswerForm, String)])
    func questionEndsWithTheCommandThatAnswersIt(form: PauseRequest.AnswerForm, option: String) throws {
        let pause = PauseRequest(.captcha, message: "VK asks.", picture: "artifacts/c.png", answer: form)
        let lines = try summary(.paused, [report("post", .paused, pause: pause)])
        #expect(
            lines == [
                "paused: step 'post' (captcha): VK asks.", "  Picture: /s/runs/r7k2/artifacts/c.png",
                "  Answer with: pasteup resume r7k2 --state /s" + (option.isEmpty ? "" : " " + option),
                "run r7k2 is paused: 1 question to answer.",
            ])
    }

    @Test func severalQuestionsNameTheirSteps() throws {
        let pause = PauseRequest(.captcha, message: "VK asks.", answer: .captchaText)
        let lines = try summary(.paused, [report("a", .paused, pause: pause), report("b", .paused, pause: pause)])
        #expect(
            lines.filter { $0.contains("Answer with") } == [
                "  Answer with: pasteup resume r7k2 --state /s --step a --captcha TEXT",
                "  Answer with: pasteup resume r7k2 --state /s --step b --captcha TEXT",
            ])
        #expect(lines.last == "run r7k2 is paused: 2 questions to answer.")
    }

    @Test(
        arguments: [
            (.stopped, "was stopped", "resume r7k2"), (.interrupted, "was interrupted", "resume r7k2"),
            (.waiting, "is waiting", "resume --due"),
        ] as [(RunState, String, String)])
    func endThatIsNoneNamesResume(state: RunState, words: String, command: String) throws {
        #expect(try summary(state, []).last?.hasPrefix("run r7k2 \(words). ") == true)
        #expect(try summary(state, []).last?.contains("pasteup \(command) --state /s") == true)
    }

    // MARK: Exit codes

    @Test(
        arguments: [
            (.succeeded, 0), (.failed, 1), (.canceled, 1), (.paused, 3), (.waiting, 4), (.stopped, 130),
            (.interrupted, 143),
        ] as [(RunState, Int32)])
    func stateBecomesTheExitCode(state: RunState, code: Int32) {
        #expect(ExitCode(state).rawValue == code)
    }

    @Test(
        arguments: [
            ([], .done), ([.done, .done], .done), ([.failed, .done], .failed), ([.failed, .waiting], .waiting),
            ([.waiting, .paused, .failed], .paused), ([.paused, .stopped], .stopped),
        ] as [([ExitCode], ExitCode)])
    func severalRunsEndWithTheMostPressingCode(codes: [ExitCode], worst: ExitCode) {
        #expect(ExitCode.worst(codes) == worst)
    }

    // MARK: Plans

    private func step(
        _ address: String, _ effect: Effect, after dependencies: [String] = [], parameters: [PlannedMember] = [],
        requests: [PlannedRequest] = [], state: StepState? = nil, outputs: ValueObject = [:]
    ) -> PlannedStep {
        PlannedStep(
            address: address, title: address, kind: "kind.of.\(address)", effect: effect, asksPerson: false,
            account: effect == .pure ? nil : "vk", dependencies: dependencies,
            once: effect == .write ? .text([.known("own/"), .after(["a"])]) : nil,
            condition: effect == .write ? "inputs.go" : nil, parameters: parameters, requests: requests, state: state,
            outputs: outputs, remark: nil)
    }

    @Test func planShowsWhatIsKnownAndWhatIsNot() {
        let plan = Plan(
            workflow: "w",
            steps: [
                step(
                    "a", .read,
                    requests: [
                        PlannedRequest(
                            "GET", .known("https://a.example/me"),
                            fields: [
                                PlannedMember("limit", .known(25)), PlannedMember("access_token", .secret),
                                PlannedMember("left_out", .known(.null)),
                            ])
                    ]),
                step(
                    "b", .pure, after: ["a"],
                    parameters: [
                        PlannedMember("image", .after(["a"])), PlannedMember("lines", .known("one\ntwo")),
                    ]),
                step(
                    "c", .write, after: ["a", "b"],
                    requests: [
                        PlannedRequest(
                            "POST", .after(["b"]),
                            fields: [
                                PlannedMember("list", .list([.known("x"), .after(["b"])])),
                                PlannedMember("object", .object([PlannedMember("k", .known(1))])),
                            ])
                    ]),
            ], outputs: [])
        #expect(
            PlanHumanView(plan, file: "w.yaml", plain).text == """
                Plan of w (w.yaml)

                1. a  kind.of.a  (reads)  account vk
                   GET https://a.example/me
                     limit         25
                     access_token  (secret)

                2. b  kind.of.b  (computed here)
                   after a
                   image  (known after a)
                   lines  one
                          two

                3. c  kind.of.c  (writes)  account vk
                   after a, b
                   if inputs.go
                   once own/(known after a)
                   POST (known after b)
                     list    [x, (known after b)]
                     object  { k: 1 }

                Plan: 1 read, 1 computed here, 1 write. Nothing was sent.

                """)
    }

    @Test func fetchedPlanSaysThatNothingWasWritten() {
        let plan = Plan(
            workflow: "w",
            steps: [
                step("a", .read, state: .succeeded, outputs: ["id": "7"]),
                step("b", .idempotent, requests: [PlannedRequest("POST", .known("https://u.example/"))]),
                step("c", .idempotent),
            ], outputs: [])
        #expect(
            PlanHumanView(plan, file: "w.yaml", plain).text == """
                Plan of w (w.yaml)

                1. a  kind.of.a  (reads)  account vk
                   done for this plan
                     id  7

                2. b  kind.of.b  (uploads)  account vk
                   POST https://u.example/

                3. c  kind.of.c  (writes, and may again)  account vk

                Plan: 1 read, 1 upload, 1 write. Nothing was written anywhere.

                """)
    }

    @Test func planShowsTheBeginningOfALongListAndCountsTheRest() {
        let list = Value.array((0..<51).map { ["n": .integer($0)] })
        let plan = Plan(
            workflow: "w",
            steps: [
                step("a", .pure, parameters: [PlannedMember("rows", .known(["all": list, "one": 1]))])
            ], outputs: [])
        #expect(
            PlanHumanView(plan, file: "w.yaml", plain).text.contains(
                #"   rows  {"all":[{"n":0},{"n":1},{"n":2}, and 48 more],"one":1}"#))
    }

    // MARK: Lists

    @Test func runsStandInColumns() {
        let runs = [record("r7k2", .succeeded), record("r7k10", .paused)]
        let time = Self.start.localText
        let gap = String(repeating: " ", count: max(0, time.count - "STARTED".count))
        #expect(
            RunListView.table(runs, plain) == """
                RUN    STATE      STARTED\(gap)  WORKFLOW
                r7k2   succeeded  \(time)  w
                r7k10  paused     \(time)  w

                """)
        #expect(RunListView.table([], plain).isEmpty)
    }

    @Test func runAsJSONKeepsItsPromisedNames() throws {
        let line = RunListView.json([record("r7k2", .paused)])
        let object = try Value(json: Array(line.utf8))
        #expect(line.hasSuffix("}\n"))
        #expect(
            object.object.map { Set($0.keys) } == [
                "run", "workflow", "state", "file", "started-at", "changed-at", "processes", "inputs",
            ])
        #expect(
            object["started-at"]?.string == "2026-09-21T14:13:20.000Z"
                || object["started-at"]?.string == "2026-09-21T14:13:20Z")
    }

    @Test func coloursAreForTerminalsOnly() {
        #expect(plain.red("x") == "x")
        #expect(Style(isOn: true).red("x") == "\u{1B}[31mx\u{1B}[0m")
    }
}
