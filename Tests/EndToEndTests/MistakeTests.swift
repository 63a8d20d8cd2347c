import Files
import TestSupport
import Testing
import Values

/// What users do wrong, and machines.
@Suite(.programs) struct MistakeTests {
    @Test func mistakesOfAFileAreShownTogetherWithCarets() async throws {
        let story = try Story()
        try story.write(
            "bad.yaml",
            """
            name: bad
            accounts:
              vk: { type: vk, token: "${{ secrets.VK_TOKEN }}" }
            steps:
              post:
                uses: vk.wall.post
                need: [saved]
                with: { message: "${{ steps.pots.outputs.url }}" }

            """)
        for command in ["run", "validate", "plan"] {
            let run = try await story.pasteup(command, "bad.yaml")
            #expect(run.code == 2, "\(run.all)")
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("bad.yaml:7:5: error: "), "\(run.errors)")
            #expect(run.errors.contains("7 |     need: [saved]\n"), "\(run.errors)")
            #expect(run.errors.contains("|     ^~~~\n"), "\(run.errors)")
            #expect(run.errors.contains("bad.yaml:8:"), "\(run.errors)")
            #expect(run.errors.contains("2 errors"), "\(run.errors)")
        }
        #expect(try await story.counts().isEmpty)
        #expect(!FileSystem.exists(story.stateFolder))
    }

    @Test(arguments: [
        (["rnu", "photo.yaml"], "unknown command 'rnu'. Did you mean 'run'?"),
        (["frobnicate"], "unknown command 'frobnicate'. See 'pasteup --help'."),
        (["run", "--sandbx", "photo.yaml"], "unknown option '--sandbx' of 'pasteup run'. Did you mean '--sandbox'?"),
        (["run"], "'pasteup run' needs FILE. For example: pasteup run workflows/instagram-to-vk.yaml -i wall=-123"),
        (["run", "photo.yaml", "more.yaml"], "'more.yaml' is one argument too many for 'pasteup run'."),
        (["run", "photo.yaml", "--faults", "x"], "'--faults' goes with '--sandbox' only."),
        (["plan", "photo.yaml", "--faults", "x"], "'--faults' goes with '--sandbox' only."),
        (["run", "photo.yaml", "--json=yes"], "option '--json' takes no value."),
        (["run", "photo.yaml", "-i", "wall"], "'-i wall' gives no input. Write -i name=value."),
        (["run", "photo.yaml", "-i", "wall=1", "-i", "wall=2"], "input 'wall' is given 2 times. Give it once."),
        (["run", "photo.yaml", "-i"], "option '-i' needs a value. Write '-i NAME=VALUE'."),
        (["list", "--limit", "none"], "'--limit none' is no number of runs. Give a whole number from 1."),
        (["sandbox", "--port", "70000"], "'--port 70000' is no port. Give a number from 0 to 65535."),
        (["show", "x"], "there are no runs in"), (["help", "rnu"], "unknown command 'rnu'. Did you mean 'run'?"),
        (["list", "--state", ""], "'--state' is empty. Give the path of a folder."),
    ])
    func commandLineThatIsWrongEndsWith2(words: [String], message: String) async throws {
        let story = try Story()
        let run = try await story.runner().run(words)
        #expect(run.code == 2, "\(run.all)")
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("error: " + message), "\(run.errors)")
        #expect(try await story.counts().isEmpty)
    }

    @Test(arguments: [
        ("wall=club12", "wall"), ("wal=1", "Did you mean 'wall'?"), ("link=", ""),
        ("wall=99999999999999999999", "wall"),
    ])
    func inputsAreHeldToTheirTypes(input: String, message: String) async throws {
        let story = try Story()
        let run = try await story.pasteup("plan", "photo.yaml", "-i", input)
        #expect(run.code == (message.isEmpty ? 0 : 2), "\(run.all)")
        if !message.isEmpty { #expect(run.errors.contains(message), "\(run.errors)") }
    }

    @Test func missingFileIsNamed() async throws {
        let story = try Story()
        let run = try await story.pasteup("run", "missing.yaml")
        #expect(run.code == 2)
        #expect(run.errors.contains("'missing.yaml'"), "\(run.errors)")
        let folder = try await story.pasteup("run", ".")
        #expect(folder.code == 2, "\(folder.all)")
        #expect(folder.errors.contains("'.'"), "\(folder.errors)")
    }

    @Test(arguments: ["a file in its place", "a file above it", "a damaged journal", "not writable"])
    func stateFolderThatCannotBeUsedIsNamedAndNothingIsSent(what: String) async throws {
        let story = try Story()
        var path = story.stateFolder
        switch what {
        case "a file in its place": try story.write("state", "")
        case "a file above it":
            path = try story.write("above", "") + "/state"
        case "a damaged journal":
            try FileSystem.makeFolder(path)
            try story.write("state/journal.sqlite", String(repeating: "this is no database\n", count: 300))
        // Not even root may write there.
        default: path = "/proc/pasteup"
        }
        let run = try await story.pasteup("run", story.workflow, "--state", path)
        #expect(run.code == 1, "\(run.all)")
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("error: "), "\(run.errors)")
        #expect(run.errors.contains(what == "a file above it" ? story.folder.file("above") : path), "\(run.errors)")
        #expect(!run.errors.contains("fatal"), "\(run.errors)")
        #expect(try await story.counts().isEmpty)
    }

    /// Runs the program in a shell that has changed its streams.
    private func shell(_ story: Story, _ words: String, _ redirections: String) async throws -> ProgramResult {
        let shell = ProgramRunner("/bin/sh", environment: story.environment, folder: story.folder.path)
        return try await shell.run(["-c", "exec \(ProgramRunner.built("pasteup")) \(words) \(redirections)"])
    }

    @Test(arguments: ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func closedStreamsTakeNoMessagesIntoFiles(redirections: String) async throws {
        let story = try Story()
        #expect(try await shell(story, "run photo.yaml", redirections).code == 0)
        #expect(try await story.posts().count == 1)
        let list = try await story.pasteup("list")
        #expect(list.code == 0 && list.output.contains("succeeded"), "\(list.all)")
    }

    @Test func resultsThatCannotBeWrittenAreAFailure() async throws {
        let story = try Story()
        let run = try await shell(story, "--help", ">/dev/full")
        #expect(run.code == 1)
        #expect(
            run.errors
                == "error: the results cannot be written to standard output: No space left on device.\n")
    }

    /// The pipe is open at both ends, and nothing comes.
    @Test func signalEndsACommandThatRunsNothing() async throws {
        let story = try Story()
        let shell = ProgramRunner("/bin/sh", environment: story.environment, folder: story.folder.path)
        let run = try await shell.run([
            "-c",
            "mkfifo pipe; \(ProgramRunner.built("pasteup")) validate pipe & exec 3>pipe; kill -TERM $!; wait $!; echo $?",
        ])
        #expect(run.output == "143\n", "\(run.all)")
    }

    @Test func noNetworkFailsWithAPlainSentence() async throws {
        let story = try Story()
        let port = ScriptedServer.unusedPort()
        let run = try await story.pasteup("run", story.workflow, changes: ["SANDBOX": "http://127.0.0.1:\(port)"])
        #expect(run.code == 1, "\(run.all)")
        #expect(
            run.errors.contains(
                "error: step 'latest', after 5 attempts: Instagram's me/media failed: "
                    + "cannot connect to 127.0.0.1:\(port): Connection refused."),
            "\(run.errors)")
        // The network is back: nothing is left over that would keep the photo from being posted.
        #expect(try await story.pasteup("run", story.workflow).code == 0)
        #expect(try await story.posts().count == 1)
    }

    @Test(arguments: ["http://example.com", "ftp://127.0.0.1", "http://127.0.0.1.example.com", "", "not an address"])
    func tokenDoesNotTravelInTheClear(address: String) async throws {
        let story = try Story()
        let run = try await story.pasteup("run", story.workflow, changes: ["SANDBOX": address])
        #expect(run.code == 1, "\(run.all)")
        #expect(run.errors.contains("base-url of account 'insta'"), "\(run.errors)")
        #expect(try await story.pasteup("list", "--json").output.isEmpty)
    }

    @Test func pictureThatIsNoneFailsTheCardAlone() async throws {
        let story = try Story()
        try story.write("picture.jpg", "<html>not found</html>")
        let run = try await story.pasteup("run", inSource("examples/card.yaml"), "-i", "picture=picture.jpg")
        #expect(run.code == 1, "\(run.all)")
        #expect(run.errors.contains("step 'card'"), "\(run.errors)")
        #expect(run.errors.contains("picture.jpg"), "\(run.errors)")
    }

    @Test func faultsFileThatIsWrongIsExplained() async throws {
        let story = try Story()
        try story.write("faults.json", #"[{"on":"wall.pots","fault":{"type":"hang"}}]"#)
        let run = try await story.pasteup("run", story.workflow, "--sandbox", "--faults", "faults.json")
        #expect(run.code != 0, "\(run.all)")
        #expect(run.errors.contains("nothing is called 'wall.pots'"), "\(run.errors)")
    }

    @Test func standardOutputThatIsFullOrClosedIsNoCrash() async throws {
        let story = try Story()
        var shell = story.runner()
        shell.path = "/bin/sh"
        let program = ProgramRunner.built("pasteup")
        let run = try await shell.run(["-c", "\(program) run photo.yaml >&- 2>&-; echo $?"])
        #expect(run.output == "0\n", "\(run.all)")
        #expect(try await story.posts().count == 1)
    }
}
