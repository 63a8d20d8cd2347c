import Files
import TestSupport
import Testing

/// The workflows that are handed out.
@Suite(.programs) struct ExampleTests {
    /// Every YAML file in the two folders and those inside of them.
    private static let files: [String] = ["workflows", "examples"].flatMap(files)

    private static func files(in folder: String) -> [String] {
        ((try? FileSystem.list(inSource(folder))) ?? []).flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            if FileSystem.isFolder(inSource(path)) { return files(in: path) }
            return name.hasSuffix(".yaml") ? [path] : []
        }
    }

    /// Inputs that have no default.
    private static let inputs = [
        "workflows/text-to-wall.yaml": ["-i", "text=Открыты до девяти"],
        "examples/parts/wall-photo.yaml": ["-i", "photo=" + inSource("examples/pictures/harbour.jpg")],
    ]

    @Test func thereAreSome() {
        #expect(Self.files.count >= 6)
        let inner = ["examples/parts/wall-photo.yaml", "examples/content-plan/content-plan.yaml"]
        for name in Array(Self.inputs.keys) + inner { #expect(Self.files.contains(name)) }
    }

    @Test(arguments: files)
    func validatesPlansAndRunsInTheSandbox(file: String) async throws {
        let folder = try TemporaryFolder()
        let runner = ProgramRunner(
            ProgramRunner.built("pasteup"),
            environment: ["HOME": folder.path, "PASTEUP_STATE": folder.file("state"), "XDG_RUNTIME_DIR": folder.path])
        let path = inSource(file)
        let given = Self.inputs[file] ?? []
        let checked = try await runner.run(["validate", path])
        #expect(checked.code == 0, "\(checked.all)")
        #expect(checked.errors.isEmpty, "no warnings: \(checked.errors)")
        let plan = try await runner.run(["plan", path] + given)
        #expect(plan.code == 0, "\(plan.all)")
        #expect(plan.output.hasSuffix("Nothing was sent.\n"))
        let run = try await runner.run(["run", path, "--sandbox"] + given)
        #expect(run.code == 0, "\(run.all)")
        #expect(!run.output.isEmpty)
        #expect(!run.errors.contains("warning"), "\(run.errors)")
    }

    @Test(.enabled(if: SchemaChecker.isThere, Comment(rawValue: SchemaChecker.absence)))
    func theSchemaTakesThemAndRefusesWhatIsNotInIt() async throws {
        let folder = try TemporaryFolder()
        let printed = try await ProgramRunner(ProgramRunner.built("pasteup")).run(["schema"])
        #expect(printed.code == 0 && printed.errors.isEmpty, "\(printed.all)")
        let schema = try folder.write("schema.json", Array(printed.output.utf8))
        #expect(try await SchemaChecker().problem(of: schema) == nil)
        #expect(try await SchemaChecker().refused(Self.files.map(inSource), schema: schema) == [])

        let mainJob = "workflows/instagram-to-vk.yaml"
        let plan = "examples/content-plan/content-plan.yaml"
        let parts = "examples/parts-on-walls.yaml"
        var wrong: Set<String> = []
        for (index, (file, written, instead)) in [
            (mainJob, "concurrency: 4", "concurrency: many"), (mainJob, "uses: vk.wall.post", "uses: wall.post"),
            (mainJob, "kinds: [image, carousel]", "kinds: [image, carrousel]"),
            (mainJob, "radius: 48", "radius: round"), (mainJob, "top: \"#FF9500\"", "top: \"#FF950\""),
            (mainJob, "once:", "onse:"), (mainJob, "message:", "mesage:"),
            (mainJob, "type: instagram", "type: instagramm"),
            (plan, "{ of: card }", "{ off: card }"),
            (plan, "{ of: card }", "{ of: card }\n    max-parallel: 0"),
            (plan, "{ of: card }", "{ of: card }\n    fail-fast: maybe"),
            (plan, "{ of: card }", "{ matrix: [1, 2] }"),
            (parts, "inputs.walls }}", "inputs.walls }}\n    once: one"),
            (parts, "inputs.walls }}", "inputs.walls }}\n    timeout: 5s"),
        ].enumerated() {
            let text = String(decoding: try FileSystem.read(inSource(file)), as: UTF8.self)
            #expect(text.contains(written))
            wrong.insert(try folder.write("\(index).yaml", Array(text.replacing(written, with: instead).utf8)))
        }
        #expect(try await SchemaChecker().refused(wrong.sorted(), schema: schema) == wrong)
    }
}
