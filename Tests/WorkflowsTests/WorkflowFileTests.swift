import Diagnostics
import Files
import StepKit
import Testing
import Workflows

@Suite struct WorkflowFileTests {
    private func message(loading path: String) -> String? {
        do {
            _ = try WorkflowLoader(catalog: .test).load(path: path)
            return nil
        } catch {
            return DiagnosticRenderer().render(error)
        }
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try FileSystem.makeTemporaryFolder(prefix: "workflow-file")
        defer { try? FileSystem.removeTree(folder) }
        try body(folder)
    }

    @Test func takesTheFolderFromThePath() throws {
        try withFolder { folder in
            let text = "name: test\nsteps: { read: { uses: test.read } }\n"
            try FileSystem.write(Array(text.utf8), to: "\(folder)/post.yaml")
            let workflow = try WorkflowLoader(catalog: .test).load(path: "\(folder)/./post.yaml").workflow
            #expect(workflow.file == "\(folder)/./post.yaml")
            #expect(workflow.folder == FileSystem.realPath(folder))
        }
    }

    @Test func namesTheFileThatMayBeMeant() throws {
        try withFolder { folder in
            try FileSystem.write([], to: "\(folder)/instagram-to-vk.yaml")
            #expect(
                message(loading: "\(folder)/instagram-to-vk.yml")
                    == "error: there is no file '\(folder)/instagram-to-vk.yml'. "
                    + "Did you mean '\(folder)/instagram-to-vk.yaml'?\n")
            #expect(
                message(loading: "\(folder)/instagram-to-vk")
                    == "error: there is no file '\(folder)/instagram-to-vk'. "
                    + "Did you mean '\(folder)/instagram-to-vk.yaml'?\n")
            #expect(
                message(loading: "\(folder)/nowhere/x.yaml") == "error: there is no file '\(folder)/nowhere/x.yaml'.\n")
        }
    }

    @Test func refusesFoldersAndHugeFiles() throws {
        try withFolder { folder in
            #expect(
                message(loading: folder) == "error: '\(folder)' is a folder, not a workflow file. Name a file in it.\n")
            try FileSystem.write([UInt8](repeating: 0x23, count: 16 << 20 | 1), to: "\(folder)/huge.yaml")
            #expect(
                message(loading: "\(folder)/huge.yaml")
                    == "error: '\(folder)/huge.yaml' is larger than 16 MiB. A file of that size is no workflow. "
                    + "Put large tables into CSV or JSON files of their own.\n")
        }
    }
}
