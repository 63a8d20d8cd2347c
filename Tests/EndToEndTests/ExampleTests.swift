import Files
import TestSupport
import Testing

/// The workflows that are handed out.
@Suite struct ExampleTests {
    /// Every YAML file in the two folders.
    private static let files: [String] = ["workflows", "examples"].flatMap { folder in
        ((try? FileSystem.list(inSource(folder))) ?? []).filter { $0.hasSuffix(".yaml") }.map { "\(folder)/\($0)" }
    }

    /// Inputs that have no default.
    private static let inputs = ["workflows/text-to-wall.yaml": ["-i", "text=Открыты до девяти"]]

    @Test func thereAreSome() {
        #expect(Self.files.count >= 6)
        for name in Self.inputs.keys { #expect(Self.files.contains(name)) }
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

        let text = String(decoding: try FileSystem.read(inSource("workflows/instagram-to-vk.yaml")), as: UTF8.self)
        var wrong: Set<String> = []
        for (index, (written, instead)) in [
            ("concurrency: 4", "concurrency: many"), ("uses: vk.wall.post", "uses: vk.wall.pots"),
            ("kinds: [image, carousel]", "kinds: [image, carrousel]"), ("radius: 48", "radius: round"),
            ("top: \"#FF9500\"", "top: orange"), ("once:", "onse:"), ("message:", "mesage:"),
            ("type: instagram", "type: instagramm"),
        ].enumerated() {
            #expect(text.contains(written))
            wrong.insert(try folder.write("\(index).yaml", Array(text.replacing(written, with: instead).utf8)))
        }
        #expect(try await SchemaChecker().refused(wrong.sorted(), schema: schema) == wrong)
    }
}
