public import Diagnostics
public import StepKit
internal import YAML

/// Reads workflow files and checks them.
public struct WorkflowLoader: Sendable {
    private let catalog: StepCatalog
    private let files: WorkflowFiles

    /// - Parameters:
    ///   - catalog: the step kinds and account types that files may name.
    ///   - files: reads the files that steps use.
    public init(
        catalog: StepCatalog,
        files: @escaping WorkflowFiles = WorkflowFile.fromDisk
    ) {
        self.catalog = catalog
        self.files = files
    }

    /// Reads and checks a file's content.
    ///
    /// - Throws: every problem of the file, warnings too, in order of place; what another one causes is left out.
    public func load(_ file: WorkflowFile) throws(DiagnosticsError) -> LoadedWorkflow {
        let document: YAMLDocument
        do { document = try YAMLDocument.load(bytes: file.bytes, file: file.name) } catch {
            throw DiagnosticsError(
                error.diagnostics.map { diagnostic in
                    var diagnostic = diagnostic
                    diagnostic.code = .yaml
                    return diagnostic
                })
        }
        var reader = WorkflowReader(document: document, file: file, catalog: catalog, files: files)
        return try reader.read()
    }

    /// Reads and checks a file's content.
    ///
    /// - Parameters:
    ///   - file: as the user named it.
    ///   - folder: absolute; relative paths in the file are taken from it.
    public func load(bytes: [UInt8], file: String, folder: String) throws(DiagnosticsError) -> LoadedWorkflow {
        try load(WorkflowFile(name: file, folder: folder, bytes: bytes))
    }

    /// Reads and checks a file. To show its lines beside the errors, read it with `WorkflowFile.read` first.
    public func load(path: String) throws(DiagnosticsError) -> LoadedWorkflow {
        try load(try WorkflowFile.read(path: path))
    }
}

/// A workflow with the file it came from.
public struct LoadedWorkflow: Sendable {
    public let workflow: Workflow
    /// In order of place.
    public let warnings: [Diagnostic]
    public let file: WorkflowFile
    /// The file's lines, for showing diagnostics.
    public let source: SourceText
}
