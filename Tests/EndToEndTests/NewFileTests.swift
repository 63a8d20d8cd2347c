import Files
import TestSupport
import Testing

/// `pasteup new`, and what becomes of the files that it writes.
@Suite(.programs) struct NewFileTests {
    private let folder: TemporaryFolder
    private let runner: ProgramRunner

    init() throws {
        folder = try TemporaryFolder()
        runner = ProgramRunner(
            ProgramRunner.built("pasteup"),
            environment: [
                "HOME": folder.path, "PASTEUP_STATE": folder.file("state"), "XDG_RUNTIME_DIR": folder.path, "TZ": "UTC",
            ],
            folder: folder.path)
        let photo = try FileSystem.read(inSource("examples/pictures/harbour.jpg"))
        _ = try folder.write("photo.jpg", photo)
        let rows = """
            wall,text,picture,time
            743215608,With a picture,photo.jpg,
            -226100401,Without one,,

            """
        _ = try folder.write("posts.csv", Array(rows.utf8))
    }

    @Test(
        arguments: [
            (["--from", "instagram"], []),
            (["--from", "instagram", "--card", "--to", "vk:-226100401", "--schedule", "15 * * * *"], []),
            (["--from", "instagram", "--to", "vk", "--to", "vk:-226100401", "--schedule", "@daily"], []),
            // A number of one's own community, as the help has it.
            (["--from", "instagram", "--to", "vk:-12", "--card"], []),
            (["--from", "file", "--card"], ["-i", "photo=photo.jpg", "-i", "text=Hello"]),
            (["--from", "file", "--to", "vk:-226100401"], ["-i", "photo=photo.jpg", "-i", "text=Hello"]),
            (["--from", "text", "--name", "words", "--to", "vk,vk:-226100401"], ["-i", "text=Hello"]),
            (["--from", "table"], ["--input-file", "rows=posts.csv"]),
            (["--from", "table", "--card"], ["--input-file", "rows=posts.csv"]),
        ] as [([String], [String])])
    func whatItWritesIsValidAndRuns(flags: [String], inputs: [String]) async throws {
        let new = try await runner.run(["new", "start.yaml"] + flags)
        #expect(new.code == 0, "\(new.all)")
        #expect(new.output == "wrote start.yaml\n")
        #expect(new.errors.hasPrefix("Try it: pasteup run start.yaml --sandbox"))
        let checked = try await runner.run(["validate", "--strict", "start.yaml"])
        #expect(checked.code == 0, "\(checked.all)")
        let run = try await runner.run(["run", "start.yaml", "--sandbox"] + inputs)
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output.contains("https://vk.com/wall"), "\(run.all)")
    }

    /// One row with a picture, and one without.
    @Test(arguments: [[], ["--card"]])
    func eachRowOfATableIsPostedOnce(flags: [String]) async throws {
        let new = try await runner.run(["new", "start.yaml", "--from", "table"] + flags)
        let line = try #require(new.errors.rest(after: "Try it: pasteup "))
        let command = line.split(separator: " ").map(String.init)
        #expect(command == ["run", "start.yaml", "--sandbox", "--input-file", "rows=posts.csv"])
        _ = try folder.write("later.csv", Array("wall,text,picture,time\n-12,Later,,2030-12-01 10:00\n".utf8))
        let plan = try await runner.run(["plan", "start.yaml", "--input-file", "rows=later.csv"])
        // TZ=UTC date -d '2030-12-01 10:00' +%s
        #expect(plan.output.contains("publish_date  1922349600"), "\(plan.all)")
        let run = try await runner.run(command)
        #expect(run.code == 0, "\(run.all)")
        #expect(run.output.matches(of: /https:\/\/vk.com\/wall743215608_[0-9]+/).count == 1, "\(run.output)")
        #expect(run.output.matches(of: /https:\/\/vk.com\/wall-226100401_[0-9]+/).count == 1, "\(run.output)")
        let again = try await runner.run(command)
        #expect(again.code == 0 && again.errors.contains("nothing to do"), "\(again.all)")
    }

    @Test func aFileThatIsThereStays() async throws {
        _ = try folder.write("start.yaml", Array("mine".utf8))
        let refused = try await runner.run(["new", "start.yaml", "--from", "text"])
        #expect(refused.code == 2)
        #expect(refused.errors.contains("'start.yaml' is there already"), "\(refused.errors)")
        #expect(try FileSystem.read(folder.file("start.yaml")) == Array("mine".utf8))
        #expect(try await runner.run(["new", "start.yaml", "--from", "text", "--force"]).code == 0)
        #expect(try FileSystem.read(folder.file("start.yaml")) != Array("mine".utf8))
        #expect(try FileSystem.list(folder.path).allSatisfy { !$0.hasSuffix(".part") })
    }

    @Test func aProgramIsToldTheFileAndTheCommand() async throws {
        let new = try await runner.run(["new", "start.yaml", "--from", "text", "--json"])
        #expect(new.code == 0 && new.errors.isEmpty, "\(new.all)")
        #expect(
            new.output
                == "{\"file\":\"start.yaml\",\"command\":\"pasteup run start.yaml --sandbox -i text=Hello\"}\n")
    }

    @Test(
        arguments: [
            ([], "is not told what the workflow is for"), (["--from", "instagramm"], "Did you mean 'instagram'?"),
            (["--from", "text", "--to", "club12"], "'club12' is no wall"),
            (["--from", "text", "--card"], "'--card' goes with a photo"),
            (["--from", "table", "--to", "vk"], "'--to' goes with one post"),
            (["--from", "text", "--schedule", "hourly"], "'hourly' is no time as cron has it"),
            (["--from", "text", "--schedule", "99 * * * *"], "Its minute is '99', and takes 0 to 59"),
            (["--from", "text", "--name", "my workflow"], "'my workflow' cannot be the name"),
        ] as [([String], String)])
    func whatCannotBeMeantIsRefused(flags: [String], message: String) async throws {
        let run = try await runner.run(["new", "start.yaml"] + flags)
        #expect(run.code == 2, "\(run.all)")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!FileSystem.exists(folder.file("start.yaml")))
    }

    @Test func aTerminalIsNotAskedForTheWallsOfATable() async throws {
        let program = try TerminalProgram(
            ProgramRunner.built("pasteup"), ["new", folder.file("asked.yaml")], environment: ["HOME": folder.path])
        _ = try await program.wait(for: "Where do posts come from (instagram, file, text, table)")
        program.type("table\n")
        _ = try await program.wait(for: "story card")
        program.type("yes\n")
        _ = try await program.wait(for: "When shall it run")
        program.type("@daily\n")
        _ = try await program.finish()
        let text = String(decoding: try FileSystem.read(folder.file("asked.yaml")), as: UTF8.self)
        #expect(text.contains("for-each: { of: card }\n"))
        #expect(text.contains("schedule: \"@daily\"\n"))
    }

    @Test func aTerminalIsAsked() async throws {
        let program = try TerminalProgram(
            ProgramRunner.built("pasteup"), ["new", folder.file("asked.yaml")], environment: ["HOME": folder.path])
        _ = try await program.wait(for: "Where do posts come from")
        program.type("instagran\n")
        _ = try await program.wait(for: "Did you mean 'instagram'?")
        program.type("\n")
        _ = try await program.wait(for: "Onto which walls")
        program.type("vk:-12\n")
        _ = try await program.wait(for: "story card")
        program.type("no\n")
        _ = try await program.wait(for: "When shall it run")
        program.type("\n")
        _ = try await program.finish()
        let text = String(decoding: try FileSystem.read(folder.file("asked.yaml")), as: UTF8.self)
        #expect(text.contains("name: asked\n"))
        #expect(text.contains("owner_id: -12\n"))
        #expect(!text.contains("card.compose") && !text.contains("schedule:"))
    }
}
