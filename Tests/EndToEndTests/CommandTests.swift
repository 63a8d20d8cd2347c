import Files
import StoryCard
import TestSupport
import Testing
import Values

/// Each command as it is used beside the main job.
@Suite(.programs) struct CommandTests {
    @Test func versionIsOneLine() async throws {
        for option in ["--version", "-V"] {
            let run = try await ProgramRunner(ProgramRunner.built("pasteup")).run([option])
            #expect(run.code == 0)
            #expect(run.errors.isEmpty)
            #expect(run.output.hasPrefix("pasteup ") && run.output.lines.count == 1)
        }
    }

    @Test func helpNamesEveryCommandAndShowsAnExampleFirst() async throws {
        let runner = ProgramRunner(ProgramRunner.built("pasteup"))
        let help = try await runner.run(["--help"])
        #expect(help.code == 0)
        #expect(help.output.lines.first?.hasPrefix("  pasteup run ") == true)
        let names =
            help.output.split(separator: "Commands:\n").last?.split(separator: "\n\n").first?
            .split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) } ?? []
        let expected: Set = ["run", "plan", "resume", "list", "show", "paused", "validate", "sandbox"]
        #expect(expected.isSubset(of: names), "\(names)")
        for name in names {
            for words in [[name, "--help"], [name, "-h"], ["help", name]] {
                let one = try await runner.run(words)
                #expect(one.code == 0, "\(one.all)")
                #expect(one.errors.isEmpty)
                #expect(one.output.lines.first?.hasPrefix("  pasteup \(name)") == true, "\(one.output)")
                // A command with commands of its own names those instead of options.
                let isGroup = one.output.contains("\nCommands:\n")
                #expect(isGroup || one.output.contains("--state DIR"), "\(one.output)")
            }
        }
        let nothing = try await runner.run([])
        #expect(nothing.code == 2)
        #expect(nothing.output.isEmpty)
        #expect(nothing.errors == help.output)
    }

    @Test func eventsAreOneJSONObjectALine() async throws {
        let story = try Story()
        try await story.setFaults([
            ["on": "upload", "call": 1, "fault": ["type": "http", "status": 503]],
            ["on": "wall.post", "call": 1, "fault": ["type": "captcha", "form": "old", "answer": "zd5q2"]],
            ["on": "wall.post", "call": 2, "fault": ["type": "cut", "when": "after"]],
        ])
        let run = try await story.pasteup("run", story.workflow, "--json")
        #expect(run.code == 3)
        #expect(run.errors.isEmpty, "\(run.errors)")
        let events = try run.output.lines.map { try Value(json: Array($0.utf8)) }
        let names = events.compactMap { $0["event"]?.string }
        #expect(names.count == events.count)
        #expect(names.first == "run-started")
        #expect(names.last == "run-ended")
        #expect(
            Set(names) == [
                "run-started", "attempt-started", "step-succeeded", "once-reserved", "attempt-failed", "step-retrying",
                "step-paused", "run-ended",
            ])
        let id = try #require(events.first?["run"]?.string)
        for event in events {
            #expect(event["run"]?.string == id)
            #expect(event["at"]?.string.map { Timestamp(iso8601: $0) != nil } == true)
        }
        let end = try #require(events.last)
        #expect(end["state"]?.string == "paused")
        #expect(end["exit-code"]?.integer == 3)
        let command = try #require(end["questions"]?[0]?["command"]?.string)
        #expect(command == "pasteup resume \(id) --captcha TEXT")

        let resumed = try await story.pasteup("resume", id, "--captcha", "zd5q2", "--json")
        #expect(resumed.code == 0, "\(resumed.all)")
        let more = try resumed.output.lines.map { try Value(json: Array($0.utf8)) }
        let later = more.compactMap { $0["event"]?.string }
        #expect(later.contains("step-in-doubt"))
        #expect(more.first?["event"]?.string == "run-resumed")
        #expect(more.last?["outputs"]?["url"]?.string == "https://vk.com/wall743215608_1")
        #expect(more.last?["exit-code"]?.integer == 0)
    }

    @Test func historyIsListedAndShown() async throws {
        let story = try Story()
        let none = try await story.pasteup("list")
        #expect(none.code == 0)
        #expect(none.output.isEmpty)
        #expect(none.errors == "There are no runs yet.\n")
        #expect(try await story.pasteup("paused").errors == "Nothing is paused.\n")
        #expect(!FileSystem.exists(story.stateFolder), "looking makes nothing")

        try await story.fault("wall.post", ["type": "captcha", "form": "old"])
        #expect(try await story.pasteup("run", story.workflow).code == 3)
        let list = try await story.pasteup("list")
        #expect(list.errors.isEmpty)
        #expect(list.output.lines.count == 2)
        let id = try #require(list.output.lines.last?.split(separator: " ").first.map(String.init))
        #expect(list.output.lines.last?.contains("  paused  ") == true)
        #expect(list.output.lines.last?.hasSuffix("  instagram-to-vk") == true)
        let line = try Value(json: Array(try await story.pasteup("list", "--json").output.utf8))
        #expect(line["run"]?.string == id)
        #expect(line["state"]?.string == "paused")

        let show = try await story.pasteup("show", String(id.prefix(6)))
        #expect(show.code == 0)
        #expect(show.output.contains("latest  succeeded  1         "), "\(show.output)")
        #expect(show.output.contains("Answer with: pasteup resume \(id) --captcha TEXT"), "\(show.output)")
        let object = try Value(json: Array(try await story.pasteup("show", id, "--json").output.utf8))
        #expect(object["steps"]?.array?.count == 6)
        let post = object["steps"]?.array?.first { $0["step"]?.string == "post" }
        #expect(post?["pause"]?["kind"]?.string == "captcha")
        let saved = object["steps"]?.array?.first { $0["step"]?.string == "saved" }
        #expect(saved?["outputs"]?["attachment"]?.string?.hasPrefix("photo743215608_") == true)
        #expect(saved?["outputs"]?["items"]?[0]?["id"] != nil)
        #expect(!object.json().contains("access_key") && !object.json().contains("?size="), "\(object.json())")

        let paused = try await story.pasteup("paused")
        #expect(paused.output.hasPrefix("\(id)  instagram-to-vk  step 'post' (captcha), since "))
        let question = try Value(json: Array(try await story.pasteup("paused", "--json").output.utf8))
        #expect(FileSystem.exists(try #require(question["picture"]?.string)))
        #expect(question["command"]?.string == "pasteup resume \(id) --captcha TEXT")
    }

    @Test func optionStateStandsInThePrintedCommand() async throws {
        let story = try Story()
        try await story.fault("wall.post", ["type": "captcha", "form": "old"])
        let folder = story.folder.file("elsewhere")
        let run = try await story.pasteup("run", story.workflow, "--state", folder)
        let command = try #require(run.errors.rest(after: "Answer with: "))
        #expect(command.contains(" --state \(folder) "), "\(command)")
        #expect(!FileSystem.exists(story.stateFolder))
        let answer = try #require(try await story.state()["captchas"]?[0]?["answer"]?.string)
        #expect(try await story.pasteup(line: command, by: answer).code == 0)
    }

    @Test func planNeedsNeitherNetworkNorSecrets() async throws {
        let story = try Story()
        for words in [["plan", story.workflow], ["run", "--dry-run", story.workflow]] {
            let runner = story.runner([
                "INSTAGRAM_TOKEN": nil, "VK_TOKEN": nil, "SANDBOX": "http://127.0.0.1:\(ScriptedServer.unusedPort())",
            ])
            let plan = try await runner.run(words)
            #expect(plan.code == 0, "\(plan.all)")
            #expect(plan.errors.isEmpty)
            #expect(plan.output.contains("access_token  (secret)"))
            #expect(plan.output.contains("(known after latest)"))
            #expect(
                plan.output.hasSuffix(
                    "Plan: 2 reads, 1 computed here, 1 upload, 2 writes. Nothing was sent.\n"), "\(plan.output)")
        }
        #expect(try await story.counts().isEmpty)
        #expect(!FileSystem.exists(story.stateFolder))
    }

    @Test func planAsJSONHasEveryStepInOrder() async throws {
        let story = try Story()
        let plan = try await story.pasteup("plan", story.workflow, "--json", "-i", "wall=-5")
        let object = try Value(json: Array(plan.output.utf8))
        let steps = try #require(object["steps"]?.array)
        #expect(steps.first?["step"]?.string == "latest")
        #expect(steps.last?["step"]?.string == "post")
        #expect(steps.count == 6)
        let places = Dictionary(uniqueKeysWithValues: steps.enumerated().map { ($1["step"]?.string ?? "", $0) })
        for (place, step) in steps.enumerated() {
            for earlier in step["after"]?.array ?? [] { #expect(places[earlier.string ?? "", default: 99] < place) }
        }
        let fields = steps.last?["requests"]?[0]?["fields"]
        #expect(fields?["owner_id"]?.integer == -5)
        #expect(fields?["access_token"]?["secret"]?.bool == true)
        #expect(fields?["message"]?["known-after"] == ["latest"])
    }

    @Test func fetchedPlanShowsTheRealCardAndTextAndPostsNothing() async throws {
        let story = try Story(size: "1080x1920")
        let plan = try await story.pasteup("plan", story.workflow, "--fetch", "--json")
        #expect(plan.code == 0, "\(plan.all)")
        let steps = try #require(try Value(json: Array(plan.output.utf8))["steps"]?.array)
        let card = steps.first { $0["step"]?.string == "card" }
        let file = try #require(card?["outputs"]?["file"]?.string)
        let header = try readImageHeader(try FileSystem.read(file))
        #expect(header.width == 1080)
        #expect(header.height == 1920)
        #expect(steps.last?["requests"]?[0]?["fields"]?["message"]?.string == Story.caption)
        #expect(steps.last?["once"]?.string == "own/\(Story.mediaID)")
        #expect(try await story.posts().isEmpty)
        #expect(try await story.count("upload") == 0)
        #expect(!FileSystem.exists(story.stateFolder + "/journal.sqlite"))
    }

    @Test func rehearsalInTheSandboxNeedsNoAccount() async throws {
        let story = try Story()
        let runner = story.runner(["INSTAGRAM_TOKEN": nil, "VK_TOKEN": nil, "SANDBOX": nil])
        let plan = try await runner.run(["plan", inSource("workflows/instagram-to-vk.yaml"), "--fetch", "--sandbox"])
        #expect(plan.code == 0, "\(plan.all)")
        #expect(plan.output.contains("Доброе утро, город!"), "\(plan.output)")
        #expect(plan.output.hasSuffix("Nothing was written anywhere.\n"))
        let file = try #require(plan.output.lines.first { $0.contains("/artifacts/card-") }?.split(separator: " ").last)
        #expect(try readImageHeader(try FileSystem.read(String(file))).height == 1920)
        #expect(try await runner.run(["list", "--sandbox"]).output.isEmpty)
    }

    @Test func validateChecksSeveralFilesAndEndsWith2WhenOneIsWrong() async throws {
        let story = try Story()
        try story.write("bad.yaml", "steps: []\n")
        let run = try await story.pasteup("validate", "bad.yaml", "photo.yaml")
        #expect(run.code == 2)
        #expect(run.output == "photo.yaml: fine, 6 steps\n")
        #expect(run.errors.contains("bad.yaml"))
        let quiet = try await story.pasteup("validate", "--quiet", "photo.yaml")
        #expect(quiet.code == 0)
        #expect(quiet.all == "exit 0\n--- stdout\n--- stderr\n")
    }

    @Test func sandboxServesUntilItIsStopped() async throws {
        let story = try Story()
        let program = try story.start("sandbox", "--memory")
        let said = await program.output(until: "VK_TOKEN=")
        let lines = said.lines.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        #expect(lines.map(\.first) == ["base-url", "INSTAGRAM_TOKEN", "VK_TOKEN"])
        let run = try await story.pasteup(
            "run", story.workflow,
            changes: ["SANDBOX": lines[0][1], "INSTAGRAM_TOKEN": lines[1][1], "VK_TOKEN": lines[2].last])
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output == "url: https://vk.com/wall743215608_1\n")
        program.send(2)
        #expect(try await program.finish().code == 0)
        #expect(try await story.posts().isEmpty, "the other stand-in was not asked")
    }

    /// Without an account, from beginning to end: a captcha of the built-in stand-in, answered in a later process.
    @Test func sandboxRunRemembersWhatItAsked() async throws {
        let story = try Story()
        let runner = story.runner(["INSTAGRAM_TOKEN": nil, "VK_TOKEN": nil, "SANDBOX": nil])
        try story.write(
            "faults.json",
            #"[{"on":"wall.post","call":1,"fault":{"type":"captcha","form":"old","answer":"zd5q2"}}]"#)
        let run = try await runner.run(["run", "photo.yaml", "--sandbox", "--faults", "faults.json"])
        #expect(run.code == 3, "\(run.all)")
        let command = try #require(run.errors.rest(after: "Answer with: "))
        let words = command.split(separator: " ").dropFirst().map { $0 == "TEXT" ? "zd5q2" : String($0) }
        let resumed = try await runner.run(words)
        #expect(resumed.code == 0, "\(resumed.all)")
        #expect(resumed.output == "url: https://vk.com/wall743215608_1\n")
        #expect(try await runner.run(["run", "photo.yaml", "--sandbox"]).errors.contains("was posted already"))
        #expect(try await runner.run(["list"]).output.isEmpty, "the sandbox has a journal of its own")
    }
}
