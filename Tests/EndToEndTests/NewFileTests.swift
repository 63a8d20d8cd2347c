import Files
import TestSupport
import Testing

/// `pasteup new`, and what becomes of the files that it writes.
@Suite struct NewFileTests {
    private let folder: TemporaryFolder
    private let runner: ProgramRunner

    init() throws {
        folder = try TemporaryFolder()
        runner = ProgramRunner(
            ProgramRunner.built("pasteup"),
            environment: ["HOME": folder.path, "PASTEUP_STATE": folder.file("state"), "XDG_RUNTIME_DIR": folder.path],
            folder: folder.path)
        let photo = try FileSystem.read(inSource("examples/pictures/harbour.jpg"))
        _ = try folder.write("photo.jpg", photo)
    }

    @Test(
        arguments: [
            (["--from", "instagram"], []),
            (["--from", "instagram", "--card", "--to", "vk:-226100401", "--schedule", "15 * * * *"], []),
            (["--from", "instagram", "--to", "vk", "--to", "vk:-226100401", "--schedule", "@daily"], []),
            (["--from", "file", "--card"], ["-i", "photo=photo.jpg", "-i", "text=Hello"]),
            (["--from", "file", "--to", "vk:-226100401"], ["-i", "photo=photo.jpg", "-i", "text=Hello"]),
            (["--from", "text", "--name", "words", "--to", "vk,vk:-226100401"], ["-i", "text=Hello"]),
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

    @Test(
        arguments: [
            ([], "is not told what the workflow is for"), (["--from", "instagramm"], "Did you mean 'instagram'?"),
            (["--from", "text", "--to", "club12"], "'club12' is no wall"),
            (["--from", "text", "--card"], "'--card' goes with a photo"),
            (["--from", "text", "--schedule", "hourly"], "'hourly' is no time as cron has it"),
            (["--from", "text", "--name", "my workflow"], "'my workflow' cannot be the name"),
        ] as [([String], String)])
    func whatCannotBeMeantIsRefused(flags: [String], message: String) async throws {
        let run = try await runner.run(["new", "start.yaml"] + flags)
        #expect(run.code == 2, "\(run.all)")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!FileSystem.exists(folder.file("start.yaml")))
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
