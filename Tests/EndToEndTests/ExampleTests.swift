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
}
